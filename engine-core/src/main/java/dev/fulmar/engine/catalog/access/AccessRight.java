package dev.fulmar.engine.catalog.access;

import java.util.Comparator;

/**
 * A privilege on one object, or on all there are and will be.
 *
 * @param object name of a table, or of a procedure in upper case; empty for all of them, and for privileges on the
 *     database
 */
public record AccessRight(Privilege privilege, String object) implements Comparable<AccessRight> {
    /** Stands for all objects. */
    public static final String EVERYTHING = "";

    private static final Comparator<AccessRight> ORDER =
            Comparator.comparing(AccessRight::privilege).thenComparing(AccessRight::object);

    /** The right on all objects. */
    public static AccessRight onEverything(Privilege privilege) {
        return new AccessRight(privilege, EVERYTHING);
    }

    @Override
    public int compareTo(AccessRight other) {
        return ORDER.compare(this, other);
    }

    /** As an error shows it: {@code SELECT on T}. */
    @Override
    public String toString() {
        return object.isEmpty() ? privilege.name() : privilege + " on " + object;
    }
}
