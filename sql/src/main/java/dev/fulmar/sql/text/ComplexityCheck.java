package dev.fulmar.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** Holds a statement's tokens against the limits before anything recurses over it. */
public final class ComplexityCheck {
    private final StatementLimits limits;
    private final Deque<Level> levels = new ArrayDeque<>();
    private int depth;
    private int conditions;
    private int tables;

    /** What is open at one level of parentheses. */
    private static final class Level {
        int items = 1;
        /** Operators in a row, which nest. */
        int chain;

        boolean inFrom;
    }

    private ComplexityCheck(StatementLimits limits) {
        this.limits = limits;
        levels.push(new Level());
    }

    /** Fails with STATEMENT_TOO_COMPLEX for a longer text; call it before cutting into tokens. */
    public static void checkLength(String text, StatementLimits limits) {
        if (text.length() > limits.characters()) {
            throw SqlErrors.tooComplex("the statement has " + text.length() + " characters, the limit is "
                    + limits.characters() + "; send long values as parameters");
        }
    }

    /** Fails with STATEMENT_TOO_COMPLEX where the tokens exceed a limit. */
    public static void check(List<Token> tokens, StatementLimits limits) {
        if (tokens.size() > limits.tokens()) {
            throw SqlErrors.tooComplex("the statement has more than " + limits.tokens()
                    + " words and symbols; split it, or send values as parameters of several calls");
        }
        ComplexityCheck check = new ComplexityCheck(limits);
        for (Token token : tokens) {
            check.accept(token);
            check.hold(token);
        }
    }

    private void accept(Token token) {
        switch (token.kind()) {
            case WORD -> acceptWord(token.text().toUpperCase(Locale.ROOT));
            case SYMBOL -> acceptSymbol(token.text());
            case QUOTED_NAME, STRING, NUMBER, END -> {}
        }
    }

    private Level level() {
        return levels.getFirst();
    }

    private void acceptWord(String word) {
        switch (word) {
            case "CASE" -> open();
            case "END" -> close();
            case "WHEN", "THEN", "ELSE" -> {
                level().items++;
                endChain();
            }
            case "AND", "OR" -> {
                conditions++;
                endChain();
            }
            case "NOT", "LIKE", "BETWEEN", "IS", "IN", "EXPLAIN" -> extendChain();
            case "FROM", "USING" -> {
                endChain();
                level().inFrom = true;
            }
            case "JOIN", "UNION", "INTERSECT", "EXCEPT", "MINUS" -> {
                tables++;
                endChain();
            }
            case "SELECT", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "SET", "VALUES" -> {
                endChain();
                level().inFrom = false;
            }
            case "ON" -> endChain();
            default -> {}
        }
    }

    private void acceptSymbol(String symbol) {
        switch (symbol) {
            case "(", "[", "{" -> open();
            case ")", "]", "}" -> close();
            case "," -> {
                level().items++;
                endChain();
                tables += level().inFrom ? 1 : 0;
            }
            case "+", "-", "*", "/", "%", "||", "=", "<", ">", "<=", ">=", "<>", "!=", "==", ".", ":" -> extendChain();
            case ";" -> endChain();
            default -> {}
        }
    }

    private void open() {
        levels.push(new Level());
        depth++;
    }

    private void close() {
        if (levels.size() > 1) {
            endChain();
            levels.pop();
            depth--;
        }
    }

    private void extendChain() {
        level().chain++;
        depth++;
    }

    private void endChain() {
        depth -= level().chain;
        level().chain = 0;
    }

    private void hold(Token token) {
        if (token.kind() == Token.Kind.NUMBER && token.text().length() > limits.digits()) {
            throw refused(
                    token, "has a number of more than " + limits.digits() + " digits", "a DECIMAL has no more than 38");
        }
        if (depth > limits.depth()) {
            throw refused(token, "nests deeper than " + limits.depth() + " levels", "simplify it, or compute in steps");
        }
        if (conditions > limits.conditions()) {
            throw refused(
                    token, "has more than " + limits.conditions() + " ANDs and ORs", "use IN, or several statements");
        }
        if (levels.size() > 1 && level().items > limits.listItems()) {
            throw refused(token, "has a list of more than " + limits.listItems() + " items", "use several statements");
        }
        if (tables > limits.tables()) {
            throw refused(
                    token,
                    "joins or unites more than " + limits.tables() + " tables",
                    "keep intermediate results in a table");
        }
    }

    private static RuntimeException refused(Token token, String what, String remedy) {
        return SqlErrors.tooComplex(token.position() + ": the statement " + what + "; " + remedy);
    }
}
