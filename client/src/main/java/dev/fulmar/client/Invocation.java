package dev.fulmar.client;

import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ParameterWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One call of a {@link PreparedCall}: bind the arguments in order, then send it once. Not thread-safe. */
public final class Invocation {
    /** The sending of a call with its parameters. */
    @FunctionalInterface
    interface Sending {
        /** @param patience how much longer to wait for the answer than the server is told to take */
        PendingCall send(byte[] parameters, int length, CallHandler handler, Duration patience);
    }

    private final ClientConnections connections;
    private final Sending sending;
    private final ParameterWriter parameters;

    Invocation(ClientConnections connections, Sending sending, ParameterWriter parameters) {
        this.connections = connections;
        this.sending = sending;
        this.parameters = parameters;
    }

    public Invocation with(long value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(double value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(boolean value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(@Nullable String value) {
        parameters.add(value);
        return this;
    }

    /** Text that is UTF-8 already; no object is made. */
    public Invocation withUtf8(byte[] source, int offset, int length) {
        parameters.addUtf8(source, offset, length);
        return this;
    }

    public Invocation with(byte @Nullable [] value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(@Nullable BigDecimal value) {
        parameters.add(value);
        return this;
    }

    /** A DECIMAL as its unscaled value; no object is made. */
    public Invocation withDecimal(long unscaled, int scale) {
        parameters.addDecimal(unscaled, scale);
        return this;
    }

    /** A DATE; {@link LocalDate#MAX} is infinity, and {@link LocalDate#MIN} -infinity. */
    public Invocation with(@Nullable LocalDate value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(@Nullable LocalTime value) {
        parameters.add(value);
        return this;
    }

    /** A TIMESTAMP; {@link LocalDateTime#MAX} is infinity, and {@link LocalDateTime#MIN} -infinity. */
    public Invocation with(@Nullable LocalDateTime value) {
        parameters.add(value);
        return this;
    }

    /**
     * A TIMESTAMP, with time zone or in UTC; what is finer than a microsecond is cut off. {@link Instant#MAX} is
     * infinity, and {@link Instant#MIN} -infinity.
     */
    public Invocation with(@Nullable Instant value) {
        return with(value == null ? (LocalDateTime) null : InfiniteTime.inUtc(value));
    }

    /** A TIMESTAMP in microseconds since the epoch. */
    public Invocation withTimestampMicros(long micros) {
        parameters.addTimestamp(micros);
        return this;
    }

    public Invocation with(@Nullable UUID value) {
        parameters.add(value);
        return this;
    }

    public Invocation with(long[] values) {
        parameters.addArray(values);
        return this;
    }

    public Invocation with(int[] values) {
        parameters.addArray(values);
        return this;
    }

    public Invocation withNull() {
        parameters.addNull();
        return this;
    }

    /** Any of the above, boxed. */
    public Invocation withObject(@Nullable Object value) {
        parameters.addObject(value);
        return this;
    }

    /**
     * Sends the call; waits first if too many calls are outstanding. The future completes on an event loop's thread.
     */
    public CompletableFuture<CallResult> callAsync() {
        FutureOutcome outcome = new FutureOutcome();
        send(outcome);
        return outcome;
    }

    /** Sends the call, which can be cancelled from then on. The server ends it when its time is over, and says so. */
    public RunningCall start() {
        FutureOutcome outcome = new FutureOutcome();
        int length = parameters.end();
        PendingCall call = sending.send(parameters.array(), length, outcome, StatementCall.PATIENCE);
        return new RunningCall(connections, call, outcome);
    }

    /** Sends the call and waits for its outcome. */
    public CallResult call() {
        return connections.await(callAsync());
    }

    /** Sends the call; the leanest way, without a future. */
    public void send(CallHandler handler) {
        int length = parameters.end();
        sending.send(parameters.array(), length, handler, Duration.ZERO);
    }
}
