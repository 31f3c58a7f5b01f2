package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import org.jspecify.annotations.Nullable;

/** Control code of a session's transaction over any partitions. */
final class ScriptCall implements ControlCode {
    private final IncomingRequest incoming;
    private final TransactionRequest.Script script;
    private final TargetSource targets;
    private final PartitionId home;
    private final BudgetLimits budget;
    private final HeldWorkspace workspace;
    private final ByteBudget underWay;

    /** @param underWay what results of statements that run again may take */
    ScriptCall(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            TargetSource targets,
            PartitionId home,
            BudgetLimits budget,
            CallWorkspaces workspaces,
            ByteBudget underWay) {
        this.underWay = underWay;
        this.incoming = incoming;
        this.script = script;
        this.targets = targets;
        this.home = home;
        this.budget = budget;
        this.workspace = new HeldWorkspace(workspaces);
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        Committed results = new ScriptRun(
                        script, incoming.sink(), underWay, (number, step, sink) -> execute(step, dispatch, sink))
                .run();
        return switch (script.ending()) {
            case UNDO -> results;
            case COMMIT -> Committed.DONE;
            case ASK -> throw neverCommitted();
            case LEASE, QUEUE, RELEASE -> throw Invariants.breach("leases are no matter of partitions");
        };
    }

    /** A COMMIT of a client without an id is remembered nowhere, so it may have been executed. */
    private FulmarException neverCommitted() {
        return script.clientId() == 0
                ? new FulmarException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "nobody knows whether the transaction was committed, for its client has no id; read the data")
                : new FulmarException(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "the transaction was not committed: its session ended before; run it again from BEGIN on");
    }

    private ScriptRun.Executed execute(ScriptStep step, FragmentDispatch dispatch, ResponseSink sink) {
        TransactionRequest.AdHoc statement = script.statement(step);
        TargetSource.Prepared prepared = targets.prepare(statement);
        Committed result = workspace
                .get()
                .run(
                        prepared,
                        dispatch,
                        home,
                        new IncomingRequest(statement, sink, incoming.nanos()),
                        budget,
                        script.micros(),
                        step.seed());
        return new ScriptRun.Executed(result, prepared.target().procedure().isReadOnly());
    }

    @Override
    public void interrupt(ControlSignal signal) {
        workspace.interrupt(signal);
    }

    @Override
    public boolean undoes(TransactionResponse response) {
        return script.ending() != ScriptEnding.COMMIT || response instanceof TransactionResponse.Failed;
    }

    @Override
    public @Nullable RequestOutcome outcome(TransactionResponse response) {
        return script.clientId() != 0 && !undoes(response) && response instanceof Committed committed
                ? new RequestOutcome(script.clientId(), script.requestId(), home.number(), OutcomeBytes.of(committed))
                : null;
    }

    @Override
    public void ended() {
        workspace.ended();
    }
}
