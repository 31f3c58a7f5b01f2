package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Relation.JoinKind;

/**
 * Executes a correlated (Apply) join: runs the right side, which reads the left row's columns, anew for each left row.
 */
final class ApplyConsumer extends RightSideConsumer {
    private final int presence;
    private final ScratchMemory memory;

    /**
     * @param presence place in the frame's rows that is 0 while there is no right row
     * @param memory what the right side keeps while it runs for one left row
     */
    ApplyConsumer(JoinKind kind, int presence, ScratchMemory memory, RowBudget budget, Consumer next) {
        super(kind, budget, next);
        this.presence = presence;
        this.memory = memory;
    }

    @Override
    void prepare() {
        memory.clear();
        budget.spendRow();
    }

    @Override
    boolean isPartner(Frame frame) {
        frame.rows[presence] = 1;
        return true;
    }

    @Override
    void clearRight(Frame frame) {
        frame.rows[presence] = 0;
    }
}
