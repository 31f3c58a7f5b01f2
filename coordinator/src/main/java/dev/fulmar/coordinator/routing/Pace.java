package dev.fulmar.coordinator.routing;

/**
 * An estimate of whether a procedure's next call is quick, from the times of its calls so far. Partitions report and
 * routers ask without any order between them: it is a guess, and nothing but waiting time depends on it.
 */
public final class Pace {
    /** So many quick calls in a row earn trust. */
    static final int TRUSTED = 100;

    private static final int BEST = 1_000;
    private static final int DISTRUSTED = -10_000;
    private static final long QUICK_NANOS = 1_000_000;
    private static final long HOPELESS_NANOS = 100_000_000;

    private int score;

    /** A call took so long from the beginning of its execution to the end. */
    public void took(long nanos) {
        int before = score;
        if (nanos <= QUICK_NANOS) {
            if (before < BEST) {
                score = before + 1;
            }
        } else {
            // The thread may have lost its core for a moment, so one long call does not end the trust, unless it was
            // very long.
            score = nanos < HOPELESS_NANOS ? Math.min(before, before / 2) : DISTRUSTED;
        }
    }

    public boolean isQuick() {
        return score >= TRUSTED;
    }

    /** Whether a call took very long, and few have been quick since. */
    public boolean isSlow() {
        return score < 0;
    }
}
