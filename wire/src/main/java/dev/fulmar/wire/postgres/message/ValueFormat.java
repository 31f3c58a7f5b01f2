package dev.fulmar.wire.postgres.message;

/** Format of a value: as PostgreSQL writes it for people, or as its binary functions do. */
public enum ValueFormat {
    TEXT(0),
    BINARY(1);

    private final int code;

    ValueFormat(int code) {
        this.code = code;
    }

    /** The format's code in messages. */
    public int code() {
        return code;
    }
}
