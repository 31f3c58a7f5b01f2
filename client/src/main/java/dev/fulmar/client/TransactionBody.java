package dev.fulmar.client;

/**
 * The statements of a transaction. They may run several times, so they change nothing but the database.
 *
 * @param <T> its result
 */
@FunctionalInterface
public interface TransactionBody<T> {
    /** Executes the statements; the transaction commits when this returns, and is rolled back if it throws. */
    T run(Session session);
}
