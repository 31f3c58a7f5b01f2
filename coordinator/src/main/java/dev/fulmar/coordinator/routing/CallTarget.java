package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import org.jspecify.annotations.Nullable;

/**
 * The procedure that a request calls, ready for routing.
 *
 * @param index place of its figures, the same in all partitions; ad hoc statements share one
 * @param partitioning says where a call runs; null for a procedure without partitioning
 * @param routedSince the version of the catalog since which calls with the same parameters go to the same place
 * @param pace how long its calls took so far
 */
public record CallTarget(
        LoadedProcedure procedure,
        int index,
        @Nullable PartitioningParameter partitioning,
        long routedSince,
        Pace pace) {
    public CallTarget(
            LoadedProcedure procedure, int index, @Nullable PartitioningParameter partitioning, long routedSince) {
        this(procedure, index, partitioning, routedSince, new Pace());
    }

    /**
     * The guard's answer for the key by which a call is routed. An ad hoc statement is routed by a key of its own, for
     * which it asks itself. Any other call without a key is routed by its handle, as its retries are.
     */
    public Presence presence(byte[] parameters, PartitionPlan plan, DataAccess access) {
        return partitioning == null ? Presence.PRESENT : partitioning.presence(parameters, plan, access);
    }
}
