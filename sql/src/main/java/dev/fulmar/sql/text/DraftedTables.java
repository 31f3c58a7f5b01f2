package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.DraftedRows;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a statement about tables that a transaction has made or altered as a query of the tables of before. Names of
 * such tables become names of queries in front of it. Whatever might mean something else there is left out: then there
 * is no such query. For one statement and one thread.
 */
public final class DraftedTables {
    /** A longer query of a table's rows is not carried on. */
    private static final int MOST_CHARACTERS = 16 << 10;

    private final String sql;
    private final List<Token> tokens;
    private final Catalog catalog;
    private final Map<String, String> contents;

    /** @param contents queries of rows, in the order of the table's columns; by the names of tables in the catalog */
    public DraftedTables(String sql, List<Token> tokens, Catalog catalog, Map<String, String> contents) {
        StringBuilder text = new StringBuilder(sql);
        this.tokens = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (isSchema(tokens, i) && contents.containsKey(tokens.get(i + 2).name())) {
                for (int at = tokens.get(i).start(); at < tokens.get(i + 1).end(); at++) {
                    text.setCharAt(at, ' ');
                }
                i++;
            } else {
                this.tokens.add(tokens.get(i));
            }
        }
        this.sql = text.toString();
        this.catalog = catalog;
        this.contents = contents;
    }

    /** Whether a name of the usual schema follows: behind the schema it would not be that of a query. */
    private static boolean isSchema(List<Token> tokens, int place) {
        return isPublic(tokens.get(place))
                && place + 2 < tokens.size()
                && tokens.get(place + 1).isSymbol(".")
                && isName(tokens.get(place + 2))
                && (place == 0 || !tokens.get(place - 1).isSymbol("."));
    }

    private static boolean isPublic(Token token) {
        return isName(token) && token.name().equals(SchemaName.PUBLIC);
    }

    /** The query; empty if there is none. */
    public Optional<DraftedStatement> read() {
        if (!isPlain()) {
            return Optional.empty();
        }
        try {
            Token first = tokens.getFirst();
            if (first.isWord("SELECT")) {
                return Optional.of(
                        new DraftedStatement(with(contents) + text(first.start(), end()), false, Optional.empty()));
            }
            if (tokens.stream().anyMatch(token -> token.isSymbol("?") || token.isWord("RETURNING"))) {
                return Optional.empty();
            }
            PartReader parts = new PartReader(tokens, 0);
            if (parts.accept("UPDATE")) {
                return update(parts);
            }
            if (parts.accept("DELETE")) {
                return delete(parts);
            }
            return parts.accept("INSERT") ? insert(parts) : Optional.empty();
        } catch (FulmarException other) { // of another form
            return Optional.empty();
        }
    }

    /**
     * Whether names mean here what they mean in the queries of rows. No view, no table of another schema and no name of
     * a query hides a table, no query of rows names another of the tables, and the session has no path, which may have
     * been another one when a query of rows was written.
     */
    private boolean isPlain() {
        Set<String> names = new HashSet<>();
        for (Token token : tokens) {
            if (isName(token)) {
                names.add(token.name());
            }
        }
        boolean hides = hasQueryNames()
                || !SessionNames.path().isEmpty()
                || contents.keySet().stream().anyMatch(SessionNames::isElsewhere)
                || hasOtherPublic()
                || tokens.stream().anyMatch(token -> token.isWord("LATERAL"))
                || catalog.views().keySet().stream().anyMatch(view -> names.contains(local(view)));
        for (Map.Entry<String, String> each : contents.entrySet()) {
            for (Token token : Tokenizer.tokens(each.getValue())) {
                hides |= isName(token)
                        && contents.containsKey(token.name())
                        && !token.name().equals(each.getKey());
            }
            hides |= !names.contains(each.getKey()) || !local(each.getKey()).equals(each.getKey());
        }
        return !hides;
    }

    /** Whether something else than the schema may have its name, so that columns would be taken for tables. */
    private boolean hasOtherPublic() {
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (isPublic(tokens.get(i)) && !tokens.get(i + 1).isSymbol(".")) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement names queries of its own; the types of times have that word too. */
    private boolean hasQueryNames() {
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (tokens.get(i).isWord("WITH") && !tokens.get(i + 1).isWord("TIME")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    private static String local(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Behind the last word; a comment there would hide what is written behind it. */
    private int end() {
        return tokens.size() > 1 ? tokens.get(tokens.size() - 2).end() : 0;
    }

    private String text(int start, int end) {
        return sql.substring(start, end);
    }

    private String text(MergeStatement.Part part) {
        return text(part.start(), part.end());
    }

    private String with(Map<String, String> wanted) {
        return wanted.entrySet().stream()
                .map(each -> DraftedRows.named(catalog.table(each.getKey()), each.getKey()) + " AS (" + each.getValue()
                        + ")")
                .collect(Collectors.joining(", ", "WITH ", " "));
    }

    /** The table of a change, and the condition of the rows that it changes. */
    private record Target(
            Table table, String alias, @Nullable String condition) {
        String where() {
            return condition == null ? "" : " WHERE " + condition;
        }
    }

    private Optional<DraftedStatement> update(PartReader parts) {
        String name = parts.tableName().name().name();
        parts.accept("AS");
        String alias = parts.peek().isWord("SET") ? local(name) : parts.name().name();
        parts.expect("SET");
        Map<String, String> values = new HashMap<>();
        for (ConflictClause.Assignment assignment : parts.assignments("WHERE")) {
            values.put(assignment.column().name(), text(assignment.value()));
        }
        Target target = target(parts, name, alias);
        if (target == null
                || values.values().stream().anyMatch(value -> value.strip().equalsIgnoreCase("DEFAULT"))) {
            return Optional.empty();
        }
        String list = DraftedRows.columns(target.table()).stream()
                .map(column -> value(column, values.get(column.name()), target))
                .collect(Collectors.joining(", "));
        return Optional.of(counted(target, "SELECT " + list + from(target)));
    }

    private static String value(Column column, @Nullable String value, Target target) {
        String old = DraftedRows.quoted(target.alias()) + "." + DraftedRows.quoted(column.name());
        if (value == null) {
            return old;
        }
        String cast = "CAST((" + value + ") AS " + column.type() + ")";
        return target.condition() == null
                ? cast
                : "CASE WHEN (" + target.condition() + ") THEN " + cast + " ELSE " + old + " END";
    }

    private Optional<DraftedStatement> delete(PartReader parts) {
        parts.expect("FROM");
        String name = parts.tableName().name().name();
        boolean isNamed =
                parts.accept("AS") || (isName(parts.peek()) && !parts.peek().isWord("WHERE"));
        Target target = target(parts, name, isNamed ? parts.name().name() : local(name));
        if (target == null) {
            return Optional.empty();
        }
        String condition = target.condition() == null ? "TRUE" : target.condition();
        return Optional.of(counted(target, "SELECT *" + from(target) + " WHERE (" + condition + ") IS NOT TRUE"));
    }

    private String from(Target target) {
        return " FROM (" + contents.get(target.table().name()) + ") AS "
                + DraftedRows.named(target.table(), target.alias());
    }

    private @Nullable Target target(PartReader parts, String name, String alias) {
        String condition = parts.accept("WHERE") ? text(parts.until()) : null;
        return contents.containsKey(name) && parts.peek().kind() == Token.Kind.END
                ? new Target(catalog.table(name), alias, condition)
                : null;
    }

    private DraftedStatement counted(Target target, String content) {
        String count = with(contents) + "SELECT COUNT(*) FROM "
                + DraftedRows.quoted(target.table().name()) + " AS " + DraftedRows.quoted(target.alias())
                + target.where();
        return new DraftedStatement(count, true, carried(target.table(), content));
    }

    /** A query of rows that names no other of the tables. */
    private Optional<String> carried(Table table, String content) {
        boolean isAlone = contents.keySet().equals(Set.of(table.name()));
        boolean hasGenerated = table.columns().stream().anyMatch(Column::isGenerated);
        return isAlone && !hasGenerated && content.length() <= MOST_CHARACTERS
                ? Optional.of(content)
                : Optional.empty();
    }

    private Optional<DraftedStatement> insert(PartReader parts) {
        parts.expect("INTO");
        Table table = catalog.table(parts.tableName().name().name());
        List<String> names = new ArrayList<>();
        boolean isNamed = parts.acceptSymbol("(");
        if (isNamed) {
            do {
                names.add(parts.name().name());
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
        } else {
            DraftedRows.columns(table).forEach(column -> names.add(column.name()));
        }
        boolean hasClause = tokens.subList(parts.place(), tokens.size()).stream()
                .anyMatch(token -> token.isWord("CONFLICT") || token.isWord("OVERRIDING") || token.isWord("DEFAULT"));
        if (hasClause) {
            return Optional.empty();
        }
        if (parts.accept("VALUES")) {
            return values(parts, table, names, isNamed);
        }
        if (!parts.peek().isWord("SELECT")) {
            return Optional.empty();
        }
        String source = text(parts.peek().start(), end());
        Map<String, String> read = new HashMap<>(contents);
        boolean readsItself = tokens.subList(parts.place(), tokens.size()).stream()
                .anyMatch(token -> isName(token) && token.name().equals(table.name()));
        if (!readsItself) {
            read.remove(table.name());
        }
        String count = (read.isEmpty() ? "" : with(read)) + "SELECT COUNT(*) FROM (" + source + ") AS \"ROWS\"";
        String list = list(table, names, column -> "\"ROWS\"." + DraftedRows.quoted(column.name()));
        String rows = "SELECT " + list + " FROM (" + source + ") AS \"ROWS\" ("
                + names.stream().map(DraftedRows::quoted).collect(Collectors.joining(", ")) + ")";
        return Optional.of(new DraftedStatement(
                count, true, readsItself || list.isEmpty() ? Optional.empty() : added(table, rows)));
    }

    /** @param isNamed whether the statement lists the names; rows have values for the first of them otherwise */
    private Optional<DraftedStatement> values(PartReader parts, Table table, List<String> names, boolean isNamed) {
        StringBuilder rows = new StringBuilder();
        int count = 0;
        List<String> given = names;
        do {
            parts.expectSymbol("(");
            Map<String, String> values = new HashMap<>();
            do {
                if (values.size() == given.size()) {
                    return Optional.empty();
                }
                values.put(given.get(values.size()), text(parts.until(",", ")")));
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
            if (values.size() < given.size() && (isNamed || count > 0)) {
                return Optional.empty();
            }
            given = given.subList(0, values.size());
            String list = list(table, given, column -> values.getOrDefault(column.name(), "NULL"));
            if (list.isEmpty()) {
                return Optional.empty();
            }
            rows.append(count == 0 ? "" : " UNION ALL ").append("SELECT ").append(list);
            count++;
        } while (parts.acceptSymbol(","));
        return parts.peek().kind() == Token.Kind.END
                ? Optional.of(new DraftedStatement("SELECT " + count, true, added(table, rows.toString())))
                : Optional.empty();
    }

    private Optional<String> added(Table table, String rows) {
        String before = contents.get(table.name());
        return before == null ? Optional.empty() : carried(table, before + " UNION ALL " + rows);
    }

    /** Values of a column. */
    private interface Values {
        String of(Column column);
    }

    /** A value for each column of the table; nothing if a default is no constant. */
    private static String list(Table table, List<String> names, Values values) {
        List<String> list = new ArrayList<>();
        for (Column column : DraftedRows.columns(table)) {
            String value = names.contains(column.name()) ? values.of(column) : DraftedRows.constant(column);
            if (value == null) {
                return "";
            }
            list.add("CAST((" + value + ") AS " + column.type() + ")");
        }
        return String.join(", ", list);
    }
}
