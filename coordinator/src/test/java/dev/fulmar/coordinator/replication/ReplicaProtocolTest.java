package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of the store come late: messages of other copies have told more by then. */
class ReplicaProtocolTest {
    private static final CopyId FORMER = new CopyId(new NodeId(1), 1);
    private static final CopyId OWN = new CopyId(new NodeId(2), 1);
    private static final CopyId OTHER = new CopyId(new NodeId(3), 1);
    private static final PartitionRecord FIRST_TERM = new PartitionRecord(1, FORMER, 1, List.of(FORMER, OWN, OTHER));
    private static final PartitionRecord LATER_TERM = new PartitionRecord(3, OTHER, 1, List.of(OTHER));

    private final Store store = new Store();
    private final Role role = new Role();
    private final Stream stream = new Stream();
    private final ReplicaProtocol replica = new ReplicaProtocol(
            new Leadership.Self(OWN, 1, 1, 10, 0, 1_000),
            CopyState.empty(OWN),
            new PrimaryReplication.Limits(5, 2, 3, 100),
            new ReplicaProtocol.Ports(
                    stream,
                    (to, parts) -> {},
                    store,
                    role,
                    new SimulatedWorld(1).startProcess(OWN.node()).clock()),
            Probes.NONE);

    /** The record's primary is gone, so this copy asks for the next term. */
    private PartitionRecord askForTerm() {
        replica.take(new LeadershipEvent.RecordFound(new Versioned<>(FIRST_TERM, 1)));
        replica.take(new LeadershipEvent.Suspected(FORMER.node()));
        PartitionRecord asked = store.next;
        assertThat(asked).isNotNull();
        assertThat(asked.primary()).isEqualTo(OWN);
        assertThat(asked.epoch()).isEqualTo(2);
        return asked;
    }

    private void hearOfLaterTerm() {
        ByteBuffer message = ByteBuffer.allocate(ReplicationFormat.MAX_BYTES);
        ReplicationFormat.write(
                new ReplicationMessage.TermBegun(LATER_TERM.epoch(), EpochHistory.EMPTY.with(LATER_TERM.epoch(), 0), 0),
                message);
        replica.received(OTHER.node(), message.flip());
        assertThat(replica.heardEpoch()).isEqualTo(LATER_TERM.epoch());
    }

    @Test
    void aTermBeginsWithTheAnswerOfTheStore() {
        PartitionRecord asked = askForTerm();
        store.answer(new ChangeOutcome.Applied<>(new Versioned<>(asked, 2)));
        assertThat(replica.role()).isEqualTo(Leadership.Role.PRIMARY);
        assertThat(replica.leads()).isTrue();
    }

    /** It learns of its own change from the answer to the first attempt, or to one that repeated it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTermThatAnotherHasOvertakenDoesNotBegin(boolean isRepeated) {
        PartitionRecord asked = askForTerm();
        hearOfLaterTerm();
        Versioned<PartitionRecord> own = new Versioned<>(asked, 2);
        store.answer(isRepeated ? new ChangeOutcome.Conflict<>(own) : new ChangeOutcome.Applied<>(own));
        replica.take(new LeadershipEvent.RecordFound(new Versioned<>(asked, 2)));
        assertThat(replica.leads()).isFalse();
        assertThat(store.readings).as("what came is out of date").isEqualTo(2);
        replica.take(new LeadershipEvent.RecordFound(new Versioned<>(LATER_TERM, 3)));
        assertThat(replica.role()).isEqualTo(Leadership.Role.LEARNER);
        assertThat(replica.term()).isEqualTo(LATER_TERM);
        assertThat(stream.stored).containsExactly(LATER_TERM.epoch());
        assertThat(role.complaints).isEmpty();
    }

    private static final class Store implements RecordStore {
        private @Nullable PartitionRecord next;
        private Consumer<ChangeOutcome<Versioned<PartitionRecord>>> waiting = outcome -> {};
        private int readings;

        @Override
        public void change(
                Versioned<PartitionRecord> expected,
                PartitionRecord asked,
                Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended) {
            next = asked;
            waiting = ended;
        }

        @Override
        public void readAgain() {
            readings++;
        }

        void answer(ChangeOutcome<Versioned<PartitionRecord>> outcome) {
            waiting.accept(outcome);
        }
    }

    /** An empty log that stores terms at once. */
    private static final class Stream implements CopyStream {
        private final List<Long> stored = new ArrayList<>();

        @Override
        public long end() {
            return 0;
        }

        @Override
        public boolean maySucceed() {
            return true;
        }

        @Override
        public boolean mayBePassedOver() {
            return false;
        }

        @Override
        public boolean rollBack(long to, EpochHistory next) {
            return true;
        }

        @Override
        public void store(long epoch, EpochHistory history, boolean leads, Runnable isStored) {
            stored.add(epoch);
            isStored.run();
        }

        @Override
        public ByteBuffer records(long begin, long end) {
            return ByteBuffer.allocate(0);
        }

        @Override
        public boolean isApplicable(ByteBuffer records, long begin, long end) {
            return true;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean apply(ByteBuffer records, long begin, long from, long to) {
            return true;
        }

        @Override
        public void release(long to) {}

        @Override
        public long reach(long begin, long end) {
            return begin;
        }
    }

    private static final class Role implements CopyRole {
        private final List<String> complaints = new ArrayList<>();

        @Override
        public void leads(PartitionRecord term) {}

        @Override
        public void follows(PartitionRecord term) {}

        @Override
        public void safe(long number) {}

        @Override
        public void rebuild(PartitionRecord term) {}

        @Override
        public void different(long sequence) {}

        @Override
        public void complain(String message) {
            complaints.add(message);
        }
    }
}
