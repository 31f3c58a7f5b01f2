package dev.fulmar.postgres.session;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.dialect.NameFolding;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The object that an error of a constraint is about, as its message names it. Programs tell by the constraint which
 * rule a row breaks. All are null for other errors.
 */
record ErrorObject(
        @Nullable String schema,
        @Nullable String table,
        @Nullable String column,
        @Nullable String constraint) {
    private static final ErrorObject NONE = new ErrorObject(null, null, null, null);
    private static final String NAME = "\"?([^\\s\",;:()]+)\"?";
    private static final Pattern UNIQUE = Pattern.compile(
            "^table (?<table>" + NAME + ") has .*, and (?:primary key|unique index) (?<constraint>" + NAME
                    + ") allows one",
            Pattern.DOTALL);
    private static final Pattern CHECK =
            Pattern.compile("^a row of (?<table>" + NAME + ") breaks the constraint (?<constraint>" + NAME + "):");
    private static final Pattern REFERS = Pattern.compile(
            "^a row of (?<table>" + NAME + ") (?:with .*)?refers by (?<constraint>" + NAME + ") to a row of",
            Pattern.DOTALL);
    private static final Pattern REFERRED = Pattern.compile(
            "^a row of .* is referred to by a row of (?<table>" + NAME + ") \\((?<constraint>" + NAME + ")\\)",
            Pattern.DOTALL);
    private static final Pattern NOT_NULL =
            Pattern.compile("column (?<column>" + NAME + ") of (?<table>" + NAME + ") is NOT NULL");

    static ErrorObject of(ErrorCode code, String message) {
        return switch (code) {
            case UNIQUE_VIOLATION -> found(UNIQUE.matcher(message));
            case CHECK_VIOLATION -> found(CHECK.matcher(message));
            case FOREIGN_KEY_VIOLATION -> {
                ErrorObject refers = found(REFERS.matcher(message));
                yield refers.equals(NONE) ? found(REFERRED.matcher(message)) : refers;
            }
            case NOT_NULL_VIOLATION -> column(NOT_NULL.matcher(message));
            default -> NONE;
        };
    }

    private static ErrorObject found(Matcher matcher) {
        return matcher.find() ? of(matcher, null, constraint(matcher.group("constraint"))) : NONE;
    }

    private static ErrorObject column(Matcher matcher) {
        return matcher.find() ? of(matcher, NameFolding.mirrored(plain(matcher.group("column"))), null) : NONE;
    }

    private static ErrorObject of(Matcher matcher, @Nullable String column, @Nullable String constraint) {
        String table = plain(matcher.group("table"));
        return new ErrorObject(
                NameFolding.mirrored(SchemaName.of(table)),
                NameFolding.mirrored(SchemaName.local(table)),
                column,
                constraint);
    }

    private static String plain(String written) {
        return written.replace("\"", "");
    }

    /** A constraint of a table that is in a schema may have it before its name, as PostgreSQL's clients do not. */
    private static String constraint(String written) {
        return NameFolding.mirrored(SchemaName.local(plain(written)));
    }
}
