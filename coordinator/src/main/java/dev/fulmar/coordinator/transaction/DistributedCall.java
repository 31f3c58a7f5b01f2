package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import org.jspecify.annotations.Nullable;

/** A request that runs as a multi-partition transaction. Every attempt sees the same time and the same random numbers. */
final class DistributedCall implements ControlCode {
    private final TransactionRequest request;
    private final TargetSource targets;
    private final PartitionRuntimes runtimes;
    private final PartitionPlan plan;
    private final PartitionId home;
    private final BudgetLimits budget;
    private final long transactionMicros;
    private final long seed;
    private final ProcedureExecution execution;
    private final Clock clock;
    private final long intermediateBytes;
    private long deadlineNanos;

    DistributedCall(
            TransactionRequest request,
            TargetSource targets,
            PartitionRuntimes runtimes,
            PartitionPlan plan,
            PartitionId home,
            CallLimits limits,
            NodeServices services,
            long seed) {
        this.request = request;
        this.targets = targets;
        this.runtimes = runtimes;
        this.plan = plan;
        this.home = home;
        this.budget = limits.procedure(request.timeoutNanos());
        this.clock = services.clock();
        this.transactionMicros = clock.wallMicros();
        this.seed = seed;
        this.intermediateBytes = limits.intermediateBytes();
        this.execution = new ProcedureExecution(clock, services.allocatedBytes(), limits.maxResultBytes());
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        TargetSource.Prepared prepared = targets.prepare(request);
        deadlineNanos = clock.monotonicNanos() + budget.timeNanos();
        DistributedStatements statements = new DistributedStatements(
                dispatch,
                runtimes,
                prepared.program(),
                plan,
                home,
                ExecutionContext.withoutPartition(intermediateBytes, this::checkDeadline),
                transactionMicros,
                budget.timeNanos());
        execution.run(prepared.target().procedure(), request.parameters(), transactionMicros, seed, budget, statements);
        return Answers.committed(execution);
    }

    @Override
    public void interrupt(ControlSignal signal) {
        execution.interrupt(signal);
    }

    @Override
    public @Nullable RequestOutcome outcome(TransactionResponse response) {
        return request.clientId() != 0 && response instanceof TransactionResponse.Committed committed
                ? new RequestOutcome(request.clientId(), request.requestId(), home.number(), OutcomeBytes.of(committed))
                : null;
    }

    private void checkDeadline() {
        if (clock.monotonicNanos() - deadlineNanos > 0) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_TIME_BUDGET,
                    "a statement was stopped when the time budget of its call was spent; read fewer rows or raise the budget");
        }
    }
}
