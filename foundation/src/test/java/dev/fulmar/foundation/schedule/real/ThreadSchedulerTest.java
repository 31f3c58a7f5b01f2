package dev.fulmar.foundation.schedule.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.contract.SchedulerContract;
import dev.fulmar.foundation.contract.Surroundings;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadSchedulerTest extends SchedulerContract {
    private final ThreadScheduler scheduler = new ThreadScheduler("test-timers");

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Override
    protected Scheduler scheduler() {
        return scheduler;
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }

    @Test
    void aTaskThatThrowsHindersNoOther() {
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        scheduler.schedule(0, () -> {
            throw new IllegalStateException("expected by the test");
        });
        scheduler.schedule(0, () -> threads.add(Thread.currentThread().getName()));
        assertThat(surroundings().await(() -> threads.size() == 1)).isTrue();
        assertThat(threads).containsExactly("test-timers");
    }
}
