package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * Base of the joins that run their right side anew for each left row: index join and correlated (Apply) join. A row
 * goes on once the right side says whether it has a partner, where the kind asks for that.
 */
abstract sealed class RightSideConsumer implements Consumer permits ApplyConsumer, IndexJoinConsumer {
    final JoinKind kind;
    final RowBudget budget;
    final Consumer next;
    private @Nullable Producer right;
    private boolean matched;
    private boolean wantsMore;
    /** All right rows are done; what follows from them is passed on. */
    private boolean concluding;

    RightSideConsumer(JoinKind kind, RowBudget budget, Consumer next) {
        this.kind = kind;
        this.budget = budget;
        this.next = next;
    }

    /** The right side, which pushes into {@link #matcher}. */
    final void setRight(Producer newRight) {
        right = newRight;
    }

    /** Before the right side runs for another left row. */
    abstract void prepare();

    /** Whether the right row in the frame is a partner of the left one. */
    abstract boolean isPartner(Frame frame);

    /** Notes in the frame that it has no right row. */
    abstract void clearRight(Frame frame);

    @Override
    public final boolean accept(Frame frame) {
        Producer rows = right;
        if (rows == null) {
            throw Invariants.breach("a join has a right side");
        }
        matched = false;
        wantsMore = true;
        concluding = false;
        prepare();
        rows.run(frame);
        return conclude(frame);
    }

    @Override
    public final boolean resume(Frame frame) {
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
            case FULL -> throw Invariants.breach("a full join does not run its right side for each left row");
        };
    }

    private boolean pushAlone(Frame frame) {
        clearRight(frame);
        return next.accept(frame);
    }

    /** The consumer of the right rows. */
    final Consumer matcher() {
        return new Matcher();
    }

    private final class Matcher implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            if (!isPartner(frame)) {
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
