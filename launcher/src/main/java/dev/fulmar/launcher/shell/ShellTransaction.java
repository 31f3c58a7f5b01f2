package dev.fulmar.launcher.shell;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.RunningCall;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that the shell's user has begun, if one is open. It stays, though it has failed, until the user ends
 * it: no statement after a failure commits by itself. One thread.
 */
final class ShellTransaction {
    private final FulmarClient client;
    private @Nullable Session session;

    ShellTransaction(FulmarClient client) {
        this.client = client;
    }

    boolean isOpen() {
        return session != null;
    }

    /** End of the prompt: a star in a transaction, an exclamation mark in one that can only end. */
    String mark() {
        Session open = session;
        return open == null ? "" : open.isOpen() ? "*" : "!";
    }

    /** Executes a command that begins or ends a transaction; false if the statement is none. */
    boolean takes(String statement) {
        Session open = session;
        switch (SessionCommand.of(statement)) {
            case SessionCommand.Begin(var mode) -> {
                if (open != null) {
                    throw new FulmarException(
                            ErrorCode.ACTIVE_TRANSACTION, "a transaction is open already; COMMIT or ROLLBACK it first");
                }
                session = client.begin(mode);
            }
            case SessionCommand.Commit _ -> commit(opened(open));
            case SessionCommand.Rollback _ -> {
                session = null;
                opened(open).rollback();
            }
            case SessionCommand.Chain chain -> throw chain.refused();
            case SessionCommand.SetMode _,
                    SessionCommand.Savepoint _,
                    SessionCommand.RollbackTo _,
                    SessionCommand.Release _ -> {
                opened(open);
                return false;
            }
            case CursorCommand command -> {
                if (open == null) {
                    throw command.outside();
                }
                return false;
            }
            case SessionCommand.Sql _ -> {
                return false;
            }
        }
        return true;
    }

    /** One that was not executed, and may be, is repeated or rolled back by the user. */
    private void commit(Session committing) {
        session = null;
        try {
            committing.commit();
        } catch (FulmarException failure) {
            boolean mayBeRepeated = failure.code().category() == ErrorCode.Category.RETRYABLE;
            session = mayBeRepeated ? committing : null;
            throw failure;
        }
    }

    private static Session opened(@Nullable Session open) {
        if (open == null) {
            throw new FulmarException(ErrorCode.NO_ACTIVE_TRANSACTION, "no transaction is open; BEGIN opens one");
        }
        return open;
    }

    /** Sends a statement of the open transaction. */
    RunningCall start(String statement) {
        return opened(session).start(statement);
    }

    /** A statement that was awaited elsewhere has failed so. */
    void failed(FulmarException failure) {
        opened(session).failed(failure);
    }

    /** A call is no statement of a transaction. */
    void checkCall(String procedure) {
        if (session != null && !procedure.startsWith("@")) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a procedure is a transaction of its own; COMMIT or ROLLBACK the open one before you call it");
        }
    }
}
