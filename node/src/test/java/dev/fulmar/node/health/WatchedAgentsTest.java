package dev.fulmar.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import org.junit.jupiter.api.Test;

/** One thread: what an agent does in a step asks about it, as another thread would. */
class WatchedAgentsTest {
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final HandClock clock = new HandClock();
    private final Liveness liveness = new Liveness(clock, LIMIT_NANOS);
    private final WatchedAgents agents = new WatchedAgents(liveness, clock);
    private Agent kept = agent(() -> {});

    private static Agent agent(Runnable step) {
        return new Agent() {
            @Override
            public int doWork() {
                step.run();
                return 7;
            }

            @Override
            public String roleName() {
                return "an agent";
            }
        };
    }

    /** Never runs it by itself. */
    private AgentRunner keeping(Agent agent) {
        kept = agent;
        return new AgentRunner() {
            @Override
            public void start() {}

            @Override
            public void wakeUp() {}

            @Override
            public void close() {}
        };
    }

    /** Time passes in which a supervisor asks; returns whether it always heard that the node lives. */
    private boolean livesFor(long seconds) {
        boolean lives = true;
        for (long passed = 0; passed < seconds; passed += 5) {
            clock.advance(5_000_000_000L);
            lives &= liveness.ask().isGood();
        }
        return lives;
    }

    @Test
    void anAgentWaitsInAStepAsLongAsItsDeviceTakes() {
        AgentRunner runner = agents.around(this::keeping)
                .apply(agent(() -> assertThat(livesFor(3_600)).isTrue()));
        runner.start();
        assertThat(kept.doWork()).isEqualTo(7);
        assertThat(livesFor(25)).isTrue();
        assertThat(livesFor(20)).as("between two steps it waits for nothing").isFalse();
        assertThat(liveness.ask().problems()).first().asString().startsWith("an agent has not come round for");
        runner.close();
        assertThat(liveness.ask().isGood()).as("it was to end").isTrue();
    }

    @Test
    void anAgentThatTakesStepsLives() {
        agents.around(this::keeping).apply(agent(() -> {})).start();
        for (int i = 0; i < 10; i++) {
            assertThat(livesFor(25)).isTrue();
            assertThat(kept.doWork()).isEqualTo(7);
        }
    }

    @Test
    void theTimeOfAStepIsKnownWithinItAlone() {
        long[] within = new long[2];
        TimedAgent[] timed = new TimedAgent[1];
        timed[0] = new TimedAgent(
                agent(() -> {
                    within[0] = timed[0].stepNanos();
                    clock.advance(LIMIT_NANOS);
                    within[1] = timed[0].stepNanos();
                }),
                clock);
        assertThat(timed[0].stepNanos()).isZero();
        assertThat(timed[0].doWork()).isEqualTo(7);
        assertThat(within).as("in a step, however short").containsExactly(1, LIMIT_NANOS);
        assertThat(timed[0].stepNanos()).isZero();
        assertThat(timed[0].steps()).isEqualTo(1);
    }
}
