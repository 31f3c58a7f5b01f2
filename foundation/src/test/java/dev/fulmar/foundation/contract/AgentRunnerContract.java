package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

public abstract class AgentRunnerContract {
    /** A runner that sleeps until it is woken. */
    protected abstract AgentRunner runner(Agent agent);

    protected abstract Surroundings surroundings();

    /** Does what it is told and writes down what happens. */
    private static final class RecordingAgent implements Agent {
        final List<String> events = new CopyOnWriteArrayList<>();
        final AtomicInteger pending = new AtomicInteger();
        final AtomicInteger done = new AtomicInteger();
        Runnable duringWork = () -> {};

        @Override
        public int doWork() {
            if (pending.get() == 0) {
                return 0;
            }
            duringWork.run();
            pending.decrementAndGet();
            done.incrementAndGet();
            return 1;
        }

        @Override
        public String roleName() {
            return "recorder";
        }

        @Override
        public void onStart() {
            events.add("start after " + done.get());
        }

        @Override
        public void onClose() {
            events.add("close after " + done.get());
        }
    }

    @Test
    void startsWorksAndCloses() {
        RecordingAgent agent = new RecordingAgent();
        agent.pending.set(5);
        AgentRunner runner = runner(agent);
        runner.start();
        assertThat(surroundings().await(() -> agent.done.get() == 5)).isTrue();
        runner.close();
        runner.close();
        agent.pending.set(1);
        runner.wakeUp();
        surroundings().pass(5_000_000);
        assertThat(agent.done).hasValue(5);
        assertThat(agent.events).containsExactly("start after 0", "close after 5");
    }

    @Test
    void aSleepingAgentIsWoken() {
        RecordingAgent agent = new RecordingAgent();
        AgentRunner runner = runner(agent);
        runner.wakeUp();
        runner.start();
        for (int i = 1; i <= 20; i++) {
            surroundings().pass(3_000_000);
            assertThat(agent.done).hasValue(i - 1);
            agent.pending.incrementAndGet();
            runner.wakeUp();
            int expected = i;
            assertThat(surroundings().await(() -> agent.done.get() == expected)).isTrue();
        }
        runner.close();
    }

    @Test
    void anAgentCanWakeItself() {
        RecordingAgent agent = new RecordingAgent();
        AtomicReference<AgentRunner> runner = new AtomicReference<>();
        agent.pending.set(1);
        agent.duringWork = () -> {
            if (agent.done.get() < 10) {
                agent.pending.incrementAndGet();
                runner.get().wakeUp();
            }
        };
        runner.set(runner(agent));
        runner.get().start();
        assertThat(surroundings().await(() -> agent.done.get() == 11)).isTrue();
        runner.get().close();
    }

    @Test
    void anAgentCanCloseItself() {
        RecordingAgent agent = new RecordingAgent();
        AtomicReference<AgentRunner> runner = new AtomicReference<>();
        agent.pending.set(3);
        agent.duringWork = () -> runner.get().close();
        runner.set(runner(agent));
        runner.get().start();
        assertThat(surroundings().await(() -> agent.events.size() == 2)).isTrue();
        assertThat(agent.events).containsExactly("start after 0", "close after 1");
        runner.get().close();
        assertThat(agent.done).hasValue(1);
    }

    @Test
    void closingWhatNeverStartedDoesNothing() {
        RecordingAgent agent = new RecordingAgent();
        runner(agent).close();
        surroundings().pass(1_000_000);
        assertThat(agent.events).isEmpty();
    }
}
