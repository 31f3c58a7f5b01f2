package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Statements of other databases in place of which Fulmar has something else. */
final class ForeignStatements {
    private ForeignStatements() {}

    /** Says what to do instead, if the text, which is no statement, begins like one of those. */
    static Optional<FulmarException> refusal(String sql) {
        return refusal(Tokenizer.tokens(sql));
    }

    /** The same of a text that is cut into tokens. */
    static Optional<FulmarException> refusal(List<Token> tokens) {
        Token first = tokens.getFirst();
        if (first.kind() != Token.Kind.WORD) {
            return Optional.empty();
        }
        String word = first.text().toUpperCase(Locale.ROOT);
        String instead = switch (word) {
            case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "LOCK" ->
                "each statement is a transaction of its own; what belongs together is a stored procedure: CREATE"
                        + " PROCEDURE p AS BEGIN statement; ... END, or one in Java";
            case "SET", "RESET", "USE" ->
                "a session has no settings; name schemas with their tables, and see docs/OPERATIONS.md for the"
                        + " settings of a node";
            case "SHOW", "DESCRIBE", "DESC" -> "query INFORMATION_SCHEMA for what there is, or type \\d in the shell";
            case "EXECUTE", "EXEC" ->
                "a procedure is called with CALL name(argument, ...), with EXEC name argument, ... in the shell, and by"
                        + " its name from a client";
            case "VACUUM", "REINDEX", "CLUSTER", "OPTIMIZE", "CHECKPOINT" ->
                "memory, indexes and checkpoints need no care by hand";
            case "ANALYZE", "ANALYSE" ->
                "statistics are kept by themselves; EXPLAIN ANALYZE runs a query and says what it did";
            case "COPY", "LOAD", "IMPORT", "EXPORT", "UNLOAD" ->
                "bin/fulmar load fills a table from a file, and bin/fulmar dump writes tables to files";
            case "BACKUP", "RESTORE" -> "docs/OPERATIONS.md says how backups are made and restored";
            case "PREPARE", "DEALLOCATE" ->
                "a client prepares what it sends; a ? is a parameter, and CREATE PROCEDURE p AS keeps a statement";
            case "DECLARE", "CLOSE", "FETCH", "MOVE" ->
                "a cursor is part of a transaction, and none is open: BEGIN READ ONLY, or BEGIN, and DECLARE name CURSOR"
                        + " FOR query in it";
            case "OPEN", "DO", "IF", "WHILE" ->
                "what takes several steps is a stored procedure in Java, or CREATE PROCEDURE p AS BEGIN statement; ... END";
            case "LISTEN", "NOTIFY", "UNLISTEN" -> "clients ask, and are not told by themselves";
            case "KILL" -> "a client cancels its own calls, and each call ends with its time limit";
            case "REPLACE" -> "UPSERT INTO takes the place of rows with the same key";
            default -> "";
        };
        return instead.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        SqlErrors.at(code(word), first.position(), "there is no statement " + word + "; " + instead));
    }

    /** Cursors are known where a transaction is open. */
    private static ErrorCode code(String word) {
        return switch (word) {
            case "DECLARE" -> ErrorCode.NO_ACTIVE_TRANSACTION;
            case "CLOSE", "FETCH", "MOVE" -> ErrorCode.UNKNOWN_CURSOR;
            default -> ErrorCode.NOT_SUPPORTED;
        };
    }
}
