package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.random.RandomSource;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Links between nodes. Processes that reach each other have a session, which begins by itself. Once something of it is
 * lost nothing later of that direction arrives, and both sides hear of its end, each when it notices. Messages of
 * different pairs overtake each other.
 */
public final class SimulatedNetwork {
    private static final long SELF_DELAY_NANOS = 1_000;
    private static final int MAX_RECONNECT_NANOS = 20_000_000;

    private final SimulatedWorld world;
    private final RandomSource random;
    private final Map<NodeId, Endpoint> endpoints = new TreeMap<>();
    private final Set<Direction> blocked = new HashSet<>();

    /** Directions that stand still, and what waits to arrive there, in order. */
    private final Map<Direction, Deque<Runnable>> held = new HashMap<>();

    private long minDelayNanos = 50_000;
    private long maxDelayNanos = 500_000;
    private int maxNoticeNanos = 100_000_000;
    private long busyBytes = 4 << 20;
    private long maxWaitingBytes = 64 << 20;
    private double lossProbability;
    private long lostMessages;
    private long sessions;
    private Watcher watcher = (from, to, message) -> false;

    SimulatedNetwork(SimulatedWorld world) {
        this.world = world;
        this.random = world.random("network");
    }

    /** Sees messages between different nodes as they are sent, in the event of the process that sends. */
    @FunctionalInterface
    public interface Watcher {
        /** Returns whether the message is lost, and with it all that is sent after it in its session. */
        boolean sent(NodeId from, NodeId to, byte[] message);
    }

    /** From one node to another. */
    private record Direction(NodeId from, NodeId to) implements Comparable<Direction> {
        @Override
        public int compareTo(Direction other) {
            int byFrom = from.compareTo(other.from);
            return byFrom != 0 ? byFrom : to.compareTo(other.to);
        }
    }

    /** Sets the delay of messages from now on. */
    public void delay(long newMinNanos, long newMaxNanos) {
        if (newMinNanos < 0 || newMaxNanos < newMinNanos || newMaxNanos - newMinNanos >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no delay from " + newMinNanos + " to " + newMaxNanos);
        }
        minDelayNanos = newMinNanos;
        maxDelayNanos = newMaxNanos;
    }

    /** Sets the longest time, from now on, until a side notices that a session is at its end. */
    public void notice(int newMaxNanos) {
        maxNoticeNanos = newMaxNanos;
    }

    /** Sets the bytes under way that make a link busy, and those that end its session, from now on. */
    public void limits(long newBusyBytes, long newMaxWaitingBytes) {
        busyBytes = newBusyBytes;
        maxWaitingBytes = newMaxWaitingBytes;
    }

    /**
     * Sets the share of the messages between different nodes that are lost from now on, 0 to 1. Each ends its session.
     */
    public void loss(double probability) {
        lossProbability = probability;
    }

    /** Shows messages from now on. The watcher does not end processes at once: what they do goes on when it returns. */
    public void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /** Cuts one direction. Messages under way are lost too. */
    public void block(NodeId from, NodeId to) {
        blocked.add(new Direction(from, to));
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

    /** Whether both directions between the nodes are whole. */
    public boolean isWhole(NodeId one, NodeId other) {
        return !isBlocked(one, other) && !isBlocked(other, one);
    }

    /** Mends one direction. */
    public void unblock(NodeId from, NodeId to) {
        if (blocked.remove(new Direction(from, to))) {
            connectLater(from, to);
        }
    }

    /** Holds all messages of one direction until it is let go; they are neither lost nor overtaken. */
    public void hold(NodeId from, NodeId to) {
        held.computeIfAbsent(new Direction(from, to), direction -> new ArrayDeque<>());
    }

    /** Lets the held messages of the direction arrive now, in their order. */
    public void letGo(NodeId from, NodeId to) {
        Deque<Runnable> waiting = held.remove(new Direction(from, to));
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    /** Mends all links, and lets go what is held; loss and delay stay as they are. */
    public void heal() {
        for (Direction direction : List.copyOf(new TreeSet<>(held.keySet()))) {
            letGo(direction.from, direction.to);
        }
        blocked.clear();
        List<NodeId> nodes = new ArrayList<>(endpoints.keySet());
        for (int i = 0; i < nodes.size(); i++) {
            for (int j = i + 1; j < nodes.size(); j++) {
                connectLater(nodes.get(i), nodes.get(j));
            }
        }
    }

    /** Ends the session of two nodes, if there is one, as a broken connection does; another one follows. */
    public void breakSession(NodeId one, NodeId other) {
        Endpoint endpoint = endpoints.get(one);
        Side side = endpoint == null ? null : endpoint.sides.get(other);
        if (side != null) {
            breakOff(side);
        }
    }

    public long lostMessages() {
        return lostMessages;
    }

    /** Number of sessions so far. */
    public long sessions() {
        return sessions;
    }

    Endpoint join(SimulatedProcess process) {
        Endpoint endpoint = new Endpoint(process);
        Endpoint previous = endpoints.put(process.node(), endpoint);
        if (previous != null) {
            List.copyOf(previous.sides.values()).forEach(this::breakOff);
        }
        for (NodeId other : endpoints.keySet()) {
            if (!other.equals(process.node())) {
                world.schedule(travelNanos(), "connect", () -> connect(process.node(), other));
            }
        }
        return endpoint;
    }

    void leave(SimulatedProcess process) {
        Endpoint endpoint = process.endpoint();
        endpoints.remove(process.node(), endpoint);
        for (Side side : List.copyOf(endpoint.sides.values())) {
            // A process that ends has its connections closed by its machine, unless that is gone too.
            end(side.other(), random.nextInt(2) == 0 ? travelNanos() : noticeNanos());
            side.isOver = true;
        }
        endpoint.sides.clear();
    }

    private long travelNanos() {
        return minDelayNanos + random.nextInt((int) (maxDelayNanos - minDelayNanos) + 1);
    }

    private long noticeNanos() {
        return random.nextInt(maxNoticeNanos + 1);
    }

    private void connectLater(NodeId one, NodeId other) {
        world.schedule(random.nextInt(MAX_RECONNECT_NANOS), "connect", () -> connect(one, other));
    }

    private void connect(NodeId one, NodeId other) {
        Endpoint connecting = endpoints.get(one);
        Endpoint accepting = endpoints.get(other);
        if (connecting == null
                || accepting == null
                || isBlocked(one, other)
                || isBlocked(other, one)
                || connecting.sides.containsKey(other)
                || accepting.sides.containsKey(one)) {
            return;
        }
        sessions++;
        Side asking = new Side(connecting, other);
        Side asked = new Side(accepting, one);
        asking.other = asked;
        asked.other = asking;
        connecting.sides.put(other, asking);
        accepting.sides.put(one, asked);
        arrive(asked, () -> {
            arrive(asking, asking::open);
            asked.open();
        });
    }

    private boolean isBlocked(NodeId from, NodeId to) {
        return blocked.contains(new Direction(from, to));
    }

    /** Delivers an event of the session to the side, after all that was sent to it before. */
    private void arrive(Side side, Runnable action) {
        NodeId from = side.peer;
        NodeId to = side.owner.self();
        long arrivalNanos = Math.max(world.nowNanos() + travelNanos(), side.lastArrivalNanos);
        side.lastArrivalNanos = arrivalNanos;
        Runnable arrival = () -> {
            if (side.isOver || side.isDeaf || isBlocked(from, to)) {
                lostMessages++;
                breakOff(side);
            } else {
                action.run();
            }
        };
        side.owner.process.schedule(arrivalNanos - world.nowNanos(), side.owner.label, () -> {
            Deque<Runnable> waiting = held.get(new Direction(from, to));
            if (waiting == null) {
                arrival.run();
            } else {
                waiting.addLast(() -> arriveAfterHolding(side, arrival));
            }
        });
    }

    /** Delivers a message that was held; later ones of the session that were not held may not overtake it. */
    private void arriveAfterHolding(Side side, Runnable arrival) {
        side.lastArrivalNanos = Math.max(side.lastArrivalNanos, world.nowNanos());
        side.owner.process.schedule(0, side.owner.label, arrival);
    }

    /** Nothing more arrives at the side, and both sides hear of the session's end some time. */
    private void breakOff(Side side) {
        side.isDeaf = true;
        end(side, noticeNanos());
        end(side.other(), noticeNanos());
    }

    private void end(Side side, long delayNanos) {
        if (!side.isOver && !side.isEnding) {
            side.isEnding = true;
            side.owner.process.schedule(delayNanos, side.owner.label, () -> close(side));
        }
    }

    private void close(Side side) {
        if (side.isOver) {
            return;
        }
        side.isOver = true;
        side.owner.sides.remove(side.peer, side);
        if (side.isOpen && side.owner.listener != null) {
            side.owner.listener.linkLost(side.peer);
        }
        connectLater(side.owner.self(), side.peer);
    }

    private boolean send(Endpoint sender, NodeId to, byte[] message) {
        if (to.equals(sender.self())) {
            sender.process.schedule(SELF_DELAY_NANOS, sender.label, () -> sender.deliver(to, message));
            return true;
        }
        Side side = sender.sides.get(to);
        if (side == null || !side.isOpen) {
            lostMessages++;
            return false;
        }
        boolean isTaken = watcher.sent(sender.self(), to, message);
        Side target = side.other();
        if (side.waitingBytes + message.length > maxWaitingBytes) {
            breakOff(target);
            return false;
        }
        if (isTaken
                || side.isMute
                || target.isDeaf
                || isBlocked(sender.self(), to)
                || random.nextDouble() < lossProbability) {
            lostMessages++;
            silence(side);
            return true;
        }
        side.waitingBytes += message.length;
        side.isBusy |= side.waitingBytes > busyBytes;
        arrive(target, () -> {
            release(side, message.length);
            target.owner.deliver(sender.self(), message);
        });
        return true;
    }

    /**
     * Nothing that the side sends from now on arrives; what it sent before does, unless the session's end is noticed
     * sooner.
     */
    private void silence(Side side) {
        side.isMute = true;
        end(side, noticeNanos());
        end(side.other(), noticeNanos());
    }

    private void release(Side side, int bytes) {
        side.waitingBytes -= bytes;
        if (side.isBusy && side.waitingBytes <= busyBytes / 2) {
            side.isBusy = false;
            side.owner.process.schedule(travelNanos(), side.owner.label, () -> {
                if (side.isOpen && !side.isOver && side.owner.listener != null) {
                    side.owner.listener.linkFree(side.peer);
                }
            });
        }
    }

    /** One end of a session. It is open from when it is told that the link is up until it is told that it is lost. */
    private static final class Side {
        private final Endpoint owner;
        private final NodeId peer;
        private @Nullable Side other;
        private boolean isOpen;
        private boolean isDeaf;
        private boolean isMute;
        private boolean isBusy;
        private boolean isEnding;
        private boolean isOver;
        private long lastArrivalNanos;
        private long waitingBytes;

        Side(Endpoint owner, NodeId peer) {
            this.owner = owner;
            this.peer = peer;
        }

        Side other() {
            if (other == null) {
                throw new IllegalStateException("a session has two sides");
            }
            return other;
        }

        void open() {
            isOpen = true;
            if (owner.listener != null) {
                owner.listener.linkUp(peer);
            }
        }
    }

    /** One process's access. */
    static final class Endpoint implements Network {
        private final SimulatedProcess process;
        private final String label;
        private final Map<NodeId, Side> sides = new TreeMap<>();
        private @Nullable Receiver receiver;
        private @Nullable LinkListener listener;

        private Endpoint(SimulatedProcess process) {
            this.process = process;
            this.label = process + " message";
        }

        @Override
        public NodeId self() {
            return process.node();
        }

        @Override
        public boolean send(NodeId to, ByteBuffer... parts) {
            int length = 0;
            for (ByteBuffer part : parts) {
                length = Math.addExact(length, part.remaining());
            }
            if (length > MAX_MESSAGE_BYTES) {
                throw new IllegalArgumentException(
                        "a message of " + length + " bytes; there are at most " + MAX_MESSAGE_BYTES);
            }
            ByteBuffer copy = ByteBuffer.allocate(length);
            for (ByteBuffer part : parts) {
                copy.put(part.duplicate());
            }
            return process.isAlive() && process.world().network().send(this, to, copy.array());
        }

        @Override
        public boolean isBusy(NodeId to) {
            Side side = sides.get(to);
            return side != null && side.isBusy;
        }

        @Override
        public void endSession(NodeId node, String reason) {
            Side side = sides.get(node);
            if (side != null && process.isAlive()) {
                process.world().network().breakOff(side);
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

        @Override
        public void onLink(LinkListener newListener) {
            listener = newListener;
        }
    }
}
