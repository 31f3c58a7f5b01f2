package dev.fulmar.engine.plan;

import java.util.List;

/**
 * The statements by which a write keeps keys over partitions whole, one after another.
 *
 * @param keys over the written table's columns: the parameters of the first change, then those of the second ...
 * @param demands for each change what its rows must be
 */
public record Upkeep(List<Expression> keys, List<StatementPlan> changes, List<Demand> demands) {
    public Upkeep {
        keys = List.copyOf(keys);
        changes = List.copyOf(changes);
        demands = List.copyOf(demands);
    }
}
