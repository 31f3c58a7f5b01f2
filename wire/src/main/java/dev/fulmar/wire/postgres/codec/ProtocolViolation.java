package dev.fulmar.wire.postgres.codec;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Maker of the errors for bytes that are no messages of the protocol: SQLSTATE 08P01. */
final class ProtocolViolation {
    private ProtocolViolation() {}

    static FulmarException of(String problem) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                problem + "; connect with a driver of PostgreSQL, and see docs/POSTGRESQL.md to write one");
    }
}
