package dev.fulmar.sql.text;

import dev.fulmar.sql.text.MergeStatement.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The planner takes an INSERT apart into its columns, and rows of values or a query.
 *
 * @param columns that are named; empty for all of them in order
 * @param rows the values of each row; empty if it is a query
 * @param query the whole of what stands behind the table and its columns
 */
public record InsertSource(List<Token> columns, List<List<Part>> rows, Part query) {
    public InsertSource {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** Takes an INSERT apart; empty if it says OVERRIDING or DEFAULT VALUES. */
    public static Optional<InsertSource> of(List<Token> insertion) {
        Token end = ReturningClause.end(insertion);
        List<Token> tokens = new ArrayList<>(insertion.subList(0, insertion.indexOf(end)));
        tokens.add(new Token(Token.Kind.END, "", end.start(), end.start(), end.position()));
        PartReader parts = new PartReader(tokens, 2);
        parts.tableName();
        List<Token> columns = new ArrayList<>();
        Token behind = tokens.get(Math.min(parts.place() + 1, tokens.size() - 1));
        boolean isQuery =
                behind.isSymbol("(") || behind.isWord("SELECT") || behind.isWord("WITH") || behind.isWord("VALUES");
        if (!isQuery && parts.acceptSymbol("(")) {
            do {
                columns.add(parts.name());
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
        }
        Token first = parts.peek();
        if (first.isWord("OVERRIDING") || first.isWord("DEFAULT")) {
            return Optional.empty();
        }
        PartReader values = new PartReader(tokens, parts.place());
        Part query = parts.until();
        return Optional.of(new InsertSource(columns, first.isWord("VALUES") ? rows(values) : List.of(), query));
    }

    /** The rows behind VALUES; none if more than rows stands there. */
    private static List<List<Part>> rows(PartReader parts) {
        List<List<Part>> rows = new ArrayList<>();
        parts.expect("VALUES");
        do {
            List<Part> row = new ArrayList<>();
            if (!parts.acceptSymbol("(")) {
                return List.of();
            }
            do {
                row.add(parts.until(",", ")"));
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
            rows.add(row);
        } while (parts.acceptSymbol(","));
        return parts.peek().kind() == Token.Kind.END ? rows : List.of();
    }
}
