package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes functions that yield the parts of a text or a document as rows by those that yield arrays, and UNNEST.
 * Functions of keys and values side by side are known in FROM alone.
 */
final class PartTables {
    private static final Map<String, Form> FORMS = forms();

    private final Words words;

    /** Whether tables are named behind the word, for each place of the statement as it came. */
    private final BitSet tablesBehind;

    /** How often each name stands alone, without a name before it or behind it. */
    private final Map<String, Integer> alone = new HashMap<>();

    /**
     * A function.
     *
     * @param arrays functions of the same arguments that yield its values
     * @param columns their names; none where the table's name is that of its only column
     * @param type that of the last values, which the array has as texts; null if they are texts
     */
    private record Form(
            List<String> arrays,
            List<String> columns,
            @Nullable String type) {}

    private PartTables(Words words) {
        this.words = words;
        this.tablesBehind = TableNames.behind(words);
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isName() && !words.areAt(i - 1, ".") && !words.areAt(i + 1, ".")) {
                alone.merge(words.at(i).name(), 1, Integer::sum);
            }
        }
    }

    private static Map<String, Form> forms() {
        Map<String, Form> forms = new HashMap<>();
        forms.put("REGEXP_SPLIT_TO_TABLE", new Form(List.of("REGEXP_SPLIT_TO_ARRAY"), List.of(), null));
        forms.put("REGEXP_MATCHES", new Form(List.of("\"#REGEXP_MATCHES\""), List.of(), "VARCHAR ARRAY"));
        forms.put("JSONB_PATH_QUERY", new Form(List.of("\"#JSONB_PATH_ITEMS\""), List.of(), "JSONB"));
        forms.put("STRING_TO_TABLE", new Form(List.of("STRING_TO_ARRAY"), List.of(), null));
        for (String type : List.of("JSON", "JSONB")) {
            String mark = "\"#" + type;
            String keys = mark + "_KEYS\"";
            List<String> one = List.of("VALUE");
            List<String> both = List.of("KEY", "VALUE");
            forms.put(type + "_OBJECT_KEYS", new Form(List.of(keys), List.of(), null));
            forms.put(type + "_ARRAY_ELEMENTS", new Form(List.of(mark + "_ELEMENTS\""), one, type));
            forms.put(type + "_ARRAY_ELEMENTS_TEXT", new Form(List.of(mark + "_ELEMENT_TEXTS\""), one, null));
            forms.put(type + "_EACH", new Form(List.of(keys, mark + "_VALUES\""), both, type));
            forms.put(type + "_EACH_TEXT", new Form(List.of(keys, mark + "_VALUE_TEXTS\""), both, null));
        }
        return Map.copyOf(forms);
    }

    static void replace(Words words) {
        PartTables tables = null;
        for (int i = words.count() - 2; i >= 0; i--) { // so that places before it stay what they are
            Form form = FORMS.get(words.at(i).word());
            if (form != null && tables == null) {
                tables = new PartTables(words);
            }
            if (form != null && tables != null && words.areAt(i + 1, "(") && FunctionWords.isCall(words, i)) {
                tables.replace(i, form);
            }
        }
    }

    private void replace(int place, Form form) {
        String function = words.at(place).word();
        int start = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place;
        int close = words.closing(place + 1);
        if (isTable(start)) {
            boolean isNumbered = words.areAt(close + 1, "WITH", "ORDINALITY");
            boolean isQuery = form.type != null;
            int behind = isNumbered ? close + 3 : close + 1;
            name(behind, function, form, isNumbered && isQuery);
            int end = isQuery ? behind : close + 1;
            words.replace(start, end, table(place, close, form, isNumbered));
        } else if (form.arrays.size() == 1) {
            words.replace(start, close + 1, item(place, close, form));
        }
    }

    /** Whether the call stands where tables are named. */
    private boolean isTable(int start) {
        int place = start - 1;
        if (words.areAt(place, "JOIN") || words.areAt(place, "LATERAL")) {
            return true;
        }
        boolean mayNameOne = words.areAt(place, ",") || words.areAt(place, "FROM") || words.areAt(place, "USING");
        return mayNameOne && tablesBehind.get(place);
    }

    /**
     * Gives the table its name, and its columns theirs, where the client does not. A table of one column is its value
     * to PostgreSQL: where its name stands alone, the column has that name.
     *
     * @param isNumbered whether a query has the rows' numbers as its last column
     */
    private void name(int place, String function, Form form, boolean isNumbered) {
        Lexeme next = words.at(place);
        int alias = next.isWord("AS") ? place + 1 : place;
        boolean isNamed = next.isWord("AS") || CalledTables.isOtherName(next);
        boolean isNameless = form.columns.isEmpty() && form.type == null;
        if (!isNamed) {
            words.insert(place, "AS " + function + (isNameless ? "" : list(form, '"' + function + '"', isNumbered)));
        } else if (!isNameless && !words.areAt(alias + 1, "(")) {
            Lexeme name = words.at(alias);
            boolean isValue = form.columns.size() == 1 && alone.getOrDefault(name.name(), 0) > 1;
            Form named = isValue ? new Form(form.arrays, List.of(), form.type) : form;
            words.insert(alias + 1, list(named, written(name), isNumbered).strip());
        } else if (!isNameless && isNumbered) {
            number(alias + 1, Math.max(form.columns.size(), 1));
        }
    }

    /** Adds the name of the rows' numbers to a list that has those of all other columns. */
    private void number(int open, int columns) {
        int close = words.closing(open);
        if (close == open + 2 * columns) {
            words.insert(close, ", \"ORDINALITY\"");
        }
    }

    private static String written(Lexeme name) {
        return name.kind() == Lexeme.Kind.QUOTED
                ? '"' + NameFolding.mirrored(name.name()).replace("\"", "\"\"") + '"'
                : name.text();
    }

    /** @param name the name of the only column, where the form has none */
    private static String list(Form form, String name, boolean isNumbered) {
        String columns = form.columns.isEmpty() ? name : '"' + String.join("\", \"", form.columns) + '"';
        return " (" + columns + (isNumbered ? ", \"ORDINALITY\")" : ")");
    }

    private List<Lexeme> table(int place, int close, Form form, boolean isNumbered) {
        List<Lexeme> table = new ArrayList<>();
        if (form.type == null) {
            elements(table, place, close, form);
            return table;
        }
        int before = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 3 : place - 1;
        String lateral = words.areAt(before, "LATERAL") ? "" : "LATERAL ";
        String keys = form.arrays.size() > 1 ? "\"#K\", " : "";
        String number = isNumbered ? ", \"#O\"" : "";
        table.add(made(lateral + "(SELECT " + keys + "CAST(\"#V\" AS " + form.type + ")" + number + " FROM", place));
        elements(table, place, close, form);
        String numbered = isNumbered ? "WITH ORDINALITY " : "";
        table.add(made(numbered + "AS \"#U\" (" + keys + "\"#V\"" + number + "))", place));
        return table;
    }

    private List<Lexeme> item(int place, int close, Form form) {
        List<Lexeme> item = new ArrayList<>();
        if (form.type != null) {
            item.add(made("CAST(", place));
        }
        elements(item, place, close, form);
        if (form.type != null) {
            item.add(made("AS " + form.type + ")", place));
        }
        return item;
    }

    /** The elements of the arrays side by side. */
    private void elements(List<Lexeme> list, int place, int close, Form form) {
        list.add(made("UNNEST(", place));
        for (int i = 0; i < form.arrays.size(); i++) {
            String array = form.arrays.get(i);
            if (i > 0) {
                list.add(made(",", place));
            }
            Lexeme.Kind kind = array.startsWith("\"") ? Lexeme.Kind.MADE : Lexeme.Kind.WORD;
            list.add(new Lexeme(kind, array, words.at(place).start()));
            list.addAll(words.between(place + 1, close + 1));
        }
        list.add(made(")", place));
    }

    private Lexeme made(String text, int place) {
        return new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start());
    }
}
