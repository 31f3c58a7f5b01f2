package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
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
import dev.fulmar.coordinator.membership.detection.HeartbeatExchange;
import dev.fulmar.coordinator.membership.leadership.Leadership;
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
import java.util.function.Consumer;

/** One process with everything of the cluster but an engine: its transactions append a number or read the whole log. */
final class ReplicaProcess implements StateListener, CopyStream, CopyRole, RecordStore, ReplicaOutbox {
    private static final UUID CLUSTER = new UUID(1, 1);
    private static final long PERIOD_NANOS = 20_000_000;
    private static final long INTERVAL_NANOS = 50_000_000;
    private static final int LACKS_ONE_IN = 200;
    private static final int LONGEST_LACK_NANOS = 300_000_000;
    private static final DetectionSettings DETECTION =
            new DetectionSettings(INTERVAL_NANOS, 10 * INTERVAL_NANOS, 2 * INTERVAL_NANOS);
    private static final PrimaryReplication.Limits LIMITS = new PrimaryReplication.Limits(7, 3, 20, 4 * INTERVAL_NANOS);

    private final ReplicatedCluster cluster;
    private final SimulatedProcess process;
    private final RandomSource random;
    private final ClusterState state;
    private final StoredCopy stored;
    private final long incarnation;
    private final ReplicaProtocol replicaProtocol;
    private final FailureDetector detector;
    private final HeartbeatExchange heartbeats;
    private final Network network;
    private final TreeMap<Long, List<Runnable>> replies = new TreeMap<>();
    private final int maxDiskNanos;
    private long diskFreeNanos;
    private long readyNanos;

    /** Grows with each roll-back, so that what was to become durable before is not told after it. */
    private long cuts;

    ReplicaProcess(ReplicatedCluster cluster, SimulatedProcess process, StoredCopy stored, long incarnation) {
        this.cluster = cluster;
        this.process = process;
        this.random = process.random().split("replica");
        this.maxDiskNanos = random.nextInt(3) == 0 ? 15_000_000 : 2_000_000;
        this.stored = stored;
        this.incarnation = incarnation;
        this.state = cluster.store.connect(process);
        this.replicaProtocol = new ReplicaProtocol(
                new Leadership.Self(
                        stored.copy(), incarnation, 1, 3 * INTERVAL_NANOS, INTERVAL_NANOS, 100 * INTERVAL_NANOS),
                stored.state(),
                LIMITS,
                new ReplicaProtocol.Ports(this, this, this, this, process.clock()),
                Probes.NONE);
        replicaProtocol.nodes(cluster.nodes());
        NodeMessages messages = new NodeMessages(process.network());
        this.network = messages.on(NodeChannel.REPLICATION);
        this.detector = new FailureDetector(DETECTION, CLUSTER, incarnation);
        this.heartbeats = new HeartbeatExchange(
                detector,
                DETECTION,
                process.clock(),
                messages.on(NodeChannel.HEARTBEAT),
                new ArrayDeque<>(),
                change -> take(
                        change.suspected()
                                ? new LeadershipEvent.Suspected(change.node())
                                : new LeadershipEvent.Trusted(change.node(), change.incarnation())));
        messages.on(NodeChannel.HEARTBEAT).onMessage(heartbeats::received);
        network.onMessage(replicaProtocol::received);
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
        return process + " " + replicaProtocol + " replies " + replies.keySet();
    }

    void create(PartitionRecord record) {
        process.scheduler()
                .schedule(
                        PERIOD_NANOS,
                        () -> state.compareAndSet(
                                ReplicatedCluster.PARTITION, Versioned.absent(), record, outcome -> readAgain()));
    }

    private void take(LeadershipEvent event) {
        replicaProtocol.take(event);
    }

    @Override
    public void change(
            Versioned<PartitionRecord> expected,
            PartitionRecord next,
            Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended) {
        cluster.proposed(process.node(), expected.version());
        state.compareAndSet(ReplicatedCluster.PARTITION, expected, next, outcome -> {
            if (outcome instanceof ChangeOutcome.Unknown
                    && next.inSync().size() > expected.get().inSync().size()) {
                cluster.aCopyMayHaveJoined(process.node());
            }
            ended.accept(outcome);
        });
    }

    @Override
    public void leads(PartitionRecord term) {
        cluster.leads(process.node(), incarnation, term.epoch(), stored.log());
    }

    @Override
    public void follows(PartitionRecord term) {
        // Replies that were held are never given: their outcomes are unknown to the clients.
        replies.clear();
    }

    @Override
    public void safe(long number) {
        var due = replies.headMap(number, true);
        due.values().forEach(waiting -> waiting.forEach(Runnable::run));
        due.clear();
    }

    @Override
    public void rebuild(PartitionRecord term) {
        throw new AssertionError("no copy here is so far behind");
    }

    @Override
    public void different(long sequence) {}

    @Override
    public void complain(String message) {
        throw new AssertionError(message);
    }

    /** One thing after another becomes durable, each after a while. */
    private void disk(Runnable done) {
        diskFreeNanos = Math.max(diskFreeNanos, cluster.world.nowNanos()) + 200_000 + random.nextInt(maxDiskNanos);
        process.execute(diskFreeNanos - cluster.world.nowNanos(), process + " disk", done);
    }

    private void logged() {
        int length = stored.log().size();
        long current = cuts;
        disk(() -> {
            if (cuts == current) {
                stored.makeDurable(length);
                replicaProtocol.durable(length);
            }
        });
    }

    @Override
    public long end() {
        return stored.log().size();
    }

    @Override
    public boolean maySucceed() {
        return false;
    }

    @Override
    public boolean mayBePassedOver() {
        return false;
    }

    @Override
    public boolean rollBack(long to, EpochHistory next) {
        cuts++;
        stored.rollBack(to);
        logged();
        return true;
    }

    @Override
    public void store(long epoch, EpochHistory history, boolean leads, Runnable done) {
        disk(() -> {
            stored.store(epoch, history);
            done.run();
        });
    }

    @Override
    public long reach(long begin, long end) {
        return end;
    }

    @Override
    public ByteBuffer records(long begin, long end) {
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(end - begin) * Long.BYTES);
        for (long position = begin; position < end; position++) {
            out.putLong(stored.log().get((int) position));
        }
        return out.flip();
    }

    /** Now and then a copy lacks something that the records need. */
    @Override
    public boolean isApplicable(ByteBuffer records, long begin, long end) {
        if (records.remaining() != (end - begin) * Long.BYTES) {
            return false;
        }
        if (isReady() && random.nextInt(LACKS_ONE_IN) == 0) {
            readyNanos = process.clock().monotonicNanos() + random.nextInt(LONGEST_LACK_NANOS);
        }
        return isReady();
    }

    @Override
    public boolean isReady() {
        return process.clock().monotonicNanos() >= readyNanos;
    }

    @Override
    public boolean apply(ByteBuffer records, long begin, long from, long to) {
        if (stored.log().size() != from) {
            throw new AssertionError("applied at " + from + " where the log ends at "
                    + stored.log().size());
        }
        for (long position = from; position < to; position++) {
            stored.append(records.getLong(records.position() + (int) (position - begin) * Long.BYTES));
        }
        logged();
        return true;
    }

    @Override
    public void release(long to) {}

    private void period() {
        cluster.incarnations().forEach((node, youngest) -> {
            if (!node.equals(process.node())) {
                detector.watch(node, youngest);
            }
        });
        heartbeats.doWork();
        replicaProtocol.timePassed();
        replicaProtocol.catchUp();
        if (replicaProtocol.leads()) {
            transact();
            replicaProtocol.turnEnded();
        }
        process.scheduler().schedule(PERIOD_NANOS, this::period);
    }

    private void transact() {
        List<Runnable> waiting = replies.computeIfAbsent(replicaProtocol.ticket(), ticket -> new ArrayList<>());
        if (random.nextInt(10) == 0) {
            long invoked = cluster.acknowledged();
            Set<Long> seen = new HashSet<>(stored.log());
            waiting.add(() -> cluster.answerRead(process.node(), seen, invoked));
        }
        if (random.nextInt(4) > 0) {
            long entry = cluster.newEntry();
            stored.append(entry);
            logged();
            waiting.add(() -> cluster.acknowledge(process.node(), entry));
        }
    }

    @Override
    public void send(NodeId to, ByteBuffer... parts) {
        network.send(to, parts);
    }

    @Override
    public void readAgain() {
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
}
