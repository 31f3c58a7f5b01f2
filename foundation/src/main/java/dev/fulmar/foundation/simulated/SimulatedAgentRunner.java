package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.random.RandomSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs an agent step by step as events. A step takes a random time before the next begins, so that agents interleave in
 * ever other ways. What the agent throws comes out of the world's run method.
 */
public final class SimulatedAgentRunner implements AgentRunner {
    private static final int MAX_STEP_NANOS = 20_000;

    private static final int MAX_LONG_STEP_NANOS = 500_000;

    private final SimulatedProcess process;
    private final Agent agent;
    private final String label;
    private final long maxIdleNanos;
    private final RandomSource random;
    private State state = State.NEW;
    private boolean started;
    private boolean stepping;
    private boolean wakeUpPending;
    private SimulatedWorld.@Nullable Event nextStep;
    private boolean nextStepIsIdle;

    private enum State {
        NEW,
        RUNNING,
        CLOSED
    }

    SimulatedAgentRunner(SimulatedProcess process, Agent agent, long maxIdleNanos) {
        this.process = process;
        this.agent = agent;
        this.label = process + " " + agent.roleName();
        this.maxIdleNanos = maxIdleNanos;
        this.random = process.random().split("agent " + agent.roleName());
    }

    @Override
    public void start() {
        if (state != State.NEW) {
            throw new IllegalStateException(agent.roleName() + " was started before");
        }
        state = State.RUNNING;
        scheduleStep(stepNanos(), false, () -> {
            started = true;
            agent.onStart();
            step();
        });
    }

    @Override
    public void wakeUp() {
        SimulatedWorld.Event next = nextStep;
        if (state != State.RUNNING) {
            return;
        }
        if (stepping) {
            wakeUpPending = true;
        } else if (next == null || !next.isPending() || nextStepIsIdle) {
            if (next != null) {
                next.cancel();
            }
            scheduleStep(stepNanos(), false, this::step);
        }
    }

    @Override
    public void close() {
        boolean wasRunning = state == State.RUNNING && started;
        state = State.CLOSED;
        if (nextStep != null) {
            nextStep.cancel();
        }
        if (wasRunning && !stepping) {
            agent.onClose();
        }
    }

    private void step() {
        stepping = true;
        wakeUpPending = false;
        int work;
        try {
            work = agent.doWork();
        } finally {
            stepping = false;
        }
        if (state == State.CLOSED) {
            agent.onClose();
        } else if (work > 0 || wakeUpPending) {
            scheduleStep(stepNanos(), false, this::step);
        } else if (maxIdleNanos > 0) {
            scheduleStep(maxIdleNanos, true, this::step);
        }
    }

    private long stepNanos() {
        boolean isLong = random.nextInt(process.longStepOneIn()) == 0;
        return 1L + random.nextInt(isLong ? MAX_LONG_STEP_NANOS : MAX_STEP_NANOS);
    }

    private void scheduleStep(long delayNanos, boolean idle, Runnable action) {
        nextStepIsIdle = idle;
        nextStep = process.schedule(delayNanos, label, action);
    }
}
