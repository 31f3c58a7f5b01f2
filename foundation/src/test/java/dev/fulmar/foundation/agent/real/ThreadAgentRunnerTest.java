package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.contract.AgentRunnerContract;
import dev.fulmar.foundation.contract.Surroundings;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThreadAgentRunnerTest extends AgentRunnerContract {
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    protected AgentRunner runner(Agent agent) {
        return new ThreadAgentRunner(agent, new IdleStrategy(10, 2, 0), failures::add);
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }

    @Test
    void whatTheAgentThrowsIsToldToItsOwner() {
        List<String> events = new CopyOnWriteArrayList<>();
        Agent agent = new Agent() {
            @Override
            public int doWork() {
                throw new IllegalStateException("expected by the test");
            }

            @Override
            public String roleName() {
                return "failing";
            }

            @Override
            public void onClose() {
                events.add("closed");
            }
        };
        AgentRunner runner = runner(agent);
        runner.start();
        assertThat(surroundings().await(() -> !events.isEmpty())).isTrue();
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
        runner.close();
        assertThat(events).containsExactly("closed");
    }

    @Test
    void anAgentWithATimeLimitIsAskedAgainWithoutBeingWoken() {
        CountingAgent agent = new CountingAgent();
        try (AgentRunner runner = new ThreadAgentRunner(agent, new IdleStrategy(0, 0, 1_000_000), failures::add)) {
            runner.start();
            assertThat(surroundings().await(() -> agent.calls.get() > 5)).isTrue();
        }
    }

    @Test
    void aPinnedAgentRunsOnItsCore() {
        List<Integer> allowed = ThreadAffinity.allowedCores();
        int core = allowed.isEmpty() ? 0 : allowed.getLast();
        CountingAgent agent = new CountingAgent();
        try (AgentRunner runner =
                new ThreadAgentRunner(agent, new IdleStrategy(0, 0, 1_000_000), OptionalInt.of(core), failures::add)) {
            runner.start();
            assertThat(surroundings().await(() -> agent.calls.get() > 1)).isTrue();
        }
        if (!allowed.isEmpty()) {
            assertThat(agent.coresSeen).containsExactly(core);
        }
    }

    /** Counts how often it was asked. */
    private static final class CountingAgent implements Agent {
        final AtomicInteger calls = new AtomicInteger();
        volatile List<Integer> coresSeen = List.of();

        @Override
        public int doWork() {
            coresSeen = ThreadAffinity.allowedCores();
            calls.incrementAndGet();
            return 0;
        }

        @Override
        public String roleName() {
            return "counting";
        }
    }

    @Test
    void theOwnerIsToldThoughNothingCanBeLogged() throws InterruptedException {
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        try (AgentRunner runner = new ThreadAgentRunner(new Unnameable(), new IdleStrategy(10, 2, 0), told::add)) {
            runner.start();
            assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(StackOverflowError.class);
        }
    }
}
