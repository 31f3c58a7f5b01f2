package dev.fulmar.simulator.verify;

import java.util.List;
import java.util.OptionalLong;

/**
 * A transaction as its client saw it.
 *
 * @param process the client; it runs one transaction at a time
 * @param invokedNanos when the client asked
 * @param completedNanos when the client was answered; {@link #NEVER} if the outcome is unknown
 * @param operations what it did, in order; of a transaction that failed or is unknown only its writes count
 * @param claimedOrder position that the database claims for it in the one order of all transactions, if it tells
 * @param mayShowOld it asked for some state of everything; real time says nothing of its place among the others
 * @param isSnapshot it read one state, and wrote later, when what it wrote was as in that state (snapshot isolation)
 */
public record Transaction(
        int process,
        long invokedNanos,
        long completedNanos,
        Outcome outcome,
        List<Operation> operations,
        OptionalLong claimedOrder,
        boolean mayShowOld,
        boolean isSnapshot) {
    /** Completion of what may still happen. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Outcome as the client knows it. */
    public enum Outcome {
        /** It took effect. */
        OK,
        /** It took no effect. */
        FAILED,
        /** It took effect at some time after it was asked for, or never will. */
        UNKNOWN
    }

    public Transaction(
            int process,
            long invokedNanos,
            long completedNanos,
            Outcome outcome,
            List<Operation> operations,
            OptionalLong claimedOrder) {
        this(process, invokedNanos, completedNanos, outcome, operations, claimedOrder, false, false);
    }

    public Transaction {
        operations = List.copyOf(operations);
        if (outcome == Outcome.UNKNOWN && completedNanos != NEVER) {
            throw new IllegalArgumentException("an unknown outcome has no time of completion");
        }
        if (completedNanos < invokedNanos) {
            throw new IllegalArgumentException(
                    "a transaction was answered at " + completedNanos + ", before it was asked for at " + invokedNanos);
        }
    }
}
