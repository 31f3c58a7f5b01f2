package dev.fulmar.client;

import java.time.Duration;

/**
 * A procedure that is called often: its name travels once per connection, and arguments are bound without boxing.
 * Thread-safe.
 */
public final class PreparedCall {
    private static final int MAX_LEARNED_BYTES = 4096;

    private final ClientConnections connections;
    private final String procedure;
    private final int number;
    private final Duration timeout;
    private final Consistency consistency;

    private final Invocation.Sending sending = this::send;

    /** Capacity that the last calls needed; a race over it costs a copy at most. */
    private int parameterBytes = CallSize.INITIAL_PARAMETER_BYTES;

    PreparedCall(
            ClientConnections connections, String procedure, int number, Duration timeout, Consistency consistency) {
        this.connections = connections;
        this.procedure = procedure;
        this.number = number;
        this.timeout = timeout;
        this.consistency = consistency;
    }

    /** Name of the procedure. */
    public String procedure() {
        return procedure;
    }

    /** The same procedure with a time-out of its own for each call, from 1 ms to 24 days. */
    public PreparedCall withTimeout(Duration callTimeout) {
        ClientConfiguration.checkTimeout("callTimeout", callTimeout);
        return new PreparedCall(connections, procedure, number, callTimeout, consistency);
    }

    /** The same procedure, which may show what is said here if it only reads, and reads several partitions. */
    public PreparedCall withConsistency(Consistency readConsistency) {
        return new PreparedCall(connections, procedure, number, timeout, readConsistency);
    }

    /** Starts one call, to be used by one thread. */
    public Invocation start() {
        return new Invocation(connections, sending, CallSize.newParameterWriter(parameterBytes));
    }

    private PendingCall send(byte[] parameters, int length, CallHandler handler, Duration patience) {
        if (parameters.length > parameterBytes && parameters.length <= MAX_LEARNED_BYTES) {
            parameterBytes = parameters.length;
        }
        PendingCall call = new PendingCall(number, procedure, false, parameters, length, consistency, handler);
        connections.submit(call, timeout, patience);
        return call;
    }
}
