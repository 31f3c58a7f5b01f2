package dev.fulmar.engine.procedure;

/**
 * Executes batches of statements for one transaction: on the partition where the procedure runs, or as fragments on
 * many.
 *
 * <p>Three ways to fail. A {@link dev.fulmar.foundation.error.FulmarException} says that the first statement without an
 * outcome failed and left no trace, and that none after it ran; the procedure may go on. A {@link ControlSignal}, or
 * the execution's {@code PartitionMismatch}, ends the call. Anything else is a defect and ends it too.
 */
@FunctionalInterface
public interface StatementRunner {
    /**
     * Executes the statements in order and stores the outcome of each in the batch. May block or suspend the caller.
     */
    void execute(StatementBatch batch);
}
