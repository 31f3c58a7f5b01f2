package dev.fulmar.engine.catalog;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name that was probably meant: the nearest one by edit distance, and none where no name is near. An edit is
 * a letter more, less, another, or two in the wrong order. Case does not count. Work is bounded by the number of names
 * times the length of the wrong one; it is done for errors only.
 */
public final class SimilarNames {
    private SimilarNames() {}

    /** The nearest name; of equally near ones the first in their order. */
    public static Optional<String> nearest(String wrong, Collection<String> names) {
        String sought = wrong.toUpperCase(Locale.ROOT);
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            String upper = name.toUpperCase(Locale.ROOT);
            int limit = limit(Math.max(sought.length(), upper.length()));
            if (Math.abs(sought.length() - upper.length()) <= limit && !name.equals(wrong)) {
                int distance = distance(sought, upper);
                if (distance <= limit && distance < least) {
                    nearest = name;
                    least = distance;
                }
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** {@code ; did you mean NAME?}, or what to say where no name is near. */
    public static String hint(String wrong, Collection<String> names, String otherwise) {
        return nearest(wrong, names)
                .map(name -> "; did you mean " + written(name) + "?")
                .orElse(otherwise);
    }

    /**
     * The name as a statement must write it: in double quotes unless it is in upper case; a schema stays before its
     * dot.
     */
    public static String written(String name) {
        int dot = name.indexOf('.');
        if (dot > 0 && dot < name.length() - 1) {
            return part(name.substring(0, dot)) + "." + part(name.substring(dot + 1));
        }
        return part(name);
    }

    private static String part(String name) {
        boolean isPlain = name.chars().allMatch(SimilarNames::isPlain) && !Character.isDigit(name.charAt(0));
        return isPlain ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private static boolean isPlain(int letter) {
        return letter == '_' || (Character.isLetterOrDigit(letter) && !Character.isLowerCase(letter));
    }

    /**
     * The number of edits that still make a typing error of a name so long: with more, any two short names would be
     * alike.
     */
    private static int limit(int length) {
        if (length <= 2) {
            return 0;
        }
        return length <= 5 ? 1 : length <= 8 ? 2 : 3;
    }

    private static int distance(String left, String right) {
        int[] beforeLast = new int[right.length() + 1];
        int[] last = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int change = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(Math.min(last[j], row[j - 1]) + 1, last[j - 1] + change);
                boolean isSwap = i > 1
                        && j > 1
                        && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1);
                if (isSwap) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[right.length()];
    }
}
