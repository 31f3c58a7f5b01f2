package dev.fulmar.foundation.contract;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A node of a contract's network, with everything that its network told it, per sender in that order. */
public final class NetworkMember implements Network.Receiver, Network.LinkListener {
    private final Network network;
    private final List<Told> told = new CopyOnWriteArrayList<>();
    private final Semaphore gate = new Semaphore(1 << 20);

    /** A message's first number, or what happened to the link. */
    public record Told(NodeId from, What what, int number, int length) {}

    /** What was told. */
    public enum What {
        UP,
        LOST,
        FREE,
        MESSAGE
    }

    public NetworkMember(Network network) {
        this.network = network;
        network.onMessage(this);
        network.onLink(this);
    }

    /** Sends a message of the length that begins with the number. */
    public boolean send(NodeId to, int number, int length) {
        return network.send(to, ByteBuffer.allocate(length).putInt(0, number));
    }

    public Network network() {
        return network;
    }

    public boolean isLinked(NodeId node) {
        What last = null;
        for (Told one : told) {
            if (one.from().equals(node) && (one.what() == What.UP || one.what() == What.LOST)) {
                last = one.what();
            }
        }
        return last == What.UP;
    }

    public List<Told> told() {
        return List.copyOf(told);
    }

    /** What was told of the node. */
    public List<Told> told(NodeId from) {
        return told.stream().filter(one -> one.from().equals(from)).toList();
    }

    public long count(NodeId from, What what) {
        return told.stream()
                .filter(one -> one.from().equals(from) && one.what() == what)
                .count();
    }

    /** The numbers of the messages that came from the node. */
    public List<Integer> numbers(NodeId from) {
        return told.stream()
                .filter(one -> one.from().equals(from) && one.what() == What.MESSAGE)
                .map(Told::number)
                .toList();
    }

    /** While it is open, the receiver's thread waits with the next message. */
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Holds up the receiver's thread; a network that waits for that thread at its end ends only after the hold.
     *
     * @param waits false where a receiver's thread may not wait: then nothing is held up
     */
    public Hold holdUp(boolean waits) {
        if (!waits) {
            return () -> {};
        }
        gate.drainPermits();
        return () -> {
            gate.drainPermits();
            gate.release(1 << 20);
        };
    }

    @Override
    public void received(NodeId from, ByteBuffer message) {
        gate.acquireUninterruptibly();
        gate.release();
        told.add(new Told(from, What.MESSAGE, message.getInt(message.position()), message.remaining()));
    }

    @Override
    public void linkUp(NodeId node) {
        told.add(new Told(node, What.UP, 0, 0));
    }

    @Override
    public void linkLost(NodeId node) {
        told.add(new Told(node, What.LOST, 0, 0));
    }

    @Override
    public void linkFree(NodeId node) {
        told.add(new Told(node, What.FREE, 0, 0));
    }
}
