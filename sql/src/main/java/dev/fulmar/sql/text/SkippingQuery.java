package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A query {@code SELECT list FROM table WHERE condition ORDER BY keys LIMIT n FOR UPDATE SKIP LOCKED}, taken apart at
 * its clauses. It has one table with a primary key, and no other clause.
 */
public final class SkippingQuery {
    private static final Set<String> ENDS = Set.of("WHERE", "ORDER", "LIMIT", "FETCH", "FOR");
    private static final Set<String> OTHERS = Set.of(
            "DISTINCT", "GROUP", "HAVING", "WINDOW", "QUALIFY", "UNION", "INTERSECT", "EXCEPT", "MINUS", "OFFSET");

    private final String sql;
    private final List<Token> tokens;
    private final Catalog catalog;
    private int place;

    private SkippingQuery(String sql, List<Token> tokens, Catalog catalog) {
        this.sql = sql;
        this.tokens = tokens;
        this.catalog = catalog;
    }

    /** Empty if the statement is no such query; whether it computes something of several rows is for the planner. */
    public static Optional<RowByRow> of(String sql, List<Token> tokens, Catalog catalog) {
        boolean skips = LockingClause.of(sql, tokens)
                .lock()
                .filter(lock -> lock.skips())
                .isPresent();
        return skips ? Optional.ofNullable(new SkippingQuery(sql, tokens, catalog).parse()) : Optional.empty();
    }

    /** A part of the text, from one token to before another one. */
    private record Part(int start, int end) {}

    private @Nullable RowByRow parse() {
        if (!tokens.getFirst().isWord("SELECT")) {
            return null;
        }
        Part list = part(1, Set.of("FROM"));
        if (list == null || !tokens.get(list.end()).isWord("FROM")) {
            return null;
        }
        Part source = part(list.end() + 1, ENDS);
        Table table = source == null ? null : table(source);
        if (source == null || table == null || table.primaryKey().isEmpty()) {
            return null;
        }
        Part condition = next("WHERE", 1);
        Part order = next("ORDER", 0);
        Token most = most();
        if (condition == null || order == null || most == null || !isAtTheLock()) {
            return null;
        }
        List<String> key = table.primaryKey().stream()
                .map(column -> quoted(table.columns().get(column).name()))
                .toList();
        String from = " FROM " + text(source);
        String where = condition.start() == condition.end() ? "" : text(condition);
        int rowParameters = parameters(list) + parameters(condition);
        return new RowByRow(
                "SELECT " + text(list) + named(key) + from + (where.isEmpty() ? "" : " WHERE " + where) + " "
                        + text(order) + " LIMIT " + RowByRow.MOST_ROWS,
                rowParameters + parameters(order),
                key.size(),
                "SELECT " + text(list) + from + " WHERE " + (where.isEmpty() ? "" : "(" + where + ") AND ")
                        + key.stream().map(column -> column + " = ?").collect(Collectors.joining(" AND ")) + lock(),
                rowParameters,
                most.isSymbol("?") ? -1 : wanted(most));
    }

    /** The tokens from the place to the first of the words; null if another clause comes before. */
    private @Nullable Part part(int start, Set<String> ends) {
        int depth = 0;
        for (int i = start; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.nesting();
            if (depth == 0 && token.kind() == Token.Kind.WORD) {
                String word = token.name();
                if (ends.contains(word)) {
                    place = i;
                    return new Part(start, i);
                }
                if (OTHERS.contains(word)) {
                    return null;
                }
            }
        }
        return null;
    }

    /** The clause that begins with the word here, without so many words; an empty one if there is none. */
    private @Nullable Part next(String word, int skipped) {
        if (!tokens.get(place).isWord(word)) {
            return new Part(place, place);
        }
        Part rest = part(place + 1, ENDS);
        return rest == null ? null : new Part(rest.start() - 1 + skipped, rest.end());
    }

    /** The one table of FROM, with or without another name. */
    private @Nullable Table table(Part source) {
        int name = QualifiedName.length(tokens, source.start());
        int alias = source.start() + name;
        alias += alias < source.end() && tokens.get(alias).isWord("AS") ? 1 : 0;
        boolean isOne = source.end() <= alias + 1 && source.start() + name <= source.end();
        return isOne
                ? catalog.tables().get(QualifiedName.at(tokens, source.start()).name())
                : null;
    }

    /** The number of rows that are wanted, a number or a parameter; null if there is none. */
    private @Nullable Token most() {
        boolean isFetch = tokens.get(place).isWord("FETCH")
                && (tokens.get(place + 1).isWord("FIRST")
                        || tokens.get(place + 1).isWord("NEXT"));
        if (!isFetch && !tokens.get(place).isWord("LIMIT")) {
            return null;
        }
        place += isFetch ? 2 : 1;
        Token most = tokens.get(place++);
        if (isFetch) {
            boolean isWhole =
                    (tokens.get(place).isWord("ROW") || tokens.get(place).isWord("ROWS"))
                            && tokens.get(place + 1).isWord("ONLY");
            place += 2;
            return isWhole && isCount(most) ? most : null;
        }
        return isCount(most) ? most : null;
    }

    private static boolean isCount(Token token) {
        return token.isSymbol("?") || (token.kind() == Token.Kind.NUMBER && wanted(token) >= 0);
    }

    /** Negative if there are too many. */
    private static long wanted(Token number) {
        boolean isSmall = number.text().matches("[0-9]{1,4}");
        long wanted = isSmall ? Long.parseLong(number.text()) : -1;
        return wanted <= RowByRow.MOST_ROWS ? wanted : -1;
    }

    /** Whether all that follows here is the one clause that says what the query wants of its rows. */
    private boolean isAtTheLock() {
        long clauses = IntStream.range(place, tokens.size())
                .filter(i -> tokens.get(i).isWord("FOR"))
                .count();
        int end = tokens.size() - 1;
        return tokens.get(place).isWord("FOR")
                && clauses == 1
                && tokens.get(end - 1).isWord("LOCKED");
    }

    private String lock() {
        boolean isShared = IntStream.range(place, tokens.size())
                .anyMatch(i -> tokens.get(i).isWord("SHARE"));
        return isShared ? " FOR SHARE SKIP LOCKED" : " FOR UPDATE SKIP LOCKED";
    }

    /** Columns of the key under names that no other column has. */
    private static String named(List<String> key) {
        StringBuilder named = new StringBuilder();
        for (int i = 0; i < key.size(); i++) {
            named.append(", ")
                    .append(key.get(i))
                    .append(" AS \"key of the row ")
                    .append(i)
                    .append('"');
        }
        return named.toString();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private String text(Part part) {
        return part.start() == part.end()
                ? ""
                : sql.substring(
                        tokens.get(part.start()).start(),
                        tokens.get(part.end() - 1).end());
    }

    private int parameters(Part part) {
        return (int) tokens.subList(part.start(), part.end()).stream()
                .filter(token -> token.isSymbol("?"))
                .count();
    }
}
