package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.remote.RemoteTransactions;
import dev.fulmar.coordinator.transaction.DecidedAttempt;
import dev.fulmar.coordinator.transaction.DecisionBook;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A decision that the log of a base partition has when a term begins counts once all copies in sync have it. A primary
 * that may be replaced before by one whose log does not have it tells no participant of it: that one would commit what
 * never was.
 */
class InheritedDecisionTest {
    private static final NodeId SELF = new NodeId(0);
    private static final PartitionId BASE = new PartitionId(0);
    private static final PartitionId PARTICIPANT = new PartitionId(1);
    private static final TransactionId TRANSACTION = new TransactionId(1_000, 7);
    private static final long TIMESTAMP = 2_000;
    private static final long LONG_ENOUGH_NANOS = 1_000_000_000;

    private final SteppedDatabase database = SteppedDatabase.leader(2, SELF);
    private final RemoteTransactions remote =
            Objects.requireNonNull(database.database.remote(), "a database of a cluster");
    private final List<String> verdicts = new ArrayList<>();

    private void note(boolean commit, long timestamp) {
        verdicts.add((commit ? "commit at " : "abort at ") + timestamp);
    }

    @Test
    void nobodyIsToldOfItBeforeAllCopiesInSyncHaveIt() {
        database.settle();
        database.database
                .runtime(BASE)
                .decisions()
                .put(new KeptDecision(TRANSACTION, 3, TIMESTAMP, BASE, List.of(PARTICIPANT)));
        remote.promotions()
                .promoted(PARTICIPANT, new InDoubtResolver.Doubt(TRANSACTION, 3, BASE), this::note); // and asks at once
        remote.promotions().promoted(BASE, null, (commit, timestamp) -> {});
        assertThat(remote.decisions().count()).as("told to participants").isZero();

        database.settle();
        assertThat(verdicts).as("asked when nobody had confirmed it").isEmpty();
        assertThat(remote.decisions().count()).isEqualTo(1);

        database.time.advance(LONG_ENOUGH_NANOS);
        database.settle();
        assertThat(verdicts).containsExactly("commit at " + TIMESTAMP);
    }

    @Test
    void itIsForgottenWithTheTerm() {
        database.settle();
        database.database
                .runtime(BASE)
                .decisions()
                .put(new KeptDecision(TRANSACTION, 3, TIMESTAMP, BASE, List.of(PARTICIPANT)));
        remote.promotions().promoted(BASE, null, (commit, timestamp) -> {});
        remote.deposed(BASE);
        database.settle();
        assertThat(remote.decisions().count()).isZero();
    }

    @Test
    void whatIsAskedOfOneAttemptIsNotAnsweredWithAnotherThatHasTheSameId() {
        database.settle();
        DecisionBook book = database.database.runtime(BASE).decisions();
        book.put(new KeptDecision(TRANSACTION, 3, TIMESTAMP, BASE, List.of(PARTICIPANT)));
        book.put(new KeptDecision(TRANSACTION, 500, TIMESTAMP + 1, BASE, List.of(PARTICIPANT)));
        remote.promotions().promoted(PARTICIPANT, new InDoubtResolver.Doubt(TRANSACTION, 3, BASE), this::note);
        remote.promotions().promoted(BASE, null, (commit, timestamp) -> {});
        database.settle();
        assertThat(remote.decisions().count()).isEqualTo(2);
        remote.decisions().acknowledged(new DecidedAttempt(TRANSACTION, 500), PARTICIPANT);
        database.time.advance(LONG_ENOUGH_NANOS);
        database.settle();
        assertThat(verdicts).containsExactly("commit at " + TIMESTAMP);
    }
}
