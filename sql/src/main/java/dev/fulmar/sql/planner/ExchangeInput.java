package dev.fulmar.sql.planner;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.type.RelDataType;

/**
 * A leaf of Calcite's tree that stands for an already planned part of a correlated or recursive query. Such a query
 * runs several times: the rows of the part are received once and read in each run. The rows of a recursion's last round
 * are such a leaf too, and are others in each run.
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
