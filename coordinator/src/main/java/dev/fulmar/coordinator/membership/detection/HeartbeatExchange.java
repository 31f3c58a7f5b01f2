package dev.fulmar.coordinator.membership.detection;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.time.Clock;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Agent that exchanges heartbeats with other nodes. The network's thread hands them in with {@link #received}; all else
 * happens in the agent's steps, where what has arrived is taken before time is looked at. Its runner wakes it once per
 * interval at least.
 */
public final class HeartbeatExchange implements Agent {
    private final FailureDetector detector;
    private final long intervalNanos;
    private final Clock clock;
    private final Network network;
    private final Queue<Arrival> arrivals;
    private final Consumer<FailureDetector.Change> onChange;
    private final ByteBuffer buffer = ByteBuffer.allocate(Heartbeat.BYTES);
    private boolean begun;
    private long nextTickNanos;

    /** A heartbeat, or null for a connection that broke. */
    public record Arrival(NodeId from, @Nullable Heartbeat heartbeat) {}

    /**
     * @param arrivals empty; safe for many threads that add, and bounded: what finds no place is dropped, as the
     *     network may do anyway
     * @param onChange is told of every change of trust, within a step
     */
    public HeartbeatExchange(
            FailureDetector detector,
            DetectionSettings settings,
            Clock clock,
            Network network,
            Queue<Arrival> arrivals,
            Consumer<FailureDetector.Change> onChange) {
        this.detector = detector;
        this.intervalNanos = settings.intervalNanos();
        this.clock = clock;
        this.network = network;
        this.arrivals = arrivals;
        this.onChange = onChange;
    }

    /** A heartbeat has come, which the rest of the buffer is. Any thread. */
    public void received(NodeId from, ByteBuffer message) {
        arrivals.offer(new Arrival(from, Heartbeat.read(message)));
    }

    /** The connection to the node broke. Any thread. */
    public void connectionBroke(NodeId node) {
        arrivals.offer(new Arrival(node, null));
    }

    /** Tells the others at once, and from now on, that this process is about to end. In a step. */
    public void leave() {
        detector.leave();
        begun = false;
    }

    @Override
    public int doWork() {
        int work = 0;
        Arrival arrival = arrivals.poll();
        while (arrival != null) {
            work++;
            Heartbeat heartbeat = arrival.heartbeat();
            if (heartbeat == null) {
                detector.connectionBroke(arrival.from());
            } else {
                detector.received(arrival.from(), heartbeat);
            }
            arrival = arrivals.poll();
        }
        long nowNanos = clock.monotonicNanos();
        if (!begun || nowNanos - nextTickNanos >= 0) {
            begun = true;
            nextTickNanos = nowNanos + intervalNanos;
            detector.tick(nowNanos).forEach(this::send);
            work++;
        }
        FailureDetector.Change change = detector.nextChange();
        while (change != null) {
            onChange.accept(change);
            change = detector.nextChange();
        }
        return work;
    }

    private void send(FailureDetector.Outgoing outgoing) {
        buffer.clear();
        outgoing.heartbeat().write(buffer);
        network.send(outgoing.to(), buffer.flip());
    }

    @Override
    public boolean mayTakeLong() {
        return false;
    }

    @Override
    public String roleName() {
        return "heartbeats";
    }
}
