package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

public abstract class SchedulerContract {
    private static final long MILLISECOND = 1_000_000;

    protected abstract Scheduler scheduler();

    protected abstract Surroundings surroundings();

    @Test
    void tasksRunInTheOrderOfTheirTimes() {
        Scheduler scheduler = scheduler();
        List<String> ran = new CopyOnWriteArrayList<>();
        scheduler.schedule(60 * MILLISECOND, () -> ran.add("late"));
        scheduler.schedule(30 * MILLISECOND, () -> ran.add("early"));
        scheduler.schedule(0, () -> ran.add("now"));
        assertThat(surroundings().await(() -> ran.size() == 3)).isTrue();
        assertThat(ran).containsExactly("now", "early", "late");
    }

    @Test
    void tasksOfOneTimeRunInTheOrderOfScheduling() {
        Scheduler scheduler = scheduler();
        List<Integer> ran = new CopyOnWriteArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            expected.add(number);
            scheduler.schedule(0, () -> ran.add(number));
        }
        assertThat(surroundings().await(() -> ran.size() == 100)).isTrue();
        assertThat(ran).isEqualTo(expected);
    }

    @Test
    void aTaskRunsNotBeforeItsTimeAndOnce() {
        Scheduler scheduler = scheduler();
        List<Integer> ran = new CopyOnWriteArrayList<>();
        scheduler.schedule(500 * MILLISECOND, () -> ran.add(1));
        surroundings().pass(5 * MILLISECOND);
        assertThat(ran).isEmpty();
        assertThat(surroundings().await(() -> !ran.isEmpty())).isTrue();
        surroundings().pass(20 * MILLISECOND);
        assertThat(ran).containsExactly(1);
    }

    @Test
    void aTaskNeverRunsInsideTheCallThatSchedulesIt() {
        Scheduler scheduler = scheduler();
        List<String> ran = new CopyOnWriteArrayList<>();
        scheduler.schedule(0, () -> {
            scheduler.schedule(0, () -> ran.add("inner"));
            ran.add("outer");
        });
        assertThat(surroundings().await(() -> ran.size() == 2)).isTrue();
        assertThat(ran).containsExactly("outer", "inner");
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        Scheduler scheduler = scheduler();
        List<String> ran = new CopyOnWriteArrayList<>();
        Scheduler.Timer timer = scheduler.schedule(20 * MILLISECOND, () -> ran.add("cancelled"));
        Scheduler.Timer done = scheduler.schedule(0, () -> ran.add("done"));
        timer.cancel();
        timer.cancel();
        scheduler.schedule(60 * MILLISECOND, () -> ran.add("last"));
        assertThat(surroundings().await(() -> ran.contains("last"))).isTrue();
        done.cancel();
        assertThat(ran).containsExactly("done", "last");
    }
}
