package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.TransactionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client of one database. Thread-safe; one is enough for a process.
 *
 * <p>Every method that may fail throws {@link FulmarException} (or completes its future with one). Its code tells what
 * happened: {@link ErrorCode#TIMEOUT} and {@link ErrorCode#OUTCOME_UNKNOWN} mean that the call may have taken effect,
 * every other code that it had none.
 */
public final class FulmarClient implements AutoCloseable {
    /** Policy for a call when {@link Builder#maxOutstanding} calls wait for their outcome. */
    public enum WhenFull {
        /**
         * The caller waits, at most for the call's time-out; on an event loop's thread, which must not wait, the call
         * fails.
         */
        BLOCK,
        /** The call fails at once with {@link ErrorCode#SERVER_BUSY}. */
        FAIL
    }

    private static final int LONGEST_NAME = 1000;

    private final ClientConnections connections;
    private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
    private final AtomicInteger lastNumber = new AtomicInteger();

    /** A client that calls over these connections, and closes them. */
    FulmarClient(ClientConnections connections) {
        this.connections = connections;
    }

    /** A builder with the default settings. */
    public static Builder builder() {
        return new Builder();
    }

    /** Connects to the hosts, {@code host} or {@code host:port}, with the default settings. */
    public static FulmarClient connect(String... hosts) {
        return builder().hosts(hosts).connect();
    }

    /** Calls a procedure and waits for its outcome. */
    public CallResult call(String procedure, @Nullable Object... arguments) {
        return connections.await(callAsync(procedure, arguments));
    }

    /** Calls a procedure; the future completes on an event loop's thread. */
    public CompletableFuture<CallResult> callAsync(String procedure, @Nullable Object... arguments) {
        Invocation invocation = prepare(procedure).start();
        for (Object argument : arguments) {
            invocation.withObject(argument);
        }
        return invocation.callAsync();
    }

    /**
     * A procedure to be called often. The server learns of it with the first call, which fails if there is no such
     * procedure.
     */
    public PreparedCall prepare(String procedure) {
        if (procedure.isEmpty() || procedure.length() > LONGEST_NAME) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE,
                    "a procedure's name has 1 to " + LONGEST_NAME + " characters, not " + procedure.length());
        }
        return new PreparedCall(
                connections, procedure, numberOf(procedure), connections.callTimeout(), Consistency.DECLARED);
    }

    private int numberOf(String procedure) {
        return numbers.computeIfAbsent(procedure, name -> lastNumber.incrementAndGet());
    }

    /** Executes one SQL statement and waits for its outcome. */
    public CallResult execute(String sql, @Nullable Object... arguments) {
        return connections.await(executeAsync(sql, arguments));
    }

    /**
     * Executes one SQL statement, which may show what is said if it only reads several partitions, and waits for its
     * outcome.
     */
    public CallResult execute(Consistency consistency, String sql, @Nullable Object... arguments) {
        return connections.await(executeAsync(consistency, sql, arguments));
    }

    /** Executes one SQL statement; the future completes on an event loop's thread. */
    public CompletableFuture<CallResult> executeAsync(String sql, @Nullable Object... arguments) {
        return executeAsync(Consistency.DECLARED, sql, arguments);
    }

    /** As the other; the statement may show what is said if it only reads, and reads several partitions. */
    public CompletableFuture<CallResult> executeAsync(
            Consistency consistency, String sql, @Nullable Object... arguments) {
        ParameterWriter parameters = CallSize.newParameterWriter(CallSize.INITIAL_PARAMETER_BYTES);
        for (Object argument : arguments) {
            parameters.addObject(argument);
        }
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        connections.submit(
                new PendingCall(0, sql, true, parameters.array(), length, consistency, outcome),
                connections.callTimeout());
        return outcome;
    }

    /** One SQL statement, with the options that are set before it is sent. */
    public StatementCall statement(String sql) {
        return new StatementCall(connections, sql);
    }

    /**
     * Executes a query and fetches its rows in parts, so that a result may be of any size.
     *
     * @param fetchSize rows of a part at most; the server makes parts smaller whose rows are large
     */
    public ResultStream stream(int fetchSize, String sql, @Nullable Object... arguments) {
        return stream(Consistency.DECLARED, fetchSize, sql, arguments);
    }

    /** As the other; the rows are of a state that is as new as is said. */
    public ResultStream stream(Consistency consistency, int fetchSize, String sql, @Nullable Object... arguments) {
        int procedure = numberOf(ResultStream.PROCEDURE);
        return ResultStream.open(connections, procedure, consistency, fetchSize, sql, arguments);
    }

    /** Begins a transaction of several statements. */
    public Session begin() {
        return begin(TransactionMode.USUAL);
    }

    /** As {@link #begin()}, with another isolation, or for reading only. */
    public Session begin(TransactionMode mode) {
        return Session.begin(connections, numberOf(Session.PROCEDURE), mode);
    }

    /**
     * Runs a transaction of several statements and commits it. Where another transaction was in its way it runs again,
     * up to {@value TransactionRetries#USUAL_ATTEMPTS} times in all.
     */
    public <T> T transaction(TransactionBody<T> body) {
        return transaction(TransactionRetries.USUAL_ATTEMPTS, body);
    }

    /** As {@link #transaction(TransactionBody)}, with another isolation, or for reading only. */
    public <T> T transaction(TransactionMode mode, TransactionBody<T> body) {
        return transaction(mode, TransactionRetries.USUAL_ATTEMPTS, body);
    }

    /** As {@link #transaction(TransactionBody)}, at most so many times. */
    public <T> T transaction(int attempts, TransactionBody<T> body) {
        return transaction(TransactionMode.USUAL, attempts, body);
    }

    /** As {@link #transaction(TransactionBody)}, with another isolation or for reading only, at most so many times. */
    public <T> T transaction(TransactionMode mode, int attempts, TransactionBody<T> body) {
        return new TransactionRetries(() -> begin(mode), attempts).run(body);
    }

    /** Executes the statements of a script one after the other, each by itself, up to the first that fails. */
    public ScriptResult script(String text) {
        return ScriptResult.of(this::execute, text);
    }

    /** Loads the procedures of a jar, or replaces those that it holds in a newer form. */
    public CallResult loadClasses(Path jar) {
        try {
            return call("@LoadClasses", (Object) Files.readAllBytes(jar));
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS, "the jar " + jar + " cannot be read; check path and permissions", e);
        }
    }

    /**
     * Waits until every call has its outcome and its handler has returned; calls that handlers or other threads send
     * meanwhile count too.
     */
    public void drain() {
        connections.drain();
    }

    public ClientStatistics statistics() {
        return connections.statistics();
    }

    /** Number of connections that are ready for calls. */
    public int readyConnections() {
        return connections.readyCount();
    }

    /**
     * Closes all connections. Calls that wait for a reply end with {@link ErrorCode#OUTCOME_UNKNOWN}; {@link #drain()}
     * first avoids it.
     */
    @Override
    public void close() {
        connections.close();
    }
}
