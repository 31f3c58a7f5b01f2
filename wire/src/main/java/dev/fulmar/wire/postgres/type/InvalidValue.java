package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;

/** Maker of the errors for values that a type cannot have. Each begins as PostgreSQL's message does. */
final class InvalidValue {
    private static final int MOST_BYTES_SHOWN = 60;

    private InvalidValue() {}

    /** SQLSTATE 22P02. */
    static FulmarException syntax(PostgresType type, byte[] text, int from, int to, String expected) {
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                "invalid input syntax for type " + type.sqlName() + ": \"" + shown(text, from, to) + "\"; write it as "
                        + expected);
    }

    /** SQLSTATE 22023. */
    static FulmarException hexadecimal(byte[] text, int from, int to) {
        return new FulmarException(
                ErrorCode.INVALID_ARGUMENT,
                "invalid hexadecimal data: \"" + shown(text, from, to) + "\"; bytes are pairs of digits, as \\xCAFE");
    }

    /** SQLSTATE 22003. */
    static FulmarException range(PostgresType type, byte[] text, int from, int to) {
        return range(type, shown(text, from, to));
    }

    /** SQLSTATE 22003. */
    static FulmarException range(PostgresType type, String value) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "value \"" + value + "\" is out of range for type " + type.sqlName() + "; choose a wider type");
    }

    /** SQLSTATE 22007. */
    static FulmarException datetime(PostgresType type, byte[] text, int from, int to) {
        return new FulmarException(
                ErrorCode.INVALID_DATETIME,
                "invalid input syntax for type " + type.sqlName() + ": \"" + shown(text, from, to)
                        + "\"; write it as 2024-02-29, 12:00:00, or both");
    }

    /** SQLSTATE 22008. */
    static FulmarException datetimeRange(byte[] text, int from, int to) {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                "date/time field value out of range: \"" + shown(text, from, to) + "\"; the order is year, month, day");
    }

    /** SQLSTATE 22008. */
    static FulmarException datetimeRange(PostgresType type, String value) {
        return new FulmarException(
                ErrorCode.DATETIME_OUT_OF_RANGE,
                type.sqlName() + " out of range: \"" + value + "\"; choose one that is nearer to today");
    }

    /** SQLSTATE 22P03. */
    static FulmarException binary(PostgresType type, String problem) {
        return new FulmarException(
                ErrorCode.INVALID_BINARY,
                "invalid binary representation of type " + type.sqlName() + ": " + problem
                        + "; send what PostgreSQL's binary format has, or send text");
    }

    /** SQLSTATE 0A000. */
    static FulmarException unsupported(String problem) {
        return new FulmarException(ErrorCode.NOT_SUPPORTED, problem);
    }

    static String shown(byte[] text, int from, int to) {
        int length = Math.min(to - from, MOST_BYTES_SHOWN);
        return new String(text, from, length, StandardCharsets.UTF_8) + (length < to - from ? "..." : "");
    }
}
