package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes functions that make rows of documents as queries of their members: {@code FROM jsonb_to_recordset(d) AS x(a
 * int)} is {@code FROM LATERAL (SELECT CAST(d ->> 'a' AS int) FROM the elements of d) AS x(a)}.
 */
final class RecordTables {
    private static final Set<String> SETS = Set.of("JSON_TO_RECORDSET", "JSONB_TO_RECORDSET");
    private static final Set<String> RECORDS = Set.of("JSON_TO_RECORD", "JSONB_TO_RECORD");

    /** Types whose length a CAST would cut a text to, where PostgreSQL refuses it. */
    private static final Set<String> WITH_LENGTH = Set.of("VARCHAR", "CHAR", "CHARACTER", "BPCHAR");

    /** Words before the first column. */
    private static final int HEAD = 2;

    private final String source;
    private final Words words;

    private RecordTables(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        RecordTables tables = new RecordTables(source, words);
        for (int i = words.count() - 2; i >= 0; i--) { // so that places before it stay what they are
            String function = words.at(i).word();
            boolean isSet = SETS.contains(function);
            if ((isSet || RECORDS.contains(function)) && words.areAt(i + 1, "(") && FunctionWords.isCall(words, i)) {
                tables.replace(i, isSet);
            }
        }
    }

    /** A column that the client names, with the words of its type. */
    private record Column(Lexeme name, List<Lexeme> type) {
        boolean isDocument() {
            return type.size() == 1
                    && (type.getFirst().isWord("JSON") || type.getFirst().isWord("JSONB"));
        }
    }

    private void replace(int place, boolean isSet) {
        int close = words.closing(place + 1);
        int alias = words.at(close + 1).isWord("AS") ? close + 2 : close + 1;
        int list = words.areAt(alias, "(") ? alias : alias + 1;
        if (!words.areAt(list, "(")) {
            return;
        }
        int end = words.closing(list);
        List<Column> columns = columns(list, end);
        String document = words.at(place).word().startsWith("JSONB") ? "JSONB" : "JSON";
        List<Lexeme> table = new ArrayList<>();
        int start = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place;
        add(table, words.at(start - 1).isWord("LATERAL") ? "(" : "LATERAL (", place);
        add(table, "SELECT", place);
        for (Column column : columns) {
            if (table.size() > HEAD) {
                add(table, ",", place);
            }
            add(table, "CAST", place);
            add(table, "(", place);
            String member = column.isDocument() ? "->" : "->>";
            String key = '\'' + column.name.name().replace("'", "''") + '\'';
            add(table, "CAST(\"#D\" AS " + document + ") || \"#" + member + "\" || " + key, place);
            add(table, "AS", place);
            table.addAll(column.type);
            add(table, ")", place);
        }
        add(table, "FROM UNNEST(", place);
        if (isSet) {
            add(table, "\"#" + document + "_RECORDS\"", place);
            add(table, "(", place);
            table.addAll(words.between(place + 2, close));
            add(table, ")", place);
        } else {
            add(table, "ARRAY[ CAST( \"#" + document + "_RECORD\"", place);
            add(table, "(", place);
            table.addAll(words.between(place + 2, close));
            add(table, ") AS TEXT) ]", place);
        }
        add(table, ") AS \"#U\" (\"#D\"))", place);
        add(table, "AS", place);
        table.add(list == alias ? words.at(place) : words.at(alias));
        add(table, "(", place);
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                add(table, ",", place);
            }
            table.add(columns.get(i).name);
        }
        add(table, ")", place);
        words.replace(start, end + 1, table);
    }

    private List<Column> columns(int open, int close) {
        List<Column> columns = new ArrayList<>();
        int place = open + 1;
        while (place < close) {
            Lexeme name = words.at(place);
            int end = place + 1;
            while (end < close && !words.at(end).isSymbol(",")) {
                end = (words.at(end).isSymbol("(") ? words.closing(end) : end) + 1;
            }
            columns.add(new Column(name, type(place + 1, end)));
            place = end + 1;
        }
        return columns;
    }

    private List<Lexeme> type(int from, int to) {
        List<Lexeme> type = words.between(from, to);
        boolean isArray = type.stream().anyMatch(word -> word.isSymbol("[") || word.isWord("ARRAY"));
        boolean hasLength = type.stream().anyMatch(word -> word.isSymbol("("))
                && !type.isEmpty()
                && WITH_LENGTH.contains(type.getFirst().word());
        if (type.isEmpty() || isArray || hasLength) {
            throw Place.error(
                    ErrorCode.NOT_SUPPORTED,
                    source,
                    words.at(from).start(),
                    "a column of a record of JSON has a type that is no array and has no length, as text; CAST it");
        }
        return type;
    }

    private void add(List<Lexeme> table, String text, int place) {
        table.add(new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start()));
    }
}
