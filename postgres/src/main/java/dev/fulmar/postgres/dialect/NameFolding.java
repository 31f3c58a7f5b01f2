package dev.fulmar.postgres.dialect;

import java.util.Locale;

/**
 * Names in PostgreSQL's dialect and in that of the catalog. The first folds plain names to lower case, the second to
 * upper case. So names that are all lower case become upper case, and the other way round; mixed ones stay. The
 * function is its own inverse.
 */
public final class NameFolding {
    private NameFolding() {}

    /** The catalog's name for a client's one, or the client's for one of the catalog. */
    public static String mirrored(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        String lower = name.toLowerCase(Locale.ROOT);
        // Letters that do not come back, such as the German sharp s, make a name of mixed case.
        if (name.equals(lower) && name.equals(upper.toLowerCase(Locale.ROOT))) {
            return upper;
        }
        if (name.equals(upper) && name.equals(lower.toUpperCase(Locale.ROOT))) {
            return lower;
        }
        return name;
    }
}
