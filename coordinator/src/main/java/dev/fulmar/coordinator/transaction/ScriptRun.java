package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.CountedStatement;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One run of a session's statements, one after another, as far as there are. A result that differs from the one that
 * the client was shown ends it. For the thread of the run.
 */
final class ScriptRun {
    private static final int SHOWN_LETTERS = 100;

    /** Further new statements wait for another run once the results have so many bytes. */
    private static final long MOST_RESULT_BYTES = 1 << 20;

    private static final int MOST_TOGETHER = 500;

    /**
     * Result of a statement.
     *
     * @param onlyReads whether it can have changed nothing
     * @param images digest of the rows that it changed, before and after; 0 unless the script compares them
     * @param digest of what the client is shown, if it is known already
     */
    record Executed(
            Committed result,
            boolean onlyReads,
            long images,
            @Nullable ResultDigest digest) {
        Executed(Committed result, boolean onlyReads, long images) {
            this(result, onlyReads, images, null);
        }

        /** The same with its digest. */
        Executed digested(ScriptStep step) {
            return digest != null ? this : new Executed(result, onlyReads, images, digest(step));
        }

        /** The digest of what the client is shown. */
        ResultDigest digest(ScriptStep step) {
            return digest != null
                    ? digest
                    : ResultDigest.of(CountedStatement.answer(step.sql(), result), step.sql())
                            .with(images);
        }
    }

    /** Executes statements. */
    interface Execution {
        /**
         * Executes a statement on top of those before it; one that fails leaves no trace.
         *
         * @param number of the statement, from 0
         * @param sink that the result needs memory of
         */
        Executed execute(int number, ScriptStep step, ResponseSink sink);

        /**
         * Executes statements that ran before, all at once, on top of those before them. If one fails, the whole run is
         * to be undone.
         *
         * @return the result of each; null if they must run one by one
         */
        default @Nullable List<Executed> together(List<ScriptStep> steps) {
            return null;
        }
    }

    private final TransactionRequest.Script script;
    private final ResponseSink sink;
    private final ByteBudget underWay;
    private final IntPredicate isSeen;
    private final Execution execution;

    /**
     * @param sink of the results of new statements
     * @param underWay what results of statements that run again may take
     * @param isSeen whether the statement of the number changes nothing, and yields what the client was shown
     */
    ScriptRun(
            TransactionRequest.Script script,
            ResponseSink sink,
            ByteBudget underWay,
            IntPredicate isSeen,
            Execution execution) {
        this.script = script;
        this.sink = sink;
        this.underWay = underWay;
        this.isSeen = isSeen;
        this.execution = execution;
    }

    /** The results of the new statements that have run, as {@link ScriptResults}. */
    Committed run() {
        ScriptResults results = new ScriptResults();
        List<ScriptStep> steps = script.steps();
        int number = 0;
        while (number < steps.size()) {
            ScriptStep step = steps.get(number);
            if (step.isNew() && script.ending() == ScriptEnding.COMMIT) {
                execution.execute(number, step, sink); // nobody is shown its result, so it stays unless one fails
                number++;
            } else if (step.isNew()) {
                if (!first(number, step, results)) {
                    break;
                }
                number++;
            } else if (isSeen.test(number)) {
                number++;
            } else {
                int end = endOfTogether(number);
                again(number, end);
                number = end;
            }
        }
        return results.toAnswer();
    }

    /** The end of the statements from there on that may run at once: they succeeded, and had few rows. */
    private int endOfTogether(int first) {
        List<ScriptStep> steps = script.steps();
        int end = first;
        long bytes = 0;
        while (end < steps.size() && end - first < MOST_TOGETHER) {
            ScriptStep step = steps.get(end);
            bytes += step.shownBytes();
            if (step.shown() == null || bytes > MOST_RESULT_BYTES || (end > first && isSeen.test(end))) {
                break;
            }
            end++;
        }
        return Math.max(first + 1, end);
    }

    private void again(int first, int end) {
        List<ScriptStep> steps = script.steps().subList(first, end);
        List<Executed> results = null;
        try {
            results = steps.size() == 1 ? null : execution.together(steps);
        } catch (FulmarException failure) {
            throw isAboutTheDatabase(failure) ? failure : changed(steps.getLast());
        }
        for (int i = 0; i < steps.size(); i++) {
            if (results == null) {
                again(first + i, steps.get(i));
            } else {
                compare(steps.get(i), results.get(i));
            }
        }
    }

    private static void compare(ScriptStep step, Executed executed) {
        if (step.failure() != null || !executed.digest(step).equals(step.shown())) {
            throw changed(step);
        }
    }

    /** Executes a new statement; returns whether the next one may run too. */
    private boolean first(int number, ScriptStep step, ScriptResults results) {
        try {
            Executed executed = execution.execute(number, step, sink);
            Committed answer = CountedStatement.answer(step.sql(), executed.result());
            boolean onlyReads = executed.onlyReads() && !CountedStatement.isOne(step.sql());
            results.add(answer, onlyReads, executed.images(), executed.digest());
            return results.bytes() < MOST_RESULT_BYTES;
        } catch (FulmarException failure) {
            if (failure.code() == ErrorCode.NUMBERS_USED_UP) {
                throw new FulmarException(ErrorCode.SERIALIZATION_FAILURE, String.valueOf(failure.getMessage()));
            }
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
            compare(step, execution.execute(number, step, within(held)));
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
            case NUMBERS_USED_UP -> false; // its query has more rows than its client was told
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
