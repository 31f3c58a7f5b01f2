package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.enrollment.Enrollment;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.coordinator.replication.RecordStore;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedAgentRunner;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterMemberTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int PARTITIONS = 6;
    private static final List<NodeId> NODES = List.of(new NodeId(1), new NodeId(2), new NodeId(3));

    private final SimulatedWorld world = new SimulatedWorld(7);
    private final SimulatedClusterStore store = new SimulatedClusterStore(world, 2 * SECOND_NANOS);
    private final Map<NodeId, Process> processes = new TreeMap<>();

    /** A node's process whose copies do nothing but lead and follow. */
    private final class Process implements MemberListener {
        private final SimulatedProcess process;
        private final ClusterMember member;
        private final Map<Integer, FakeCopy> copies = new TreeMap<>();
        private final List<String> told = new ArrayList<>();
        private long incarnation;

        Process(NodeId node, Optional<UUID> cluster) {
            process = world.startProcess(node);
            member = new ClusterMember(
                    store.connect(process),
                    new NodeMessages(process.network()),
                    MemberLinks.NONE,
                    process.clock(),
                    process.scheduler(),
                    new Enrollment.Applicant(node, "host:" + node.number(), cluster),
                    MemberSettings.DEFAULTS,
                    this);
            SimulatedAgentRunner runner = process.runner(member, 5_000_000);
            member.wakeWith(runner::wakeUp);
            runner.start();
            member.start();
        }

        @Override
        public void enrolled(ClusterRecord cluster, long itsIncarnation) {
            incarnation = itsIncarnation;
            for (int partition = 0; partition < cluster.partitions(); partition++) {
                copies.put(partition, new FakeCopy(this, new PartitionId(partition)));
            }
            member.offer(copies.values(), copy -> itsIncarnation, () -> {});
        }

        @Override
        public void refused(String message) {
            told.add("refused: " + message);
        }

        @Override
        public void complaint(String message) {
            told.add("complaint: " + message);
        }

        Topology topology() {
            return Objects.requireNonNull(member.topology());
        }

        Stream<FakeCopy> joined() {
            return copies.values().stream().filter(copy -> copy.leadership != null);
        }

        long leading() {
            return copies.values().stream().filter(FakeCopy::leads).count();
        }
    }

    /** Leads and follows by the record; others catch up with it at once. */
    private final class FakeCopy implements MemberCopy {
        private final Process owner;
        private final PartitionId partition;
        private final Set<NodeId> others = new TreeSet<>();
        private final RecordStore records;
        private final List<NodeId> suspected = new ArrayList<>();
        private @Nullable Leadership leadership;

        FakeCopy(Process owner, PartitionId partition) {
            this.owner = owner;
            this.partition = partition;
            this.records = owner.member.storeOf(partition);
        }

        boolean leads() {
            return leadership != null && leadership.role() == Leadership.Role.PRIMARY;
        }

        @Override
        public PartitionId partition() {
            return partition;
        }

        @Override
        public void join(Leadership.Self self, Set<NodeId> newOthers) {
            leadership = new Leadership(self, Probes.NONE);
            nodes(newOthers);
            records.readAgain();
        }

        @Override
        public void tell(LeadershipEvent event) {
            if (event instanceof LeadershipEvent.Suspected(NodeId node)) {
                suspected.add(node);
            }
            if (leadership == null) {
                throw new AssertionError("a copy that takes no part is told " + event);
            }
            for (LeadershipEffect effect :
                    leadership.handle(event, owner.process.clock().monotonicNanos())) {
                if (effect instanceof LeadershipEffect.Change(Versioned<PartitionRecord> expected, var next)) {
                    records.change(
                            expected,
                            next,
                            outcome -> owner.process.execute(
                                    0, "ended", () -> tell(new LeadershipEvent.ChangeEnded(outcome))));
                }
            }
        }

        @Override
        public void nodes(Set<NodeId> newOthers) {
            others.clear();
            others.addAll(newOthers);
        }

        @Override
        public boolean timePassed() {
            tell(new LeadershipEvent.TimePassed());
            if (leadership != null && leadership.isToHandOver()) {
                tell(new LeadershipEvent.TransferAsked());
            }
            for (NodeId other : others) {
                Process process = processes.get(other);
                if (leads() && process != null && process.incarnation > 0 && process.process.isAlive()) {
                    CopyId copy = new CopyId(other, process.incarnation);
                    tell(new LeadershipEvent.Approached(copy));
                    tell(new LeadershipEvent.CaughtUp(copy));
                }
            }
            return false;
        }

        @Override
        public void received(NodeId from, ByteBuffer message) {}
    }

    @BeforeEach
    void initialize() {
        SimulatedProcess founder = world.startProcess(new NodeId(99));
        List<String> problems = new ArrayList<>();
        new ClusterFounding(
                        store.connect(founder),
                        founder.scheduler(),
                        new ClusterRecord(CLUSTER, "test", PARTITIONS, 2, 1),
                        NODES,
                        problems::add)
                .start();
        assertThat(world.runUntil(() -> !problems.isEmpty(), 10 * SECOND_NANOS)).isTrue();
        assertThat(problems).containsExactly("");
        founder.kill();
    }

    private Process start(int node) {
        Process process = new Process(new NodeId(node), Optional.empty());
        processes.put(process.process.node(), process);
        return process;
    }

    private void await(BooleanSupplier condition) {
        assertThat(world.runUntil(condition, 60 * SECOND_NANOS)).isTrue();
    }

    private PartitionRecord record(int partition) {
        return store.current(new StateKey.Partition(new PartitionId(partition))).get();
    }

    private boolean isWhole() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Versioned<PartitionRecord> found = store.current(new StateKey.Partition(new PartitionId(partition)));
            if (!found.isPresent() || found.get().inSync().size() < 2) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aNewClusterIsFoundedAndEachNodeLeadsItsShare() {
        Process first = start(1);
        Process second = start(2);
        Process third = start(3);
        await(this::isWhole);
        assertThat(List.of(first.leading(), second.leading(), third.leading())).containsOnly(2L);
        assertThat(record(0).epoch()).isEqualTo(1);
        await(() -> third.topology().primaries().equals(List.of(1, 2, 3, 1, 2, 3)));
        assertThat(first.member.nodes()).containsOnlyKeys(NODES);
        assertThat(first.told).isEmpty();
    }

    @Test
    void whenANodeDiesTheOthersLeadWhatItLed() {
        Process first = start(1);
        Process second = start(2);
        Process third = start(3);
        await(this::isWhole);
        first.process.kill();
        processes.remove(new NodeId(1));
        long killed = world.nowNanos();
        await(() -> second.leading() + third.leading() == PARTITIONS);
        assertThat(world.nowNanos() - killed).isLessThan(SECOND_NANOS);
        assertThat(second.leading()).isEqualTo(3);
        long version = second.topology().version();
        Process again = start(1);
        await(this::isWhole);
        assertThat(again.incarnation).isEqualTo(2);
        assertThat(again.leading()).isZero();
        assertThat(second.topology().version()).isGreaterThanOrEqualTo(version);
        assertThat(record(0).inSyncOn(new NodeId(1))).contains(new CopyId(new NodeId(1), 2));
    }

    @Test
    void aNodeThatLeavesIsMissedByNobody() {
        Process first = start(1);
        Process second = start(2);
        Process third = start(3);
        await(this::isWhole);
        world.runFor(SECOND_NANOS);
        assertThat(first.member.isDispensable()).isFalse();
        first.member.leave();
        long left = world.nowNanos();
        await(first.member::isDispensable);
        assertThat(world.nowNanos() - left).as("nobody had to suspect it").isLessThan(SECOND_NANOS / 5);
        assertThat(first.leading()).isZero();
        await(() -> second.leading() + third.leading() == PARTITIONS);
        world.runFor(2 * SECOND_NANOS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(record(partition).inSyncOn(new NodeId(1))).isEmpty();
        }
        assertThat(second.joined().noneMatch(copy -> copy.suspected.contains(new NodeId(1))))
                .isTrue();
        first.process.kill();
        processes.remove(new NodeId(1));
        start(1);
        await(this::isWhole);
    }

    @Test
    void nodesThatAllLeaveWaitForNobody() {
        Process first = start(1);
        Process second = start(2);
        Process third = start(3);
        await(this::isWhole);
        List<Process> all = List.of(first, second, third);
        all.forEach(process -> process.member.leave());
        await(() -> all.stream().allMatch(process -> process.member.isDispensable()));
        assertThat(first.leading() + second.leading() + third.leading()).isEqualTo(PARTITIONS);
    }

    @Test
    void whoeverComesWhileTheStoreHardlyAnswersKnowsTheOthersInTheEnd() {
        start(1);
        start(2);
        start(3);
        await(this::isWhole);
        for (int round = 0; round < 10; round++) {
            Objects.requireNonNull(processes.get(new NodeId(1))).process.kill();
            store.faults().breakCalls(0.6);
            Process again = start(1);
            world.runFor(4 * SECOND_NANOS);
            store.heal();
            await(() -> again.member.nodes().size() == NODES.size());
            await(this::isWhole);
        }
    }

    @Test
    void aNodeThatNeverCameIsSuspectedToo() {
        start(1);
        start(2);
        start(3);
        await(this::isWhole);
        processes.values().forEach(process -> process.process.kill());
        processes.clear();
        Process second = start(2);
        Process third = start(3);
        await(() -> second.joined().count() == 4
                && third.joined().count() == 4
                && second.joined().allMatch(copy -> copy.suspected.contains(new NodeId(1)))
                && third.joined().allMatch(copy -> copy.suspected.contains(new NodeId(1))));
        assertThat(second.member.trust()).anyMatch(change -> change.node().equals(new NodeId(1)) && change.suspected());
    }

    @Test
    void aPartitionWhoseFirstNodeNeverComesIsFoundedByTheNext() {
        Process second = start(2);
        Process third = start(3);
        world.runFor(5 * SECOND_NANOS);
        assertThat(second.leading() + third.leading()).isEqualTo(4);
        await(() -> second.leading() + third.leading() == PARTITIONS);
        Process first = start(1);
        await(this::isWhole);
        assertThat(first.leading()).isZero();
    }

    @Test
    void anOlderProcessOfANodeStops() {
        Process old = start(1);
        await(() -> old.incarnation == 1);
        start(1);
        await(() -> !old.told.isEmpty());
        assertThat(old.told.getFirst()).startsWith("refused: a younger process of N1");
    }

    @Test
    void theNodeOfAnotherClusterIsRefused() {
        Process stranger = new Process(new NodeId(3), Optional.of(new UUID(8, 8)));
        await(() -> !stranger.told.isEmpty());
        assertThat(stranger.told.getFirst()).contains("belong to cluster");
        assertThat(stranger.incarnation).isZero();
    }

    @Test
    void aNodeThatWasRemovedIsWatchedNoMoreAndStops() {
        Process first = start(1);
        Process second = start(2);
        Process third = start(3);
        await(this::isWhole);
        StateKey.Node key = new StateKey.Node(new NodeId(1));
        ClusterState operator = store.connect(world.startProcess(new NodeId(98)));
        world.runFor(SECOND_NANOS);
        Versioned<NodeRecord> found = store.current(key);
        operator.compareAndSet(
                key,
                found,
                new NodeRecord(found.get().incarnation(), NodeRecord.Standing.REMOVED, "host:1"),
                outcome -> {});
        await(() -> first.told.stream().anyMatch(text -> text.contains("has been removed")));
        await(() -> second.joined().allMatch(copy -> copy.suspected.contains(new NodeId(1))));
        await(() -> second.leading() + third.leading() == PARTITIONS);
    }
}
