package dev.fulmar.sql.calcite;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the parentheses that operators of documents lack. In PostgreSQL arithmetic binds more tightly than they and
 * {@code ||}; the parser gives these the rank of a product. So {@code doc -> 1 + 1} is {@code doc -> (1 + 1)}, and
 * {@code doc - 'a' -> 'b'} is {@code (doc - 'a') -> 'b'}.
 */
final class JsonRanks {
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");

    /** Words and symbols that stand in no operand; what begins with a letter counts in any case. */
    private static final Set<String> BOUNDARIES = Set.of(
            ",",
            ";",
            "=",
            "<",
            ">",
            "<=",
            ">=",
            "<>",
            "!=",
            "?",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "LIKE",
            "ILIKE",
            "RLIKE",
            "BETWEEN",
            "SIMILAR",
            "ESCAPE",
            "SELECT",
            "DISTINCT",
            "ALL",
            "FROM",
            "WHERE",
            "ON",
            "USING",
            "AS",
            "BY",
            "HAVING",
            "SET",
            "VALUES",
            "RETURNING",
            "LIMIT",
            "OFFSET",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "ORDER",
            "GROUP",
            "ASC",
            "DESC",
            "NULLS",
            "OVER",
            "FILTER",
            "DEFAULT",
            "CHECK",
            "WITH");

    private final List<String> words;
    private final int[] opened;
    private final int[] closed;

    private JsonRanks(List<String> words) {
        this.words = words;
        opened = new int[words.size()];
        closed = new int[words.size()];
    }

    /** @param words as they are written, where an operator of documents is a name between two {@code ||} */
    static JsonRanks of(List<String> words) {
        JsonRanks ranks = new JsonRanks(words);
        int begin = 0;
        while (begin < words.size()) {
            int end = ranks.end(begin);
            if (end > begin) {
                ranks.ofRun(begin, end);
            }
            begin = Math.max(end, begin) + 1;
        }
        return ranks;
    }

    /** Parentheses that open before the word. */
    int opened(int place) {
        return opened[place];
    }

    /** Parentheses that close behind the word. */
    int closed(int place) {
        return closed[place];
    }

    /** The place of the boundary that ends the run of operands and operators from the place on. */
    private int end(int begin) {
        int place = begin;
        while (place < words.size() && !isBoundary(place)) {
            place = past(place);
        }
        return place;
    }

    private boolean isBoundary(int place) {
        String word = words.get(place);
        return word.isEmpty()
                || word.equals(")")
                || word.equals("]")
                || BOUNDARIES.contains(word)
                || (Character.isLetter(word.charAt(0)) && BOUNDARIES.contains(word.toUpperCase(Locale.ROOT)));
    }

    /** The place behind the word, or behind the parentheses that it opens, whose inside has runs of its own. */
    private int past(int place) {
        if (!isOpening(place)) {
            return place + 1;
        }
        int inner = place + 1;
        while (inner < words.size()
                && !words.get(inner).equals(")")
                && !words.get(inner).equals("]")) {
            int end = end(inner);
            if (end > inner) {
                ofRun(inner, end);
            }
            boolean isClosed = end >= words.size()
                    || words.get(end).equals(")")
                    || words.get(end).equals("]");
            inner = isClosed ? end : end + 1;
        }
        return Math.min(inner + 1, words.size());
    }

    private boolean isOpening(int place) {
        return words.get(place).equals("(") || words.get(place).equals("[");
    }

    /** The place behind the word, or behind the parentheses that it opens, which were looked at. */
    private int over(int place) {
        int depth = 0;
        for (int i = place; i < words.size(); i++) {
            depth += isOpening(i) ? 1 : words.get(i).equals(")") || words.get(i).equals("]") ? -1 : 0;
            if (depth <= 0) {
                return i + 1;
            }
        }
        return words.size();
    }

    private boolean isMark(int place) {
        return words.get(place).startsWith("\"#")
                && place > 0
                && words.get(place - 1).equals("||");
    }

    /** Whether a text that is no number and no date follows a minus. */
    private boolean isWithoutKey(int place) {
        String key = place + 1 < words.size() && words.get(place).equals("-") ? words.get(place + 1) : "";
        return key.startsWith("'")
                && key.length() > 1
                && !Character.isDigit(key.charAt(1))
                && "+-.".indexOf(key.charAt(1)) < 0;
    }

    private void ofRun(int begin, int end) {
        boolean isOfDocuments = false;
        for (int i = begin; i < end; i = over(i)) {
            isOfDocuments |= isMark(i) || isWithoutKey(i);
        }
        if (!isOfDocuments) {
            return;
        }
        int operand = begin;
        boolean isSum = false;
        for (int i = begin; i <= end; i = i < end ? over(i) : i + 1) {
            if (i == end || words.get(i).equals("||")) {
                if (isSum && i > operand) {
                    opened[operand]++;
                    closed[i - 1]++;
                }
                operand = i + 1;
                isSum = false;
            } else if (i > operand
                    && ARITHMETIC.contains(words.get(i))
                    && !ARITHMETIC.contains(words.get(i - 1))
                    && !words.get(i - 1).equals(".")) {
                isSum = true;
            }
        }
    }
}
