package dev.fulmar.node.health;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Function;

/**
 * Has agents that wait for a device or another process watched from their start to their end. A wait within a step is
 * excused, as long as it takes; between two steps it waits for nothing, and has to come round when it is stirred.
 */
public final class WatchedAgents {
    private final Liveness liveness;
    private final Clock clock;

    public WatchedAgents(Liveness liveness, Clock clock) {
        this.liveness = liveness;
        this.clock = clock;
    }

    /** Makes runners of agents that are watched. */
    public Function<Agent, AgentRunner> around(Function<Agent, AgentRunner> runners) {
        return agent -> {
            TimedAgent timed = new TimedAgent(agent, clock);
            return new WatchedRunner(timed, runners.apply(timed));
        };
    }

    private final class WatchedRunner implements AgentRunner, Heart {
        private final TimedAgent agent;
        private final AgentRunner runner;

        WatchedRunner(TimedAgent agent, AgentRunner runner) {
            this.agent = agent;
            this.runner = runner;
        }

        @Override
        public void start() {
            liveness.watch(this);
            runner.start();
        }

        @Override
        public void wakeUp() {
            runner.wakeUp();
        }

        @Override
        public void close() {
            liveness.forget(this);
            runner.close();
        }

        @Override
        public String name() {
            return agent.roleName();
        }

        @Override
        public long beats() {
            return agent.steps();
        }

        @Override
        public boolean isExcused() {
            return agent.stepNanos() > 0;
        }

        @Override
        public void stir() {
            runner.wakeUp();
        }
    }
}
