package dev.fulmar.coordinator.fiber.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberHome;
import dev.fulmar.coordinator.fiber.FiberStretch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HomeFiberTest {
    private final ArrayDeque<FiberStretch> due = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();

    private void runDue() {
        while (!due.isEmpty()) {
            due.remove().run();
        }
    }

    @Test
    void runsAtItsHomeOnlyAndGoesOnWhereItWaited() {
        AtomicReference<Fiber> self = new AtomicReference<>();
        Fiber fiber = new JvmFibers(true).create("test", due::add, () -> {
            seen.add("begun");
            self.get().park();
            seen.add("went on");
        });
        self.set(fiber);

        fiber.start();
        assertThat(seen).isEmpty();
        runDue();
        assertThat(seen).containsExactly("begun");
        fiber.unpark();
        assertThat(seen).containsExactly("begun");
        runDue();
        assertThat(seen).containsExactly("begun", "went on");
        fiber.unpark();
        assertThat(due).isEmpty();
    }

    @Test
    void aPermitGivenBeforeTheWaitEndsItAtOnce() {
        AtomicReference<Fiber> self = new AtomicReference<>();
        Fiber fiber = new JvmFibers(true).create("test", due::add, () -> {
            self.get().unpark();
            self.get().unpark();
            self.get().park();
            seen.add("one permit");
            self.get().park();
            seen.add("not two");
        });
        self.set(fiber);

        fiber.start();
        runDue();

        assertThat(seen).containsExactly("one permit");
    }

    @Test
    void aPermitGivenBeforeTheStartDoesNotStartItAndEndsTheFirstWait() {
        AtomicReference<Fiber> self = new AtomicReference<>();
        Fiber fiber = new JvmFibers(true).create("test", due::add, () -> {
            self.get().park();
            seen.add("one permit");
            self.get().park();
            seen.add("not two");
        });
        self.set(fiber);

        fiber.unpark();
        fiber.unpark();
        assertThat(due).isEmpty();
        fiber.start();
        runDue();

        assertThat(seen).containsExactly("one permit");
    }

    @Test
    void noPermitIsLostBetweenThreads() throws InterruptedException {
        int rounds = 20_000;
        LinkedBlockingQueue<FiberStretch> stretches = new LinkedBlockingQueue<>();
        AtomicInteger given = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        AtomicReference<Fiber> self = new AtomicReference<>();
        self.set(new JvmFibers(true).create("test", stretches::add, () -> {
            while (taken.get() < rounds) {
                while (given.get() == taken.get()) {
                    self.get().park();
                }
                taken.incrementAndGet();
            }
            end.countDown();
        }));
        Thread home = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (end.getCount() > 0) {
                    FiberStretch stretch = stretches.poll(10, TimeUnit.MILLISECONDS);
                    if (stretch != null) {
                        stretch.run();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        self.get().start();
        for (int i = 0; i < rounds; i++) {
            while (given.get() - taken.get() > 1) {
                Thread.onSpinWait();
            }
            given.incrementAndGet();
            self.get().unpark();
        }

        assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
        home.join();
    }

    @Test
    void aHomeThatHasClosedLeavesNoFiberBehind() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicReference<Fiber> self = new AtomicReference<>();
        FiberHome closed = FiberStretch::strand;
        self.set(new JvmFibers(true).create("test", closed, () -> {
            self.get().park();
            end.countDown();
        }));

        self.get().start();
        self.get().unpark();

        assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
