package dev.fulmar.node.health;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.time.Clock;

/** An agent that tells how many steps it has made, and how long it is in one. Any thread may ask. */
public final class TimedAgent implements Agent {
    private final Agent agent;
    private final Clock clock;

    /** Written by the agent's thread only. */
    private volatile long steps;

    private volatile long begunNanos;
    private volatile boolean isInStep;

    public TimedAgent(Agent agent, Clock clock) {
        this.agent = agent;
        this.clock = clock;
    }

    /** Number of steps that have ended. */
    public long steps() {
        return steps;
    }

    /** Time that the step under way has taken so far, at least 1; 0 between two steps. */
    public long stepNanos() {
        long begun = begunNanos;
        // The mark may be that of a later step, which began at another time.
        return isInStep && begun == begunNanos ? Math.max(1, clock.monotonicNanos() - begun) : 0;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time runs an agent
    public int doWork() {
        begunNanos = clock.monotonicNanos();
        isInStep = true;
        int done = agent.doWork();
        isInStep = false;
        steps++;
        return done;
    }

    @Override
    public boolean mayTakeLong() {
        return agent.mayTakeLong();
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
