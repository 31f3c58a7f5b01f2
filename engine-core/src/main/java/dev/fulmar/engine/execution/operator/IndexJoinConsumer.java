package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.plan.Relation.JoinKind;
import org.jspecify.annotations.Nullable;

/** For each left row walks the right table's index. */
final class IndexJoinConsumer extends RightSideConsumer {
    private final int rightSource;
    private final @Nullable LongEvaluator condition;

    IndexJoinConsumer(
            JoinKind kind, int rightSource, @Nullable LongEvaluator condition, RowBudget budget, Consumer next) {
        super(kind, budget, next);
        this.rightSource = rightSource;
        this.condition = condition;
    }

    @Override
    void prepare() {}

    @Override
    boolean isPartner(Frame frame) {
        return condition == null || condition.isTrue(frame);
    }

    @Override
    void clearRight(Frame frame) {
        frame.rows[rightSource] = 0;
    }
}
