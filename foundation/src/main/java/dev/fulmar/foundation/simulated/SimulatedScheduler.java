package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.schedule.Scheduler;

/** Timers as events, counted by the process's own clock. */
final class SimulatedScheduler implements Scheduler {
    private final SimulatedProcess process;
    private final String label;

    SimulatedScheduler(SimulatedProcess process) {
        this.process = process;
        this.label = process + " timer";
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return process.schedule(process.clock().worldNanos(delayNanos), label, task)::cancel;
    }
}
