package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and the events in it. Whatever happens, happens in an event, on the thread that calls one of the run
 * methods.
 */
public final class SimulatedWorld {
    private final long seed;
    private final SeededRandom random;
    private final EventQueue queue = new EventQueue();
    private final SimulatedNetwork network;
    private final Map<NodeId, SimulatedDisk> disks = new TreeMap<>();
    private final List<Runnable> watches = new ArrayList<>();
    private long nowNanos;
    private long nextSequence;
    private long processes;
    private long executedEvents;
    private long hash;

    public SimulatedWorld(long seed) {
        this.seed = seed;
        this.random = new SeededRandom(seed);
        this.network = new SimulatedNetwork(this);
        this.hash = PartitioningHash.ofLong(seed);
    }

    public long seed() {
        return seed;
    }

    /** A random source for one owner's name; draws of other owners do not move it. */
    public SeededRandom random(String owner) {
        return random.split(owner);
    }

    /** True time since the world's beginning, which no node can see. */
    public long nowNanos() {
        return nowNanos;
    }

    public SimulatedNetwork network() {
        return network;
    }

    /** The node's disk, which outlives its processes. */
    public SimulatedDisk disk(NodeId node) {
        return disks.computeIfAbsent(node, id -> new SimulatedDisk(this, id));
    }

    /** Starts a new life of the node. */
    public SimulatedProcess startProcess(NodeId node) {
        return new SimulatedProcess(this, node, processes++);
    }

    /** Runs the watch after each event from now on; it changes nothing. */
    public void afterEach(Runnable watch) {
        watches.add(watch);
    }

    /** Adds an event that belongs to no process. */
    public Event schedule(long delayNanos, String label, Runnable action) {
        return schedule(null, delayNanos, label, action);
    }

    /** Adds an event that is dropped if the process is dead by then, and waits while the process stands still. */
    Event schedule(@Nullable SimulatedProcess owner, long delayNanos, String label, Runnable action) {
        Event event = new Event(Math.addExact(nowNanos, Math.max(0, delayNanos)), nextSequence++, owner, label, action);
        queue.add(event);
        return event;
    }

    /** A process has ended: nothing of it is kept for events that will not happen. */
    void forgetDeadEvents() {
        queue.forgetDead();
    }

    /** Executes the next event; false if there is none. */
    public boolean step() {
        while (true) {
            Event event = queue.poll();
            if (event == null) {
                return false;
            }
            if (event.isDead()) {
                continue;
            }
            nowNanos = event.timeNanos;
            SimulatedProcess owner = event.owner;
            if (owner != null && owner.standstillEndNanos() > nowNanos) {
                event.timeNanos = owner.standstillEndNanos();
                queue.add(event);
                continue;
            }
            execute(event);
            return true;
        }
    }

    private void execute(Event event) {
        executedEvents++;
        note(event.timeNanos);
        note(event.label.hashCode());
        event.executed = true;
        if (event.owner != null) {
            event.owner.countEvent();
        }
        event.action.run();
        watches.forEach(Runnable::run);
    }

    /** Executes events until there is none left or the limit is met; returns whether none is left. */
    public boolean runUntilIdle(long maxEvents) {
        for (long i = 0; i < maxEvents; i++) {
            if (!step()) {
                return true;
            }
        }
        return false;
    }

    /** Executes all events of the duration, and moves the time to its end. */
    public void runFor(long durationNanos) {
        long end = Math.addExact(nowNanos, durationNanos);
        while (hasEventUntil(end)) {
            step();
        }
        nowNanos = end;
    }

    /** Executes events until the condition holds or the duration ends; returns whether the condition holds. */
    public boolean runUntil(BooleanSupplier condition, long maxNanos) {
        long end = Math.addExact(nowNanos, maxNanos);
        while (!condition.getAsBoolean()) {
            if (!hasEventUntil(end)) {
                nowNanos = end;
                return condition.getAsBoolean();
            }
            step();
        }
        return true;
    }

    /**
     * As the other, for a condition that takes long to find out: asks for it only each time that so much time has
     * passed.
     */
    public boolean runUntil(BooleanSupplier condition, long maxNanos, long periodNanos) {
        long end = Math.addExact(nowNanos, maxNanos);
        while (!condition.getAsBoolean()) {
            if (nowNanos >= end) {
                return false;
            }
            runFor(Math.min(periodNanos, end - nowNanos));
        }
        return true;
    }

    private boolean hasEventUntil(long end) {
        while (true) {
            Event next = queue.peek();
            if (next == null || next.timeNanos > end) {
                return false;
            }
            SimulatedProcess owner = next.owner;
            if (next.isDead()) {
                queue.poll();
            } else if (owner != null && owner.standstillEndNanos() > next.timeNanos) {
                queue.poll();
                next.timeNanos = owner.standstillEndNanos();
                queue.add(next);
            } else {
                return true;
            }
        }
    }

    /** Mixes something that must repeat under the same seed into the hash. */
    public void note(long value) {
        hash = PartitioningHash.ofWide(hash, value);
    }

    /** As {@link #note(long)}. */
    public void note(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        note(PartitioningHash.ofBytes(bytes, 0, bytes.length));
    }

    /** Depends on every event so far, its time and label, and on everything noted. */
    public long hash() {
        return hash;
    }

    public long executedEvents() {
        return executedEvents;
    }

    /** An event in the future. Events of one time happen in the order in which they were added. */
    public static final class Event implements Comparable<Event> {
        private final long sequence;
        private final @Nullable SimulatedProcess owner;
        private final String label;
        private final Runnable action;
        private long timeNanos;
        private boolean cancelled;
        private boolean executed;

        Event(long timeNanos, long sequence, @Nullable SimulatedProcess owner, String label, Runnable action) {
            this.timeNanos = timeNanos;
            this.sequence = sequence;
            this.owner = owner;
            this.label = label;
            this.action = action;
        }

        /** Prevents the event; without effect once it has happened. */
        public void cancel() {
            cancelled = true;
        }

        /** Whether it has not happened and still will. */
        public boolean isPending() {
            return !executed && !isDead();
        }

        long timeNanos() {
            return timeNanos;
        }

        boolean isDead() {
            return cancelled || (owner != null && !owner.isAlive());
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNanos, other.timeNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(sequence);
        }
    }
}
