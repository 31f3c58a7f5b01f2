package dev.fulmar.engine.undo;

import dev.fulmar.foundation.check.Invariants;

/** The kind of change that an undo record undoes. */
public enum ChangeKind {
    /** A row came. */
    INSERT,
    /** A row's slot changed; the payload is the slot as it was. */
    UPDATE,
    /** A row was marked as deleted. */
    DELETE,
    /**
     * Bytes of a row's block were overwritten; the payload says where ({@code long}), how many ({@code int} at 8), and
     * from 16 on what was there.
     */
    BYTES,
    /** A key of the row changed. */
    KEY_CHANGE;

    private static final ChangeKind[] KINDS = values();

    /** The kind of a record with the number. */
    static ChangeKind of(int number) {
        Invariants.check(number > 0 && number <= KINDS.length, "undo records are of a known kind");
        return KINDS[number - 1];
    }
}
