package dev.fulmar.simulator.workload;

/**
 * Mix of wishes: their subjects, and the frequency of each kind.
 *
 * @param keys lists, with the keys from 1 up
 * @param accounts accounts, with the ids from 1 up
 * @param balance of each account at the beginning
 * @param maxReads lists that one transaction reads at most
 * @param maxAppends lists that one transaction appends to at most
 * @param singlePercent of the transactions that are called as single-partition ones
 * @param strayPercent of those, the ones whose other keys may lie anywhere
 * @param rollBackPercent of the transactions that roll back
 * @param stumblePercent of the transactions that run a statement which fails
 * @param transferPercent of all wishes that move money
 * @param statementPercent of all wishes that are ad hoc SQL
 * @param observePercent of all wishes that look at everything at one moment
 * @param snapshotPercent of those and of the ad hoc SQL, the ones that an older state will do for
 */
public record Mix(
        int keys,
        int accounts,
        long balance,
        int maxReads,
        int maxAppends,
        int singlePercent,
        int strayPercent,
        int rollBackPercent,
        int stumblePercent,
        int transferPercent,
        int statementPercent,
        int observePercent,
        int snapshotPercent) {
    /** The same with so many lists. */
    public Mix withKeys(int newKeys) {
        return new Mix(
                newKeys,
                accounts,
                balance,
                maxReads,
                maxAppends,
                singlePercent,
                strayPercent,
                rollBackPercent,
                stumblePercent,
                transferPercent,
                statementPercent,
                observePercent,
                snapshotPercent);
    }

    /** Without looks at everything. */
    public Mix(
            int keys,
            int accounts,
            long balance,
            int maxReads,
            int maxAppends,
            int singlePercent,
            int strayPercent,
            int rollBackPercent,
            int stumblePercent,
            int transferPercent,
            int statementPercent) {
        this(
                keys,
                accounts,
                balance,
                maxReads,
                maxAppends,
                singlePercent,
                strayPercent,
                rollBackPercent,
                stumblePercent,
                transferPercent,
                statementPercent,
                0,
                0);
    }
}
