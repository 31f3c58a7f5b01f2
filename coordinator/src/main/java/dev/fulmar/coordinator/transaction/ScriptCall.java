package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Control code of a session's transaction: its statements one after another, as far as there are. A result that differs
 * from the one that the client was shown ends it.
 */
final class ScriptCall implements ControlCode {
    private static final int SHOWN_LETTERS = 100;

    /** Further new statements wait for another run once the results have so many bytes. */
    private static final long MOST_RESULT_BYTES = 1 << 20;

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
        ScriptResults results = new ScriptResults();
        for (ScriptStep step : script.steps()) {
            if (!step.isNew()) {
                again(step, dispatch);
            } else if (!first(step, dispatch, results)) {
                break;
            }
        }
        return switch (script.ending()) {
            case UNDO -> results.toAnswer();
            case COMMIT -> Committed.DONE;
            case ASK -> throw neverCommitted();
        };
    }

    /** Executes a new statement; returns whether the next one may run too. */
    private boolean first(ScriptStep step, FragmentDispatch dispatch, ScriptResults results) {
        try {
            results.add(execute(step, dispatch, incoming.sink()));
            return results.bytes() < MOST_RESULT_BYTES;
        } catch (FulmarException failure) {
            if (!ScriptStep.failsAlone(failure.code())) {
                throw failure;
            }
            results.add(failure.code(), String.valueOf(failure.getMessage()));
            return false;
        }
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

    /** Executes a statement of which the client knows what came of it, which must come again. */
    private void again(ScriptStep step, FragmentDispatch dispatch) {
        AtomicLong held = new AtomicLong();
        try {
            Committed result = execute(step, dispatch, within(held));
            if (step.failure() != null || !ResultDigest.of(result, step.sql()).equals(step.shown())) {
                throw changed(step);
            }
        } catch (FulmarException failure) {
            if (failure.code() != step.failure()) { // else it has left no trace, as before
                throw isAboutTheDatabase(failure) ? failure : changed(step);
            }
        } finally {
            underWay.giveBack(held.get());
        }
    }

    /** The result is sent to no client, so its memory is needed until its digest is known. */
    private ResponseSink within(AtomicLong held) {
        return new ResponseSink() {
            @Override
            public void respond(TransactionRequest request, TransactionResponse response) {
                throw Invariants.breach("a statement that runs again has no answer of its own");
            }

            @Override
            public boolean reserve(TransactionRequest request, long bytes) {
                boolean isThere = underWay.take(bytes);
                held.addAndGet(isThere ? bytes : 0);
                return isThere;
            }
        };
    }

    private Committed execute(ScriptStep step, FragmentDispatch dispatch, ResponseSink sink) {
        TransactionRequest.AdHoc statement = script.statement(step);
        return workspace
                .get()
                .run(
                        targets.prepare(statement),
                        dispatch,
                        home,
                        new IncomingRequest(statement, sink, incoming.nanos()),
                        budget,
                        script.micros(),
                        step.seed());
    }

    /** Whether the failure says nothing of rows: the same statement may succeed where nothing has changed. */
    private static boolean isAboutTheDatabase(FulmarException failure) {
        return switch (failure.code()) {
            case SERIALIZATION_FAILURE, PROCEDURE_TIME_BUDGET, CANCELLED -> true;
            default -> failure.code().category() != Category.USER;
        };
    }

    private static FulmarException changed(ScriptStep step) {
        String sql = step.sql();
        String shown = sql.length() <= SHOWN_LETTERS ? sql : sql.substring(0, SHOWN_LETTERS) + "...";
        return new FulmarException(
                ErrorCode.SERIALIZATION_FAILURE,
                "another transaction has changed what this one has read or written; run it again from BEGIN on (seen by: "
                        + shown + ")");
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
