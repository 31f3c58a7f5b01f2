package dev.fulmar.sql.text;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds where operands begin, and where types end, among the words of a statement. Their operators bind more tightly
 * than any other but the dot. The time it takes grows with the words.
 */
public final class Operands {
    private static final int NONE = -1;

    /** Words before a parenthesis that call nothing. */
    private static final Set<String> NO_FUNCTIONS = Set.of(
            "SELECT",
            "DISTINCT",
            "ALL",
            "FROM",
            "WHERE",
            "ON",
            "USING",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "LIKE",
            "ILIKE",
            "RLIKE",
            "TO",
            "BETWEEN",
            "SYMMETRIC",
            "ASYMMETRIC",
            "ESCAPE",
            "ANY",
            "SOME",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "BY",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "VALUES",
            "SET",
            "RETURNING",
            "AS",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "JOIN",
            "DEFAULT",
            "CHECK",
            "WITH",
            "INTO",
            "LATERAL");

    private static final Set<String> LITERAL_TYPES =
            Set.of("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INTERVAL", "UUID", "JSON", "JSONB");

    private static final Set<String> VARYING = Set.of("CHARACTER", "CHAR", "BINARY", "BIT");

    private final List<String> words;

    /** Of each parenthesis, bracket, CASE and END the place of its partner. */
    private final int[] partners;

    /** Of the last word of an operation the place where its operand begins. */
    private final int[] begins;

    /** @param words as they are written; quoted ones with their quotes */
    public Operands(List<String> words) {
        this.words = words.stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
        partners = new int[words.size()];
        begins = new int[words.size()];
        Arrays.fill(partners, NONE);
        Arrays.fill(begins, NONE);
        pair();
    }

    public boolean is(int place, String word) {
        return place >= 0 && place < words.size() && words.get(place).equals(word);
    }

    public boolean isOf(int place, Set<String> some) {
        return place >= 0 && place < words.size() && some.contains(words.get(place));
    }

    /** Says that an operation is between the places, and so may be an operand. The first that is said counts. */
    public void mark(int begin, int last) {
        if (begins[last] == NONE) {
            begins[last] = begin;
        }
    }

    /** The place of the parenthesis, bracket, CASE or END that belongs to the one at the place; negative for none. */
    public int partner(int place) {
        return partners[place];
    }

    private boolean isText(int place) {
        return place >= 0 && place < words.size() && words.get(place).endsWith("'");
    }

    private void pair() {
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "(", "[", "CASE" -> open.push(i);
                case ")" -> close(i, "(", open);
                case "]" -> close(i, "[", open);
                case "END" -> {
                    if (!open.isEmpty() && is(open.element(), "CASE")) { // it may be a name
                        close(i, "CASE", open);
                    }
                }
                default -> {}
            }
        }
    }

    private void close(int place, String opening, Deque<Integer> open) {
        while (!open.isEmpty() && !is(open.element(), opening)) {
            open.pop();
        }
        if (!open.isEmpty()) {
            partners[place] = open.pop();
            partners[partners[place]] = place;
        }
    }

    /** The place at which the operand begins whose last word is at the place. */
    public int operand(int last) {
        int place = last;
        while (true) {
            int before = step(place);
            if (before == NONE) {
                return begin(place);
            }
            place = before;
        }
    }

    /** The last word of what the operand goes on with to the left; none if it begins with what ends at the place. */
    private int step(int last) {
        if (begins[last] != NONE) {
            return NONE;
        }
        int begin = begin(last);
        if (is(begin - 1, ".") && begin > 1) {
            return begin - 2;
        }
        if (is(last, "]")) {
            return is(begin, "ARRAY") ? NONE : Math.max(NONE, begin - 1);
        }
        if (is(last, ")") && (is(begin - 1, "OVER") || is(begin - 1, "FILTER"))) {
            return Math.max(NONE, begin - 2);
        }
        if (is(last, ")") && is(begin - 1, "GROUP") && is(begin - 2, "WITHIN")) {
            return Math.max(NONE, begin - 3);
        }
        if (is(last, ")") && isName(begin - 1) && !isOf(begin - 1, NO_FUNCTIONS)) {
            return begin - 1;
        }
        return is(last - 1, "OVER") && last > 1 ? last - 2 : NONE;
    }

    /** The place at which the word, the literal or the parenthesis begins that ends at the place. */
    private int begin(int last) {
        if (begins[last] != NONE) {
            return begins[last];
        }
        if (partners[last] != NONE && partners[last] < last) {
            int open = partners[last];
            return is(last, "]") && is(open - 1, "ARRAY") ? open - 1 : open;
        }
        int text = isText(last) ? last : last - 1;
        boolean isInterval = isText(text) && is(text - 1, "INTERVAL");
        if (isInterval) {
            return text - 1;
        }
        return isText(last) && isOf(last - 1, LITERAL_TYPES) ? last - 1 : last;
    }

    /** Whether the word is a name or key word. */
    public boolean isName(int place) {
        if (place < 0 || place >= words.size() || words.get(place).isEmpty()) {
            return false;
        }
        char first = words.get(place).charAt(0);
        return Character.isLetter(first) || first == '_' || first == '"';
    }

    /** The last word of the type that begins at the place. */
    public int type(int begin) {
        int last = begin;
        while (is(last + 1, ".") && last + 2 < words.size() - 1) {
            last += 2;
        }
        if (is(begin, "INTERVAL")) {
            return interval(begin);
        }
        if ((is(last, "DOUBLE") && is(last + 1, "PRECISION")) || (isOf(last, VARYING) && is(last + 1, "VARYING"))) {
            last++;
        }
        last = withParentheses(last);
        if ((is(last + 1, "WITH") || is(last + 1, "WITHOUT")) && is(last + 3, "ZONE")) {
            last += 3;
        } else if (is(last + 1, "WITH") && is(last + 2, "LOCAL") && is(last + 4, "ZONE")) {
            last += 4;
        }
        return isOf(last + 1, Set.of("ARRAY", "MULTISET")) ? last + 1 : last;
    }

    private int interval(int begin) {
        int last = withParentheses(Math.min(begin + 1, words.size() - 1));
        return is(last + 1, "TO") && last + 2 < words.size() ? withParentheses(last + 2) : last;
    }

    private int withParentheses(int last) {
        return is(last + 1, "(") && partners[last + 1] > last ? partners[last + 1] : last;
    }
}
