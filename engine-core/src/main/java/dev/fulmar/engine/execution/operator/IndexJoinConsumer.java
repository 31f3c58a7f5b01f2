package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** For each left row walks the right table's index. */
final class IndexJoinConsumer implements Consumer {
    private final JoinKind kind;
    private final int rightSource;
    private final @Nullable LongEvaluator condition;
    private final RowBudget budget;
    private final Consumer next;
    private @Nullable Producer right;
    private boolean matched;
    private boolean wantsMore;
    /** All right rows are done; what follows from them is passed on. */
    private boolean concluding;

    IndexJoinConsumer(
            JoinKind kind, int rightSource, @Nullable LongEvaluator condition, RowBudget budget, Consumer next) {
        this.kind = kind;
        this.budget = budget;
        this.rightSource = rightSource;
        this.condition = condition;
        this.next = next;
    }

    /** The look-up, which pushes into {@link #matcher}. */
    void setRight(Producer newRight) {
        right = newRight;
    }

    @Override
    public boolean accept(Frame frame) {
        Producer rows = right;
        if (rows == null) {
            throw Invariants.breach("a join has a right side");
        }
        matched = false;
        wantsMore = true;
        concluding = false;
        rows.run(frame);
        return conclude(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        if (concluding) {
            return next.resume(frame);
        }
        if (right != null) {
            right.resume(frame);
        }
        return conclude(frame);
    }

    private boolean conclude(Frame frame) {
        if (budget.isPaused()) {
            return false;
        }
        concluding = true;
        return switch (kind) {
            case INNER -> wantsMore;
            case SEMI -> !matched || next.accept(frame);
            case ANTI -> matched || pushAlone(frame);
            case LEFT -> matched ? wantsMore : pushAlone(frame);
            case FULL -> throw Invariants.breach("a full join is not planned as a look-up");
        };
    }

    private boolean pushAlone(Frame frame) {
        frame.rows[rightSource] = 0;
        return next.accept(frame);
    }

    /** What takes the right rows. */
    Consumer matcher() {
        return new Matcher();
    }

    private final class Matcher implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            if (condition != null && !condition.isTrue(frame)) {
                return true;
            }
            matched = true;
            if (kind == JoinKind.SEMI || kind == JoinKind.ANTI) {
                return false;
            }
            wantsMore = next.accept(frame);
            return wantsMore;
        }

        @Override
        public boolean resume(Frame frame) {
            wantsMore = next.resume(frame);
            return wantsMore;
        }
    }
}
