package dev.fulmar.wire.call;

/**
 * What a transaction over several partitions that only reads may show. Numbers are those of {@code ReadConsistency} in
 * the schema.
 */
public enum ReadConsistency {
    /** What the procedure declares; strict for a statement. */
    DECLARED(0),
    /** Everything that was acknowledged before the call was sent. */
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
