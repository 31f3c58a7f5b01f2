package dev.fulmar.coordinator.membership.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class EnrollmentTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final NodeId NODE = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final StateKey.Cluster CLUSTER = new StateKey.Cluster();
    private static final StateKey.Node RECORD = new StateKey.Node(NODE);
    private static final ClusterRecord ORDERS = new ClusterRecord(new UUID(1, 2), "orders", 8, 2, 1);

    private final SimulatedWorld world = new SimulatedWorld(4);
    private final SimulatedClusterStore store = new SimulatedClusterStore(world, 2 * SECOND_NANOS);
    private final ClusterState operator = store.connect(world.startProcess(new NodeId(99)));

    private void makeCluster() {
        world.runFor(SECOND_NANOS);
        operator.compareAndSet(CLUSTER, Versioned.absent(), ORDERS, outcome -> {});
        world.runFor(SECOND_NANOS);
    }

    /** A process of a node with a view and an enrollment, as a node wires them. */
    private final class Member implements ClusterView.Listener, Enrollment.Listener {
        final SimulatedProcess process;
        final List<String> refusals = new ArrayList<>();
        final List<Presence> present = new ArrayList<>();
        final Enrollment enrollment;
        long incarnation;
        long lastVersion;
        boolean toldPresences;

        Member(NodeId node, Optional<UUID> clusterId) {
            process = world.startProcess(node);
            ClusterState state = store.connect(process);
            Executor home = task -> process.execute(1_000, "home", task);
            enrollment = new Enrollment(
                    state,
                    home,
                    process.scheduler(),
                    new Enrollment.Applicant(node, "127.0.0.1:7400", clusterId),
                    SECOND_NANOS / 10,
                    this);
            ClusterView view = new ClusterView(state, home, process.scheduler(), SECOND_NANOS / 10, this);
            view.follow(new StateKey.Node(node));
            view.start();
            enrollment.start();
        }

        @Override
        public void found(StateKey<?> key, Versioned<?> found) {
            assertThat(found.version()).isGreaterThanOrEqualTo(lastVersion);
            lastVersion = found.version();
            if (found.record() instanceof NodeRecord record) {
                enrollment.found(record);
            }
        }

        @Override
        public void present(List<Presence> found) {
            assertThat(toldPresences && found.equals(present)).as("news").isFalse();
            toldPresences = true;
            present.clear();
            present.addAll(found);
        }

        @Override
        public void session(SessionState session) {
            enrollment.session(session);
        }

        @Override
        public void enrolled(ClusterRecord cluster, long itsIncarnation) {
            assertThat(cluster).isEqualTo(ORDERS);
            assertThat(incarnation).as("enrolled once").isZero();
            incarnation = itsIncarnation;
        }

        @Override
        public void refused(String message) {
            refusals.add(message);
        }
    }

    private Member start(NodeId node) {
        return new Member(node, Optional.empty());
    }

    private static Presence presence(NodeId node, long incarnation) {
        return new Presence(node, incarnation, "127.0.0.1:7400");
    }

    @Test
    void eachProcessGetsAnIncarnationOfItsOwn() {
        makeCluster();
        Member first = start(NODE);
        Member other = start(OTHER);
        world.runFor(2 * SECOND_NANOS);
        assertThat(first.incarnation).isEqualTo(1);
        assertThat(first.present).containsExactly(presence(NODE, 1), presence(OTHER, 1));
        first.process.crash();
        Member second = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        assertThat(second.incarnation).isEqualTo(2);
        assertThat(other.present).containsExactly(presence(NODE, 2), presence(OTHER, 1));
        assertThat(store.current(RECORD).get().incarnation()).isEqualTo(2);
        assertThat(other.refusals).isEmpty();
    }

    @Test
    void anOlderProcessStops() {
        makeCluster();
        Member older = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        Member younger = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        assertThat(older.refusals).singleElement().asString().contains("younger process");
        assertThat(younger.refusals).isEmpty();
        assertThat(younger.present).containsExactly(presence(NODE, 2));
    }

    @Test
    void withoutTheRightClusterNothingBegins() {
        Member early = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        assertThat(early.refusals).singleElement().asString().contains("cluster init");
        makeCluster();
        Member stranger = new Member(NODE, Optional.of(new UUID(3, 4)));
        world.runFor(2 * SECOND_NANOS);
        assertThat(stranger.refusals).singleElement().asString().contains("belong to cluster");
        assertThat(store.current(RECORD).isPresent()).isFalse();
        Member member = new Member(NODE, Optional.of(ORDERS.clusterId()));
        world.runFor(2 * SECOND_NANOS);
        assertThat(member.incarnation).isEqualTo(1);
    }

    @Test
    void aRemovedNodeIsRefusedAlsoWhileItRuns() {
        makeCluster();
        Member member = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        NodeRecord removed = new NodeRecord(1, NodeRecord.Standing.REMOVED, "127.0.0.1:7400");
        operator.compareAndSet(RECORD, store.current(RECORD), removed, outcome -> {});
        world.runFor(2 * SECOND_NANOS);
        assertThat(member.refusals).singleElement().asString().contains("removed");
        Member again = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        assertThat(again.refusals).singleElement().asString().contains("new number");
    }

    @Test
    void inANewSessionTheProcessShowsItselfAgain() {
        makeCluster();
        Member member = start(NODE);
        Member other = start(OTHER);
        world.runFor(2 * SECOND_NANOS);
        store.expire(NODE);
        assertThat(world.runUntil(() -> other.present.equals(List.of(presence(OTHER, 1))), 5 * SECOND_NANOS))
                .isTrue();
        world.runFor(5 * SECOND_NANOS);
        assertThat(other.present).containsExactly(presence(NODE, 1), presence(OTHER, 1));
        assertThat(member.refusals).isEmpty();
    }

    @Test
    void aForgedRecordIsRefusedWithAReason() {
        makeCluster();
        store.forge(RECORD, new byte[] {1});
        Member member = start(NODE);
        world.runFor(2 * SECOND_NANOS);
        assertThat(member.incarnation).isZero();
        assertThat(member.refusals).isNotEmpty().allMatch(message -> message.contains("malformed"));
    }

    @Test
    void underFaultsNoIncarnationIsGivenTwice() {
        makeCluster();
        store.faults().breakCalls(0.3);
        store.faults().staleReads(0.5);
        List<Long> given = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Member member = start(NODE);
            assertThat(world.runUntil(() -> member.incarnation > 0, 60 * SECOND_NANOS))
                    .isTrue();
            given.add(member.incarnation);
            member.process.crash();
        }
        assertThat(given).isSorted().doesNotHaveDuplicates();
    }
}
