package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.copy.CopyPlace;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.Severity;
import dev.fulmar.wire.postgres.message.SqlState;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Errors of the database as clients of PostgreSQL know them. */
final class Diagnostics {
    private Diagnostics() {}

    static Diagnostic of(Severity severity, ErrorCode code, Translation.Message message) {
        int context = message.text().indexOf(CopyPlace.CONTEXT);
        String text = context < 0 ? message.text() : message.text().substring(0, context);
        Diagnostic diagnostic = Diagnostic.of(severity, sqlState(code, text), withoutHint(text));
        // By its routine a driver knows that it has to prepare the statement again.
        String routine = code == ErrorCode.PLAN_CHANGED ? "RevalidateCachedQuery" : null;
        ErrorObject object = ErrorObject.of(code, text);
        return diagnostic
                .about(object.schema(), object.table(), object.column(), object.constraint())
                .at(message.position())
                .withHint(hint(text))
                .withWhere(context < 0 ? null : message.text().substring(context + CopyPlace.CONTEXT.length()))
                .in(routine);
    }

    /** The message says what is wrong, and behind a semicolon what to do. */
    private static String withoutHint(String message) {
        int end = message.indexOf("; ");
        return end < 0 ? message : message.substring(0, end);
    }

    private static @Nullable String hint(String message) {
        int end = message.indexOf("; ");
        if (end < 0) {
            return null;
        }
        String hint = message.substring(end + 2);
        return hint.isEmpty() ? null : hint.substring(0, 1).toUpperCase(Locale.ROOT) + hint.substring(1) + ".";
    }

    /** The SQLSTATE; PostgreSQL tells by it which kind of object there is not, or is already. */
    static String sqlState(ErrorCode code, String message) {
        return switch (code) {
            case UNKNOWN_OBJECT -> unknown(message.toLowerCase(Locale.ROOT));
            case OBJECT_EXISTS -> existing(message.toLowerCase(Locale.ROOT));
            default -> SqlState.of(code);
        };
    }

    private static String unknown(String message) {
        if (message.contains("column")) {
            return "42703";
        }
        if (message.contains("function")) {
            return "42883";
        }
        if (message.contains("schema ")) {
            return "3F000";
        }
        if (message.contains("type ")) {
            return "42704";
        }
        return message.contains("parameter") ? "42704" : "42P01";
    }

    private static String existing(String message) {
        if (message.contains("schema ")) {
            return "42P06";
        }
        if (message.contains("column")) {
            return "42701";
        }
        return message.contains("type ") || message.contains("enum label ") ? "42710" : "42P07";
    }
}
