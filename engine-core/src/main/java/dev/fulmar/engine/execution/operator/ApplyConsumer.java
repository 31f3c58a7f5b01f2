package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** For each left row runs the right side, which reads that row, from the start. */
final class ApplyConsumer implements Consumer {
    private final JoinKind kind;
    private final int presence;
    private final ScratchMemory memory;
    private final RowBudget budget;
    private final Consumer next;
    private @Nullable Producer right;
    private boolean matched;
    private boolean wantsMore;
    /** All right rows are done; what follows from them is passed on. */
    private boolean concluding;

    /**
     * @param presence place in the frame's rows that is 0 while there is no right row
     * @param memory what the right side keeps while it runs for one left row
     */
    ApplyConsumer(JoinKind kind, int presence, ScratchMemory memory, RowBudget budget, Consumer next) {
        this.kind = kind;
        this.presence = presence;
        this.memory = memory;
        this.budget = budget;
        this.next = next;
    }

    /** The right side, which pushes into {@link #matcher}. */
    void setRight(Producer newRight) {
        right = newRight;
    }

    @Override
    public boolean accept(Frame frame) {
        Producer rows = right;
        if (rows == null) {
            throw Invariants.breach("an apply has a right side");
        }
        matched = false;
        wantsMore = true;
        concluding = false;
        memory.clear();
        budget.spendRow();
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
            case ANTI -> matched || next.accept(frame);
            case LEFT -> matched ? wantsMore : pushAlone(frame);
            case FULL -> throw Invariants.breach("a full join is not planned as an apply");
        };
    }

    private boolean pushAlone(Frame frame) {
        frame.rows[presence] = 0;
        return next.accept(frame);
    }

    /** What takes the right rows. */
    Consumer matcher() {
        return new Matcher();
    }

    private final class Matcher implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            matched = true;
            if (kind == JoinKind.SEMI || kind == JoinKind.ANTI) {
                return false;
            }
            frame.rows[presence] = 1;
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
