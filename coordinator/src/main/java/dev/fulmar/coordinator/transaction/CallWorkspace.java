package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;

/**
 * The execution and the buffers of a multi-partition call's control code, reused by one call after another. One call at
 * a time.
 */
final class CallWorkspace {
    private final ProcedureExecution execution;
    private final DistributedStatements statements;
    private final ByteBudget underWay;

    CallWorkspace(ProcedureExecution execution, DistributedStatements statements, ByteBudget underWay) {
        this.underWay = underWay;
        this.execution = execution;
        this.statements = statements;
    }

    /** Runs one attempt. */
    Committed run(
            TargetSource.Prepared prepared,
            FragmentDispatch dispatch,
            PartitionId home,
            IncomingRequest incoming,
            BudgetLimits budget,
            long transactionMicros,
            long seed) {
        BudgetedDispatch budgeted = new BudgetedDispatch(dispatch, underWay);
        try {
            execution.run(
                    prepared.target().procedure(),
                    incoming.request().parameters(),
                    transactionMicros,
                    seed,
                    budget,
                    statements.open(
                            budgeted,
                            prepared.program(),
                            prepared.target().procedure(),
                            home,
                            transactionMicros,
                            budget.timeNanos()));
            return Answers.committed(execution, incoming, underWay);
        } finally {
            statements.close();
            budgeted.close();
        }
    }

    /** Ends the computation of the running attempt soon; any thread. */
    void interrupt(ControlSignal signal) {
        execution.interrupt(signal);
    }

    /** Gives back what an unusual call has taken. */
    void shrink() {
        execution.shrink();
    }

    /** Memory on the heap that stays for the next call. */
    int keptBytes() {
        return execution.keptBytes() + statements.keptBytes();
    }
}
