package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.Locale;
import java.util.Optional;

/** What other databases have statements for, and Fulmar something else. */
final class ForeignStatements {
    private ForeignStatements() {}

    /** Says what to do instead, if the text, which is no statement, begins like one of those. */
    static Optional<FulmarException> refusal(String sql) {
        Token first = Tokenizer.tokens(sql).getFirst();
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
            case "CALL", "EXECUTE", "EXEC" ->
                "a procedure is called with EXEC name argument, ... in the shell, and by its name from a client";
            case "REPLACE" -> "UPSERT INTO takes the place of rows with the same key";
            default -> "";
        };
        return instead.isEmpty()
                ? Optional.empty()
                : Optional.of(SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED, first.position(), "there is no statement " + word + "; " + instead));
    }
}
