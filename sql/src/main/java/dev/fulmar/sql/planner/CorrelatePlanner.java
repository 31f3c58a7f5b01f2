package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.sql.text.SqlErrors;
import java.util.List;
import org.apache.calcite.rel.core.Correlate;

/**
 * Plans a relation that runs anew for each row of another one, whose columns it reads. It runs where the rows are if it
 * reads nothing from other partitions, otherwise in the merge. The merge then receives once whatever does not read the
 * outer row.
 */
final class CorrelatePlanner {
    private final RelationPlanner planner;

    CorrelatePlanner(RelationPlanner planner) {
        this.planner = planner;
    }

    PlannedRelation plan(Correlate correlate) {
        PlannedRelation left = planner.plan(correlate.getLeft(), List.of());
        RelationPlanner.Mark mark = planner.mark();
        PlannedRelation right = planner.plan(correlate.getRight(), List.of());
        Distribution distribution = planner.hasShippedSince(mark)
                ? null
                : JoinDistribution.of(
                        left.distribution(), right.distribution(), left.width(), JoinKind.LEFT, (a, b) -> false);
        if (distribution == null) {
            planner.backTo(mark);
            left = planner.ship(left);
            right = planner.plan(new ReusableExchange(planner).received(correlate.getRight()), List.of());
            distribution = new Distribution.Merged();
        }
        Relation relation = new Relation.Apply(
                left.relation(),
                right.relation(),
                kind(correlate),
                correlate.getCorrelationId().getId());
        return PlannedRelation.unordered(relation, distribution);
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
}
