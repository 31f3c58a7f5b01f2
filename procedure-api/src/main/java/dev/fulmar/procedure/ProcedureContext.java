package dev.fulmar.procedure;

import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A transaction as its procedure sees it. Valid only during {@code run} and only on the thread that called {@code run}.
 *
 * <p>Statements are queued and then executed as one batch, in order. A statement that fails undoes itself alone and
 * throws {@link StatementException}; the procedure may catch it and go on.
 */
public interface ProcedureContext {
    /** Queues a statement and returns the place to bind its parameters, from the first on, without boxing. */
    Arguments queue(Statement statement);

    /** Queues a statement with its parameters. */
    default void queue(Statement statement, @Nullable Object... arguments) {
        Arguments target = queue(statement);
        for (Object argument : arguments) {
            target.withObject(argument);
        }
    }

    /**
     * Executes the queued statements in order; result {@code i} belongs to the {@code i}-th queued statement. The
     * results stay valid until {@code run} ends.
     */
    Results execute();

    /** Queues and executes one statement. */
    default Rows query(Statement statement, @Nullable Object... arguments) {
        queue(statement, arguments);
        return execute().rows(0);
    }

    /** Queues and executes one statement; returns the number of rows that it changed. */
    default long update(Statement statement, @Nullable Object... arguments) {
        queue(statement, arguments);
        return execute().changedRows(0);
    }

    /** The transaction's time: the same at every call and in every copy and replay of this transaction. */
    Instant now();

    /** {@link #now()} in microseconds since the epoch. */
    long nowMicros();

    /** Random numbers that repeat in every copy and replay of this transaction. */
    RandomGenerator random();

    /** A unique id that repeats in every copy and replay of this transaction. */
    UUID uuid();

    /** Starts a result table of the procedure's own. */
    TableBuilder table(String... columns);

    /**
     * The exception to throw to roll the transaction back and tell the caller why: {@code throw context.abort("...")}.
     */
    AbortException abort(String message);
}
