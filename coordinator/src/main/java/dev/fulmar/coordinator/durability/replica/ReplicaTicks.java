package dev.fulmar.coordinator.durability.replica;

/**
 * The passing of time for one replica, which its own thread looks at. A replica that waits for nothing looks in every
 * fifth period only, so that idle partitions cost next to nothing. Invariant: no period is the last.
 */
final class ReplicaTicks {
    /** Periods of a settled replica that have one look. */
    private static final int SETTLED_PERIODS = 5;

    /** Of the one thread on which time passes. */
    private int periods;

    private volatile boolean isDue;
    private volatile boolean isSettled;

    /** Something came since the partition's thread last took the time. */
    private volatile boolean isDisturbed;

    /** A period is over: whether the replica is to have a turn for it. On one thread. */
    boolean periodPassed() {
        periods = (periods + 1) % SETTLED_PERIODS;
        if (isSettled && periods != 0) {
            return false;
        }
        isDue = true;
        return true;
    }

    /** Something came for the replica, which may wait for more from now on. Any thread. */
    void disturbed() {
        if (!isDisturbed) {
            isDisturbed = true;
        }
        if (isSettled) {
            isSettled = false;
        }
    }

    /** Whether time has passed since the last look. For the partition's thread, before it takes what came. */
    boolean take() {
        boolean was = isDue;
        if (was) {
            isDue = false;
            isDisturbed = false;
        }
        return was;
    }

    /** Whether the replica waits for nothing that time brings, as its last look showed. For the partition's thread. */
    void looked(boolean isSettledNow) {
        isSettled = isSettledNow && !isDisturbed;
    }
}
