package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;

/**
 * A range of keys, or a single key, that the text of a plan gives to a partition. A single key outranks the range
 * around it, so a plan can move a hot tuple and leave its range alone.
 */
sealed interface PlanEntry {
    /** The partition that gets the keys. */
    int partition();

    /** The range or key as its author wrote it, for messages. */
    String text();

    /**
     * All positions of a range.
     *
     * @param first the least position; of hashes with {@link PartitionPlan#UNSIGNED_ORDER}
     * @param last included
     */
    record Range(int partition, String text, KeySpace space, long first, long last) implements PlanEntry {
        /** The entry and its partition, for messages. */
        @Override
        public String toString() {
            return text + " of partition " + partition;
        }
    }

    /** One integer, which is a position of its own or has a hash, as the plan divides integers. */
    record IntegerKey(int partition, String text, long key) implements PlanEntry {}

    /** One key of another type, by the position of its hash. */
    record HashedKey(int partition, String text, long position) implements PlanEntry {}
}
