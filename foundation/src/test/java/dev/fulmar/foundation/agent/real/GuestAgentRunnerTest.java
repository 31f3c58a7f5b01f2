package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.contract.AgentRunnerContract;
import dev.fulmar.foundation.contract.Surroundings;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuestAgentRunnerTest extends AgentRunnerContract {
    private static final String HOST = "the-host";

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final ExecutorService host = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name(HOST).factory());

    @Override
    protected AgentRunner runner(Agent agent) {
        return new GuestAgentRunner(new Quick(agent), host, new IdleStrategy(10, 2, 0), failures::add);
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }

    @AfterEach
    void endTheHost() {
        host.shutdownNow();
    }

    @Test
    void quickWorkIsDoneByTheHost() {
        Worker worker = new Worker();
        try (AgentRunner runner = guest(worker)) {
            start(runner, worker);
            worker.give(false);
            runner.wakeUp();
            assertThat(surroundings().await(() -> worker.threads.size() == 1)).isTrue();
            assertThat(worker.threads).containsExactly(HOST);
        }
    }

    @Test
    void workIsDoneThoughTheHostFailsToTakeATurn() {
        Worker worker = new Worker();
        AtomicBoolean fails = new AtomicBoolean();
        Executor failing = task -> {
            if (fails.get()) {
                throw new OutOfMemoryError("of the test");
            }
            host.execute(task);
        };
        try (AgentRunner runner = new GuestAgentRunner(worker, failing, new IdleStrategy(10, 2, 0), failures::add)) {
            start(runner, worker);
            fails.set(true);
            worker.give(false);
            assertThatThrownBy(runner::wakeUp).isInstanceOf(OutOfMemoryError.class);
            assertThat(surroundings().await(() -> worker.threads.size() == 1)).isTrue();
            fails.set(false);
            worker.give(false);
            runner.wakeUp();
            assertThat(surroundings().await(() -> worker.threads.size() == 2)).isTrue();
        }
    }

    @Test
    void theOwnerIsToldThoughNothingCanBeLogged() {
        try (AgentRunner runner =
                new GuestAgentRunner(new Unnameable(), host, new IdleStrategy(10, 2, 0), failures::add)) {
            runner.start();
            assertThat(surroundings().await(() -> !failures.isEmpty())).isTrue();
            assertThat(failures.getFirst()).isInstanceOf(StackOverflowError.class);
        }
    }

    @Test
    void longWorkDoesNotHoldUpTheHost() throws Exception {
        Worker worker = new Worker();
        try (AgentRunner runner = guest(worker)) {
            start(runner, worker);
            CountDownLatch end = new CountDownLatch(1);
            worker.during = end;
            worker.give(true);
            runner.wakeUp();
            assertThat(surroundings().await(() -> worker.threads.size() == 1)).isTrue();
            assertThat(worker.threads).containsExactly("worker");
            // A turn on the host neither waits for the agent's thread nor is with the agent beside it.
            worker.give(false);
            runner.wakeUp();
            host.submit(() -> {}).get(10, TimeUnit.SECONDS);
            assertThat(worker.threads).hasSize(1);
            end.countDown();
            assertThat(surroundings().await(() -> worker.threads.size() == 2)).isTrue();
            assertThat(worker.wasShared).isFalse();
        }
    }

    @Test
    void theHostTakesOverAgainAfterLongWork() {
        Worker worker = new Worker();
        try (AgentRunner runner = guest(worker)) {
            start(runner, worker);
            for (int i = 1; i <= 50; i++) {
                int done = worker.threads.size();
                worker.give(true);
                runner.wakeUp();
                assertThat(surroundings().await(() -> worker.threads.size() == done + 1))
                        .isTrue();
            }
            assertThat(worker.threads).doesNotContain(HOST);
            assertThat(surroundings().await(() -> {
                        worker.give(false);
                        runner.wakeUp();
                        surroundings().pass(1_000_000);
                        return worker.threads.contains(HOST);
                    }))
                    .isTrue();
            assertThat(worker.wasShared).isFalse();
        }
    }

    @Test
    void theAgentsThreadSleepsWhileLongWorkMustWait() {
        Worker worker = new Worker();
        try (AgentRunner runner = guest(worker)) {
            worker.held = true;
            start(runner, worker);
            worker.give(true);
            runner.wakeUp();
            surroundings().pass(20_000_000);
            int calls = worker.calls.get();
            surroundings().pass(50_000_000);
            assertThat(worker.calls.get()).isLessThan(calls + 5);
            worker.held = false;
            runner.wakeUp();
            assertThat(surroundings().await(() -> worker.done.get() == 1)).isTrue();
        }
    }

    @Test
    void theAgentsThreadGivesAnIdleAgentOneLookForEachSleep() {
        Worker worker = new Worker();
        long parkNanos = 1_000_000;
        try (AgentRunner runner =
                new GuestAgentRunner(worker, host, new IdleStrategy(50, 5, parkNanos), failures::add)) {
            start(runner, worker);
            surroundings().pass(20_000_000);
            int before = worker.calls.get();
            long beginNanos = System.nanoTime();
            surroundings().pass(100_000_000);
            long sleeps = (System.nanoTime() - beginNanos) / parkNanos;
            assertThat(worker.calls.get() - before).isBetween(1, (int) (2 * sleeps + 10));
            worker.give(false); // without a wake-up the next look finds it
            assertThat(surroundings().await(() -> worker.done.get() == 1)).isTrue();
        }
    }

    @Test
    void noWorkIsLostWhereBothMeet() {
        Worker worker = new Worker();
        int count = 20_000;
        try (AgentRunner runner = guest(worker)) {
            runner.start();
            for (int i = 0; i < count; i++) {
                worker.give(i % 7 == 0);
                runner.wakeUp();
                if (i % 64 == 0) {
                    int given = i + 1;
                    assertThat(surroundings().await(() -> worker.done.get() == given))
                            .as("%s of %s", worker.done, given)
                            .isTrue();
                }
            }
            assertThat(surroundings().await(() -> worker.done.get() == count)).isTrue();
            assertThat(worker.wasShared).isFalse();
        }
    }

    /**
     * Something long is expected and does not come; meanwhile somebody brings work, and wakes the agent's thread, which
     * is awake and has looked already.
     */
    @Test
    void workThatComesWhenTheAgentsThreadIsAboutToSleepIsNotLost() {
        AtomicInteger waiting = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        AtomicBoolean expectsLong = new AtomicBoolean(true);
        AtomicReference<Runnable> waker = new AtomicReference<>();
        Agent agent = new Agent() {
            @Override
            public int doWork() {
                if (waiting.get() > 0) {
                    waiting.decrementAndGet();
                    done.incrementAndGet();
                    return 1;
                }
                if (expectsLong.get()) {
                    waiting.incrementAndGet();
                    waker.get().run();
                    expectsLong.set(false);
                }
                return 0;
            }

            @Override
            public boolean mayTakeLong() {
                return expectsLong.get();
            }

            @Override
            public String roleName() {
                return "disappointed";
            }
        };
        IdleStrategy sleepsAtOnce = new IdleStrategy(0, 0, 0);
        try (AgentRunner runner = new GuestAgentRunner(agent, host, sleepsAtOnce, failures::add)) {
            waker.set(runner::wakeUp);
            runner.start();
            assertThat(surroundings().await(() -> done.get() == 1)).isTrue();
        }
    }

    @Test
    void withoutItsHostTheAgentGoesOnAlone() {
        Worker worker = new Worker();
        try (AgentRunner runner = guest(worker)) {
            start(runner, worker);
            host.shutdown();
            for (int i = 1; i <= 20; i++) {
                worker.give(false);
                runner.wakeUp();
                int expected = i;
                assertThat(surroundings().await(() -> worker.done.get() == expected))
                        .isTrue();
                surroundings().pass(1_000_000);
            }
            assertThat(worker.threads).doesNotContain(HOST);
        }
    }

    @Test
    void whatTheAgentThrowsOnTheHostIsToldToItsOwner() {
        AtomicBoolean closed = new AtomicBoolean();
        Agent agent = new Agent() {
            private int calls;

            @Override
            public int doWork() {
                if (Thread.currentThread().getName().equals(HOST)) {
                    calls++;
                    throw new IllegalStateException("expected by the test, call " + calls);
                }
                return 0;
            }

            @Override
            public boolean mayTakeLong() {
                return false;
            }

            @Override
            public String roleName() {
                return "failing";
            }

            @Override
            public void onClose() {
                closed.set(true);
            }
        };
        AgentRunner runner = guest(agent);
        runner.start();
        assertThat(surroundings().await(() -> {
                    runner.wakeUp();
                    return closed.get();
                }))
                .isTrue();
        runner.wakeUp();
        runner.close();
        assertThat(failures).singleElement().asString().contains("call 1");
    }

    private AgentRunner guest(Agent agent) {
        return new GuestAgentRunner(agent, host, new IdleStrategy(10, 2, 0), failures::add);
    }

    /** Starts and waits until the agent's own thread sleeps. */
    private void start(AgentRunner runner, Worker worker) {
        runner.start();
        assertThat(surroundings().await(worker::isAsleep)).isTrue();
    }

    /** An agent that never takes long. */
    private record Quick(Agent agent) implements Agent {
        @Override
        public int doWork() {
            return agent.doWork();
        }

        @Override
        public boolean mayTakeLong() {
            return false;
        }

        @Override
        public String roleName() {
            return agent.roleName();
        }

        @Override
        public void onStart() {
            agent.onStart();
        }

        @Override
        public void onClose() {
            agent.onClose();
        }
    }

    /** Notes which thread did each piece of work, and whether ever two were with it. */
    private static final class Worker implements Agent {
        final List<String> threads = new CopyOnWriteArrayList<>();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger done = new AtomicInteger();
        final AtomicInteger waiting = new AtomicInteger();
        final AtomicInteger waitingLong = new AtomicInteger();
        final AtomicBoolean busy = new AtomicBoolean();
        volatile @Nullable Thread own;
        volatile boolean wasShared;
        volatile boolean held;
        volatile CountDownLatch during = new CountDownLatch(0);

        void give(boolean takesLong) {
            if (takesLong) {
                waitingLong.incrementAndGet();
            } else {
                waiting.incrementAndGet();
            }
        }

        @Override
        public void onStart() {
            own = Thread.currentThread();
        }

        /** Whether the agent's own thread has looked for work and sleeps. Nothing else lets it wait. */
        boolean isAsleep() {
            Thread thread = own;
            return thread != null
                    && calls.get() > 0
                    && switch (thread.getState()) {
                        case WAITING, TIMED_WAITING -> true;
                        case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
                    };
        }

        @Override
        public int doWork() {
            wasShared |= !busy.compareAndSet(false, true);
            calls.incrementAndGet();
            boolean found = takeOne();
            busy.set(false);
            return found ? 1 : 0;
        }

        private boolean takeOne() {
            AtomicInteger queue = waitingLong.get() > 0 ? waitingLong : waiting;
            if (held || queue.get() == 0) {
                return false;
            }
            queue.decrementAndGet();
            if (threads.size() < 100) {
                threads.add(Thread.currentThread().getName());
            }
            try {
                during.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.incrementAndGet();
            return true;
        }

        @Override
        public boolean mayTakeLong() {
            return waitingLong.get() > 0;
        }

        @Override
        public String roleName() {
            return "worker";
        }
    }
}
