package dev.fulmar.engine.userfunction;

/** The time of the calls that a statement makes. One thread at a time. */
public final class FunctionTime {
    private boolean hasEnd;
    private long endNanos;
    private boolean isPatient;

    /** From now on calls end by then, on the monotonic clock. */
    public void endBy(long nanos) {
        hasEnd = true;
        endNanos = nanos;
        isPatient = false;
    }

    /** The same, and no call has less time than that: what ran once must be able to run again on a slow machine. */
    public void endPatientlyBy(long nanos) {
        endBy(nanos);
        isPatient = true;
    }

    /** Whether a call may take all the time until the end. */
    public boolean isPatient() {
        return isPatient;
    }

    /** Whether a moment is known; otherwise each call has the time of one. */
    public boolean hasEnd() {
        return hasEnd;
    }

    public long endNanos() {
        return endNanos;
    }
}
