package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * A request that runs as a multi-partition transaction. Every attempt sees the same time and the same random numbers.
 */
final class DistributedCall implements ControlCode {
    private final IncomingRequest incoming;
    private final TransactionRequest request;
    private final TargetSource targets;
    private final PartitionId home;
    private final @Nullable Underway underway;
    private final BudgetLimits budget;
    private final long transactionMicros;
    private final long seed;
    private final HeldWorkspace workspace;

    DistributedCall(
            IncomingRequest incoming,
            TargetSource targets,
            PartitionId home,
            @Nullable Underway underway,
            BudgetLimits budget,
            CallWorkspaces workspaces,
            long transactionMicros,
            long seed) {
        this.incoming = incoming;
        this.request = incoming.request();
        this.targets = targets;
        this.home = home;
        this.underway = underway;
        this.budget = budget;
        this.workspace = new HeldWorkspace(workspaces);
        this.transactionMicros = transactionMicros;
        this.seed = seed;
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        TargetSource.Prepared prepared = targets.prepare(request);
        if (underway != null
                && underway.mayBeElsewhere(prepared.program().plan().version())) {
            return Answers.ROUTED_ANEW;
        }
        return workspace.get().run(prepared, dispatch, home, incoming, budget, transactionMicros, seed);
    }

    @Override
    public void interrupt(ControlSignal signal) {
        workspace.interrupt(signal);
    }

    @Override
    public @Nullable RequestOutcome outcome(TransactionResponse response) {
        return request.clientId() != 0 && response instanceof TransactionResponse.Committed committed
                ? new RequestOutcome(request.clientId(), request.requestId(), home.number(), OutcomeBytes.of(committed))
                : null;
    }

    @Override
    public void ended() {
        workspace.ended();
    }
}
