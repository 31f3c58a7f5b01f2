package dev.fulmar.wire.postgres.message;

/** The kind of object that Describe and Close name. */
public enum Target {
    STATEMENT('S'),
    PORTAL('P');

    private final byte code;

    Target(char code) {
        this.code = (byte) code;
    }

    /** The kind's code in messages. */
    public byte code() {
        return code;
    }
}
