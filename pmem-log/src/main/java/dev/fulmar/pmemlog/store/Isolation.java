package dev.fulmar.pmemlog.store;

/** Isolation levels of transactions. Transactions of all kinds run side by side on the same objects. */
public enum Isolation {
    /**
     * Reads one moment; of two that write the same object one fails. Two that read what the other writes may both
     * succeed.
     */
    SNAPSHOT,

    /**
     * As if all such transactions ran one after the other, each between its beginning and its end. Fails if it writes
     * and something that it read changed.
     */
    SERIALIZABLE,

    /**
     * As serializable, and its reads are still true when it ends, even if it writes nothing. It fails as soon as it
     * meets something newer.
     */
    LINEARIZABLE
}
