package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.LocalStatementRunner;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
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
    private final ExecutionContext context;
    private final Program first;

    /** @param first with the plan of records whose version of the catalog names none */
    CallReplay(Partition partition, PartitionStorage storage, Program first) {
        this.first = first;
        execution = new ProcedureExecution(partition.clock(), () -> -1, Integer.MAX_VALUE);
        context = new ExecutionContext(storage, first.plan(), partition.id().number(), Long.MAX_VALUE >> 2, () -> {});
        context.endFunctionsPatientlyBy(partition.clock().monotonicNanos() + UNLIMITED.timeNanos());
        statements = new LocalStatementRunner(context);
    }

    /** Another version of the catalog counts, with its procedures and its partition plan. */
    public void use(ProcedureRegistry procedures) {
        context.setPartitionPlan(first.planOf(procedures.catalog()));
        statements.retain(List.copyOf(procedures.procedures().values()));
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
