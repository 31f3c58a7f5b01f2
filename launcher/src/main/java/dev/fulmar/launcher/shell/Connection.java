package dev.fulmar.launcher.shell;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.client.PreparedCall;
import dev.fulmar.client.RunningCall;
import dev.fulmar.client.StatementCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The shell's wrapper of a client: executes one statement at a time, lets the user cancel it, and soon reports a lost
 * connection. A connection that breaks and comes back soon is not noticed, for the client repeats unanswered calls. A
 * connection that stays away is reported long before the time-out of a call. One thread, but for cancelling.
 */
final class Connection {
    private static final long LOOK_MILLIS = 50;
    private static final long LAST_WORDS_MILLIS = 1_000;

    private final FulmarClient client;
    private final Duration patience;
    private final ShellTransaction transaction;
    private volatile @Nullable Duration timeout;
    private volatile @Nullable RunningCall running;

    /** @param patience how long a connection may be away */
    Connection(FulmarClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
        this.transaction = new ShellTransaction(client);
    }

    /** State of the user's transaction, for the prompt. */
    String transactionMark() {
        return transaction.mark();
    }

    /** Null for a command that begins or ends a transaction. */
    @Nullable CallResult execute(Consistency consistency, String statement) {
        awaitConnection();
        if (transaction.takes(statement)) {
            return null;
        }
        if (transaction.isOpen()) {
            try {
                return await(transaction.start(statement));
            } catch (FulmarException e) {
                transaction.failed(e);
                throw e;
            }
        }
        StatementCall call = client.statement(statement).withConsistency(consistency);
        Duration most = timeout;
        return await((most == null ? call : call.withTimeout(most)).start());
    }

    private CallResult await(RunningCall sent) {
        running = sent;
        try {
            return await(sent.outcome());
        } finally {
            running = null;
        }
    }

    /** Sets the time-out of each statement and call from now on; null for the client's own. */
    void limit(@Nullable Duration newTimeout) {
        timeout = newTimeout;
    }

    /** Asks for the statement that is being executed, if one is, to be ended; its outcome comes as ever. Any thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // a node that cannot cancel lets it go on, which is seen
    void cancel() {
        RunningCall sent = running;
        if (sent != null) {
            sent.cancel();
        }
    }

    /** The same, and waits a little for what comes of it: the process ends. Any thread. */
    void cancelAtEnd() {
        RunningCall sent = running;
        if (sent != null) {
            sent.cancel()
                    .thenCombine(sent.outcome().exceptionally(failed -> null), (asked, ended) -> asked)
                    .completeOnTimeout(null, LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)
                    .exceptionally(failed -> null)
                    .join();
        }
    }

    CallResult call(Consistency consistency, String procedure, @Nullable Object... arguments) {
        awaitConnection();
        transaction.checkCall(procedure);
        PreparedCall prepared = client.prepare(procedure).withConsistency(consistency);
        Duration most = timeout;
        Invocation call = (most == null ? prepared : prepared.withTimeout(most)).start();
        for (Object argument : arguments) {
            call.withObject(argument);
        }
        return await(call.start());
    }

    CallResult loadClasses(Path jar) {
        awaitConnection();
        return client.loadClasses(jar);
    }

    /**
     * Waits for a connection. A call that is given away without one would be sent whenever there is one again, and by
     * then its caller is gone.
     */
    private void awaitConnection() {
        long deadline = System.nanoTime() + patience.toNanos();
        while (client.readyConnections() == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "there is no connection to the server; the statement was not sent and had no effect; check that the node runs");
            }
            sleep();
        }
    }

    private CallResult await(CompletableFuture<CallResult> future) {
        long seen = System.nanoTime();
        while (true) {
            try {
                return future.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                long now = System.nanoTime();
                if (client.readyConnections() > 0) {
                    seen = now;
                } else if (now - seen > patience.toNanos()) {
                    throw new FulmarException(
                            ErrorCode.OUTCOME_UNKNOWN,
                            "the connection to the server broke before the reply came, and has not come back for "
                                    + patience.toSeconds()
                                    + " s; the statement may have taken effect, or may still: read the data to find out",
                            e);
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof FulmarException error) {
                    throw error;
                }
                throw new FulmarException(ErrorCode.INTERNAL, "the client failed: " + e.getCause(), e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static FulmarException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new FulmarException(
                ErrorCode.OUTCOME_UNKNOWN,
                "the thread was interrupted while it waited; the call may take effect",
                cause);
    }
}
