package dev.fulmar.foundation.schedule;

/** Runs tasks later, one after another, on the scheduler's own thread. Thread-safe. */
public interface Scheduler {
    /** Runs the task once after at least the delay; a delay of 0 means as soon as possible, after tasks already due. */
    Timer schedule(long delayNanos, Runnable task);

    /** A scheduled task. */
    interface Timer {
        /** Prevents a run that has not begun; without effect afterwards. */
        void cancel();
    }
}
