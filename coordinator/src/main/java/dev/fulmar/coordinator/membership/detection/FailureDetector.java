package dev.fulmar.coordinator.membership.detection;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Failure detector of one process: a state machine that turns time and heartbeats into suspicions and into heartbeats
 * to send. One thread at a time.
 */
public final class FailureDetector {
    private static final int MAX_COUNTED_INTERVALS = 2;

    private final DetectionSettings settings;
    private final UUID clusterId;
    private final long incarnation;
    private final Map<NodeId, Peer> peers = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();

    /** Time that this process has run, of which a pause counts as two intervals at most. */
    private long runningNanos = 1;

    private long lastTickNanos;
    private boolean ticked;
    private boolean leaves;

    /**
     * Trust in a process that begins, ends or comes back.
     *
     * @param leaves whether it says that it is about to end
     */
    public record Change(NodeId node, long incarnation, boolean suspected, boolean leaves) {
        public Change(NodeId node, long incarnation, boolean suspected) {
            this(node, incarnation, suspected, false);
        }
    }

    /** A heartbeat to send. */
    public record Outgoing(NodeId to, Heartbeat heartbeat) {}

    private static final class Peer {
        private long incarnation;
        private long provenNanos;
        private long brokenNanos;
        private boolean suspected;
        private boolean replaced;
        private boolean leaves;
        private long heardIncarnation;
        private long heardNanos;
    }

    /** @param incarnation of this process */
    public FailureDetector(DetectionSettings settings, UUID clusterId, long incarnation) {
        Invariants.check(incarnation > 0, "an incarnation is positive");
        this.settings = settings;
        this.clusterId = clusterId;
        this.incarnation = incarnation;
    }

    /** Watches the process from now on, trusted at first, which is told; a younger one takes the place of an older. */
    public void watch(NodeId node, long itsIncarnation) {
        Peer known = peers.get(node);
        if (known != null && known.incarnation >= itsIncarnation) {
            return;
        }
        Peer peer = new Peer();
        peer.incarnation = itsIncarnation;
        peer.provenNanos = runningNanos;
        if (known != null) {
            peer.heardIncarnation = known.heardIncarnation;
            peer.heardNanos = known.heardNanos;
        }
        peers.put(node, peer);
        changes.add(new Change(node, itsIncarnation, false));
    }

    /** Tells the others from now on that this process is about to end. */
    public void leave() {
        leaves = true;
    }

    /** Watches the node no more. */
    public void forget(NodeId node) {
        peers.remove(node);
    }

    /** Whether the node is watched and not trusted. */
    public boolean isSuspected(NodeId node) {
        Peer peer = peers.get(node);
        return peer != null && peer.suspected;
    }

    /**
     * Lets time pass; to be called once per interval or more often. Heartbeats that arrived before have to be handed in
     * first, or they count as missing.
     *
     * @return what to send
     */
    public List<Outgoing> tick(long nowNanos) {
        if (ticked) {
            long passed = nowNanos - lastTickNanos;
            runningNanos += Math.clamp(passed, 0, MAX_COUNTED_INTERVALS * settings.intervalNanos());
        }
        ticked = true;
        lastTickNanos = nowNanos;
        List<Outgoing> outgoing = new ArrayList<>(peers.size());
        peers.forEach((node, peer) -> {
            Invariants.check(peer.provenNanos <= runningNanos, "a node proves that it heard what was sent before");
            if (!peer.suspected && runningNanos - peer.provenNanos > settings.patienceNanos()) {
                suspect(node, peer);
            }
            outgoing.add(new Outgoing(
                    node,
                    new Heartbeat(
                            clusterId, incarnation, runningNanos, peer.heardIncarnation, peer.heardNanos, leaves)));
        });
        return outgoing;
    }

    private void suspect(NodeId node, Peer peer) {
        peer.suspected = true;
        changes.add(new Change(node, peer.incarnation, true, peer.leaves));
    }

    /** Takes a heartbeat. One of a stranger is ignored; one of a younger process says that the watched one is gone. */
    public void received(NodeId from, Heartbeat heartbeat) {
        Peer peer = peers.get(from);
        if (peer == null
                || !heartbeat.clusterId().equals(clusterId)
                || heartbeat.incarnation() < peer.heardIncarnation) {
            return;
        }
        peer.heardIncarnation = heartbeat.incarnation();
        peer.heardNanos = heartbeat.sentNanos();
        if (heartbeat.incarnation() > peer.incarnation) {
            peer.replaced = true;
            if (!peer.suspected) {
                suspect(from, peer);
            }
        } else if (heartbeat.leaves() && heartbeat.incarnation() == peer.incarnation && !peer.leaves) {
            peer.leaves = true;
            changes.add(new Change(from, peer.incarnation, peer.suspected, true));
        }
        boolean isProof = heartbeat.echoedIncarnation() == incarnation
                && heartbeat.incarnation() == peer.incarnation
                && heartbeat.echoedNanos() >= peer.brokenNanos
                && heartbeat.echoedNanos() <= runningNanos;
        if (isProof && !peer.replaced) {
            peer.provenNanos = Math.max(peer.provenNanos, heartbeat.echoedNanos());
            if (peer.suspected && runningNanos - peer.provenNanos <= settings.patienceNanos() / 2) {
                peer.suspected = false;
                changes.add(new Change(from, peer.incarnation, false, peer.leaves));
            }
        }
    }

    /** The connection to the node broke: a proof is wanted soon. */
    public void connectionBroke(NodeId node) {
        Peer peer = peers.get(node);
        if (peer != null) {
            long latest = runningNanos - settings.patienceNanos() + settings.brokenPatienceNanos();
            peer.provenNanos = Math.min(peer.provenNanos, latest);
            peer.brokenNanos = runningNanos;
        }
    }

    /** The next change of trust; null if there is none. */
    public @Nullable Change nextChange() {
        return changes.isEmpty() ? null : changes.removeFirst();
    }
}
