package dev.fulmar.coordinator.planning.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LowPriorityPlannersTest {
    private static final int PLANNINGS = 50;

    @Test
    void aShortOneDoesNotWaitForTheEndOfALongOne() throws InterruptedException {
        try (LowPriorityPlanners planners = new LowPriorityPlanners(1)) {
            AtomicBoolean isEnough = new AtomicBoolean();
            CountDownLatch longEnded = new CountDownLatch(1);
            CountDownLatch shortEnded = new CountDownLatch(1);
            planners.execute(() -> {
                while (!isEnough.get()) {
                    planners.stepAside();
                }
                longEnded.countDown();
            });
            planners.execute(shortEnded::countDown);
            assertThat(shortEnded.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(longEnded.getCount()).isOne();
            isEnough.set(true);
            assertThat(longEnded.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void neverMoreRunThanMay() throws InterruptedException {
        try (LowPriorityPlanners planners = new LowPriorityPlanners(1)) {
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(PLANNINGS);
            for (int i = 0; i < PLANNINGS; i++) {
                planners.execute(() -> {
                    for (int step = 0; step < 100; step++) {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        running.decrementAndGet();
                        planners.stepAside();
                    }
                    ended.countDown();
                });
            }
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(most).hasValue(1);
        }
    }
}
