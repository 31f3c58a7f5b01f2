package dev.fulmar.wire.call;

/**
 * Consistency of a transaction that only reads several partitions. Numbers are those of {@code ReadConsistency} in the
 * schema.
 */
public enum ReadConsistency {
    /** As the procedure declares; strict for a statement. */
    DECLARED(0),
    /** All commits that were acknowledged before the call was sent. */
    STRICT(1),
    /** One state of the whole database; one that was the newest a moment ago will do. */
    SNAPSHOT(2);

    private final int number;

    ReadConsistency(int number) {
        this.number = number;
    }

    /** Number on the wire. */
    public int number() {
        return number;
    }

    static ReadConsistency ofNumber(int number) {
        return switch (number) {
            case 0 -> DECLARED;
            case 1 -> STRICT;
            case 2 -> SNAPSHOT;
            default -> throw ProtobufBytes.malformed("a call asks for the unknown consistency " + number);
        };
    }
}
