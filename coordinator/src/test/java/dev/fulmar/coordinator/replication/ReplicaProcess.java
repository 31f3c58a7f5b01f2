package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
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
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One process with everything of the cluster but an engine: its transactions append a number or read the whole log. */
final class ReplicaProcess implements StateListener {
    private static final UUID CLUSTER = new UUID(1, 1);
    private static final long PERIOD_NANOS = 20_000_000;
    private static final long INTERVAL_NANOS = 50_000_000;
    private static final byte HEARTBEAT = 1;
    private static final byte REPLICATION = 2;
    private static final DetectionSettings DETECTION =
            new DetectionSettings(INTERVAL_NANOS, 10 * INTERVAL_NANOS, 2 * INTERVAL_NANOS);
    private static final PrimaryReplication.Limits LIMITS = new PrimaryReplication.Limits(7, 3, 20, 4 * INTERVAL_NANOS);

    private final ReplicatedCluster cluster;
    private final SimulatedProcess process;
    private final RandomSource random;
    private final ClusterState state;
    private final StoredCopy stored;
    private final long incarnation;
    private final Leadership leadership;
    private final FailureDetector detector;
    private final HeartbeatExchange heartbeats;
    private final TreeMap<Long, List<Runnable>> replies = new TreeMap<>();
    private @Nullable PrimaryReplication primary;
    private @Nullable BackupReplication backup;
    private @Nullable ByteBuffer records;
    private boolean leads;
    private final int maxDiskNanos;
    private long diskFreeNanos;

    /** Grows with each process and role, so that what a former role awaited is not told to the next. */
    private long role;

    ReplicaProcess(ReplicatedCluster cluster, SimulatedProcess process, StoredCopy stored, long incarnation) {
        this.cluster = cluster;
        this.process = process;
        this.random = process.random().split("replica");
        this.maxDiskNanos = random.nextInt(3) == 0 ? 15_000_000 : 2_000_000;
        this.stored = stored;
        this.incarnation = incarnation;
        this.state = cluster.store.connect(process);
        this.leadership = new Leadership(
                new Leadership.Self(stored.copy(), incarnation, 1, 3 * INTERVAL_NANOS, INTERVAL_NANOS), Probes.NONE);
        this.detector = new FailureDetector(DETECTION, CLUSTER, incarnation);
        this.heartbeats = new HeartbeatExchange(
                detector,
                DETECTION,
                process.clock(),
                new HeartbeatNetwork(process),
                new ArrayDeque<>(),
                change -> take(
                        change.suspected()
                                ? new LeadershipEvent.Suspected(change.node())
                                : new LeadershipEvent.Trusted(change.node(), change.incarnation())));
        process.network().onMessage(this::received);
        state.watch(this);
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    SimulatedProcess process() {
        return process;
    }

    StoredCopy stored() {
        return stored;
    }

    long incarnation() {
        return incarnation;
    }

    @Override
    public String toString() {
        return process + " " + leadership + " log " + stored.log().size() + " replies " + replies.keySet();
    }

    void create(PartitionRecord record) {
        process.scheduler()
                .schedule(
                        PERIOD_NANOS,
                        () -> state.compareAndSet(
                                ReplicatedCluster.PARTITION, Versioned.absent(), record, outcome -> readAgain()));
    }

    private void take(LeadershipEvent event) {
        leadership.handle(event, process.clock().monotonicNanos()).forEach(this::perform);
    }

    private void perform(LeadershipEffect effect) {
        switch (effect) {
            case LeadershipEffect.Change(var expected, PartitionRecord next) ->
                state.compareAndSet(ReplicatedCluster.PARTITION, expected, next, outcome -> {
                    if (outcome instanceof ChangeOutcome.Unknown
                            && next.inSync().size() > expected.get().inSync().size()) {
                        cluster.aCopyMayHaveJoined(process.node());
                    }
                    take(new LeadershipEvent.ChangeEnded(outcome));
                });
            case LeadershipEffect.Lead(PartitionRecord term) -> lead(term);
            case LeadershipEffect.Follow(PartitionRecord term) -> follow(term);
            case LeadershipEffect.CatchUp(PartitionRecord term) -> follow(term);
            case LeadershipEffect.Require(var copies, var joining) -> replicate(leader().require(copies, joining));
            case LeadershipEffect.Acknowledge(boolean reads, boolean writes) ->
                replicate(leader().acknowledge(reads, writes));
            case LeadershipEffect.Complain(String message) -> throw new AssertionError(message);
        }
    }

    private PrimaryReplication leader() {
        if (primary == null) {
            throw new AssertionError("only a primary requires and acknowledges");
        }
        return primary;
    }

    private void lead(PartitionRecord term) {
        role++;
        leads = false;
        CopyState copy = primary != null ? primary.state() : backup != null ? backup.state() : stored.state();
        backup = null;
        PrimaryReplication next = new PrimaryReplication(copy, term.epoch(), LIMITS);
        primary = next;
        cluster.leads(process.node(), incarnation, term.epoch(), stored.log());
        replicate(next.others(cluster.incarnations().keySet()));
        replicate(next.begin());
    }

    private void follow(PartitionRecord term) {
        if (primary != null || backup == null) {
            role++;
            leads = false;
            // Replies that were held are never given: their outcomes are unknown to the clients.
            replies.clear();
            backup = new BackupReplication(primary != null ? primary.state() : stored.state());
            primary = null;
        }
        backup.heardOf(term.epoch());
    }

    private void replicate(List<ReplicationEffect> effects) {
        effects.forEach(this::perform);
    }

    private void perform(ReplicationEffect effect) {
        switch (effect) {
            case ReplicationEffect.Send(NodeId to, ReplicationMessage message) -> send(to, message);
            case ReplicationEffect.RollBack(long to) -> stored.rollBack(to);
            case ReplicationEffect.StoreTerm(long epoch, EpochHistory history) -> store(epoch, history);
            case ReplicationEffect.Apply(long from, long to) -> apply(from, to);
            case ReplicationEffect.Release _ -> {}
            case ReplicationEffect.Rebuild _ -> throw new AssertionError("no copy here is so far behind");
            case ReplicationEffect.Safe(long number, long end) -> replyUpTo(number);
            case ReplicationEffect.Approached(var other) -> take(new LeadershipEvent.Approached(other));
            case ReplicationEffect.CaughtUp(var other) -> take(new LeadershipEvent.CaughtUp(other));
            case ReplicationEffect.Lost(var other) -> throw new AssertionError(other + " lost what it confirmed");
            case ReplicationEffect.Outdated _ -> readAgain();
        }
    }

    private void store(long epoch, EpochHistory history) {
        long current = role;
        disk(() -> {
            stored.store(epoch, history);
            PrimaryReplication leader = primary;
            BackupReplication follower = backup;
            if (role != current) {
                return;
            }
            if (leader != null) {
                leads = true;
                replicate(leader.termStored());
                logged();
            } else if (follower != null) {
                replicate(follower.termStored(epoch));
                logged();
            }
        });
    }

    /** One thing after another becomes durable, each after a while. */
    private void disk(Runnable done) {
        diskFreeNanos = Math.max(diskFreeNanos, cluster.world.nowNanos()) + 200_000 + random.nextInt(maxDiskNanos);
        process.execute(diskFreeNanos - cluster.world.nowNanos(), process + " disk", done);
    }

    private void logged() {
        int length = stored.log().size();
        long current = role;
        disk(() -> {
            if (role == current) {
                stored.makeDurable(length);
                PrimaryReplication leader = primary;
                BackupReplication follower = backup;
                int durable = Math.min(length, stored.log().size());
                if (leader != null) {
                    replicate(leader.durable(durable));
                } else if (follower != null) {
                    replicate(follower.durable(durable));
                }
            }
        });
    }

    private void apply(long from, long to) {
        ByteBuffer group = records;
        if (group == null) {
            throw new AssertionError("records come with their group");
        }
        assertPosition(from);
        int length = (int) (to - from);
        group.position(group.limit() - length * Long.BYTES);
        for (int i = 0; i < length; i++) {
            stored.append(group.getLong());
        }
        logged();
    }

    private void assertPosition(long position) {
        if (stored.log().size() != position) {
            throw new AssertionError("applied at " + position + " where the log ends at "
                    + stored.log().size());
        }
    }

    private void replyUpTo(long number) {
        var due = replies.headMap(number, true);
        due.values().forEach(waiting -> waiting.forEach(Runnable::run));
        due.clear();
    }

    private void period() {
        cluster.incarnations().forEach((node, youngest) -> {
            if (!node.equals(process.node())) {
                detector.watch(node, youngest);
            }
        });
        heartbeats.doWork();
        take(new LeadershipEvent.TimePassed());
        PrimaryReplication leader = primary;
        if (leader != null && leads) {
            transact(leader);
            long now = process.clock().monotonicNanos();
            replicate(leader.close(now));
            replicate(leader.timePassed(now));
        }
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    private void transact(PrimaryReplication leader) {
        List<Runnable> waiting = replies.computeIfAbsent(leader.ticket(), ticket -> new ArrayList<>());
        if (random.nextInt(10) == 0) {
            long invoked = cluster.acknowledged();
            Set<Long> seen = new HashSet<>(stored.log());
            waiting.add(() -> cluster.answerRead(process.node(), seen, invoked));
        }
        if (random.nextInt(4) > 0) {
            long entry = cluster.newEntry();
            stored.append(entry);
            leader.appended(stored.log().size());
            logged();
            waiting.add(() -> cluster.acknowledge(process.node(), entry));
        }
    }

    private void send(NodeId to, ReplicationMessage message) {
        ByteBuffer out = ByteBuffer.allocate(1 + ReplicationFormat.MAX_BYTES);
        out.put(REPLICATION);
        ReplicationFormat.write(message, out);
        if (message instanceof ReplicationMessage.Group group) {
            for (long position = group.begin(); position < group.end(); position++) {
                out.putLong(stored.log().get((int) position));
            }
        }
        process.network().send(to, out.flip());
    }

    private void received(NodeId from, ByteBuffer in) {
        if (in.get() == HEARTBEAT) {
            heartbeats.received(from, in);
            return;
        }
        ReplicationMessage message = ReplicationFormat.read(in);
        records = in;
        PrimaryReplication leader = primary;
        BackupReplication follower = backup;
        if (leader != null) {
            replicate(leader.received(message, process.clock().monotonicNanos()));
        } else if (follower != null) {
            replicate(follower.received(from, message));
        }
        records = null;
    }

    private void readAgain() {
        state.read(ReplicatedCluster.PARTITION, outcome -> {
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

    /** Tells heartbeats from the rest. */
    private record HeartbeatNetwork(SimulatedProcess process) implements Network {
        @Override
        public NodeId self() {
            return process.node();
        }

        @Override
        public void send(NodeId to, ByteBuffer message) {
            process.network()
                    .send(
                            to,
                            ByteBuffer.allocate(1 + Heartbeat.BYTES)
                                    .put(HEARTBEAT)
                                    .put(message)
                                    .flip());
        }

        @Override
        public void onMessage(Receiver receiver) {
            process.network().onMessage(receiver);
        }
    }
}
