package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.foundation.id.PartitionId;

/** What the control code of a multi-partition call works with; it serves one call after another. One call at a time. */
final class CallWorkspace {
    private final ProcedureExecution execution;
    private final DistributedStatements statements;

    CallWorkspace(ProcedureExecution execution, DistributedStatements statements) {
        this.execution = execution;
        this.statements = statements;
    }

    /** Runs one attempt. */
    TransactionResponse run(
            TargetSource.Prepared prepared,
            FragmentDispatch dispatch,
            PartitionId home,
            byte[] parameters,
            BudgetLimits budget,
            long transactionMicros,
            long seed) {
        try {
            execution.run(
                    prepared.target().procedure(),
                    parameters,
                    transactionMicros,
                    seed,
                    budget,
                    statements.open(
                            dispatch,
                            prepared.program(),
                            prepared.target().procedure(),
                            home,
                            transactionMicros,
                            budget.timeNanos()));
            return Answers.committed(execution);
        } finally {
            statements.close();
        }
    }

    /** Ends the computation of the running attempt soon; any thread. */
    void interrupt(ControlSignal signal) {
        execution.interrupt(signal);
    }

    /** Memory on the heap that stays for the next call. */
    int keptBytes() {
        return execution.keptBytes() + statements.keptBytes();
    }
}
