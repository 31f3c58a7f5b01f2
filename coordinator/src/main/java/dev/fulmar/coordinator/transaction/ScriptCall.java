package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.ArrayList;
import java.util.List;
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
    private final PartitionHomes homes;
    private final int partitions;
    private final @Nullable SeenParts seen;

    /**
     * @param underWay what results of statements that run again may take
     * @param seen where to note what each partition yields, in a run as at the COMMIT which is undone; null for none
     */
    ScriptCall(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            TargetSource targets,
            PartitionId home,
            BudgetLimits budget,
            CallWorkspaces workspaces,
            ByteBudget underWay,
            PartitionHomes homes,
            @Nullable SeenParts seen) {
        this.seen = seen;
        this.underWay = underWay;
        this.homes = homes;
        this.partitions = workspaces.partitions();
        this.incoming = incoming;
        this.script = script;
        this.targets = targets;
        this.home = home;
        this.budget = budget;
        this.workspace = new HeldWorkspace(workspaces);
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        if (seen != null) {
            seen.begin();
        }
        Committed results =
                new ScriptRun(script, incoming.sink(), underWay, number -> false, execution(dispatch)).run();
        return switch (script.ending()) {
            case UNDO, TRY -> results;
            case COMMIT -> Committed.DONE;
            case ASK -> throw neverCommitted();
            case LEASE, LEASE_HERE, TURN, QUEUE, RELEASE ->
                throw Invariants.breach("leases are no matter of partitions");
            case CHANGE -> throw Invariants.breach("a change of the catalog is no statement of partitions");
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

    private ScriptRun.Execution execution(FragmentDispatch dispatch) {
        return new ScriptRun.Execution() {
            @Override
            public ScriptRun.Executed execute(int number, ScriptStep step, ResponseSink sink) {
                return ScriptCall.this.execute(step, seen == null ? dispatch : seen.over(dispatch, number), sink);
            }

            @Override
            public @Nullable List<ScriptRun.Executed> together(List<ScriptStep> steps) {
                return ScriptCall.this.together(steps, dispatch);
            }
        };
    }

    /**
     * A message to another node is about one text, so statements run one by one unless all partitions are here. So do
     * those that run in steps.
     */
    private @Nullable List<ScriptRun.Executed> together(List<ScriptStep> steps, FragmentDispatch dispatch) {
        if (seen != null || !homes.areAllHere(partitions)) {
            return null;
        }
        List<TargetSource.Prepared> prepared = new ArrayList<>();
        List<byte[]> parameterLists = new ArrayList<>();
        for (ScriptStep step : steps) {
            TransactionRequest.AdHoc statement = script.statement(step);
            TargetSource.Prepared each = targets.prepare(statement);
            ProcedureStatement runs = each.target().procedure().statements().getFirst();
            boolean isOfOneProgram = prepared.isEmpty() || prepared.getFirst().program() == each.program();
            if (!isOfOneProgram || runs.steps() != null || runs.semiJoin() != null) {
                return null;
            }
            prepared.add(each);
            parameterLists.add(statement.parameters());
        }
        CallWorkspace running = workspace.get();
        List<Committed> results = running.runTogether(
                prepared, parameterLists, dispatch, home, budget, script.micros(), script.comparesImages());
        List<ScriptRun.Executed> executed = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            boolean onlyReads = prepared.get(i).target().procedure().isReadOnly();
            executed.add(new ScriptRun.Executed(results.get(i), onlyReads, running.images(i)));
        }
        return executed;
    }

    private ScriptRun.Executed execute(ScriptStep step, FragmentDispatch dispatch, ResponseSink sink) {
        TransactionRequest.AdHoc statement = script.statement(step);
        TargetSource.Prepared prepared = targets.prepare(statement);
        CallWorkspace running = workspace.get();
        Committed result = running.run(
                prepared,
                dispatch,
                home,
                new IncomingRequest(statement, sink, incoming.nanos()),
                budget,
                script.micros(),
                step.seed(),
                script.comparesImages());
        return new ScriptRun.Executed(result, prepared.target().procedure().isReadOnly(), running.images(0));
    }

    @Override
    public void interrupt(ControlSignal signal) {
        workspace.interrupt(signal);
    }

    @Override
    public boolean undoes(TransactionResponse response) {
        if (seen != null) {
            return true;
        }
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
