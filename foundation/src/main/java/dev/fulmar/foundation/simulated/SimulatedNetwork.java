package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.random.RandomSource;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Links between nodes. Messages of one pair arrive in order, those of different pairs in any; a message can be lost. Losing one message and
 * delivering the next stands for a link that broke and came back between them.
 */
public final class SimulatedNetwork {
    private static final long SELF_DELAY_NANOS = 1_000;

    private final SimulatedWorld world;
    private final RandomSource random;
    private final Map<NodeId, Endpoint> endpoints = new TreeMap<>();
    private final Map<Link, Long> lastDeliveryNanos = new TreeMap<>();
    private final Set<Link> blocked = new HashSet<>();
    private long minDelayNanos = 50_000;
    private long maxDelayNanos = 500_000;
    private double lossProbability;
    private long lostMessages;

    SimulatedNetwork(SimulatedWorld world) {
        this.world = world;
        this.random = world.random("network");
    }

    /** A direction between two nodes. */
    private record Link(NodeId from, NodeId to) implements Comparable<Link> {
        @Override
        public int compareTo(Link other) {
            int byFrom = from.compareTo(other.from);
            return byFrom != 0 ? byFrom : to.compareTo(other.to);
        }
    }

    /** How long messages travel from now on. */
    public void delay(long newMinNanos, long newMaxNanos) {
        if (newMinNanos < 0 || newMaxNanos < newMinNanos || newMaxNanos - newMinNanos >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no delay from " + newMinNanos + " to " + newMaxNanos);
        }
        minDelayNanos = newMinNanos;
        maxDelayNanos = newMaxNanos;
    }

    /** How many of the messages between different nodes are lost from now on, 0 to 1. */
    public void loss(double probability) {
        lossProbability = probability;
    }

    /** Cuts one direction. Messages under way are lost too. */
    public void block(NodeId from, NodeId to) {
        blocked.add(new Link(from, to));
    }

    /** Cuts both directions between every node of the one side and every node of the other. */
    public void partition(Set<NodeId> side, Set<NodeId> otherSide) {
        for (NodeId one : side) {
            for (NodeId other : otherSide) {
                block(one, other);
                block(other, one);
            }
        }
    }

    /** Mends one direction. */
    public void unblock(NodeId from, NodeId to) {
        blocked.remove(new Link(from, to));
    }

    /** Mends all links; loss and delay stay as they are. */
    public void heal() {
        blocked.clear();
    }

    public long lostMessages() {
        return lostMessages;
    }

    Endpoint join(SimulatedProcess process) {
        Endpoint endpoint = new Endpoint(process);
        endpoints.put(process.node(), endpoint);
        return endpoint;
    }

    void leave(SimulatedProcess process) {
        Endpoint endpoint = endpoints.get(process.node());
        if (endpoint != null && endpoint.process.equals(process)) {
            endpoints.remove(process.node());
        }
    }

    private void send(SimulatedProcess sender, NodeId to, byte[] message) {
        Endpoint target = endpoints.get(to);
        Link link = new Link(sender.node(), to);
        boolean local = sender.node().equals(to);
        if (target == null || blocked.contains(link) || (!local && random.nextDouble() < lossProbability)) {
            lostMessages++;
            return;
        }
        long travelNanos =
                local ? SELF_DELAY_NANOS : minDelayNanos + random.nextInt((int) (maxDelayNanos - minDelayNanos) + 1);
        long arrival = Math.max(world.nowNanos() + travelNanos, lastDeliveryNanos.getOrDefault(link, 0L));
        lastDeliveryNanos.put(link, arrival);
        target.process.schedule(arrival - world.nowNanos(), target.label, () -> {
            if (blocked.contains(link)) {
                lostMessages++;
            } else {
                target.deliver(sender.node(), message);
            }
        });
    }

    /** One process's access. */
    static final class Endpoint implements Network {
        private final SimulatedProcess process;
        private final String label;
        private @Nullable Receiver receiver;

        private Endpoint(SimulatedProcess process) {
            this.process = process;
            this.label = process + " message";
        }

        @Override
        public NodeId self() {
            return process.node();
        }

        @Override
        public void send(NodeId to, ByteBuffer message) {
            byte[] copy = new byte[message.remaining()];
            message.get(copy);
            if (process.isAlive()) {
                process.world().network().send(process, to, copy);
            }
        }

        private void deliver(NodeId from, byte[] message) {
            process.world().note(from.number());
            process.world().note(PartitioningHash.ofBytes(message, 0, message.length));
            if (receiver != null) {
                receiver.received(from, ByteBuffer.wrap(message));
            }
        }

        @Override
        public void onMessage(Receiver newReceiver) {
            receiver = newReceiver;
        }
    }
}
