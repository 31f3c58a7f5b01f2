package dev.fulmar.coordinator.membership.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.ClusterStateContract;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SimulatedClusterStateTest extends ClusterStateContract {
    private static final long SESSION_TIMEOUT_NANOS = 2_000_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(20);
    private final SimulatedClusterStore store = new SimulatedClusterStore(world, SESSION_TIMEOUT_NANOS);

    @Override
    protected ClusterState join(NodeId node) {
        return store.connect(world.startProcess(node));
    }

    @Override
    protected void endSession(ClusterState state) {
        store.expire(((SimulatedClusterState) state).node());
    }

    @Override
    protected void forge(StateKey<?> key, byte[] bytes) {
        store.forge(key, bytes);
    }

    @Override
    protected boolean await(BooleanSupplier condition) {
        return world.runUntil(condition, 60_000_000_000L);
    }

    @Override
    protected void pass(long nanos) {
        world.runFor(nanos);
    }

    @Test
    void aDeadProcessIsPresentUntilItsSessionExpires() {
        ClusterState survivor = joined(FIRST);
        SimulatedProcess process = world.startProcess(SECOND);
        ClusterState dying = store.connect(process);
        watch(dying);
        announce(dying, presence(SECOND, 1));
        process.crash();
        pass(SESSION_TIMEOUT_NANOS / 2);
        assertThat(presences(survivor)).containsExactly(presence(SECOND, 1));
        pass(SESSION_TIMEOUT_NANOS);
        assertThat(presences(survivor)).isEmpty();
    }

    @Test
    void aNodeThatIsCutOffNoticesItselfThatItsSessionIsGone() {
        ClusterState state = joined(FIRST);
        Notes notes = watch(state);
        store.cut(FIRST);
        pass(2 * SESSION_TIMEOUT_NANOS);
        assertThat(notes.isConnected()).isFalse();
        pass(2 * SESSION_TIMEOUT_NANOS);
        ChangeOutcome<Versioned<VersionRecord>> outcome =
                answerTo(answer -> state.compareAndSet(CATALOG, Versioned.absent(), new VersionRecord(1, 1), answer));
        assertThat(outcome).isEqualTo(new ChangeOutcome.SessionLost<>());
        store.mend(FIRST);
        assertThat(await(notes::isConnected)).isTrue();
        countUp(state);
    }

    @Test
    void aProcessThatStoodStillBelievesInItsSessionUntilItAsks() {
        SimulatedProcess process = world.startProcess(FIRST);
        ClusterState state = store.connect(process);
        Notes notes = watch(state);
        announce(state, presence(FIRST, 1));
        process.standStill(3 * SESSION_TIMEOUT_NANOS);
        ClusterState other = joined(SECOND);
        pass(2 * SESSION_TIMEOUT_NANOS);
        assertThat(presences(other)).isEmpty();
        assertThat(notes.isConnected()).isTrue();
        pass(3 * SESSION_TIMEOUT_NANOS);
        assertThat(notes.isConnected()).isTrue();
        assertThat(presences(other)).isEmpty();
    }

    @Test
    void whatWasNotifiedIsReadHoweverStaleReadsAre() {
        ClusterState writer = joined(FIRST);
        Follower follower = new Follower(store.connect(world.startProcess(SECOND)), world.startProcess(SECOND));
        pass(1_000_000_000);
        store.faults().staleReads(1);
        for (int i = 0; i < 50; i++) {
            long version = countUp(writer).version();
            pass(100_000_000);
            assertThat(follower.seen).isEqualTo(version);
        }
    }

    @Test
    void aNotificationThatIsLostInAShortCutCostsTheConnection() {
        ClusterState writer = joined(FIRST);
        Follower follower = new Follower(store.connect(world.startProcess(SECOND)), world.startProcess(SECOND));
        pass(1_000_000_000);
        store.cut(SECOND);
        long version = countUp(writer).version();
        store.mend(SECOND);
        pass(SESSION_TIMEOUT_NANOS);
        assertThat(follower.seen).isEqualTo(version);
    }

    /**
     * The store keeps a session that its client has given up, and tells it of changes too, over a connection that
     * carries nothing any more.
     */
    @Test
    void aSessionThatWasGivenUpKeepsNothingFromTheOneAfterIt() {
        ClusterState writer = joined(FIRST);
        countUp(writer);
        SimulatedProcess process = world.startProcess(SECOND);
        Follower follower = new Follower(store.connect(process), process);
        pass(1_000_000_000);
        store.faults().delayExpiry(100 * SESSION_TIMEOUT_NANOS);
        store.cut(SECOND);
        countUp(writer);
        pass(3 * SESSION_TIMEOUT_NANOS);
        store.mend(SECOND);
        pass(SESSION_TIMEOUT_NANOS);
        assertThat(follower.sessions).endsWith(SessionState.LOST, SessionState.CONNECTED);
        for (int i = 0; i < 3; i++) {
            long version = countUp(writer).version();
            pass(100_000_000);
            assertThat(follower.seen).isEqualTo(version);
        }
    }

    /**
     * An attempt to connect that took long reaches the store when its process has another connection, which gets the
     * notifications as before.
     */
    @Test
    void anAttemptToConnectThatComesLateTakesNoNotificationAway() {
        ClusterState writer = joined(FIRST);
        SimulatedProcess process = world.startProcess(SECOND);
        Follower follower = new Follower(store.connect(process), process);
        pass(1_000_000_000);
        for (int i = 0; i < 20; i++) {
            store.cut(SECOND);
            countUp(writer);
            store.mend(SECOND);
            store.faults().delay(1_000_000, 400_000_000);
            pass(SESSION_TIMEOUT_NANOS * 2);
            store.faults().delay(200_000, 3_000_000);
            pass(SESSION_TIMEOUT_NANOS);
            long version = countUp(writer).version();
            pass(SESSION_TIMEOUT_NANOS);
            assertThat(follower.seen).as("round " + i).isEqualTo(version);
        }
    }

    /** Whatever the store does to the answers, each version is won once, and what was answered is what is there. */
    @Test
    void underFaultsNoChangeIsLostOrDoubled() {
        int applied = 0;
        int unknown = 0;
        for (int seed = 1; seed <= 20; seed++) {
            Contest contest = new Contest(seed);
            contest.run();
            applied += contest.appliedVersions.size();
            unknown += contest.unknown;
            assertThat(new Contest(seed).run()).isEqualTo(contest.hash());
        }
        assertThat(applied).isGreaterThan(500);
        assertThat(unknown).isGreaterThan(100);
    }

    /** Three nodes that count one record up, under all faults at once. */
    private static final class Contest {
        private final SimulatedWorld world;
        private final SimulatedClusterStore store;
        private final List<Long> appliedVersions = new ArrayList<>();
        private int unknown;
        private long highestChanged;

        Contest(long seed) {
            world = new SimulatedWorld(seed);
            store = new SimulatedClusterStore(world, SESSION_TIMEOUT_NANOS);
            store.faults().breakCalls(0.1);
            store.faults().staleReads(0.3);
            store.faults().delayExpiry(SESSION_TIMEOUT_NANOS);
            store.observe((key, before, after) -> {
                assertThat(after.version()).isEqualTo(before.version() + 1);
                highestChanged = after.version();
            });
            for (int node = 1; node <= 3; node++) {
                SimulatedProcess process = world.startProcess(new NodeId(node));
                count(process, store.connect(process));
            }
        }

        private void count(SimulatedProcess process, ClusterState state) {
            process.scheduler()
                    .schedule(
                            20_000_000,
                            () -> state.read(CATALOG, outcome -> {
                                if (outcome instanceof ReadOutcome.Found<Versioned<VersionRecord>>(var found)) {
                                    VersionRecord next = new VersionRecord(
                                            found.isPresent() ? found.get().number() + 1 : 1,
                                            process.node().number());
                                    state.compareAndSet(CATALOG, found, next, change -> {
                                        if (change
                                                instanceof ChangeOutcome.Applied<Versioned<VersionRecord>>(var made)) {
                                            appliedVersions.add(made.version());
                                        } else if (!(change instanceof ChangeOutcome.Conflict)) {
                                            unknown++;
                                        }
                                        count(process, state);
                                    });
                                } else {
                                    count(process, state);
                                }
                            }));
        }

        long run() {
            for (int i = 0; i < 10; i++) {
                world.runFor(1_000_000_000L);
                store.cut(new NodeId(1 + i % 3));
                world.runFor(1_500_000_000L);
                store.mend(new NodeId(1 + i % 3));
            }
            store.heal();
            long healed = highestChanged;
            world.runFor(10_000_000_000L);
            assertThat(highestChanged).as("progress after the faults").isGreaterThan(healed + 20);
            assertThat(appliedVersions).doesNotHaveDuplicates();
            assertThat(store.current(CATALOG).version()).isEqualTo(highestChanged);
            assertThat(store.current(CATALOG).get().number()).isEqualTo(highestChanged);
            return hash();
        }

        long hash() {
            return world.hash();
        }
    }

    /** A reader that follows notifications alone ends up with the last value, whatever breaks on the way. */
    @Test
    void underFaultsTheLastChangeIsNoticed() {
        for (int seed = 1; seed <= 20; seed++) {
            Contest contest = new Contest(seed);
            SimulatedProcess process = contest.world.startProcess(new NodeId(4));
            Follower follower = new Follower(contest.store.connect(process), process);
            contest.run();
            contest.store.cut(new NodeId(1));
            contest.store.cut(new NodeId(2));
            contest.store.cut(new NodeId(3));
            contest.world.runFor(10_000_000_000L);
            assertThat(follower.seen).as("seed " + seed).isEqualTo(contest.highestChanged);
            assertThat(follower.reads).isLessThan((int) contest.highestChanged * 4);
        }
    }

    private static final class Follower implements StateListener {
        private final ClusterState state;
        private final SimulatedProcess process;
        private final List<SessionState> sessions = new ArrayList<>();
        private long seen;
        private int reads;

        Follower(ClusterState state, SimulatedProcess process) {
            this.state = state;
            this.process = process;
            state.watch(this);
        }

        private void readAgain() {
            reads++;
            state.read(CATALOG, outcome -> {
                switch (outcome) {
                    case ReadOutcome.Found<Versioned<VersionRecord>>(var found) -> {
                        assertThat(found.version()).isGreaterThanOrEqualTo(0);
                        seen = found.version();
                    }
                    case ReadOutcome.Unanswered<?> _ -> process.scheduler().schedule(100_000_000, this::readAgain);
                    case ReadOutcome.SessionLost<?> _ -> {}
                    case ReadOutcome.Refused<?> refused -> throw new AssertionError(refused.message());
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
            sessions.add(session);
            if (session == SessionState.CONNECTED) {
                readAgain();
            }
        }
    }

    @Test
    void whatIsUnderWayIsKnownToWhoeverJudgesUntilItIsThereOrNeverComes() {
        SimulatedProcess process = world.startProcess(FIRST);
        ClusterState state = store.connect(process);
        pass(1_000_000_000);
        VersionRecord first = new VersionRecord(1, 1);
        state.compareAndSet(CATALOG, Versioned.absent(), first, answer -> {});
        process.crash();
        assertThat(store.current(CATALOG).record()).isNull();
        assertThat(store.underWay(CATALOG)).containsExactly(first);
        pass(1_000_000_000);
        assertThat(store.current(CATALOG).record()).isEqualTo(first);
        assertThat(store.underWay(CATALOG)).isEmpty();

        ClusterState cut = store.connect(world.startProcess(SECOND));
        pass(1_000_000_000);
        store.cut(SECOND);
        cut.compareAndSet(CATALOG, store.current(CATALOG), new VersionRecord(2, 1), answer -> {});
        cut.compareAndSet(CATALOG, Versioned.absent(), first, answer -> {});
        assertThat(store.underWay(CATALOG)).containsExactly(new VersionRecord(2, 1));
        pass(1_000_000_000);
        assertThat(store.underWay(CATALOG)).isEmpty();
    }
}
