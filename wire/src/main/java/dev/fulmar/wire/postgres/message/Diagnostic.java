package dev.fulmar.wire.postgres.message;

import org.jspecify.annotations.Nullable;

/**
 * Fields of an error or a notice. Fields that are null, and a position of 0, are not sent.
 *
 * @param sqlState five characters
 * @param position of the error in the statement's text, in characters from 1; 0 for none
 * @param routine the function of PostgreSQL's code that drivers know the error by, where they do
 * @param where the context of the error, as PL/pgSQL's call stack is in PostgreSQL
 */
public record Diagnostic(
        Severity severity,
        String sqlState,
        String message,
        @Nullable String detail,
        @Nullable String hint,
        int position,
        @Nullable String where,
        @Nullable String schema,
        @Nullable String table,
        @Nullable String column,
        @Nullable String dataType,
        @Nullable String constraint,
        @Nullable String routine) {
    private static final int STATE_CHARACTERS = 5;

    public Diagnostic {
        if (sqlState.length() != STATE_CHARACTERS) {
            throw new IllegalArgumentException("an SQLSTATE has five characters: " + sqlState);
        }
    }

    /** A diagnostic with the fields that each must have. */
    public static Diagnostic of(Severity severity, String sqlState, String message) {
        return new Diagnostic(severity, sqlState, message, null, null, 0, null, null, null, null, null, null, null);
    }

    /** The same with another severity. */
    public Diagnostic as(Severity other) {
        return new Diagnostic(
                other,
                sqlState,
                message,
                detail,
                hint,
                position,
                where,
                schema,
                table,
                column,
                dataType,
                constraint,
                routine);
    }

    /** The same with details, which are more sentences about what happened. */
    public Diagnostic withDetail(@Nullable String text) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                text,
                hint,
                position,
                where,
                schema,
                table,
                column,
                dataType,
                constraint,
                routine);
    }

    /** The same with a hint, which says what to do. */
    public Diagnostic withHint(@Nullable String text) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                detail,
                text,
                position,
                where,
                schema,
                table,
                column,
                dataType,
                constraint,
                routine);
    }

    /** The same at a place of the statement's text, in characters from 1. */
    public Diagnostic at(int place) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                detail,
                hint,
                place,
                where,
                schema,
                table,
                column,
                dataType,
                constraint,
                routine);
    }

    /** The same with the context of the error. */
    public Diagnostic withWhere(@Nullable String text) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                detail,
                hint,
                position,
                text,
                schema,
                table,
                column,
                dataType,
                constraint,
                routine);
    }

    /** The same about a table, and perhaps its column and constraint. */
    public Diagnostic about(
            @Nullable String inSchema,
            @Nullable String ofTable,
            @Nullable String ofColumn,
            @Nullable String ofConstraint) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                detail,
                hint,
                position,
                where,
                inSchema,
                ofTable,
                ofColumn,
                dataType,
                ofConstraint,
                routine);
    }

    /** The same by the routine of PostgreSQL's code that drivers know the error by. */
    public Diagnostic in(@Nullable String function) {
        return new Diagnostic(
                severity,
                sqlState,
                message,
                detail,
                hint,
                position,
                where,
                schema,
                table,
                column,
                dataType,
                constraint,
                function);
    }
}
