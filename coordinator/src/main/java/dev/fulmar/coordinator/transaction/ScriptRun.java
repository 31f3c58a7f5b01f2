package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One run of a session's statements, one after another, as far as there are. A result that differs from the one that
 * the client was shown ends it. For the thread of the run.
 */
final class ScriptRun {
    private static final int SHOWN_LETTERS = 100;

    /** Further new statements wait for another run once the results have so many bytes. */
    private static final long MOST_RESULT_BYTES = 1 << 20;

    /**
     * Result of a statement.
     *
     * @param onlyReads whether it can have changed nothing
     */
    record Executed(Committed result, boolean onlyReads) {}

    /** Executes statements. */
    interface Execution {
        /**
         * Executes a statement on top of those before it; one that fails leaves no trace.
         *
         * @param number of the statement, from 0
         * @param sink that the result needs memory of
         */
        Executed execute(int number, ScriptStep step, ResponseSink sink);
    }

    private final TransactionRequest.Script script;
    private final ResponseSink sink;
    private final ByteBudget underWay;
    private final Execution execution;

    /**
     * @param sink of the results of new statements
     * @param underWay what results of statements that run again may take
     */
    ScriptRun(TransactionRequest.Script script, ResponseSink sink, ByteBudget underWay, Execution execution) {
        this.script = script;
        this.sink = sink;
        this.underWay = underWay;
        this.execution = execution;
    }

    /** The results of the new statements that have run, as {@link ScriptResults}. */
    Committed run() {
        ScriptResults results = new ScriptResults();
        int number = 0;
        for (ScriptStep step : script.steps()) {
            if (!step.isNew()) {
                again(number, step);
            } else if (!first(number, step, results)) {
                break;
            }
            number++;
        }
        return results.toAnswer();
    }

    /** Executes a new statement; returns whether the next one may run too. */
    private boolean first(int number, ScriptStep step, ScriptResults results) {
        try {
            Executed executed = execution.execute(number, step, sink);
            results.add(executed.result(), executed.onlyReads());
            return results.bytes() < MOST_RESULT_BYTES;
        } catch (FulmarException failure) {
            if (!ScriptStep.failsAlone(failure.code())) {
                throw failure;
            }
            results.add(failure.code(), String.valueOf(failure.getMessage()));
            return false;
        }
    }

    /** Executes a statement of which the client knows what came of it, which must come again. */
    private void again(int number, ScriptStep step) {
        AtomicLong held = new AtomicLong();
        try {
            Committed result = execution.execute(number, step, within(held)).result();
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
}
