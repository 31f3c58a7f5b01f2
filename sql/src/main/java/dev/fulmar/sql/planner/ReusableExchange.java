package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Relation;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Plans the parts of a correlated or recursive query that are the same in every run, so that their rows are received
 * once. The merge runs such a query several times, for outer rows or in rounds.
 */
final class ReusableExchange {
    private final RelationPlanner planner;

    ReusableExchange(RelationPlanner planner) {
        this.planner = planner;
    }

    /** The same, with the largest parts that are the same in each run planned and brought to the merge. */
    RelNode received(RelNode rel) {
        if (!isVariable(rel)) {
            PlannedRelation plannedRelation = planner.plan(rel, List.of());
            PlannedRelation there = plannedRelation.relation() instanceof Relation.Values
                    ? PlannedRelation.unordered(plannedRelation.relation(), new Distribution.Merged())
                    : planner.ship(plannedRelation);
            return new ExchangeInput(rel.getCluster(), rel.getRowType(), there);
        }
        if (rel instanceof Filter filter && !isVariable(filter.getInput())) {
            return filtered(filter);
        }
        if (rel instanceof TableScan scan) {
            return new ExchangeInput(rel.getCluster(), rel.getRowType(), planner.plan(scan, List.of()));
        }
        return rel.copy(
                rel.getTraitSet(), rel.getInputs().stream().map(this::received).toList());
    }

    /** Conditions that read no outer row are met before the rows are received. */
    private RelNode filtered(Filter filter) {
        List<RexNode> early = new ArrayList<>();
        List<RexNode> late = new ArrayList<>();
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
            (RexUtil.containsCorrelation(condition) ? late : early).add(condition);
        }
        RelNode input = filter.getInput();
        RexNode first = composed(filter, early);
        RelNode received = received(first == null ? input : LogicalFilter.create(input, first));
        RexNode second = composed(filter, late);
        return second == null ? received : LogicalFilter.create(received, second);
    }

    private static @Nullable RexNode composed(RelNode rel, List<RexNode> conditions) {
        return RexUtil.composeConjunction(rel.getCluster().getRexBuilder(), conditions, true);
    }

    private static boolean isVariable(RelNode rel) {
        return readsWorkingRows(rel) || !RelOptUtil.getVariablesUsed(rel).isEmpty();
    }

    private static boolean readsWorkingRows(RelNode rel) {
        return (rel instanceof TableScan scan && Recursions.isWorking(scan))
                || rel.getInputs().stream().anyMatch(ReusableExchange::readsWorkingRows);
    }
}
