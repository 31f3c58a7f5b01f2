package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serializable transaction of many statements, one after another. It is open until {@link #commit}, {@link #rollback}
 * or {@link #close}. {@link ErrorCode#SERIALIZATION_FAILURE} says that another transaction has changed what this one
 * has seen. Then run it again from its beginning; {@link FulmarClient#transaction} does that by itself. A statement
 * that fails for what it says leaves the transaction as it was. After any other failure the transaction can only end.
 *
 * <p>Its statements go over one connection, and it ends with that. Not thread-safe.
 */
public final class Session implements AutoCloseable {
    static final String PROCEDURE = "@Session";

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** So long {@link #close} waits for its answer: a node that is lost has none. */
    static final long CLOSE_SECONDS = 2;

    private final ClientConnections connections;
    private final int procedure;
    private final int connection;
    private final long number;
    private State state = State.OPEN;

    /** Stages of a session as its owner knows them. */
    private enum State {
        OPEN,
        /** It can only be rolled back. */
        FAILED,
        /** COMMIT was sent, and the answer is none or that it may be repeated. */
        COMMITTING,
        ENDED
    }

    private Session(ClientConnections connections, int procedure) {
        this.connections = connections;
        this.procedure = procedure;
        this.connection = connections.oneConnection();
        this.number = connections.nextTransaction();
    }

    /**
     * Opens one.
     *
     * @param procedure the client's number of {@value #PROCEDURE}
     */
    static Session begin(ClientConnections connections, int procedure, TransactionMode mode) {
        Session session = new Session(connections, procedure);
        try {
            session.await(session.send(mode.begin(), false));
        } catch (FulmarException e) {
            session.close();
            throw e;
        }
        return session;
    }

    /** Executes a statement and waits for its outcome. */
    public CallResult execute(String sql, @Nullable Object... arguments) {
        return await(start(sql, arguments));
    }

    /**
     * Sends a statement, which is executed after those that were sent before. The future completes on an event loop's
     * thread.
     */
    public CompletableFuture<CallResult> executeAsync(String sql, @Nullable Object... arguments) {
        return start(sql, arguments).outcome();
    }

    /** As {@link #executeAsync}, for a statement that may be cancelled. */
    public RunningCall start(String sql, @Nullable Object... arguments) {
        switch (SessionCommand.of(sql)) {
            case SessionCommand.Begin _, SessionCommand.Commit _, SessionCommand.Rollback _, SessionCommand.Chain _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "call begin, commit or rollback instead of executing " + sql);
            default -> {}
        }
        if (state != State.OPEN) {
            throw state == State.FAILED
                    ? new FulmarException(
                            ErrorCode.FAILED_TRANSACTION,
                            "the transaction has failed; roll it back, and run it again from its beginning")
                    : ended();
        }
        return send(sql, false, arguments);
    }

    /** Sets a savepoint. */
    public void savepoint(String name) {
        execute("SAVEPOINT " + quoted(name));
    }

    /** Takes back all statements since the savepoint, which stays. */
    public void rollbackTo(String name) {
        execute("ROLLBACK TO SAVEPOINT " + quoted(name));
    }

    /** Forgets the savepoint. */
    public void release(String name) {
        execute("RELEASE SAVEPOINT " + quoted(name));
    }

    private static String quoted(String name) {
        return '"' + name.replace('"', '_') + '"';
    }

    /**
     * Commits. After {@link ErrorCode#SERIALIZATION_FAILURE} nothing was changed. After {@link
     * ErrorCode#OUTCOME_UNKNOWN} or {@link ErrorCode#TIMEOUT} read the data to find out.
     */
    public void commit() {
        switch (state) {
            case ENDED -> throw ended();
            case FAILED -> {
                rollback();
                throw new FulmarException(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "the transaction has failed and was rolled back; run it again from its beginning");
            }
            case OPEN, COMMITTING -> {}
        }
        state = State.COMMITTING;
        try {
            connections.await(send("COMMIT", true).outcome());
            state = State.ENDED;
        } catch (FulmarException e) {
            boolean mayBeRepeated = e.code().category() == ErrorCode.Category.RETRYABLE;
            state = mayBeRepeated ? State.COMMITTING : State.ENDED;
            throw e;
        }
    }

    /** Takes everything back; nothing if the transaction has ended. */
    public void rollback() {
        if (state != State.ENDED) {
            state = State.ENDED;
            connections.await(send("ROLLBACK", false).outcome());
        }
    }

    /** Whether it may be committed, as far as is known here. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether a COMMIT was sent. */
    boolean mayBeCommitted() {
        return state == State.COMMITTING || state == State.ENDED;
    }

    /**
     * Rolls back unless the transaction has ended; a connection that is lost has ended it too. It waits for that, and
     * so for statements that were sent before, for {@value #CLOSE_SECONDS} seconds at most: rows that the transaction
     * had are free then. A caller on an event loop's thread does not wait.
     */
    @Override
    public void close() {
        if (state != State.ENDED) {
            boolean mayHaveLeases = state == State.OPEN;
            state = State.ENDED;
            RunningCall sent = send("ROLLBACK", false);
            if (mayHaveLeases && !connections.inEventLoop()) {
                awaitEnd(sent);
            }
        }
    }

    /** Waits for the end; one that fails leaves a transaction whose time the server limits. */
    private void awaitEnd(RunningCall sent) {
        try {
            connections.await(sent.outcome().copy().orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS));
        } catch (FulmarException notHeard) {
            LOG.debug("the end of transaction {} was not confirmed", number, notHeard);
        }
    }

    private static FulmarException ended() {
        return new FulmarException(ErrorCode.NO_ACTIVE_TRANSACTION, "the transaction has ended; begin another one");
    }

    private CallResult await(RunningCall sent) {
        try {
            return connections.await(sent.outcome());
        } catch (FulmarException e) {
            failed(e);
            throw e;
        }
    }

    /**
     * Tells of the failure of a statement whose outcome the caller awaited by itself. One that leaves the transaction
     * as it was changes nothing here.
     */
    public void failed(FulmarException failure) {
        boolean isOfStatement = switch (failure.code()) {
            case SERIALIZATION_FAILURE, NO_ACTIVE_TRANSACTION, FAILED_TRANSACTION, IDLE_TRANSACTION -> false;
            default ->
                switch (failure.code().category()) {
                    case USER, RESOURCE -> true;
                    case RETRYABLE, INTERNAL -> false;
                };
        };
        if (!isOfStatement && state == State.OPEN) {
            state = State.FAILED;
        }
    }

    private RunningCall send(String sql, boolean isCommit, @Nullable Object... arguments) {
        ParameterWriter parameters = CallSize.newParameterWriter(CallSize.INITIAL_PARAMETER_BYTES);
        parameters.add(number).add(sql);
        for (Object argument : arguments) {
            parameters.addObject(argument);
        }
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        PendingCall call =
                new PendingCall(procedure, PROCEDURE, false, parameters.array(), length, Consistency.DECLARED, outcome);
        call.onlyConnection = connection;
        call.isAskedAnywhere = isCommit;
        connections.submit(call, connections.callTimeout(), StatementCall.PATIENCE);
        return new RunningCall(connections, call, outcome);
    }
}
