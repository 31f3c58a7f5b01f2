package dev.fulmar.coordinator.membership.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.CatchUp;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Change;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.ChangeEnded;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Leaving;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Planned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.RecordFound;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Suspected;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.TimePassed;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.TransferAsked;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.TransferLate;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Trusted;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A primary hands over to the node that the assignment prefers, when that one's copy has been in sync for a while. */
class PreferredPrimaryTest {
    private static final CopyId FIRST = new CopyId(new NodeId(1), 1);
    private static final CopyId SECOND = new CopyId(new NodeId(2), 1);
    private static final CopyId THIRD = new CopyId(new NodeId(3), 1);
    private static final long RETURN_NANOS = 1_000;
    private static final List<NodeId> SECOND_FIRST = List.of(SECOND.node(), FIRST.node(), THIRD.node());

    private final Leadership leadership =
            new Leadership(new Leadership.Self(FIRST, 1, 1, 100, 50, RETURN_NANOS), Probes.NONE);
    private long nowNanos = -1_000_000;

    private static PartitionRecord term(long epoch, CopyId primary, long incarnation, CopyId... inSync) {
        return new PartitionRecord(epoch, primary, incarnation, List.of(inSync));
    }

    private static Versioned<PartitionRecord> stored(long version, PartitionRecord record) {
        return new Versioned<>(record, version);
    }

    private List<LeadershipEffect> handle(LeadershipEvent event) {
        return leadership.handle(event, nowNanos);
    }

    private boolean isDueAfter(long nanos) {
        nowNanos += nanos;
        assertThat(handle(new TimePassed())).isEmpty();
        return leadership.isToHandOver();
    }

    /** The first leads, and the second should. */
    private void lead(CopyId... inSync) {
        handle(new RecordFound(stored(1, term(1, FIRST, 1, inSync))));
        handle(new Trusted(SECOND.node(), 4));
        handle(new Trusted(THIRD.node(), 5));
        assertThat(handle(new Planned(SECOND_FIRST))).isEmpty();
    }

    @Test
    void thePreferredNodeLeadsOnceItsCopyHasBeenInSyncForAWhile() {
        lead(FIRST, SECOND, THIRD);
        assertThat(isDueAfter(RETURN_NANOS - 1)).isFalse();
        assertThat(leadership.isCalm()).as("it waits for a time").isFalse();
        assertThat(handle(new TransferAsked())).isEmpty();
        assertThat(isDueAfter(1)).isTrue();
        PartitionRecord next = term(2, SECOND, 4, FIRST, SECOND, THIRD);
        assertThat(handle(new TransferAsked()))
                .containsExactly(new Change(stored(1, term(1, FIRST, 1, FIRST, SECOND, THIRD)), next));
        assertThat(handle(new TransferAsked())).as("it goes on").isEmpty();
        assertThat(handle(new TransferLate(true)))
                .as("it cannot be put off now")
                .isEmpty();
        assertThat(leadership.isToHandOver()).isTrue();
        assertThat(handle(new ChangeEnded(new ChangeOutcome.Applied<>(stored(2, next)))))
                .containsExactly(new LeadershipEffect.Follow(next));
        assertThat(leadership.isToHandOver()).isFalse();
    }

    @Test
    void aCopyThatIsNotInSyncIsNotWaitedFor() {
        lead(FIRST, THIRD);
        assertThat(isDueAfter(2 * RETURN_NANOS)).isFalse();
        assertThat(leadership.isCalm()).isTrue();
    }

    @Test
    void anotherProcessOfTheNodeWaitsAnew() {
        lead(FIRST, SECOND, THIRD);
        assertThat(isDueAfter(RETURN_NANOS)).isTrue();
        handle(new Trusted(SECOND.node(), 5));
        assertThat(leadership.isToHandOver())
                .as("what it confirmed may be of an earlier process")
                .isFalse();
        assertThat(isDueAfter(RETURN_NANOS - 1)).isFalse();
        assertThat(isDueAfter(1)).isTrue();
    }

    @Test
    void nothingIsHandedToANodeThatIsSuspectedOrAboutToEnd() {
        lead(FIRST, SECOND, THIRD);
        assertThat(isDueAfter(RETURN_NANOS)).isTrue();
        handle(new Suspected(SECOND.node()));
        assertThat(leadership.isToHandOver()).isFalse();
        assertThat(handle(new TransferAsked())).isEmpty();
        handle(new Trusted(SECOND.node(), 4));
        handle(new Leaving(SECOND.node(), 4));
        assertThat(isDueAfter(2 * RETURN_NANOS)).isFalse();
    }

    @Test
    void aTransferThatIsLateIsPutOff() {
        lead(FIRST, SECOND, THIRD);
        assertThat(isDueAfter(RETURN_NANOS)).isTrue();
        assertThat(handle(new TransferLate(true))).isEmpty();
        assertThat(leadership.isToHandOver()).isFalse();
        assertThat(isDueAfter(RETURN_NANOS - 1)).isFalse();
        assertThat(isDueAfter(1)).isTrue();
    }

    @Test
    void aProcessThatIsAboutToEndDoesNotWaitForThePreferredNode() {
        lead(FIRST, SECOND, THIRD);
        handle(new Planned(List.of(THIRD.node(), SECOND.node(), FIRST.node())));
        handle(new Leaving(FIRST.node(), 1));
        assertThat(leadership.isToHandOver()).isTrue();
        assertThat(handle(new TransferLate(false)))
                .as("what it confirmed may be of an earlier process")
                .isEmpty();
        PartitionRecord next = term(2, SECOND, 4, SECOND, THIRD);
        assertThat(handle(new TransferLate(true)))
                .containsExactly(new Change(stored(1, term(1, FIRST, 1, FIRST, SECOND, THIRD)), next));
        assertThat(handle(new ChangeEnded(new ChangeOutcome.Applied<>(stored(2, next)))))
                .containsExactly(new CatchUp(next));
    }
}
