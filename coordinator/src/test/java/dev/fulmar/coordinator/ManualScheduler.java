package dev.fulmar.coordinator;

import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time and timers that advance when a test says so. */
public final class ManualScheduler implements Scheduler, Clock {
    private record Task(long atNanos, Runnable body) {}

    private final List<Task> tasks = new ArrayList<>();
    private long nowNanos = 1_000_000_000;

    @Override
    public Timer schedule(long delayNanos, Runnable body) {
        Task task = new Task(nowNanos + delayNanos, body);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    @Override
    public long monotonicNanos() {
        return nowNanos;
    }

    @Override
    public long wallMicros() {
        return nowNanos / 1000;
    }

    /** Lets time pass, running what falls due. */
    public void advance(long nanos) {
        long until = nowNanos + nanos;
        while (true) {
            Task next = tasks.stream()
                    .filter(task -> task.atNanos() <= until)
                    .min(Comparator.comparingLong(Task::atNanos))
                    .orElse(null);
            if (next == null) {
                break;
            }
            tasks.remove(next);
            nowNanos = Math.max(nowNanos, next.atNanos());
            next.body().run();
        }
        nowNanos = until;
    }

    int taskCount() {
        return tasks.size();
    }
}
