package dev.fulmar.sql.planner;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.type.RelDataType;

/** Rows whose plan is made. */
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
