package dev.fulmar.engine.catalog;

import java.util.Locale;

/**
 * Names of the catalog as clients of PostgreSQL have them. The catalog folds plain names to upper case, PostgreSQL to
 * lower case. So names that are all upper case become lower case, and the other way round; mixed ones stay. The
 * function is its own inverse.
 */
public final class MirroredName {
    private MirroredName() {}

    /** The client's name for one of the catalog, or the catalog's for a client's one. */
    public static String of(String name) {
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
