package dev.fulmar.coordinator.planning.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LowPriorityPlannersTest {
    private static final int PLANNINGS = 50;
    private static final long LONGER_THAN_LONG_NANOS = 200_000_000;

    private final AtomicLong work = new AtomicLong();
    private final AtomicInteger rests = new AtomicInteger();
    private final AtomicLong processorNanos = new AtomicLong();
    private final AtomicInteger compilersGiveWay = new AtomicInteger();

    /** One at a time, whose rests are counted and take no time. */
    private LowPriorityPlanners planners() {
        return new LowPriorityPlanners(
                1, work::get, nanos -> rests.incrementAndGet(), processorNanos::get, compilersGiveWay::incrementAndGet);
    }

    @Test
    void aShortOneDoesNotWaitForTheEndOfALongOne() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            AtomicBoolean isEnough = new AtomicBoolean();
            CountDownLatch longEnded = begin(planners, isEnough::get);
            CountDownLatch shortEnded = new CountDownLatch(1);
            planners.execute(() -> ended(shortEnded));
            await(shortEnded);
            assertThat(longEnded.getCount()).isOne();
            isEnough.set(true);
            await(longEnded);
        }
    }

    @Test
    void neverMoreRunThanMay() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(PLANNINGS);
            for (int i = 0; i < PLANNINGS; i++) {
                planners.execute(() -> {
                    for (int step = 0; step < 100; step++) {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        running.decrementAndGet();
                        goOn(planners);
                    }
                    return ended(ended);
                });
            }
            await(ended);
            assertThat(most).hasValue(1);
        }
    }

    @Test
    void oneThatTakesLongRestsWhilePartitionsHaveWork() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            CountDownLatch ended = begin(planners, () -> {
                work.incrementAndGet();
                return rests.get() >= 3;
            });
            await(ended);
        }
    }

    @Test
    void nobodyRestsWhileThereIsNoWork() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            await(begin(planners, longEnough()));
            assertThat(rests).hasValue(0);
        }
    }

    @Test
    void nobodyRestsWhileOthersMayWaitToBegin() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            AtomicInteger begun = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(planners.count());
            for (int i = 0; i < planners.count(); i++) {
                planners.execute(() -> {
                    begun.incrementAndGet();
                    while (begun.get() < planners.count()) {
                        goOn(planners);
                    }
                    rests.set(0);
                    BooleanSupplier isEnough = longEnough();
                    while (!isEnough.getAsBoolean()) {
                        work.incrementAndGet();
                        goOn(planners);
                    }
                    assertThat(rests).hasValue(0);
                    ended.countDown();
                    while (ended.getCount() > 0) {
                        goOn(planners);
                    }
                    return true;
                });
            }
            await(ended);
        }
    }

    @Test
    void ofThoseThatTakeLongOneGoesOnAndTheOthersAskAgain() throws InterruptedException {
        CountDownLatch resting = new CountDownLatch(1);
        CountDownLatch wasStopped = new CountDownLatch(1);
        AtomicReference<@Nullable Thread> first = new AtomicReference<>();
        // The first one has the slow turn from its first rest on; it keeps it in its second.
        LongConsumer secondRest = nanos -> {
            if (Thread.currentThread().equals(first.get()) && rests.incrementAndGet() == 2) {
                resting.countDown();
                awaitUninterruptibly(wasStopped);
            }
        };
        try (LowPriorityPlanners planners = new LowPriorityPlanners(
                1, work::incrementAndGet, secondRest, () -> 0, compilersGiveWay::incrementAndGet)) {
            CountDownLatch ended = begin(planners, () -> {
                first.set(Thread.currentThread());
                return rests.get() >= 2;
            });
            await(resting);
            planners.execute(() -> {
                while (planners.goesOn()) {
                    Thread.onSpinWait();
                }
                return ended(wasStopped);
            });
            await(ended);
        }
    }

    @Test
    void compilersGiveWayOncePlanningsInVainAreUsual() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            plan(planners, 900, false);
            assertThat(compilersGiveWay).hasValue(0);
            plan(planners, 101, false);
            assertThat(compilersGiveWay).hasValue(1);
            plan(planners, 5_000, false);
            assertThat(compilersGiveWay).hasValue(1);
        }
    }

    /** The first ones of a process take hundreds of milliseconds each, and a jar has many statements. */
    @Test
    void compilersGoOnAfterManyPlanningsThatAreDone() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            for (int i = 0; i < PLANNINGS; i++) {
                plan(planners, 10_000, true);
            }
            assertThat(compilersGiveWay).hasValue(0);
        }
    }

    /** A planning that takes so much processor time. */
    private void plan(LowPriorityPlanners planners, long millis, boolean isDone) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        planners.execute(() -> {
            begun.countDown();
            processorNanos.addAndGet(millis * 1_000_000);
            return isDone;
        });
        await(begun);
        CountDownLatch counted = new CountDownLatch(1);
        // It has the one turn once the planning before it is counted.
        planners.execute(() -> ended(counted));
        await(counted);
    }

    @Test
    void thoseThatTakeLongTakeTurns() throws InterruptedException {
        try (LowPriorityPlanners planners = planners()) {
            AtomicBoolean isEnough = new AtomicBoolean();
            CountDownLatch first = begin(planners, isEnough::get);
            await(begin(planners, longEnough()));
            assertThat(first.getCount()).isOne();
            isEnough.set(true);
            await(first);
        }
    }

    private static BooleanSupplier longEnough() {
        long end = System.nanoTime() + LONGER_THAN_LONG_NANOS;
        return () -> System.nanoTime() > end;
    }

    /** Plans until it is enough. */
    private static CountDownLatch begin(LowPriorityPlanners planners, BooleanSupplier isEnough) {
        CountDownLatch ended = new CountDownLatch(1);
        planners.execute(() -> {
            while (!isEnough.getAsBoolean()) {
                goOn(planners);
            }
            return ended(ended);
        });
        return ended;
    }

    /** The outcome of a planning that is done. */
    private static boolean ended(CountDownLatch latch) {
        latch.countDown();
        return true;
    }

    private static void goOn(LowPriorityPlanners planners) {
        while (!planners.goesOn()) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
