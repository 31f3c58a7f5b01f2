package dev.fulmar.foundation.agent.real;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an agent on a thread of its own. An agent that throws is finished: its owner is told, since only the owner knows
 * whether the node can go on without it.
 */
public final class ThreadAgentRunner implements AgentRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadAgentRunner.class);

    private final Agent agent;
    private final IdleStrategy idleStrategy;
    private final OptionalInt core;
    private final Consumer<? super Throwable> onFailure;
    private final WakeUpGate gate = new WakeUpGate();
    private final Thread thread;
    private volatile boolean closing;

    /** @param onFailure told on the agent's thread what the agent threw */
    public ThreadAgentRunner(Agent agent, IdleStrategy idleStrategy, Consumer<? super Throwable> onFailure) {
        this(agent, idleStrategy, OptionalInt.empty(), onFailure);
    }

    /** @param core core to pin the thread to, where the system allows it */
    public ThreadAgentRunner(
            Agent agent, IdleStrategy idleStrategy, OptionalInt core, Consumer<? super Throwable> onFailure) {
        this.agent = agent;
        this.idleStrategy = idleStrategy;
        this.core = core;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().daemon().name(agent.roleName()).unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wakeUp() {
        gate.wakeUp();
    }

    @Override
    public void close() {
        closing = true;
        gate.wakeUp();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        ThreadEnd.await(thread);
    }

    private void run() {
        try {
            if (core.isPresent()) {
                LOG.info("{}", ThreadAffinity.pinCurrentThread(core.getAsInt()).report());
            }
            agent.onStart();
            dutyCycles();
        } catch (RuntimeException | Error e) {
            // The owner decides what becomes of the process; words about it may fail.
            onFailure.accept(e);
            LOG.error("{} failed and is finished", agent.roleName(), e);
        } finally {
            agent.onClose();
        }
    }

    /**
     * Gives the core away before it sleeps, since waking a thread costs far more; nothing depends on when it gets it
     * back.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private void dutyCycles() {
        int spins = idleStrategy.spins();
        int looks = spins + idleStrategy.yields();
        Patience patience = new Patience(System::nanoTime, idleStrategy.patienceNanos());
        int empty = 0;
        while (!closing) {
            if (agent.doWork() > 0) {
                empty = 0;
                patience.found();
            } else if (empty < spins) {
                empty++;
                Thread.onSpinWait();
            } else if (empty < looks) {
                empty++;
                Thread.yield();
            } else if (patience.looksAgain()) {
                Thread.yield();
            } else if (sleep()) {
                empty = 0;
            }
        }
    }

    /** Returns whether there was work before the thread fell asleep. */
    private boolean sleep() {
        gate.announceSleep();
        if (closing || agent.doWork() > 0) {
            gate.stayAwake();
            return true;
        }
        gate.sleep(idleStrategy.parkNanos());
        return false;
    }
}
