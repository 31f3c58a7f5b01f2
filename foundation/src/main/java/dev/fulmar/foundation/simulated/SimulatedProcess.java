package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.storage.Storage;

/** One life of a node, from start to crash: everything that the node reaches through the seam. */
public final class SimulatedProcess {
    private static final int USUAL_LONG_STEP_ONE_IN = 20;

    private final SimulatedWorld world;
    private final NodeId node;
    private final String name;
    private final SimulatedClock clock;
    private final SimulatedScheduler scheduler;
    private final SimulatedNetwork.Endpoint network;
    private final SimulatedStorage storage;
    private final RandomSource random;
    private boolean alive = true;
    private long standstillEndNanos;
    private int longStepOneIn = USUAL_LONG_STEP_ONE_IN;
    private long executedEvents;

    SimulatedProcess(SimulatedWorld world, NodeId node, long life) {
        this.world = world;
        this.node = node;
        this.name = node + "." + life;
        this.random = world.random("process " + name);
        this.clock = new SimulatedClock(world, world.random("clock " + name));
        this.scheduler = new SimulatedScheduler(this);
        this.network = world.network().join(this);
        this.storage = new SimulatedStorage(world.disk(node), this);
    }

    SimulatedWorld world() {
        return world;
    }

    public NodeId node() {
        return node;
    }

    public SimulatedClock clock() {
        return clock;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public Network network() {
        return network;
    }

    public Storage storage() {
        return storage;
    }

    SimulatedNetwork.Endpoint endpoint() {
        return network;
    }

    /** The process's own source; split it by owner. */
    public RandomSource random() {
        return random;
    }

    /** A runner of the agent, whose steps are events of this process. */
    public SimulatedAgentRunner runner(Agent agent) {
        return new SimulatedAgentRunner(this, agent, 0);
    }

    /** As {@link #runner(Agent)}, asking an idle agent again after so long at the latest. */
    public SimulatedAgentRunner runner(Agent agent, long maxIdleNanos) {
        return new SimulatedAgentRunner(this, agent, maxIdleNanos);
    }

    /** Adds an event of this process, outside of scheduler and agents: work that a foreign thread would do. */
    public void execute(long delayNanos, String label, Runnable action) {
        world.schedule(this, delayNanos, label, action);
    }

    SimulatedWorld.Event schedule(long delayNanos, String label, Runnable action) {
        return world.schedule(this, delayNanos, label, action);
    }

    public boolean isAlive() {
        return alive;
    }

    /** Events of this process so far. What it has in memory changes in these only. */
    public long executedEvents() {
        return executedEvents;
    }

    void countEvent() {
        executedEvents++;
    }

    /** Ends the process with nothing said: its events never happen, and its disk loses what was not forced. */
    public void crash() {
        if (alive) {
            kill();
            world.disk(node).crash();
        }
    }

    /** Ends the process but not its machine, as a kill does: what was written to files stays. */
    public void kill() {
        if (alive) {
            alive = false;
            world.network().leave(this);
            world.note("end of " + name);
            world.forgetDeadEvents();
        }
    }

    /** Makes all events of the process wait, as a stopped process or a long garbage collection does. Time goes on. */
    public void standStill(long durationNanos) {
        standstillEndNanos = Math.max(standstillEndNanos, Math.addExact(world.nowNanos(), durationNanos));
    }

    /** From now on one step of a thread in so many takes long, as when the system lets it wait: others overtake it. */
    public void stutter(int oneIn) {
        longStepOneIn = oneIn;
    }

    /** Steps of a thread for each one that takes long. */
    public int longStepOneIn() {
        return longStepOneIn;
    }

    long standstillEndNanos() {
        return standstillEndNanos;
    }

    @Override
    public String toString() {
        return name;
    }
}
