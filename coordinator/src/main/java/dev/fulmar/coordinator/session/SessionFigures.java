package dev.fulmar.coordinator.session;

import java.util.List;

/** Figures of transactions that clients send statement by statement. Any thread. */
public interface SessionFigures {
    /** Transactions that are open. */
    int openTransactions();

    /** Bytes that open transactions take. */
    long takenBytes();

    /** Transactions that were opened. */
    long begun();

    /** Transactions that failed since another one had changed what they had read or written. */
    long serializationFailures();

    /** Transactions that were rolled back since their clients thought too long. */
    long timedOut();

    /** At most so many open transactions, those that began first. */
    List<OpenSession> oldest(int most);
}
