package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Makes the errors of SQL text. Their messages begin with {@code line:column: }. */
public final class SqlErrors {
    private SqlErrors() {}

    /** Text that is no SQL. */
    public static FulmarException syntax(Position position, String message) {
        return at(ErrorCode.SYNTAX, position, message);
    }

    /** The error for a feature that Fulmar does not have. */
    public static FulmarException notSupported(String message) {
        return new FulmarException(ErrorCode.NOT_SUPPORTED, message);
    }

    /** A limit was met. */
    public static FulmarException tooComplex(String message) {
        return new FulmarException(ErrorCode.STATEMENT_TOO_COMPLEX, message);
    }

    /** An error at a place in the text. */
    public static FulmarException at(ErrorCode code, Position position, String message) {
        return new FulmarException(code, position + ": " + message);
    }
}
