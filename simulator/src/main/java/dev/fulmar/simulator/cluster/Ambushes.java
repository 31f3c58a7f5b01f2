package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Faults that wait for their {@link Moment}: they strike the node that sends a message of the kind, or the one that is
 * to get it.
 */
final class Ambushes {
    private static final long LONGEST_WAIT_NANOS = 3_000_000_000L;

    /** A message passes by before it for each step of a fault's strength. */
    private static final int STEPS = 4;

    private final SimulatedWorld world;
    private final Consumer<String> notes;
    private final Spring spring;
    private final Map<Fault, Integer> waiting = new LinkedHashMap<>();

    /** Whom a fault struck. */
    record Ends(NodeId victim, NodeId other) {}

    /** Does what a fault does when its moment has come. */
    @FunctionalInterface
    interface Spring {
        /** Returns whether the message is lost. */
        boolean strike(Fault fault, Ends ends);
    }

    /** @param notes takes what happened, for people */
    Ambushes(SimulatedWorld world, Consumer<String> notes, Spring spring) {
        this.world = world;
        this.notes = notes;
        this.spring = spring;
        world.network().watch(this::sent);
    }

    /** The fault strikes when its moment comes, unless that takes too long. */
    void lay(Fault fault) {
        waiting.put(fault, (int) (fault.strength() * STEPS));
        world.schedule(LONGEST_WAIT_NANOS, "an ambush is given up", () -> {
            if (waiting.remove(fault) != null) {
                notes.accept("in vain: " + fault);
            }
        });
    }

    /** None waits any more. */
    void clear() {
        waiting.clear();
    }

    private boolean sent(NodeId from, NodeId to, byte[] message) {
        if (waiting.isEmpty()) {
            return false;
        }
        List<Fault> now = new ArrayList<>();
        waiting.forEach((fault, before) -> {
            if (Moment.numbered(fault.other()).isOf(message)) {
                now.add(fault);
            }
        });
        boolean isLost = false;
        for (Fault fault : now) {
            isLost |= meets(fault, from, to);
        }
        return isLost;
    }

    private boolean meets(Fault fault, NodeId from, NodeId to) {
        Integer before = waiting.get(fault);
        if (before == null) {
            return false;
        }
        if (before > 0) {
            waiting.put(fault, before - 1);
            return false;
        }
        waiting.remove(fault);
        Ends ends = fault.node() % 2 == 0 ? new Ends(from, to) : new Ends(to, from);
        notes.accept(Moment.numbered(fault.other()) + " from " + from + " to " + to + " meets " + fault);
        return spring.strike(fault, ends);
    }
}
