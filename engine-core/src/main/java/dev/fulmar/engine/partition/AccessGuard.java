package dev.fulmar.engine.partition;

/** Says whether the data that a transaction needs is here; a reconfiguration puts its own guard in. */
public interface AccessGuard {
    /**
     * Whether the work may run now. On {@code false} the guard has taken the work over: it pulls the data, or sends the
     * work elsewhere.
     */
    boolean admits(Partition partition, SinglePartitionWork work);

    /** Whether the partition takes work of multi-partition transactions now; what it refuses is told so. */
    default boolean leads(Partition partition) {
        return true;
    }

    /** The same in one term of the partition's leadership. */
    default boolean leads(Partition partition, long epoch) {
        return leads(partition);
    }

    /**
     * The partition's data may be damaged. Tells whether a sound copy takes its place; then the guard has had what is
     * under way {@linkplain PartitionExecutor#abandon() forgotten}, and admits nothing until that copy is here.
     */
    default boolean replaces(Partition partition, Throwable defect) {
        return false;
    }

    /** Nothing ever moves. */
    static AccessGuard alwaysOwned() {
        return (partition, work) -> true;
    }
}
