package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.concurrent.atomic.AtomicReference;
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
    private final CallWorkspaces workspaces;
    private final CallWorkspace workspace;
    private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.RUNS);

    private enum Fate {
        RUNS,
        INTERRUPTED,
        OVER
    }

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
        this.workspaces = workspaces;
        this.workspace = workspaces.take();
        this.transactionMicros = transactionMicros;
        this.seed = seed;
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    fate.get() != Fate.OVER, "a coordinator begins no attempt after it gave its workspace back");
        }
        TargetSource.Prepared prepared = targets.prepare(request);
        if (underway != null
                && underway.mayBeElsewhere(prepared.program().plan().version())) {
            return Answers.ROUTED_ANEW;
        }
        return workspace.run(prepared, dispatch, home, incoming, budget, transactionMicros, seed);
    }

    @Override
    public void interrupt(ControlSignal signal) {
        if (fate.compareAndSet(Fate.RUNS, Fate.INTERRUPTED) || fate.get() == Fate.INTERRUPTED) {
            workspace.interrupt(signal);
        }
    }

    @Override
    public @Nullable RequestOutcome outcome(TransactionResponse response) {
        return request.clientId() != 0 && response instanceof TransactionResponse.Committed committed
                ? new RequestOutcome(request.clientId(), request.requestId(), home.number(), OutcomeBytes.of(committed))
                : null;
    }

    /**
     * A workspace that was interrupted is not used again: the signal may come when the call is over, and would end the
     * next one.
     */
    @Override
    public void ended() {
        if (fate.compareAndSet(Fate.RUNS, Fate.OVER)) {
            workspaces.giveBack(workspace);
        } else {
            workspaces.forget(workspace);
        }
    }
}
