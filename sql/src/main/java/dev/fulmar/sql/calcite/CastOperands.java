package dev.fulmar.sql.calcite;

import dev.fulmar.sql.text.Operands;
import java.util.List;
import java.util.Set;

/** Finds the parentheses that casts by {@code ::} lack: the parser casts all that stands before. */
final class CastOperands {
    /** Words before an operand that the parser would cast with it. */
    private static final Set<String> OPERATORS = Set.of(
            "+",
            "-",
            "*",
            "/",
            "%",
            "||",
            "=",
            "<>",
            "!=",
            "<",
            ">",
            "<=",
            ">=",
            "<=>",
            "~",
            "!~",
            "~*",
            "!~*",
            "&",
            "|",
            "^",
            "AND",
            "OR",
            "NOT",
            "LIKE",
            "ILIKE",
            "RLIKE",
            "TO",
            "BETWEEN",
            "SYMMETRIC",
            "ASYMMETRIC",
            "ESCAPE",
            "FROM");

    private final Operands operands;

    /** Parentheses that go before, and behind, each word. */
    private final int[] opened;

    private final int[] closed;

    private CastOperands(List<String> words) {
        operands = new Operands(words);
        opened = new int[words.size()];
        closed = new int[words.size()];
    }

    /**
     * Finds the parentheses that a statement lacks.
     *
     * @param words as they are written; quoted ones with their quotes
     */
    static CastOperands of(List<String> words) {
        CastOperands found = new CastOperands(words);
        for (int i = 1; i < words.size() - 1; i++) {
            if (found.operands.is(i, "::")) {
                found.cast(i);
            }
        }
        return found;
    }

    /** Parentheses that open before the word. */
    int opened(int place) {
        return opened[place];
    }

    /** Parentheses that close behind the word. */
    int closed(int place) {
        return closed[place];
    }

    private void cast(int place) {
        int begin = operands.operand(place - 1);
        int end = operands.type(place + 1);
        operands.mark(begin, end);
        if (operands.isOf(begin - 1, OPERATORS)) {
            opened[begin]++;
            closed[end]++;
        }
    }
}
