package dev.fulmar.sql.planner;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.type.RelDataType;

/**
 * A leaf of Calcite's tree for a part of a query that is planned already: its rows are received once, while a
 * correlated or recursive query above it runs several times.
 */
final class ExchangeInput extends AbstractRelNode {
    private final PlannedRelation plannedRelation;

    ExchangeInput(RelOptCluster cluster, RelDataType type, PlannedRelation plannedRelation) {
        super(cluster, cluster.traitSet());
        this.rowType = type;
        this.plannedRelation = plannedRelation;
    }

    PlannedRelation plannedRelation() {
        return plannedRelation;
    }
}
