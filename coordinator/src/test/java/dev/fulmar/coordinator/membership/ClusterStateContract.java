package dev.fulmar.coordinator.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.stored.RecordFormat;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What every implementation of the port keeps to: the model, one server, an ensemble. */
public abstract class ClusterStateContract {
    protected static final NodeId FIRST = new NodeId(1);
    protected static final NodeId SECOND = new NodeId(2);
    protected static final NodeId THIRD = new NodeId(3);
    protected static final StateKey.Catalog CATALOG = new StateKey.Catalog();
    private static final StateKey.Partition PARTITION = new StateKey.Partition(new PartitionId(11));
    private static final int MAX_ATTEMPTS = 200;

    /** A process of the node with an access to the store of this test; the store is empty. */
    protected abstract ClusterState join(NodeId node);

    /** Ends the session at the store, as if it had expired. */
    protected abstract void endSession(ClusterState state);

    /** Replaces a stored record. */
    protected abstract void forge(StateKey<?> key, byte[] bytes);

    /** Waits until the condition holds; returns whether it did before too long. */
    protected abstract boolean await(BooleanSupplier condition);

    /** Lets time pass. */
    protected abstract void pass(long nanos);

    /** Notes what it is told. */
    protected static final class Notes implements StateListener {
        final List<StateKey<?>> changed = new CopyOnWriteArrayList<>();
        final List<SessionState> session = new CopyOnWriteArrayList<>();
        final AtomicInteger presenceChanges = new AtomicInteger();

        @Override
        public void changed(StateKey<?> key) {
            changed.add(key);
        }

        @Override
        public void presencesChanged() {
            presenceChanges.incrementAndGet();
        }

        @Override
        public void sessionChanged(SessionState state) {
            session.add(state);
        }

        public boolean isConnected() {
            return !session.isEmpty() && session.getLast() == SessionState.CONNECTED;
        }
    }

    protected final Notes watch(ClusterState state) {
        Notes notes = new Notes();
        state.watch(notes);
        assertThat(await(notes::isConnected)).as("connected in time").isTrue();
        return notes;
    }

    protected final ClusterState joined(NodeId node) {
        ClusterState state = join(node);
        watch(state);
        return state;
    }

    protected final <T> T answerTo(Consumer<Consumer<T>> call) {
        List<T> answers = new CopyOnWriteArrayList<>();
        call.accept(answers::add);
        assertThat(await(() -> !answers.isEmpty())).as("answered in time").isTrue();
        return answers.getFirst();
    }

    /** Reads until there is an answer: a loaded machine loses connections. */
    protected final <R extends StateRecord> Versioned<R> read(ClusterState state, StateKey<R> key) {
        return found(answer -> state.read(key, answer));
    }

    private <T> T found(Consumer<Consumer<ReadOutcome<T>>> call) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            if (answerTo(call) instanceof ReadOutcome.Found<T>(T value)) {
                return value;
            }
            pass(50_000_000);
        }
        throw new AssertionError("no answer in time");
    }

    protected final List<Presence> presences(ClusterState state) {
        return found(state::readPresences);
    }

    private <R extends StateRecord> ChangeOutcome<Versioned<R>> change(
            ClusterState state, StateKey<R> key, Versioned<R> expected, R next) {
        return answerTo(answer -> state.compareAndSet(key, expected, next, answer));
    }

    protected final Versioned<VersionRecord> countUp(ClusterState state) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            Versioned<VersionRecord> current = read(state, CATALOG);
            if (change(state, CATALOG, current, after(current))
                    instanceof ChangeOutcome.Applied<Versioned<VersionRecord>>(var applied)) {
                return applied;
            }
        }
        throw new AssertionError("no change in so many attempts");
    }

    private static VersionRecord after(Versioned<VersionRecord> current) {
        return new VersionRecord(current.isPresent() ? current.get().number() + 1 : 1, 7);
    }

    protected final void announce(ClusterState state, Presence presence) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            if (this.<ChangeOutcome<Presence>>answerTo(answer -> state.announce(presence, answer))
                    .equals(new ChangeOutcome.Applied<>(presence))) {
                return;
            }
            pass(50_000_000);
        }
        throw new AssertionError("not announced in time");
    }

    protected static Presence presence(NodeId node, long incarnation) {
        return new Presence(node, incarnation, "127.0.0.1:74" + incarnation);
    }

    @Test
    void aRecordIsAbsentCreatedAndChanged() {
        ClusterState state = joined(FIRST);
        assertThat(read(state, PARTITION)).isEqualTo(Versioned.absent());
        CopyId copy = new CopyId(FIRST, 1);
        CopyId other = new CopyId(SECOND, 1);
        PartitionRecord one = new PartitionRecord(1, copy, 1, List.of(copy, other));
        PartitionRecord two = new PartitionRecord(2, other, 1, List.of(other));
        assertThat(change(state, PARTITION, Versioned.absent(), one))
                .isEqualTo(new ChangeOutcome.Applied<>(new Versioned<>(one, 1)));
        assertThat(read(state, PARTITION)).isEqualTo(new Versioned<>(one, 1));
        assertThat(change(state, PARTITION, new Versioned<>(one, 1), two))
                .isEqualTo(new ChangeOutcome.Applied<>(new Versioned<>(two, 2)));
        assertThat(read(joined(SECOND), PARTITION)).isEqualTo(new Versioned<>(two, 2));
    }

    @Test
    void aConflictShowsWhatIsThere() {
        ClusterState first = joined(FIRST);
        ClusterState second = joined(SECOND);
        VersionRecord one = new VersionRecord(1, 10);
        VersionRecord two = new VersionRecord(2, 20);
        change(first, CATALOG, Versioned.absent(), one);
        assertThat(change(second, CATALOG, Versioned.absent(), new VersionRecord(1, 11)))
                .isEqualTo(new ChangeOutcome.Conflict<>(new Versioned<>(one, 1)));
        change(second, CATALOG, new Versioned<>(one, 1), two);
        assertThat(change(first, CATALOG, new Versioned<>(one, 1), new VersionRecord(2, 21)))
                .isEqualTo(new ChangeOutcome.Conflict<>(new Versioned<>(two, 2)));
        assertThat(read(first, CATALOG)).isEqualTo(new Versioned<>(two, 2));
    }

    @Test
    void ofContendersOneWinsEachVersion() {
        List<ClusterState> states = List.of(joined(FIRST), joined(SECOND), joined(THIRD));
        for (int round = 0; round < 10; round++) {
            Versioned<VersionRecord> current = read(states.getFirst(), CATALOG);
            List<ChangeOutcome<Versioned<VersionRecord>>> outcomes = new CopyOnWriteArrayList<>();
            for (ClusterState state : states) {
                state.compareAndSet(CATALOG, current, after(current), outcomes::add);
            }
            assertThat(await(() -> outcomes.size() == states.size())).isTrue();
            long applied = outcomes.stream()
                    .filter(ChangeOutcome.Applied.class::isInstance)
                    .count();
            long unknown = outcomes.stream()
                    .filter(outcome ->
                            !(outcome instanceof ChangeOutcome.Applied) && !(outcome instanceof ChangeOutcome.Conflict))
                    .count();
            assertThat(applied).isLessThanOrEqualTo(1);
            assertThat(applied + unknown).isPositive();
        }
    }

    @Test
    void answersComeInOrderAndNotWithinTheCall() {
        ClusterState state = joined(FIRST);
        countUp(state);
        List<Integer> expected = new ArrayList<>();
        List<Integer> answered = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            expected.add(number);
            state.read(CATALOG, outcome -> answered.add(number));
        }
        Thread caller = Thread.currentThread();
        List<Boolean> within = new CopyOnWriteArrayList<>();
        boolean[] returned = {false};
        state.read(CATALOG, outcome -> within.add(Thread.currentThread().equals(caller) && !returned[0]));
        returned[0] = true;
        assertThat(await(() -> answered.size() == 20 && within.size() == 1)).isTrue();
        assertThat(answered).isEqualTo(expected);
        assertThat(within).containsExactly(false);
    }

    @Test
    void aChangeIsNotifiedAndThenRead() {
        ClusterState writer = joined(FIRST);
        ClusterState reader = joined(SECOND);
        Notes notes = watch(reader);
        for (int i = 0; i < 5; i++) {
            notes.changed.clear();
            Versioned<VersionRecord> written = countUp(writer);
            assertThat(await(() -> notes.changed.contains(CATALOG))).isTrue();
            assertThat(read(reader, CATALOG).version()).isGreaterThanOrEqualTo(written.version());
        }
    }

    @Test
    void theLastOfManyChangesIsNotifiedAfterIt() {
        ClusterState writer = joined(FIRST);
        ClusterState reader = joined(SECOND);
        List<Long> seen = new CopyOnWriteArrayList<>();
        Notes notes = new Notes();
        reader.watch(new StateListener() {
            @Override
            public void changed(StateKey<?> key) {
                reader.read(CATALOG, outcome -> {
                    if (outcome instanceof ReadOutcome.Found<Versioned<VersionRecord>>(var found)) {
                        seen.add(found.version());
                    }
                });
            }

            @Override
            public void presencesChanged() {}

            @Override
            public void sessionChanged(SessionState state) {
                notes.sessionChanged(state);
                changed(CATALOG);
            }
        });
        assertThat(await(notes::isConnected)).isTrue();
        long last = 0;
        for (int i = 0; i < 30; i++) {
            last = countUp(writer).version();
        }
        long lastVersion = last;
        assertThat(await(() -> seen.contains(lastVersion))).isTrue();
    }

    @Test
    void nodesAreListedInOrder() {
        ClusterState state = joined(FIRST);
        for (int number : new int[] {20, 3, 100}) {
            StateKey.Node key = new StateKey.Node(new NodeId(number));
            NodeRecord record = new NodeRecord(1, NodeRecord.Standing.MEMBER, "127.0.0.1:" + number);
            change(state, key, read(state, key), record);
        }
        assertThat(this.<List<StateKey.Node>>found(state::readNodes))
                .extracting(key -> key.node().number())
                .containsExactly(3, 20, 100);
    }

    @Test
    void presencesComeAndGoWithTheirSessions() {
        ClusterState first = joined(FIRST);
        ClusterState second = joined(SECOND);
        Notes notes = watch(first);
        assertThat(presences(first)).isEmpty();
        announce(second, presence(SECOND, 4));
        announce(first, presence(FIRST, 9));
        announce(first, presence(FIRST, 9));
        assertThat(presences(first)).containsExactly(presence(FIRST, 9), presence(SECOND, 4));
        assertThat(await(() -> notes.presenceChanges.get() > 0)).isTrue();
        int before = notes.presenceChanges.get();
        second.close();
        assertThat(await(() -> presences(first).equals(List.of(presence(FIRST, 9)))))
                .isTrue();
        assertThat(await(() -> notes.presenceChanges.get() > before)).isTrue();
    }

    @Test
    void aYoungerProcessTakesTheOldersPlaceAndNeverTheReverse() {
        ClusterState older = joined(FIRST);
        ClusterState younger = joined(FIRST);
        announce(older, presence(FIRST, 1));
        announce(younger, presence(FIRST, 2));
        assertThat(presences(younger)).containsExactly(presence(FIRST, 2));
        assertThat(this.<ChangeOutcome<Presence>>answerTo(answer -> older.announce(presence(FIRST, 1), answer)))
                .isEqualTo(new ChangeOutcome.Conflict<>(presence(FIRST, 2)));
        older.close();
        pass(300_000_000);
        assertThat(presences(younger)).containsExactly(presence(FIRST, 2));
    }

    @Test
    void aLostSessionIsToldReplacedAndForgetsThePresence() {
        ClusterState state = joined(FIRST);
        ClusterState other = joined(SECOND);
        Notes notes = watch(state);
        announce(state, presence(FIRST, 1));
        long version = countUp(state).version();
        endSession(state);
        assertThat(await(() -> notes.session.contains(SessionState.LOST) && notes.isConnected()))
                .isTrue();
        assertThat(presences(other)).isEmpty();
        assertThat(read(state, CATALOG).version()).isEqualTo(version);
        countUp(state);
        announce(state, presence(FIRST, 1));
        assertThat(presences(other)).containsExactly(presence(FIRST, 1));
    }

    @Test
    void aChangeMadeWhileTheSessionWasAwayIsFoundAfterConnected() {
        ClusterState state = joined(FIRST);
        ClusterState other = joined(SECOND);
        List<Long> seen = new CopyOnWriteArrayList<>();
        state.watch(new StateListener() {
            private void readAgain() {
                state.read(CATALOG, outcome -> {
                    if (outcome instanceof ReadOutcome.Found<Versioned<VersionRecord>>(var found)) {
                        seen.add(found.version());
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
        });
        countUp(other);
        endSession(state);
        long version = countUp(other).version();
        assertThat(await(() -> seen.contains(version))).isTrue();
    }

    @Test
    void whatCannotBeReadIsRefusedAndNotOverwritten() {
        ClusterState state = joined(FIRST);
        countUp(state);
        forge(CATALOG, new byte[] {1, 2, 3});
        ReadOutcome<Versioned<VersionRecord>> read = answerTo(answer -> state.read(CATALOG, answer));
        assertThat(read)
                .isInstanceOfSatisfying(
                        ReadOutcome.Refused.class,
                        refused -> assertThat(refused.message()).contains("malformed"));
        assertThat(change(state, CATALOG, Versioned.absent(), new VersionRecord(1, 1)))
                .isInstanceOf(ChangeOutcome.Refused.class);
        byte[] later = RecordFormat.encode(CATALOG, new VersionRecord(1, 1));
        later[2] = 9;
        forge(CATALOG, later);
        assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> state.read(CATALOG, answer)))
                .isInstanceOf(ReadOutcome.Refused.class);
    }

    @Test
    void aStepAgainstTheRulesDoesNotLeaveTheNode() {
        ClusterState state = joined(FIRST);
        Versioned<VersionRecord> current = countUp(state);
        assertThatThrownBy(() -> state.compareAndSet(CATALOG, current, new VersionRecord(9, 1), outcome -> {}))
                .isInstanceOf(FulmarException.class);
        assertThat(read(state, CATALOG)).isEqualTo(current);
    }

    @Test
    void afterTheEndEveryCallIsAnsweredWithTheLossOfTheSession() {
        ClusterState state = joined(FIRST);
        state.close();
        state.close();
        assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> state.read(CATALOG, answer)))
                .isEqualTo(new ReadOutcome.SessionLost<>());
        assertThat(change(state, CATALOG, Versioned.absent(), new VersionRecord(1, 1)))
                .isEqualTo(new ChangeOutcome.SessionLost<>());
    }
}
