package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import java.util.Locale;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** Calcite's complaints in our words: code, place, what to do. */
final class CalciteErrors {
    private CalciteErrors() {}

    static FulmarException ofParser(String sql, SqlParseException error) {
        String message = firstLine(error.getMessage());
        if (error.getPos() == null) {
            return new FulmarException(ErrorCode.SYNTAX, message, error);
        }
        Position position =
                new Position(error.getPos().getLineNum(), error.getPos().getColumnNum());
        message = message.replaceFirst("(?i) at line \\d+, column \\d+\\.?$", "");
        if (message.startsWith("Non-query expression")) {
            // Calcite took the beginning for an expression and complains behind it.
            position = new Position(1, 1);
            message = "no statement begins so; check the first word, as SELECT, INSERT, UPDATE, DELETE or CREATE";
        } else if (message.startsWith("Encountered \"<EOF>\"")) {
            message = "the statement ends too early";
        } else if (message.startsWith("Encountered ")) {
            message = message.replaceFirst("^Encountered \"(.*)\"$", "'$1' is not expected here")
                    + "; a reserved word used as a name needs double quotes";
        }
        return new FulmarException(ErrorCode.SYNTAX, position + ": " + message, error);
    }

    static FulmarException ofValidator(CalciteContextException error) {
        Throwable cause = error.getCause();
        String message = text(cause == null ? error : cause);
        ErrorCode code = code(message);
        String place = error.getPosLine() > 0 ? error.getPosLine() + ":" + error.getPosColumn() + ": " : "";
        return new FulmarException(code, place + message + hint(code, message), error);
    }

    static FulmarException ofCalcite(CalciteException error) {
        String message = text(error);
        ErrorCode code = code(message);
        return new FulmarException(code, message + hint(code, message), error);
    }

    /** Calcite stumbled; it does so on statements that no database would understand. */
    static FulmarException ofDefect(Throwable error) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "the statement is not understood (" + firstLine(error.getMessage()) + "); check its syntax, or write it"
                        + " differently",
                error);
    }

    private static String text(Throwable error) {
        return firstLine(error.getMessage());
    }

    private static String firstLine(@Nullable String message) {
        if (message == null) {
            return "the statement is not valid";
        }
        int end = message.indexOf('\n');
        return (end < 0 ? message : message.substring(0, end)).strip();
    }

    private static ErrorCode code(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("has no default value")) {
            return ErrorCode.NOT_NULL_VIOLATION;
        }
        if (lower.startsWith("numeric literal")) {
            return ErrorCode.VALUE_OUT_OF_RANGE;
        }
        if (lower.contains("not found")
                || lower.contains("unknown target column")
                || lower.contains("no match found")) {
            return ErrorCode.UNKNOWN_OBJECT;
        }
        if (lower.startsWith("cannot apply")
                || lower.startsWith("cannot assign")
                || lower.startsWith("cast function cannot convert")
                || lower.contains("illegal use of dynamic parameter")
                || lower.contains("type mismatch")
                || lower.contains("incompatible")
                || lower.contains("compatible type")
                || lower.contains("type inference")
                || lower.contains("boolean type")
                || lower.contains("out of range")) {
            return ErrorCode.TYPE_MISMATCH;
        }
        return ErrorCode.SYNTAX;
    }

    private static String hint(ErrorCode code, String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("dynamic parameter")) {
            return "; write CAST(? AS type) to say what it is";
        }
        if (code == ErrorCode.UNKNOWN_OBJECT && lower.contains("function")) {
            return "; docs/SQL.md lists the functions";
        }
        if (code == ErrorCode.UNKNOWN_OBJECT) {
            return "; unquoted names are upper case, quoted ones keep theirs";
        }
        if (code == ErrorCode.TYPE_MISMATCH) {
            return "; CAST(value AS type) converts explicitly";
        }
        if (code == ErrorCode.NOT_NULL_VIOLATION) {
            return "; name the column in the INSERT or give it a DEFAULT";
        }
        return "";
    }
}
