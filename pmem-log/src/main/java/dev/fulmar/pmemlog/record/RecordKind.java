package dev.fulmar.pmemlog.record;

import org.jspecify.annotations.Nullable;

/** Kinds of records. Numbers are on disk and are never reused. */
public enum RecordKind {
    /** A procedure's name and parameters, to be executed again. */
    COMMAND(1),
    /** Statements and parameters that a multi-partition transaction executed in this partition. */
    FRAGMENTS(2),
    /** Images of the rows that a transaction wrote. */
    VALUES(3),
    /** The partition's vote for a multi-partition transaction, with what it did here. */
    PREPARE(4),
    /** The outcome of a multi-partition transaction. */
    DECISION(5),
    /** Ranges that the partition gained or lost. */
    RECONFIGURATION(6),
    /** A change of the catalog. */
    CATALOG(7),
    /**
     * A new primary: the stream goes on at this record's sequence, and what an earlier epoch wrote from there on is
     * void.
     */
    EPOCH(8),
    /** Written by the log itself: where every stream stood. */
    SEAL(9),
    /**
     * Begins a copy of the stream that came from another node. A checkpoint has everything up to this record's
     * sequence, and the next record follows. Whatever the stream had before is void.
     */
    COPY(10);

    private static final RecordKind[] BY_NUMBER = new RecordKind[values().length + 1];

    static {
        for (RecordKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final int number;

    RecordKind(int number) {
        this.number = number;
    }

    /** Number on disk. */
    public int number() {
        return number;
    }

    /** The kind with the number; null for a number that this version does not know. */
    public static @Nullable RecordKind ofNumber(int number) {
        return number > 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
