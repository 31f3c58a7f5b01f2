package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.cluster.AssignmentPlan;
import dev.fulmar.coordinator.cluster.ClusterFounding;
import dev.fulmar.coordinator.durability.Replication;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The nodes of a simulated cluster, with the operations on them. */
final class SimulatedCluster {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long SESSION_TIMEOUT_NANOS = 4 * SECOND_NANOS;
    private static final int MOST_RESTART_NANOS = 300_000_000;
    private static final int WELL_LOOK_NANOS = 500_000_000;
    private static final long LOOK_NANOS = 2_000_000;
    private static final String DIVERGED = "came to something else here than at the primary";
    private static final UUID CLUSTER = new UUID(7, 11);

    private final SimulatedWorld world;
    private final ClusterScenario scenario;
    private final PlanCache sql;
    private final SimulatedClusterStore store;
    private final ProbeCounts probes;
    private final Consumer<String> violations;
    private final RandomSource random;
    private final Map<NodeId, SimulatedNode> nodes = new TreeMap<>();
    private final List<Consumer<SimulatedNode>> deathWatchers = new ArrayList<>();
    private final List<IntConsumer> recordWatchers = new ArrayList<>();
    private final List<BiConsumer<NodeId, String>> probeWatchers = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<String> diary = new ArrayList<>();

    /** Nodes with flipped bits in their files, which may be met at any time. */
    private final Set<NodeId> damaged = new TreeSet<>();

    /** Nodes whose disk or machine is being disturbed, so that they may fail to start and may stop by themselves. */
    private final Map<NodeId, Integer> disturbed = new TreeMap<>();

    /** Counts the beginnings of faults, so that a look at how all is belongs to one time without them. */
    private int disturbances;

    private boolean hushed;
    private @Nullable NodeId gathering;

    /** Since when nothing goes wrong and all copies are in sync, as far as was looked; never if negative. */
    private long wellSinceNanos = -1;

    SimulatedCluster(
            SimulatedWorld world,
            ClusterScenario scenario,
            PlanCache sql,
            ProbeCounts probes,
            Consumer<String> violations) {
        this.world = world;
        this.scenario = scenario;
        this.sql = sql;
        this.probes = probes;
        this.violations = violations;
        this.store = new SimulatedClusterStore(world, SESSION_TIMEOUT_NANOS);
        this.random = world.random("cluster");
        this.store.observe((key, before, after) -> {
            if (key instanceof StateKey.Partition partition
                    && before.record() instanceof PartitionRecord earlier
                    && after.record() instanceof PartitionRecord later) {
                if (!earlier.primary().equals(later.primary())) {
                    probes.reached(ClusterPath.PROMOTION.name());
                }
                note(key + " " + later);
                int number = partition.partition().number();
                recordWatchers.forEach(watcher -> watcher.accept(number));
            }
        });
    }

    SimulatedWorld world() {
        return world;
    }

    ClusterScenario scenario() {
        return scenario;
    }

    PlanCache sql() {
        return sql;
    }

    SimulatedClusterStore store() {
        return store;
    }

    ProbeCounts probes() {
        return probes;
    }

    void violation(String text) {
        note("VIOLATION " + text);
        violations.accept(text);
    }

    void complaint(String text) {
        note("complaint " + text);
        complaints.add(text);
        if (Invariants.isBreach(text)) {
            violation("an invariant is broken: " + text);
        }
        if (text.contains(DIVERGED) && !scenario.wanders()) {
            violation("a copy comes to something else than the primary: " + text);
        }
    }

    /** Notes what happened, for people who look at a run. */
    void note(String text) {
        diary.add(world.nowNanos() / 1_000 + " us " + text);
    }

    List<String> diary() {
        return diary;
    }

    List<String> complaints() {
        return complaints;
    }

    /** Makes the cluster's records and starts all nodes. */
    void found() {
        List<NodeId> members = new ArrayList<>();
        for (int number = 1; number <= scenario.nodes(); number++) {
            members.add(new NodeId(number));
            int force = scenario.mostForceNanos();
            world.disk(new NodeId(number)).faults().latency(force / 2, force);
            world.disk(new NodeId(number)).forcesLate(scenario.mode() == DurabilityMode.ASYNC);
        }
        SimulatedProcess founder = world.startProcess(members.getFirst());
        List<String> answers = new ArrayList<>();
        new ClusterFounding(
                        store.connect(founder),
                        founder.scheduler(),
                        new ClusterRecord(CLUSTER, "simulated", scenario.partitions(), scenario.copies(), 1),
                        members,
                        answers::add)
                .start();
        if (!world.runUntil(() -> !answers.isEmpty(), 30 * SECOND_NANOS)
                || !answers.getFirst().isEmpty()) {
            throw new IllegalStateException("the cluster cannot be founded: " + answers);
        }
        founder.kill();
        members.forEach(this::start);
    }

    Collection<SimulatedNode> nodes() {
        return nodes.values();
    }

    SimulatedNode node(NodeId id) {
        SimulatedNode node = nodes.get(id);
        if (node == null) {
            throw new IllegalStateException(id + " is no node of the cluster");
        }
        return node;
    }

    /** The node with the number, counted around. */
    NodeId idOf(int number) {
        return new NodeId(1 + Math.floorMod(number, scenario.nodes()));
    }

    /** Adds a watcher of processes that end. */
    void onDeath(Consumer<SimulatedNode> watcher) {
        deathWatchers.add(watcher);
    }

    /** Adds a watcher of changed records of partitions, with their numbers. */
    void onRecord(IntConsumer watcher) {
        recordWatchers.add(watcher);
    }

    /** Stops clients from wanting something new, or lets them go on. */
    void hush(boolean isHushed) {
        hushed = isHushed;
    }

    /** Whether clients want nothing new. */
    boolean isHushed() {
        return hushed;
    }

    /** Makes clients turn to the node, or to any if null. */
    void gather(@Nullable NodeId node) {
        gathering = node;
    }

    /** The node to which clients turn; any if null. */
    @Nullable NodeId gathering() {
        return gathering;
    }

    /** Adds a watcher of paths that nodes reach. */
    void onProbe(BiConsumer<NodeId, String> watcher) {
        probeWatchers.add(watcher);
    }

    /** Takes note that the node reached the path. */
    void reached(NodeId node, String path) {
        probes.reached(path);
        if (path.startsWith(Replication.CHANGE_HINDERED)) {
            violation(node + ": " + path);
        }
        probeWatchers.forEach(watcher -> watcher.accept(node, path));
    }

    private void start(NodeId id) {
        SimulatedNode before = nodes.get(id);
        if (before != null && before.isAlive()) {
            return;
        }
        boolean isRestart = before != null && world.disk(id).usedBytes() > 0;
        SimulatedProcess process = world.startProcess(id);
        process.clock().jump(clockErrorMicros(id));
        SimulatedNode node = new SimulatedNode(this, process);
        if (isDisturbed(id)) {
            node.diskIsBad();
        }
        nodes.put(id, node);
        note("start of " + node.process());
        node.process().execute(0, "start", () -> {
            try {
                node.start();
                probes.reached(ClusterPath.RESTART.name(), isRestart ? 1 : 0);
            } catch (FulmarException refused) {
                startFailed(node, refused);
            }
        });
    }

    /** Of the machine: all processes on it see the same wrong wall time. */
    private long clockErrorMicros(NodeId id) {
        int most = scenario.mostClockErrorMicros();
        return most == 0 ? 0 : world.random("clock error of " + id).nextInt(2 * most + 1) - most;
    }

    private void startFailed(SimulatedNode node, FulmarException refused) {
        note(node.process() + " cannot start: " + refused.getMessage());
        if (!isDisturbed(node.node())) {
            violation(node.process() + " cannot start: " + refused);
            return;
        }
        end(node, false);
        if (isDamaged(node.node()) && canSpare(node.node())) {
            wipe(node.node()); // as the message advises
        }
        startLater(node.node(), SECOND_NANOS);
    }

    /** A part of the node failed and stopped it; it is started again later. */
    void stopped(SimulatedNode node, String part, String reason) {
        if (!node.isAlive()) {
            return;
        }
        note(node.process() + " stops: " + part + ": " + reason);
        probes.reached(ClusterPath.LOG_FAILED.name());
        if (!isDisturbed(node.node()) && !node.hadBadDisk()) {
            violation(node.process() + " stops though nothing is wrong with its machine: " + reason);
        }
        end(node, false);
        startLater(node.node(), SECOND_NANOS + random.nextInt((int) SECOND_NANOS));
    }

    private void end(SimulatedNode node, boolean powerFails) {
        if (powerFails) {
            node.process().crash();
        } else {
            node.process().kill();
        }
        node.abandon();
        deathWatchers.forEach(watcher -> watcher.accept(node));
    }

    /** Ends all nodes: the run is over. */
    void abandon() {
        deathWatchers.clear();
        for (SimulatedNode node : nodes.values()) {
            if (node.isAlive()) {
                end(node, false);
            }
        }
    }

    /** Starts the node when some time has passed, unless it was started before. */
    void startLater(NodeId id, long delayNanos) {
        world.schedule(delayNanos, "start of " + id, () -> start(id));
    }

    /** Ends the node's process; true if there was one. */
    boolean kill(NodeId id, boolean powerFails) {
        SimulatedNode node = node(id);
        if (!node.isAlive()) {
            return false;
        }
        note((powerFails ? "power of " : "kill of ") + node.process());
        end(node, powerFails);
        return true;
    }

    /** Starts all nodes that are down. */
    void startAll() {
        for (SimulatedNode node : List.copyOf(nodes.values())) {
            if (!node.isAlive()) {
                startLater(node.node(), random.nextInt(MOST_RESTART_NANOS));
            }
        }
    }

    /** Notes a disturbance: faults begin now. */
    void disturbed() {
        disturbances++;
        wellSinceNanos = -1;
    }

    /** Nothing goes wrong any more. */
    void mended() {
        disturbances++;
        look(disturbances);
    }

    private void look(int mending) {
        if (mending != disturbances) {
            return;
        }
        if (!allInSync()) {
            wellSinceNanos = -1;
        } else if (wellSinceNanos < 0) {
            wellSinceNanos = world.nowNanos();
        }
        world.schedule(WELL_LOOK_NANOS, "somebody looks how all is", () -> look(mending));
    }

    /** Whether nothing went wrong and all copies were in sync for so long. */
    boolean isWellFor(long nanos) {
        return wellSinceNanos >= 0 && world.nowNanos() - wellSinceNanos >= nanos;
    }

    void disturb(NodeId id, int change) {
        disturbed.merge(id, change, Integer::sum);
        if (change > 0) {
            node(id).diskIsBad();
        }
    }

    /** Empties the node's disk; its process has ended. */
    void wipe(NodeId id) {
        note("the disk of " + id + " is empty");
        world.disk(id).wipe();
        damaged.remove(id);
        probes.reached(ClusterPath.DISK_LOST.name());
    }

    /** Bits of the node's files have flipped. */
    void damage(NodeId id) {
        damaged.add(id);
    }

    boolean isDamaged(NodeId id) {
        return damaged.contains(id);
    }

    /** Whether no other node is damaged. */
    boolean isSoundBut(NodeId id) {
        return damaged.isEmpty() || (damaged.size() == 1 && damaged.contains(id));
    }

    /** Whether any node's machine is being disturbed. */
    boolean hasDisturbedDisk() {
        return disturbed.values().stream().anyMatch(count -> count > 0);
    }

    private boolean isDisturbed(NodeId id) {
        return disturbed.getOrDefault(id, 0) > 0 || isDamaged(id);
    }

    PartitionId partition(int number) {
        return new PartitionId(number);
    }

    @Nullable PartitionRecord record(int partition) {
        return store.current(new StateKey.Partition(new PartitionId(partition))).record();
    }

    /** The catalog has a record and copies as a partition has, behind the last one. */
    int streams() {
        return scenario.partitions() + 1;
    }

    /**
     * Whether every partition has a running copy with all that was confirmed beside the node's, and so has the catalog.
     * That must hold too of what a record becomes by a change that is under way: else the only copy that counts ends
     * with a process that has just sent that it is the only one.
     */
    boolean canSpare(NodeId victim) {
        for (int partition = 0; partition < streams(); partition++) {
            PartitionRecord record = record(partition);
            if (record == null || !hasAnother(partition, record, victim)) {
                return false;
            }
            for (PartitionRecord next : store.underWay(new StateKey.Partition(partition(partition)))) {
                if (!hasAnother(partition, next, victim)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean hasAnother(int partition, PartitionRecord record, NodeId victim) {
        return record.inSync().stream().anyMatch(copy -> !copy.node().equals(victim) && runs(partition, copy));
    }

    /** Whether what nodes confirm is there after a crash. */
    boolean keepsWhatItConfirms() {
        return scenario.mode() == DurabilityMode.SYNC;
    }

    /** Whether the copy runs with the life that the record says. */
    boolean runs(int partition, CopyId copy) {
        SimulatedNode node = node(copy.node());
        return node.hasBegun()
                && copy.equals(
                        node.database().copies().of(new PartitionId(partition)).copy());
    }

    /**
     * Runs the world until the cluster is in the state, which is checked once in a while; false if it does not become
     * so.
     */
    boolean comesTo(BooleanSupplier state, long mostNanos) {
        return world.runUntil(state, mostNanos, LOOK_NANOS);
    }

    /** Every partition has a primary that serves. */
    boolean allServe() {
        for (int partition = 0; partition < scenario.partitions(); partition++) {
            PartitionRecord record = record(partition);
            if (record == null || !serves(record.primary().node(), partition)) {
                return false;
            }
        }
        return true;
    }

    private boolean serves(NodeId id, int partition) {
        SimulatedNode node = node(id);
        return node.hasBegun() && node.database().copies().isHere(partition);
    }

    /** Every partition has as many copies in sync as it should, and none is being built; every node has the catalog. */
    boolean allInSync() {
        for (int partition = 0; partition < streams(); partition++) {
            PartitionRecord record = record(partition);
            int number = partition;
            int copies = number == scenario.partitions() ? scenario.nodes() : scenario.copies();
            if (record == null
                    || record.inSync().size() < copies
                    || !record.inSync().stream().allMatch(copy -> runs(number, copy))) {
                return false;
            }
        }
        return allServe();
    }

    /** The nodes that should lead do, the catalog too, and all copies are in sync: no leadership changes by itself. */
    boolean isAtRest() {
        List<NodeId> members = List.copyOf(nodes.keySet());
        List<List<NodeId>> placed = AssignmentPlan.withCatalog(members, scenario.partitions(), scenario.copies());
        for (int number = 0; number < streams(); number++) {
            PartitionRecord record = record(number);
            if (record == null
                    || !record.primary().node().equals(placed.get(number).getFirst())) {
                return false;
            }
        }
        return allInSync();
    }

    /** State of the whole cluster, for people. */
    String describe() {
        StringBuilder text = new StringBuilder();
        for (int partition = 0; partition < streams(); partition++) {
            text.append(partition).append(": ").append(record(partition)).append('\n');
        }
        for (SimulatedNode node : nodes.values()) {
            text.append(node.process()).append(node.isAlive() ? " runs" : " is down");
            text.append(", record ")
                    .append(store.current(new StateKey.Node(node.node())).record());
            if (node.hasBegun()) {
                text.append("\n  is process ")
                        .append(node.participation().member().incarnation())
                        .append(", session ")
                        .append(node.participation().member().session())
                        .append(", ")
                        .append(node.participation().member().trust())
                        .append(", knows ")
                        .append(node.participation().member().nodes());
                for (PartitionReplica copy : node.database().copies().streams()) {
                    text.append("\n  ").append(copy);
                }
            }
            text.append('\n');
        }
        return text.toString();
    }
}
