package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a session: whether one is open, and its number. A client opens one with BEGIN; statements that
 * come together have one of their own, which is implicit.
 */
final class TransactionBlock {
    private enum State {
        NONE,
        IMPLICIT,
        EXPLICIT,
        /** The client has opened it, and it only ends. */
        FAILED
    }

    private State state = State.NONE;
    private long number;
    private boolean isReadOnly;

    /** The statement that opened it in the database. */
    private String beginning = "";

    private TransactionMode mode = TransactionMode.USUAL;

    /** The modes that the client has said. */
    private TransactionMode said = TransactionMode.USUAL;

    /** Whether it has done something that another transaction would not have. */
    private boolean isUsed;

    private final PendingChanges changes = new PendingChanges();
    private boolean isForLargeResult;

    /** Another transaction is opened in its place. */
    private boolean isReplaced;

    /** The error of a COMMIT. Clients take other codes of nodes for the end of their connection, which is sound. */
    static FulmarException notCommitted(Failed failure) {
        return failure.code().category() == ErrorCode.Category.RETRYABLE
                ? new FulmarException(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "the transaction was not committed; run it again from BEGIN on (" + failure.message() + ")")
                : new FulmarException(failure.code(), failure.message());
    }

    TransactionStatus status() {
        return switch (state) {
            case NONE, IMPLICIT -> TransactionStatus.IDLE;
            case EXPLICIT -> TransactionStatus.IN_TRANSACTION;
            case FAILED -> TransactionStatus.FAILED;
        };
    }

    /** Number for the next transaction; no number is used twice. */
    long nextNumber() {
        return ++number;
    }

    /** Number of the transaction that is open, or was last. */
    long number() {
        return number;
    }

    /** The same, or 0 if none is open. */
    long openNumber() {
        return isOpen() ? number : 0;
    }

    boolean isOpen() {
        return state != State.NONE;
    }

    boolean isImplicit() {
        return state == State.IMPLICIT;
    }

    boolean hasFailed() {
        return state == State.FAILED;
    }

    /** Fails if the client's transaction has failed. */
    void checkUsable() {
        if (hasFailed()) {
            throw new FulmarException(
                    ErrorCode.FAILED_TRANSACTION,
                    "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    /** Fails if the client's transaction has failed, and the statement neither ends it nor goes back. */
    void checkUsableFor(SessionCommand statement) {
        switch (statement) {
            case SessionCommand.Commit _,
                    SessionCommand.Rollback _,
                    SessionCommand.Chain _,
                    SessionCommand.RollbackTo _ -> {
                // A failed transaction can do this.
            }
            default -> checkUsable();
        }
    }

    /**
     * Fails for a statement that cannot be executed in the transaction that is open, or without one. A transaction that
     * has failed only ends. A savepoint is in a transaction that the client has opened, and DISCARD ALL in none.
     *
     * @param standsAlone whether the statement came alone
     */
    void check(Translation statement, SessionCommand command, boolean standsAlone) {
        checkUsableFor(command);
        switch (command) {
            case SessionCommand.Savepoint _ -> checkOpenFor("SAVEPOINT");
            case SessionCommand.Release _ -> checkOpenFor("RELEASE SAVEPOINT");
            case SessionCommand.RollbackTo _ -> checkOpenFor("ROLLBACK TO SAVEPOINT");
            default -> {
                // Needs no transaction of the client.
            }
        }
        List<String> words = statement.words();
        boolean discardsAll = words.size() > 1
                && words.getFirst().equals("DISCARD")
                && words.get(1).equals("ALL");
        if (discardsAll && (isOpen() || !standsAlone)) {
            throw new FulmarException(
                    ErrorCode.ACTIVE_TRANSACTION,
                    "DISCARD ALL cannot run inside a transaction block; send it by itself");
        }
    }

    /** Fails if the client has opened no transaction. Statements that came together have one of their own. */
    private void checkOpenFor(String statement) {
        if (!isOpen() || isImplicit()) {
            throw new FulmarException(
                    ErrorCode.NO_ACTIVE_TRANSACTION, statement + " can only be used in transaction blocks");
        }
    }

    /** Whether it reads one snapshot and changes nothing. */
    boolean isReadOnly() {
        return state != State.NONE && isReadOnly;
    }

    /** SET TRANSACTION has given it other modes; returns all that it has. */
    TransactionMode set(TransactionMode more) {
        mode = mode.with(more);
        said = said.with(more);
        isReadOnly = mode.readOnly().orElse(false);
        return mode;
    }

    /** The statement that opens another transaction of the same modes behind it; fails if the client opened none. */
    String chained(String word) {
        if (!isOpen() || isImplicit()) {
            throw new FulmarException(
                    ErrorCode.NO_ACTIVE_TRANSACTION, word + " AND CHAIN can only be used in transaction blocks");
        }
        return said.begin();
    }

    /**
     * @param sql the statement that opened it in the database
     * @return the modes that it says
     */
    TransactionMode opened(String sql, boolean isImplicit) {
        mode = SessionCommand.of(sql) instanceof SessionCommand.Begin(TransactionMode begun)
                ? begun
                : TransactionMode.USUAL;
        said = isReplaced ? said : mode; // of one that is replaced the session says that it only reads
        isReplaced = false;
        isReadOnly = mode.readOnly().orElse(false);
        isUsed = false;
        changes.clear();
        isForLargeResult = false;
        beginning = sql;
        state = isImplicit ? State.IMPLICIT : State.EXPLICIT;
        return mode;
    }

    /** A statement of it has been executed. */
    void executed(Translation statement) {
        isUsed = true;
        SessionCommand command = SessionCommand.of(statement.sql());
        if (isOpen()) {
            changes.executed(command, statement);
        }
        if (command instanceof SessionCommand.RollbackTo) {
            recovered();
        }
    }

    /** A statement of it has been executed at once, and would be executed again by another one in its place. */
    void executedAtOnce() {
        isUsed = true;
    }

    /** The changes of tables that it has made and not committed. */
    List<String> changes() {
        return isOpen() ? changes.texts() : List.of();
    }

    /**
     * The statement that opens another transaction in its place, which only reads; null if that would not be the same
     * for its client.
     */
    @Nullable String beginningOfReadOnly() {
        boolean canBe = isOpen() && !isUsed && mode.readOnly().isEmpty();
        return canBe ? beginning + " READ ONLY" : null;
    }

    /** Another transaction is opened in its place, of which the client says nothing. */
    void replaced() {
        isReplaced = true;
    }

    /** It only reads since then, for a result that no reply holds. */
    void forLargeResult() {
        isForLargeResult = true;
    }

    /** Whether it only reads though its client has not said so. */
    boolean isForLargeResult() {
        return isOpen() && isForLargeResult;
    }

    /** BEGIN in an implicit transaction makes it the client's. */
    void becomeExplicit() {
        state = State.EXPLICIT;
    }

    /** Fails for a mode that comes behind statements of the transaction. */
    void checkMayBegin(TransactionMode said) {
        boolean saysOne = said.isolation().isPresent() || said.readOnly().isPresent();
        if (isImplicit() && saysOne) {
            throw new FulmarException(
                    ErrorCode.ACTIVE_TRANSACTION,
                    "the statements before are of this transaction, so its mode is that of the session; send BEGIN by"
                            + " itself");
        }
    }

    void failed() {
        if (state == State.EXPLICIT) {
            state = State.FAILED;
        }
    }

    /** ROLLBACK TO has taken back what failed. */
    private void recovered() {
        if (state == State.FAILED) {
            state = State.EXPLICIT;
        }
    }

    void ended() {
        changes.clear();
        state = State.NONE;
    }
}
