package dev.fulmar.procedure;

import java.io.Serial;

/** A statement failed and was undone; the transaction goes on if the procedure catches this. */
public final class StatementException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public StatementException(String sqlState, String message) {
        super(message, null, false, false);
        this.sqlState = sqlState;
    }

    /** Five characters, for example 23505 for a unique violation. */
    public String sqlState() {
        return sqlState;
    }
}
