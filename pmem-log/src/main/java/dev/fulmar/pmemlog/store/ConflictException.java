package dev.fulmar.pmemlog.store;

/** Another transaction was faster. The transaction left no trace; run it again. */
public final class ConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConflictException(String reason) {
        super(reason + "; run the transaction again", null, false, false);
    }
}
