package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Reads the parts of a statement that Calcite's grammar does not know as a whole. One thread. */
final class PartReader {
    private final List<Token> tokens;
    private int next;
    private int parameters;

    /** @param first the token to begin with */
    PartReader(List<Token> tokens, int first) {
        this.tokens = tokens;
        this.next = first;
        this.parameters = (int) tokens.subList(0, first).stream()
                .filter(token -> token.isSymbol("?"))
                .count();
    }

    /**
     * A table.
     *
     * @param name as the catalog has it
     * @param local without the schema before it
     */
    record TableName(Token name, Token local) {}

    TableName tableName() {
        int place = next;
        Token first = name();
        if (QualifiedName.length(tokens, place) == 1) {
            return new TableName(QualifiedName.at(tokens, place), first);
        }
        expectSymbol(".");
        return new TableName(QualifiedName.at(tokens, place), name());
    }

    /** The number of the token that comes next. */
    int place() {
        return next;
    }

    /** The part up to one of the words or symbols, but for those in parentheses and in CASE ... END. */
    MergeStatement.Part until(String... ends) {
        Token first = peek();
        int before = parameters;
        int depth = 0;
        while (peek().kind() != Token.Kind.END && !(depth == 0 && isOneOf(peek(), ends) && !isDistinctFrom())) {
            Token token = take();
            depth += opens(token) ? 1 : closes(token) ? -1 : 0;
        }
        int end = next == 0 ? first.start() : tokens.get(next - 1).end();
        if (end <= first.start()) {
            throw unexpected("an expression");
        }
        return new MergeStatement.Part(first.start(), end, before);
    }

    /** Whether FROM comes, which belongs to IS DISTINCT FROM. */
    private boolean isDistinctFrom() {
        return peek().isWord("FROM") && next > 0 && tokens.get(next - 1).isWord("DISTINCT");
    }

    /**
     * Reads the assignments behind SET: {@code column = value}, and {@code (columns) = (values)}.
     *
     * @param end the word that ends it
     */
    List<ConflictClause.Assignment> assignments(String end) {
        List<ConflictClause.Assignment> assignments = new ArrayList<>();
        do {
            if (acceptSymbol("(")) {
                assignments.addAll(row());
            } else {
                Token column = name();
                expectSymbol("=");
                assignments.add(new ConflictClause.Assignment(column, until(",", end)));
            }
        } while (acceptSymbol(","));
        return assignments;
    }

    private List<ConflictClause.Assignment> row() {
        List<Token> columns = new ArrayList<>();
        do {
            columns.add(name());
        } while (acceptSymbol(","));
        expectSymbol(")");
        expectSymbol("=");
        accept("ROW");
        expectSymbol("(");
        List<ConflictClause.Assignment> row = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                expectSymbol(",");
            }
            row.add(new ConflictClause.Assignment(columns.get(i), until(",", ")")));
        }
        expectSymbol(")");
        return row;
    }

    private static boolean isOneOf(Token token, String... ends) {
        for (String end : ends) {
            if (token.isWord(end) || token.isSymbol(end)) {
                return true;
            }
        }
        return false;
    }

    private static boolean opens(Token token) {
        return token.nesting() > 0 || token.isWord("CASE");
    }

    private static boolean closes(Token token) {
        return token.nesting() < 0 || token.isWord("END");
    }

    Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        parameters += token.isSymbol("?") ? 1 : 0;
        next++;
        return token;
    }

    Token name() {
        if (peek().kind() != Token.Kind.WORD && peek().kind() != Token.Kind.QUOTED_NAME) {
            throw unexpected("a name");
        }
        return take();
    }

    boolean accept(String word) {
        boolean comes = peek().isWord(word);
        next += comes ? 1 : 0;
        return comes;
    }

    boolean acceptSymbol(String symbol) {
        boolean comes = peek().isSymbol(symbol);
        next += comes ? 1 : 0;
        return comes;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw unexpected(word);
        }
    }

    void expectSymbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw unexpected("'" + symbol + "'");
        }
    }

    FulmarException unexpected(String wanted) {
        return SqlErrors.syntax(peek().position(), "expected " + wanted + ", found " + peek().shown());
    }
}
