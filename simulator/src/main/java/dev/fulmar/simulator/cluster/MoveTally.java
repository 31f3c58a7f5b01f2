package dev.fulmar.simulator.cluster;

/**
 * Reconfigurations of a run.
 *
 * @param isDue whether the run moves keys, so that it says nothing without any
 * @param ended reconfigurations that were done or cancelled
 * @param struck faults that met a move under way
 */
public record MoveTally(boolean isDue, long ended, long struck) {
    /** Of a run that moves no keys. */
    public static final MoveTally NONE = new MoveTally(false, 0, 0);

    /** Whether a reconfiguration ended and one was struck by a fault, where keys move. */
    boolean suffices() {
        return !isDue || (ended > 0 && struck > 0);
    }
}
