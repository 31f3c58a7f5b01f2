package dev.fulmar.postgres.dialect;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Calls of {@code information_schema._pg_expandarray}, which makes a row of each element of an array. The query is
 * joined with positions, of which there are as many as elements.
 */
final class ExpandedArrays {
    static final String POSITION = "EXPANDED_ARRAY.N";
    private static final int MOST_ELEMENTS = 32;
    private static final Set<String> ENDS =
            Set.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT");

    private final Words words;

    private ExpandedArrays(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        ExpandedArrays arrays = new ExpandedArrays(words);
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "INFORMATION_SCHEMA", ".", "_PG_EXPANDARRAY", "(")) {
                arrays.join(i);
                i = -1; // from the beginning: words have moved
            }
        }
    }

    private static String text(List<Lexeme> lexemes) {
        return lexemes.stream().map(Lexeme::text).collect(Collectors.joining(" "));
    }

    /** Replaces all calls of the query that the one at the place is in. */
    private void join(int place) {
        int close = words.closing(place + 3);
        String array = text(words.between(place + 4, close));
        int from = fromOf(words, close);
        words.insert(endOfTables(words, from), positions(array));
        for (int i = from; i >= 0; i--) {
            if (words.areAt(i, "INFORMATION_SCHEMA", ".", "_PG_EXPANDARRAY", "(")) {
                call(i, array);
            }
        }
        elements();
    }

    /** The join with as many positions as the array has elements. */
    static String positions(String array) {
        String positions = IntStream.rangeClosed(1, MOST_ELEMENTS)
                .mapToObj(i -> "(" + i + ")")
                .collect(Collectors.joining(","));
        return "JOIN (VALUES " + positions + ") AS EXPANDED_ARRAY (N) ON " + POSITION + " <= PG_CATALOG.CARDINALITY("
                + array + ")";
    }

    /** The place behind the tables of a query. */
    static int endOfTables(Words words, int from) {
        int end = from;
        while (end < words.count() - 1
                && !words.at(end).isSymbol(")")
                && !ENDS.contains(words.at(end).word())) {
            end = words.at(end).isSymbol("(") ? words.closing(end) + 1 : end + 1;
        }
        return end;
    }

    /** The FROM of the query that has the place in its select list. */
    static int fromOf(Words words, int place) {
        int i = place;
        while (i < words.count() - 1 && !words.at(i).isWord("FROM")) {
            i = words.at(i).isSymbol("(") ? words.closing(i) + 1 : i + 1;
        }
        return i;
    }

    private void call(int place, String array) {
        int close = words.closing(place + 3);
        boolean isNumber = words.at(place - 1).isSymbol("(") && words.areAt(close + 1, ")", ".", "N");
        if (isNumber) {
            words.replace(place - 1, close + 4, POSITION);
        } else {
            // A vector counts from 0, an array from 1.
            String element = array.toUpperCase(Locale.ROOT).endsWith("INDKEY") ? POSITION + " - 1" : POSITION;
            words.replace(place, close + 1, array + "[" + element + "]");
        }
    }

    /** {@code (a.keys).x}, the element, is what the call has become. */
    private void elements() {
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isSymbol("(") && words.areAt(i + 2, ".") && words.areAt(i + 4, ")", ".", "X")) {
                words.replace(i, i + 7, words.between(i + 1, i + 4));
            }
        }
    }
}
