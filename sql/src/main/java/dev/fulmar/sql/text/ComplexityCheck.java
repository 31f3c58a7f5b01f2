package dev.fulmar.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Holds a statement's tokens against the limits before anything recurses over it. */
public final class ComplexityCheck {
    /** Words that join two operands, or begin another query block: each deepens the tree. */
    private static final Set<String> CHAINING = Set.of(
            "AND",
            "OR",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "MINUS",
            "JOIN",
            "LIKE",
            "BETWEEN",
            "IS",
            "SELECT",
            "WITH",
            "WHEN");

    private static final Set<String> CHAINING_SYMBOLS =
            Set.of("+", "-", "*", "/", "%", "||", "=", "<", ">", "<=", ">=", "<>", "!=", "[", ".");

    private final StatementLimits limits;
    private final Deque<int[]> itemsOfOpenLists = new ArrayDeque<>();
    private int prefixes;
    private int chain;

    private ComplexityCheck(StatementLimits limits) {
        this.limits = limits;
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
        tokens.forEach(check::accept);
    }

    private void accept(Token token) {
        if (token.isSymbol("(") || token.isWord("CASE")) {
            itemsOfOpenLists.push(new int[] {1});
        } else if (token.isSymbol(")") || token.isWord("END")) {
            itemsOfOpenLists.poll();
        } else if (token.isSymbol(",")) {
            countItem(token);
        }
        prefixes = isPrefix(token) ? prefixes + 1 : 0;
        if (isChaining(token)) {
            chain++;
        }
        if (Math.max(itemsOfOpenLists.size(), prefixes) > limits.nesting()) {
            throw SqlErrors.tooComplex(token.position() + ": the statement nests deeper than " + limits.nesting()
                    + " levels; simplify it");
        }
        if (chain > limits.chain()) {
            throw SqlErrors.tooComplex(token.position() + ": the statement has more than " + limits.chain()
                    + " operators; use IN for long conditions, or several statements");
        }
    }

    private void countItem(Token comma) {
        int[] items = itemsOfOpenLists.peek();
        if (items != null && ++items[0] > limits.listItems()) {
            throw SqlErrors.tooComplex(comma.position() + ": a list has more than " + limits.listItems()
                    + " items; use several statements");
        }
    }

    private static boolean isPrefix(Token token) {
        return token.isWord("NOT") || token.isSymbol("-") || token.isSymbol("+") || token.isWord("EXPLAIN");
    }

    private static boolean isChaining(Token token) {
        return switch (token.kind()) {
            case WORD -> CHAINING.contains(token.text().toUpperCase(Locale.ROOT));
            case SYMBOL -> CHAINING_SYMBOLS.contains(token.text());
            case QUOTED_NAME, STRING, NUMBER, END -> false;
        };
    }
}
