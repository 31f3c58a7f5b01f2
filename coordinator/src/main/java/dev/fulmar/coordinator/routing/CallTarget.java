package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.procedure.LoadedProcedure;
import org.jspecify.annotations.Nullable;

/**
 * What a request calls, ready for routing.
 *
 * @param index place of its figures, the same in all partitions; ad hoc statements share one
 * @param partitioning says where a call runs; null for a procedure without partitioning
 * @param pace how long its calls took so far
 */
public record CallTarget(
        LoadedProcedure procedure, int index, @Nullable PartitioningParameter partitioning, Pace pace) {
    public CallTarget(LoadedProcedure procedure, int index, @Nullable PartitioningParameter partitioning) {
        this(procedure, index, partitioning, new Pace());
    }
}
