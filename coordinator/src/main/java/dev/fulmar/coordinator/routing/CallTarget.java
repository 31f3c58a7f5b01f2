package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
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

    /** The key by which a call is routed. An ad hoc statement is routed by one of its own. */
    public RoutedKey key(byte[] parameters, PartitionPlan plan) {
        if (partitioning != null) {
            return partitioning.key(parameters, plan);
        }
        return index == Program.AD_HOC ? RoutedKey.UNKNOWN : RoutedKey.NONE;
    }
}
