package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.LocalStatementRunner;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.engine.table.PartitionStorage;
import java.util.List;

/**
 * Replays calls of an earlier life of the node. A committed call must commit again, so there is no limit of time,
 * memory or results. The call met none that mattered when it first ran, and limits may have been lowered since. One
 * thread.
 */
public final class CallReplay {
    static final BudgetLimits UNLIMITED =
            new BudgetLimits(Long.MAX_VALUE >> 2, Long.MAX_VALUE >> 2, Integer.MAX_VALUE, Integer.MAX_VALUE >> 1);

    private final ProcedureExecution execution;
    private final LocalStatementRunner statements;

    CallReplay(Partition partition, PartitionStorage storage, PartitionPlan plan) {
        execution = new ProcedureExecution(partition.clock(), () -> -1, Integer.MAX_VALUE);
        statements = new LocalStatementRunner(
                new ExecutionContext(storage, plan, partition.id().number(), Long.MAX_VALUE >> 2, () -> {}));
    }

    /** Another version of the catalog counts, with these procedures. */
    public void use(List<LoadedProcedure> procedures) {
        statements.retain(procedures);
    }

    /**
     * Runs a call and returns its answer. When it throws, the call did not commit, and what it changed must be undone.
     */
    public TransactionResponse.Committed run(
            LoadedProcedure procedure, byte[] parameters, long procedureTimeMicros, long seed) {
        execution.run(
                procedure,
                parameters,
                procedureTimeMicros,
                seed,
                UNLIMITED,
                statements.open(procedure, procedureTimeMicros));
        return Answers.committed(execution);
    }
}
