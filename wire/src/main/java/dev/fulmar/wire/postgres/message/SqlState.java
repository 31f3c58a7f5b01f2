package dev.fulmar.wire.postgres.message;

import dev.fulmar.foundation.error.ErrorCode;

/** The SQLSTATE that PostgreSQL has for an error, where Fulmar's own protocol has another one. */
public final class SqlState {
    private SqlState() {}

    /** The SQLSTATE for PostgreSQL's clients, who look for PostgreSQL's. */
    public static String of(ErrorCode code) {
        return switch (code) {
            case SYNTAX -> "42601";
            case UNKNOWN_OBJECT -> "42P01";
            case OBJECT_EXISTS -> "42P07";
            case INVALID_TEXT -> "22P02";
            case CANCELLED, TIMEOUT -> "57014";
            case CATALOG_CHANGED -> "40001";
            case NODE_BROKEN, NODE_LOST -> "08007";
            case VERSION_MISMATCH -> "08P01";
            default -> code.sqlState();
        };
    }
}
