package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Plans what runs anew for each row of another relation, whose columns it reads: where the rows are if it reads nothing from other partitions, otherwise in the
 * merge, which receives once whatever does not read the outer row.
 */
final class Applies {
    private final RelationPlanner planner;

    Applies(RelationPlanner planner) {
        this.planner = planner;
    }

    Part plan(Correlate correlate) {
        Part left = planner.plan(correlate.getLeft(), List.of());
        RelationPlanner.Mark mark = planner.mark();
        Part right = planner.plan(correlate.getRight(), List.of());
        Placement placement = planner.hasShippedSince(mark)
                ? null
                : JoinPlacement.of(left.placement(), right.placement(), left.width(), JoinKind.LEFT, (a, b) -> false);
        if (placement == null) {
            planner.backTo(mark);
            left = planner.ship(left);
            right = planner.plan(received(correlate.getRight()), List.of());
            placement = new Placement.Merged();
        }
        Relation relation = new Relation.Apply(
                left.relation(),
                right.relation(),
                kind(correlate),
                correlate.getCorrelationId().getId());
        return Part.unordered(relation, placement);
    }

    private static JoinKind kind(Correlate correlate) {
        return switch (correlate.getJoinType()) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case SEMI -> JoinKind.SEMI;
            case ANTI -> JoinKind.ANTI;
            default ->
                throw SqlErrors.notSupported(
                        "a " + correlate.getJoinType() + " join with what refers to the other side is not supported");
        };
    }

    /** The same, with the largest parts that read no outer row planned and brought to the merge. */
    private RelNode received(RelNode rel) {
        if (!readsOuterRows(rel)) {
            Part part = planner.plan(rel, List.of());
            Part there = part.relation() instanceof Relation.Values
                    ? Part.unordered(part.relation(), new Placement.Merged())
                    : planner.ship(part);
            return new Received(rel.getCluster(), rel.getRowType(), there);
        }
        if (rel instanceof Filter filter) {
            return filtered(filter);
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

    private static boolean readsOuterRows(RelNode rel) {
        return !RelOptUtil.getVariablesUsed(rel).isEmpty();
    }
}
