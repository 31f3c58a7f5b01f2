package dev.fulmar.postgres.dialect;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Calls of {@code unnest} and {@code generate_subscripts} of the catalog's own arrays, which are texts here. Their
 * query is joined with positions, as {@link ExpandedArrays} does it.
 */
final class ExpandedVectors {
    /** Columns whose elements are counted from 0. */
    private static final Set<String> VECTORS = Set.of("INDKEY", "INDCLASS", "INDOPTION", "INDCOLLATION");

    /** Columns whose elements are counted from 1. */
    private static final Set<String> ARRAYS = Set.of("CONKEY", "CONFKEY");

    private final Words words;

    private ExpandedVectors(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        ExpandedVectors vectors = new ExpandedVectors(words);
        for (int i = 0; i < words.count(); i++) {
            if (vectors.isElement(i)) {
                vectors.join(i);
            }
        }
    }

    private boolean isElement(int place) {
        return words.areAt(place, "UNNEST", "(") && isVector(words.closing(place + 1) - 1);
    }

    private boolean isVector(int column) {
        String name = words.at(column).word();
        return words.at(column - 1).isSymbol(".") && (VECTORS.contains(name) || ARRAYS.contains(name));
    }

    /** Replaces all calls of the query that the one at the place is the first of. */
    private void join(int place) {
        int from = ExpandedArrays.fromOf(words, place);
        String array = text(place + 2, words.closing(place + 1));
        words.insert(ExpandedArrays.endOfTables(words, from), ExpandedArrays.positions(array));
        for (int i = from; i >= place; i--) {
            boolean isSubscript = words.areAt(i, "GENERATE_SUBSCRIPTS", "(");
            if (isSubscript || isElement(i)) {
                call(i, isSubscript);
            }
        }
    }

    private void call(int place, boolean isSubscript) {
        int close = words.closing(place + 1);
        int end = place + 2;
        while (end < close && !words.at(end).isSymbol(",")) {
            end++;
        }
        boolean isFromNull = VECTORS.contains(words.at(end - 1).word());
        if (isSubscript) { // the dimension, which is 1, may be a parameter
            words.replace(close, close + 1, isFromNull ? ")" : "- 1)");
            words.replace(place, end + 1, "(" + ExpandedArrays.POSITION + (isFromNull ? " -" : " +"));
        } else {
            String element = ExpandedArrays.POSITION + (isFromNull ? " - 1" : "");
            words.replace(close, close + 1, "[" + element + "]");
            words.replace(place, place + 2, "");
        }
    }

    private String text(int from, int to) {
        return words.between(from, to).stream().map(Lexeme::text).collect(Collectors.joining(" "));
    }
}
