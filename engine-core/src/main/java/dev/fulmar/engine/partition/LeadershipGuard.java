package dev.fulmar.engine.partition;

/**
 * Guard of a partition's leadership: says whether this node may execute for the partition. Whether the data that a
 * transaction needs is here, is said by {@link dev.fulmar.engine.spi.DataAccess}.
 */
public interface LeadershipGuard {
    /**
     * Whether the work may run now. On {@code false} the guard has taken the work over: it sends the work elsewhere.
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

    /** The node leads all partitions for ever. */
    static LeadershipGuard alwaysLeads() {
        return (partition, work) -> true;
    }
}
