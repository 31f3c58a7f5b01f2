package dev.fulmar.coordinator;

import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.statement.StatementSettings;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;

/**
 * The layout and the limits of a database on its node.
 *
 * @param plan which partition a key belongs to; its partition count is the database's
 * @param sites threads that the partitions share
 * @param bucketsPartition units of storage in each partition
 * @param queueCapacity client requests that may wait for a partition
 * @param distributedCapacity multi-partition transactions that may be under way
 * @param undoBytes changes that one transaction may make, as undo
 * @param versionBytes earlier versions that a partition keeps for readers of snapshots; beyond, the oldest reader is
 *     given up
 * @param calls what a call may take
 * @param loading what a procedure jar may be
 * @param cachedStatements ad hoc statements that stay compiled
 * @param planningCapacity statements that may wait to be planned
 * @param rememberedClients clients whose requests each partition remembers, so that their retries are safe
 * @param partitionsByKey whether a client's CREATE TABLE that says nothing of it partitions the table by its key
 */
public record DatabaseConfiguration(
        PartitionPlan plan,
        int sites,
        int bucketsPartition,
        int queueCapacity,
        int distributedCapacity,
        long undoBytes,
        long versionBytes,
        CallLimits calls,
        LoadingLimits loading,
        int cachedStatements,
        int planningCapacity,
        int rememberedClients,
        boolean partitionsByKey) {
    private static final int DEFAULT_BUCKETS = 16;
    private static final int DEFAULT_QUEUE_CAPACITY = 20_000;
    private static final int DEFAULT_DISTRIBUTED_CAPACITY = 2_000;
    private static final long DEFAULT_UNDO_BYTES = 1L << 30;
    /** Earlier versions that a partition keeps unless something else is said. */
    public static final long DEFAULT_VERSION_BYTES = 1L << 28;

    private static final int DEFAULT_CACHED_STATEMENTS = 1_000;
    private static final int DEFAULT_REMEMBERED_CLIENTS = 4_096;

    public DatabaseConfiguration {
        if (sites < 1 || bucketsPartition < 1 || queueCapacity < 1 || distributedCapacity < 1) {
            throw new IllegalArgumentException("sites, buckets and capacities must be positive");
        }
    }

    /** The usual settings for so many partitions on so many sites, with keys placed by hash. */
    public static DatabaseConfiguration of(int partitions, int sites) {
        return of(PartitionPlan.hash(partitions), sites);
    }

    /** The usual settings for the plan. */
    public static DatabaseConfiguration of(PartitionPlan plan, int sites) {
        return new DatabaseConfiguration(
                plan,
                sites,
                DEFAULT_BUCKETS,
                DEFAULT_QUEUE_CAPACITY,
                DEFAULT_DISTRIBUTED_CAPACITY,
                DEFAULT_UNDO_BYTES,
                DEFAULT_VERSION_BYTES,
                CallLimits.DEFAULT,
                LoadingLimits.DEFAULT,
                DEFAULT_CACHED_STATEMENTS,
                PlanningQueue.USUAL_CAPACITY,
                DEFAULT_REMEMBERED_CLIENTS,
                true);
    }

    /** The settings for statements. */
    StatementSettings statements() {
        return new StatementSettings(cachedStatements, partitionsByKey);
    }

    public DatabaseConfiguration withCalls(CallLimits newCalls) {
        return new DatabaseConfiguration(
                plan,
                sites,
                bucketsPartition,
                queueCapacity,
                distributedCapacity,
                undoBytes,
                versionBytes,
                newCalls,
                loading,
                cachedStatements,
                planningCapacity,
                rememberedClients,
                partitionsByKey);
    }

    public DatabaseConfiguration withQueueCapacity(int newQueueCapacity) {
        return new DatabaseConfiguration(
                plan,
                sites,
                bucketsPartition,
                newQueueCapacity,
                distributedCapacity,
                undoBytes,
                versionBytes,
                calls,
                loading,
                cachedStatements,
                planningCapacity,
                rememberedClients,
                partitionsByKey);
    }

    public DatabaseConfiguration withUndoBytes(long newUndoBytes) {
        return new DatabaseConfiguration(
                plan,
                sites,
                bucketsPartition,
                queueCapacity,
                distributedCapacity,
                newUndoBytes,
                versionBytes,
                calls,
                loading,
                cachedStatements,
                planningCapacity,
                rememberedClients,
                partitionsByKey);
    }

    public int partitions() {
        return plan.partitionCount();
    }
}
