package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a session's transaction.
 *
 * @param parameters in the format of {@code dev.fulmar.foundation.data}; owned by the step, never changed
 * @param seed of its random numbers, the same in all runs
 * @param numbers of sequences that it uses, the same in all runs; none if it draws them where it runs
 * @param shown digest of its result as the client has been shown it; null if it has not
 * @param shownBytes of that result
 * @param failure with which it failed, as the client has been told; null if it has not failed
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record ScriptStep(
        String sql,
        byte[] parameters,
        long seed,
        long[] numbers,
        @Nullable ResultDigest shown,
        int shownBytes,
        @Nullable ErrorCode failure) {
    /** One that the client knows nothing of. */
    public ScriptStep(String sql, byte[] parameters, long seed) {
        this(sql, parameters, seed, NO_NUMBERS, null, 0, null);
    }

    private static final long[] NO_NUMBERS = {};

    /** Memory for a step beside its text and parameters. */
    private static final int FIXED_BYTES = 128;

    /** Memory that it takes, roughly. */
    public long bytes() {
        return FIXED_BYTES + 2L * sql.length() + parameters.length + (long) Long.BYTES * numbers.length;
    }

    /** The same step behind another one, whose text it uses if that says the same. */
    public ScriptStep behind(@Nullable ScriptStep before) {
        return before != null && before.sql.equals(sql) ? with(before.sql, parameters) : this;
    }

    /** Memory that it takes behind another one, whose text it may use. */
    public long bytesBehind(@Nullable ScriptStep before) {
        return before != null && before.sql.equals(sql) ? bytes() - 2L * sql.length() : bytes();
    }

    /** Memory of steps that follow each other, the first one behind another one if there is one. */
    public static long bytes(List<ScriptStep> steps, @Nullable ScriptStep before) {
        long all = 0;
        ScriptStep last = before;
        for (ScriptStep step : steps) {
            all += step.bytesBehind(last);
            last = step;
        }
        return all;
    }

    /** Whether a statement fails so for the rows that are there: another transaction may undo it. */
    public static boolean failsForRows(ErrorCode code) {
        return switch (code) {
            case UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, CHECK_VIOLATION, CARDINALITY_VIOLATION -> true;
            default -> false;
        };
    }

    /** Whether a statement that fails so has no effect, and leaves its transaction as it was. */
    public static boolean failsAlone(ErrorCode code) {
        return switch (code.category()) {
            case USER, RESOURCE -> code != ErrorCode.SERIALIZATION_FAILURE;
            case RETRYABLE, INTERNAL -> false;
        };
    }

    /** Whether the client knows nothing of what came of it. */
    public boolean isNew() {
        return shown == null && failure == null;
    }

    /** The same step by another text and other parameters, which together say the same. */
    public ScriptStep with(String otherSql, byte[] otherParameters) {
        return new ScriptStep(otherSql, otherParameters, seed, numbers, shown, shownBytes, failure);
    }

    /** The same step with the numbers that it is to use. */
    public ScriptStep using(long[] drawn) {
        return new ScriptStep(sql, parameters, seed, drawn, shown, shownBytes, failure);
    }

    /** The same step when its result has been shown. */
    public ScriptStep shown(ResultDigest digest, int bytes) {
        return new ScriptStep(sql, parameters, seed, numbers, digest, bytes, null);
    }

    /** The same step when the client was told that it failed. */
    public ScriptStep failed(ErrorCode code) {
        return new ScriptStep(sql, parameters, seed, numbers, null, 0, code);
    }
}
