package dev.fulmar.postgres.session;

import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Runs tasks when a test says that their time has come. */
final class FakeScheduler implements Scheduler {
    /** The delays of the tasks that wait, in nanoseconds. */
    final List<Long> delays = new ArrayList<>();

    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        delays.add(delayNanos);
        tasks.add(task);
        return () -> {
            int place = tasks.indexOf(task);
            if (place >= 0) {
                tasks.remove(place);
                delays.remove(place);
            }
        };
    }

    /** Runs the tasks that wait. */
    void runAll() {
        List<Runnable> due = List.copyOf(tasks);
        tasks.clear();
        delays.clear();
        due.forEach(Runnable::run);
    }
}
