package dev.fulmar.coordinator.membership;

import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A record as it was found, and the version to expect when it is changed.
 *
 * @param record null if there is none
 * @param version 0 if there is none, 1 for the first, one more for each change
 */
public record Versioned<R extends StateRecord>(@Nullable R record, long version) {
    public Versioned {
        Invariants.check(
                (record == null) == (version == 0) && version >= 0, "a record has a version, an absent one has none");
    }

    public static <R extends StateRecord> Versioned<R> absent() {
        return new Versioned<>(null, 0);
    }

    public boolean isPresent() {
        return record != null;
    }

    /** The record, which must be there. */
    public R get() {
        if (record == null) {
            throw Invariants.breach("only a record that is present is asked for");
        }
        return record;
    }
}
