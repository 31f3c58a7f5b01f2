package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Three nodes with a copy of one partition each, and a judge who knows everything. */
final class ReplicatedCluster {
    static final StateKey.Partition PARTITION = new StateKey.Partition(new PartitionId(0));
    private static final int NODES = 3;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long SESSION_TIMEOUT_NANOS = 2 * SECOND_NANOS;

    final SimulatedWorld world;
    final SimulatedClusterStore store;
    private final RandomSource random;
    private final Map<NodeId, ReplicaProcess> replicas = new TreeMap<>();
    private final Map<NodeId, Long> incarnations = new TreeMap<>();
    private final Map<NodeId, Long> proposed = new TreeMap<>();
    private final List<Long> acknowledged = new ArrayList<>();
    private final Map<NodeId, Long> answers = new TreeMap<>();
    private long entries;
    private long reads;
    private boolean harms;
    private final Map<Long, NodeId> leaders = new TreeMap<>();
    private long joined;

    ReplicatedCluster(long seed) {
        world = new SimulatedWorld(seed);
        random = world.random("faults");
        store = new SimulatedClusterStore(world, SESSION_TIMEOUT_NANOS);
        store.observe((key, before, after) -> {
            if (before.record() instanceof PartitionRecord old && after.record() instanceof PartitionRecord next) {
                joined += old.epoch() == next.epoch()
                                && next.inSync().size() > old.inSync().size()
                        ? 1
                        : 0;
            }
        });
        List<CopyId> copies = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            copies.add(new CopyId(new NodeId(node), 1));
        }
        for (CopyId copy : copies) {
            start(new StoredCopy(copy));
        }
        // Whoever comes first makes the record.
        PartitionRecord record = new PartitionRecord(1, copies.getFirst(), 1, copies);
        replicas.values().forEach(replica -> replica.create(record));
    }

    private void start(StoredCopy copy) {
        NodeId node = copy.copy().node();
        long incarnation = incarnations.merge(node, 1L, Long::sum);
        replicas.put(node, new ReplicaProcess(this, world.startProcess(node), copy, incarnation));
    }

    Set<NodeId> nodes() {
        Set<NodeId> all = new TreeSet<>();
        for (int node = 1; node <= NODES; node++) {
            all.add(new NodeId(node));
        }
        return all;
    }

    Map<NodeId, Long> incarnations() {
        return incarnations;
    }

    /** A process begins to lead with the log that it has. */
    void leads(NodeId node, long incarnation, long epoch, List<Long> log) {
        NodeId before = leaders.put(epoch, node);
        assertThat(before)
                .as("leaders of epoch " + epoch + ", seed " + world.seed())
                .isNull();
        assertThat(log)
                .as("log of " + node + "." + incarnation + " in epoch " + epoch + ", seed " + world.seed())
                .containsAll(acknowledged);
    }

    long newEntry() {
        return entries++;
    }

    void acknowledge(NodeId by, long entry) {
        answers.merge(by, 1L, Long::sum);
        acknowledged.add(entry);
    }

    /** A read gives what it saw: all must be there that was acknowledged before it began. */
    void answerRead(NodeId by, Set<Long> seen, long acknowledgedBefore) {
        answers.merge(by, 1L, Long::sum);
        reads++;
        assertThat(seen).as("read, seed " + world.seed()).containsAll(acknowledged.subList(0, (int)
                acknowledgedBefore));
    }

    /** The worst moment for a primary to be cut off. */
    void aCopyMayHaveJoined(NodeId primary) {
        if (harms && random.nextInt(2) == 0) {
            isolate(primary);
        }
    }

    /** How many replies the node has given. */
    long answersOf(NodeId node) {
        return answers.getOrDefault(node, 0L);
    }

    NodeId leader() {
        return store.current(PARTITION).get().primary().node();
    }

    long acknowledged() {
        return acknowledged.size();
    }

    long reads() {
        return reads;
    }

    long terms() {
        return leaders.size();
    }

    long joined() {
        return joined;
    }

    long hash() {
        return world.hash();
    }

    void runWithFaults() {
        world.runFor(3 * SECOND_NANOS);
        harms = true;
        store.faults().breakCalls(0.1 + 0.5 * random.nextDouble());
        store.faults().late((1 + random.nextInt(10)) * SECOND_NANOS);
        store.faults().staleReads(random.nextDouble());
        int maxPauseNanos = (int) ((1 + random.nextInt(4)) * SECOND_NANOS / 2);
        for (int i = 0; i < 25; i++) {
            for (int harms = 1 + random.nextInt(2); harms > 0; harms--) {
                harm(new NodeId(1 + random.nextInt(NODES)));
            }
            world.runFor(random.nextInt(maxPauseNanos));
            if (random.nextInt(2) == 0) {
                mendLinks();
            }
        }
    }

    private void harm(NodeId victim) {
        NodeId other = new NodeId(1 + victim.number() % NODES);
        switch (random.nextInt(8)) {
            case 0 -> restart(victim, true);
            case 1 -> restart(victim, false);
            case 2 -> world.network().partition(Set.of(victim), Set.of(other));
            case 3 -> world.network().block(victim, other);
            case 4 -> store.cut(victim);
            case 5 -> store.expire(victim);
            case 6 -> replica(victim).process().standStill(random.nextInt((int) (2 * SECOND_NANOS)));
            default -> isolate(victim);
        }
    }

    private ReplicaProcess replica(NodeId node) {
        ReplicaProcess replica = replicas.get(node);
        if (replica == null) {
            throw new AssertionError(node + " is unknown");
        }
        return replica;
    }

    /** Leaves the node alone: no store, no other node. */
    void isolate(NodeId victim) {
        store.cut(victim);
        cutLinks(victim);
    }

    void cutLinks(NodeId victim) {
        for (NodeId other : replicas.keySet()) {
            if (!other.equals(victim)) {
                world.network().partition(Set.of(victim), Set.of(other));
            }
        }
    }

    /**
     * The node proposed a change of that version of the record, which may be made at any later moment while that
     * version is the last.
     */
    void proposed(NodeId node, long version) {
        proposed.merge(node, version, Math::max);
    }

    /**
     * A disk that is lost makes another copy, and is lost only while two other copies are in sync, and no change on its
     * way says otherwise.
     */
    private void restart(NodeId node, boolean keepsDisk) {
        ReplicaProcess old = replica(node);
        old.process().kill();
        Versioned<PartitionRecord> record = store.current(PARTITION);
        boolean mayLose = record.isPresent()
                && record.version() > proposed.getOrDefault(node, 0L)
                && record.get()
                        .inSync()
                        .equals(replicas.values().stream()
                                .map(replica -> replica.stored().copy())
                                .toList());
        if (keepsDisk || !mayLose) {
            old.stored().losePower();
            start(old.stored());
        } else {
            start(new StoredCopy(new CopyId(node, old.incarnation() + 1)));
        }
    }

    private void mendLinks() {
        world.network().heal();
        for (NodeId node : replicas.keySet()) {
            store.mend(node);
        }
    }

    /** All is well again: a leader acknowledges, all copies come back in sync, and all logs are equal. */
    void heal() {
        harms = false;
        mendLinks();
        store.heal();
        long before = acknowledged.size();
        boolean healed = world.runUntil(
                () -> acknowledged.size() > before + 20
                        && store.current(PARTITION).get().inSync().size() == NODES,
                30 * SECOND_NANOS);
        assertThat(healed)
                .as("progress, seed " + world.seed() + ": " + store.current(PARTITION) + " " + replicas.values())
                .isTrue();
        assertThat(replica(leader()).stored().log()).as("seed " + world.seed()).containsAll(acknowledged);
    }
}
