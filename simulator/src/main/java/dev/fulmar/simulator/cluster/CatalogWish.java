package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Change of the catalog that a simulated client requests, with the names that it makes and drops and the errors that
 * may refuse it.
 *
 * @param text a statement, several with a semicolon between them that are one transaction, or the procedure that takes
 *     the jar
 * @param jar what is brought in, or null
 * @param made names that are there afterwards, and were not before
 * @param dropped names that are not there afterwards
 * @param refusals what may forbid it
 * @param hears told what becomes of it
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record CatalogWish(
        String text,
        byte @Nullable [] jar,
        List<String> made,
        List<String> dropped,
        Set<ErrorCode> refusals,
        Hears hears) {
    static final String SEPARATOR = "; ";

    /** Listens to the outcome of a wish. */
    interface Hears {
        default void begun() {}

        default void done() {}

        /** It certainly had no effect. */
        default void refused() {}

        /** The outcome is unknown, and the change may still be done. */
        default void unknown() {}
    }

    CatalogWish {
        made = List.copyOf(made);
        dropped = List.copyOf(dropped);
    }

    /** Whether it is a transaction of several statements. */
    boolean isJoint() {
        return text.contains(SEPARATOR);
    }

    /** Whether it places the rows of a table anew. */
    boolean placesRows() {
        return text.startsWith("ALTER TABLE ") && text.contains(" PARTITION ON COLUMN ");
    }

    List<String> statements() {
        return List.of(text.split(SEPARATOR));
    }

    void begun() {
        hears.begun();
    }

    void done() {
        hears.done();
    }

    void refused() {
        hears.refused();
    }

    void unknown() {
        hears.unknown();
    }
}
