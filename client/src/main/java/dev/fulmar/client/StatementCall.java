package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One SQL statement before its execution: set its options, then send it once. Not thread-safe. */
public final class StatementCall {
    /** The server ends the statement when its time is over, and says so; this is for its answer to arrive. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ClientConnections connections;
    private final String sql;
    private final ParameterWriter parameters;
    private Consistency consistency = Consistency.DECLARED;
    private @Nullable Duration timeout;

    StatementCall(ClientConnections connections, String sql) {
        this.connections = connections;
        this.sql = sql;
        this.parameters = CallSize.newParameterWriter(CallSize.INITIAL_PARAMETER_BYTES);
    }

    /** Values of the next parameters. */
    public StatementCall with(@Nullable Object... values) {
        for (Object value : values) {
            parameters.addObject(value);
        }
        return this;
    }

    /**
     * Sets the statement's time-out, from 1 ms to 24 days; {@link Builder#callTimeout} otherwise. The server ends a
     * statement that takes longer: it fails and had no effect. Only if no answer comes is the outcome unknown.
     */
    public StatementCall withTimeout(Duration statementTimeout) {
        ClientConfiguration.checkTimeout("timeout", statementTimeout);
        timeout = statementTimeout;
        return this;
    }

    /** Sets the consistency of a statement that only reads several partitions. */
    public StatementCall withConsistency(Consistency readConsistency) {
        consistency = readConsistency;
        return this;
    }

    /** Executes it and waits for its outcome. */
    public CallResult execute() {
        return start().await();
    }

    /** Sends it. */
    public RunningCall start() {
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        PendingCall call = new PendingCall(0, sql, true, parameters.array(), length, consistency, outcome);
        Duration own = timeout;
        if (own == null) {
            connections.submit(call, connections.callTimeout());
        } else {
            connections.submit(call, own, PATIENCE);
        }
        return new RunningCall(connections, call, outcome);
    }
}
