package dev.fulmar.sql.planner;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.type.RelDataType;

/** Rows whose plan is made. */
final class Received extends AbstractRelNode {
    private final Part part;

    Received(RelOptCluster cluster, RelDataType type, Part part) {
        super(cluster, cluster.traitSet());
        this.rowType = type;
        this.part = part;
    }

    Part part() {
        return part;
    }
}
