package dev.fulmar.wire.call;

/** Kinds of results of a committed call. Numbers are those of {@code ResultKind} in the schema. */
public enum ReplyKind {
    /** Nothing. */
    NOTHING(0),
    /** A long: what the procedure returned, or how many rows a statement changed. */
    VALUE(1),
    /** One result block. */
    TABLE(2),
    /** Any number of result blocks. */
    TABLES(3);

    private final int number;

    ReplyKind(int number) {
        this.number = number;
    }

    /** Number on the wire. */
    public int number() {
        return number;
    }

    static ReplyKind ofNumber(int number) {
        return switch (number) {
            case 0 -> NOTHING;
            case 1 -> VALUE;
            case 2 -> TABLE;
            case 3 -> TABLES;
            default -> throw ProtobufBytes.malformed("a reply is of kind " + number);
        };
    }
}
