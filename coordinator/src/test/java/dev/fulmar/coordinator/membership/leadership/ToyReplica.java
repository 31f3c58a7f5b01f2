package dev.fulmar.coordinator.membership.leadership;

import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.detection.DetectionSettings;
import dev.fulmar.coordinator.membership.detection.FailureDetector;
import dev.fulmar.coordinator.membership.detection.Heartbeat;
import dev.fulmar.coordinator.membership.detection.HeartbeatExchange;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One process: a log of numbers which the primary ships whole, so that a backup which takes a later message has all that was before. Everything
 * about who leads and what is acknowledged is left to the code under test.
 */
final class ToyReplica implements StateListener {
    private static final UUID CLUSTER = new UUID(1, 1);
    private static final long PERIOD_NANOS = 20_000_000;
    private static final long INTERVAL_NANOS = 50_000_000;
    private static final byte HEARTBEAT = 1;
    private static final byte SHIPMENT = 2;
    private static final byte CONFIRMATION = 3;
    private static final DetectionSettings SETTINGS =
            new DetectionSettings(INTERVAL_NANOS, 10 * INTERVAL_NANOS, 2 * INTERVAL_NANOS);

    private final ToyCluster cluster;
    private final SimulatedProcess process;
    private final ClusterState state;
    private final CopyId copy;
    private final long incarnation;
    private final Leadership leadership;
    private final FailureDetector detector;
    private final HeartbeatExchange heartbeats;
    private final List<Long> log;
    private final Map<CopyId, Integer> confirmed = new TreeMap<>();
    private long epoch;
    private Set<CopyId> required = Set.of();
    private LeadershipEffect.Acknowledge acknowledge = new LeadershipEffect.Acknowledge(false, false);
    private int acknowledgedLength;
    private int joinFloor;
    private long entries;

    ToyReplica(
            ToyCluster cluster, SimulatedProcess process, CopyId copy, long incarnation, List<Long> log, long epoch) {
        this.cluster = cluster;
        this.process = process;
        this.copy = copy;
        this.incarnation = incarnation;
        this.log = new ArrayList<>(log);
        this.epoch = epoch;
        this.state = cluster.store.connect(process);
        this.leadership = new Leadership(
                new Leadership.Self(copy, incarnation, 1, 3 * INTERVAL_NANOS, INTERVAL_NANOS), Probes.NONE);
        this.detector = new FailureDetector(SETTINGS, CLUSTER, incarnation);
        this.heartbeats = new HeartbeatExchange(
                detector,
                SETTINGS,
                process.clock(),
                new Prefixed(process, HEARTBEAT),
                new ArrayDeque<>(),
                change -> take(
                        change.suspected()
                                ? new LeadershipEvent.Suspected(change.node())
                                : new LeadershipEvent.Trusted(change.node(), change.incarnation())));
        process.network().onMessage(this::received);
        state.watch(this);
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    @Override
    public String toString() {
        return process + " " + leadership + " epoch " + epoch + " log " + log.size() + " confirmed " + confirmed
                + " acknowledged " + acknowledgedLength + " " + acknowledge;
    }

    SimulatedProcess process() {
        return process;
    }

    CopyId copy() {
        return copy;
    }

    long incarnation() {
        return incarnation;
    }

    /** Stored with the log: a copy never goes back to a primary that it has left. */
    long epoch() {
        return epoch;
    }

    List<Long> log() {
        return log;
    }

    void create(PartitionRecord record) {
        process.scheduler()
                .schedule(
                        PERIOD_NANOS,
                        () -> state.compareAndSet(
                                ToyCluster.PARTITION, Versioned.absent(), record, outcome -> readAgain()));
    }

    private void take(LeadershipEvent event) {
        for (LeadershipEffect effect : leadership.handle(event, process.clock().monotonicNanos())) {
            perform(effect);
        }
    }

    private void perform(LeadershipEffect effect) {
        switch (effect) {
            case LeadershipEffect.Change(var expected, PartitionRecord next) ->
                state.compareAndSet(
                        ToyCluster.PARTITION,
                        expected,
                        next,
                        outcome -> take(new LeadershipEvent.ChangeEnded(outcome)));
            case LeadershipEffect.Lead(PartitionRecord term) -> {
                epoch = term.epoch();
                confirmed.clear();
                acknowledgedLength = 0;
                cluster.leads(process.node(), incarnation, epoch, log);
            }
            case LeadershipEffect.Follow(PartitionRecord term) -> epoch = Math.max(epoch, term.epoch());
            case LeadershipEffect.CatchUp(PartitionRecord term) -> epoch = Math.max(epoch, term.epoch());
            case LeadershipEffect.Require(var copies) -> {
                required = copies;
                joinFloor = acknowledgedLength;
            }
            case LeadershipEffect.Acknowledge next -> acknowledge = next;
            case LeadershipEffect.Complain(String message) -> throw new AssertionError(message);
        }
    }

    private void period() {
        cluster.incarnations().forEach((node, youngest) -> {
            if (!node.equals(process.node())) {
                detector.watch(node, youngest);
            }
        });
        heartbeats.doWork();
        take(new LeadershipEvent.TimePassed());
        if (leadership.role() == Leadership.Role.PRIMARY) {
            log.add(epoch * 1_000_000_000L + incarnation * 1_000_000L + entries++);
            ship();
            acknowledge();
        }
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    private void ship() {
        ByteBuffer message = ByteBuffer.allocate(1 + 8 + 4 + log.size() * 8);
        message.put(SHIPMENT).putLong(epoch).putInt(log.size());
        log.forEach(message::putLong);
        message.flip();
        for (NodeId node : cluster.incarnations().keySet()) {
            if (!node.equals(process.node())) {
                process.network().send(node, message.duplicate());
            }
        }
    }

    private void acknowledge() {
        if (!acknowledge.writes()) {
            return;
        }
        int length = log.size();
        for (CopyId other : required) {
            if (!other.equals(copy)) {
                length = Math.min(length, confirmed.getOrDefault(other, 0));
            }
        }
        for (; acknowledgedLength < length; acknowledgedLength++) {
            cluster.acknowledge(log.get(acknowledgedLength));
        }
    }

    private void received(NodeId from, ByteBuffer message) {
        switch (message.get()) {
            case HEARTBEAT -> heartbeats.received(from, message);
            case SHIPMENT -> shipped(from, message);
            case CONFIRMATION -> confirmed(message);
            default -> throw new AssertionError("an unknown message");
        }
    }

    private void shipped(NodeId from, ByteBuffer message) {
        long theirEpoch = message.getLong();
        boolean isFollowing = switch (leadership.role()) {
            case BACKUP, LEARNER -> true;
            // The record will tell it soon whom to follow.
            case NONE, PRIMARY -> false;
        };
        if (theirEpoch < epoch || !isFollowing) {
            return;
        }
        epoch = theirEpoch;
        int length = message.getInt();
        log.clear();
        for (int i = 0; i < length; i++) {
            log.add(message.getLong());
        }
        ByteBuffer answer = ByteBuffer.allocate(1 + 8 + 4 + 8 + 4);
        answer.put(CONFIRMATION)
                .putLong(epoch)
                .putInt(copy.node().number())
                .putLong(copy.life())
                .putInt(length);
        process.network().send(from, answer.flip());
    }

    private void confirmed(ByteBuffer message) {
        long theirEpoch = message.getLong();
        CopyId other = new CopyId(new NodeId(message.getInt()), message.getLong());
        int length = message.getInt();
        if (leadership.role() != Leadership.Role.PRIMARY || theirEpoch != epoch) {
            return;
        }
        confirmed.merge(other, length, Math::max);
        acknowledge();
        take(new LeadershipEvent.Approached(other));
        if (required.contains(other) && length >= joinFloor) {
            take(new LeadershipEvent.CaughtUp(other));
        }
    }

    private void readAgain() {
        state.read(ToyCluster.PARTITION, outcome -> {
            switch (outcome) {
                case ReadOutcome.Found<Versioned<PartitionRecord>>(var found) ->
                    take(new LeadershipEvent.RecordFound(found));
                case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ ->
                    process.scheduler().schedule(4 * INTERVAL_NANOS, this::readAgain);
                case ReadOutcome.Refused<?>(String message) -> throw new AssertionError(message);
            }
        });
    }

    @Override
    public void changed(StateKey<?> key) {
        readAgain();
    }

    @Override
    public void presencesChanged() {}

    @Override
    public void sessionChanged(SessionState session) {
        if (session == SessionState.CONNECTED) {
            readAgain();
        }
    }

    /** Puts a byte before what is sent. */
    private record Prefixed(SimulatedProcess process, byte prefix) implements Network {
        @Override
        public NodeId self() {
            return process.node();
        }

        @Override
        public void send(NodeId to, ByteBuffer message) {
            ByteBuffer prefixed =
                    ByteBuffer.allocate(1 + Heartbeat.BYTES).put(prefix).put(message);
            process.network().send(to, prefixed.flip());
        }

        @Override
        public void onMessage(Receiver receiver) {
            process.network().onMessage(receiver);
        }
    }
}
