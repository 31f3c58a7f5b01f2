package dev.fulmar.wire.frame;

import org.jspecify.annotations.Nullable;

/** Kinds of messages in frames. Numbers travel on the wire and are never reused. */
public enum FrameKind {
    HELLO(1),
    WELCOME(2),
    BIND(3),
    PROCEDURE_CALL(4),
    STATEMENT_CALL(5),
    PROCEDURE_REPLY(6),
    CONNECTION_ERROR(7),
    GOODBYE(8),
    AUTHENTICATION(9),
    TOPOLOGY(10),
    BOUND(11),
    CANCEL(12),
    CATALOG(13);

    private static final @Nullable FrameKind[] BY_NUMBER = byNumber();

    private final byte number;

    FrameKind(int number) {
        this.number = (byte) number;
    }

    /** Number on the wire. */
    public byte number() {
        return number;
    }

    /** The kind with the number, or null. */
    public static @Nullable FrameKind ofNumber(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    private static @Nullable FrameKind[] byNumber() {
        FrameKind[] kinds = values();
        @Nullable FrameKind[] table = new @Nullable FrameKind[kinds[kinds.length - 1].number + 1];
        for (FrameKind kind : kinds) {
            table[kind.number] = kind;
        }
        return table;
    }
}
