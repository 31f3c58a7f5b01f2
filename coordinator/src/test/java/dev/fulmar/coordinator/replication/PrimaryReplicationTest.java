package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.ReplicationEffect.Approached;
import dev.fulmar.coordinator.replication.ReplicationEffect.CaughtUp;
import dev.fulmar.coordinator.replication.ReplicationEffect.Lost;
import dev.fulmar.coordinator.replication.ReplicationEffect.Outdated;
import dev.fulmar.coordinator.replication.ReplicationEffect.Release;
import dev.fulmar.coordinator.replication.ReplicationEffect.Safe;
import dev.fulmar.coordinator.replication.ReplicationEffect.Send;
import dev.fulmar.coordinator.replication.ReplicationEffect.StoreTerm;
import dev.fulmar.coordinator.replication.ReplicationMessage.AwaitsTerm;
import dev.fulmar.coordinator.replication.ReplicationMessage.Confirmed;
import dev.fulmar.coordinator.replication.ReplicationMessage.Diverged;
import dev.fulmar.coordinator.replication.ReplicationMessage.Group;
import dev.fulmar.coordinator.replication.ReplicationMessage.Joined;
import dev.fulmar.coordinator.replication.ReplicationMessage.TermBegun;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PrimaryReplicationTest {
    private static final CopyId SELF = new CopyId(new NodeId(1), 1);
    private static final CopyId SECOND = new CopyId(new NodeId(2), 1);
    private static final CopyId THIRD = new CopyId(new NodeId(3), 1);
    private static final EpochHistory BEFORE = EpochHistory.EMPTY.with(4, 0);
    private static final EpochHistory HISTORY = BEFORE.with(6, 10);
    private static final PrimaryReplication.Limits LIMITS = new PrimaryReplication.Limits(5, 2, 3, 100);

    /** Records before this are gone. */
    private long oldest;

    private final PrimaryReplication primary = new PrimaryReplication(
            new CopyState(SELF, 5, BEFORE, 10, 10, 10),
            6,
            LIMITS,
            (begin, end) -> begin < oldest ? ReadableLog.GONE : end);

    /** In its term, with all allowed, and required copies that have joined with its whole log. */
    private void inTerm(CopyId... copies) {
        assertThat(primary.begin()).containsExactly(new StoreTerm(6, HISTORY));
        primary.termStored();
        primary.others(Set.of(SECOND.node(), THIRD.node()));
        primary.acknowledge(true, true);
        Set<CopyId> required = new TreeSet<>(List.of(copies));
        required.add(SELF);
        primary.require(required, Set.of());
        for (CopyId copy : copies) {
            primary.received(new Joined(6, copy, 10), 0);
        }
    }

    private static Send group(CopyId to, long number, long begin, long end, long safeEnd) {
        return new Send(to.node(), new Group(6, number, begin, end, safeEnd));
    }

    private List<ReplicationEffect> confirm(CopyId copy, long number, long end) {
        return primary.received(new Confirmed(6, copy, number, end), 0);
    }

    @Test
    void aCopyThatNeedsWhatIsGoneIsToldSoAndLost() {
        inTerm(SECOND);
        oldest = 4;
        assertThat(primary.received(new Joined(6, THIRD, 3), 0))
                .containsExactly(new Send(THIRD.node(), new ReplicationMessage.Behind(6)), new Lost(THIRD));
        assertThat(primary.received(new Joined(6, THIRD, 4), 0))
                .containsExactly(group(THIRD, 0, 4, 9, 10), group(THIRD, 0, 9, 10, 10));
    }

    @Test
    void aCopyThatFollowsAndDoesNotCountYetIsANewcomer() {
        inTerm(SECOND);
        assertThat(primary.hasNewcomers()).isFalse();
        primary.received(new Joined(6, THIRD, 10), 0);
        assertThat(primary.hasNewcomers()).isTrue();
        primary.require(Set.of(SELF, SECOND, THIRD), Set.of(THIRD));
        assertThat(primary.hasNewcomers()).isFalse();
    }

    @Test
    void theTermIsAnnouncedOnceItIsStoredUntilACopyJoins() {
        assertThat(primary.others(Set.of(SELF.node(), SECOND.node(), THIRD.node())))
                .isEmpty();
        TermBegun begun = new TermBegun(6, HISTORY, 10);
        assertThat(primary.termStored()).containsExactly(new Send(SECOND.node(), begun), new Send(THIRD.node(), begun));
        assertThat(primary.received(new Joined(6, SECOND, 10), 0)).isEmpty();
        assertThat(primary.timePassed(1)).containsExactly(new Send(THIRD.node(), begun));
        assertThat(primary.received(new AwaitsTerm(6, SECOND), 1)).containsExactly(new Send(SECOND.node(), begun));
    }

    @Test
    void aCopyThatConfirmsThoughItsJoiningWasLostHearsOfTheTermAgain() {
        inTerm(SECOND);
        CopyId next = new CopyId(SECOND.node(), 2);
        assertThat(primary.timePassed(1)).doesNotContain(new Send(SECOND.node(), new TermBegun(6, HISTORY, 10)));
        assertThat(confirm(next, 0, 10)).containsExactly(new Send(SECOND.node(), new TermBegun(6, HISTORY, 10)));
        primary.received(new Joined(6, next, 10), 1);
        assertThat(confirm(next, 0, 10)).doesNotContain(new Send(SECOND.node(), new TermBegun(6, HISTORY, 10)));
    }

    @Test
    void aReplyWaitsForAllRequiredCopiesAndTheOwnLog() {
        inTerm(SECOND, THIRD);
        primary.appended(12);
        assertThat(primary.ticket()).isEqualTo(1);
        assertThat(primary.close(0)).containsExactly(group(SECOND, 1, 10, 12, 10), group(THIRD, 1, 10, 12, 10));
        assertThat(primary.ticket()).isEqualTo(2);
        assertThat(confirm(SECOND, 1, 12)).isEmpty();
        assertThat(confirm(THIRD, 1, 12)).isEmpty();
        assertThat(primary.durable(12)).containsExactly(new Safe(1, 12), new Release(12));
    }

    @Test
    void aReadWaitsForAGroupThatIsClosedAfterIt() {
        inTerm(SECOND);
        primary.appended(12);
        primary.durable(12);
        primary.close(0);
        long ticket = primary.ticket();
        assertThat(confirm(SECOND, 1, 12)).containsExactly(new Safe(1, 12), new Release(12));
        assertThat(ticket).as("the group was closed before the read").isEqualTo(2);
        assertThat(primary.close(0)).containsExactly(group(SECOND, 2, 12, 12, 12));
        assertThat(confirm(SECOND, 2, 12)).containsExactly(new Safe(2, 12), new Release(12));
    }

    @Test
    void nothingIsSafeWhileTheLeadershipForbidsIt() {
        inTerm(SECOND);
        primary.acknowledge(false, false);
        primary.appended(11);
        primary.durable(11);
        primary.close(0);
        assertThat(confirm(SECOND, 1, 11)).isEmpty();
        assertThat(primary.acknowledge(true, false)).as("a write").isEmpty();
        assertThat(primary.acknowledge(true, true)).containsExactly(new Safe(1, 11), new Release(11));
        primary.acknowledge(true, false);
        primary.close(0);
        assertThat(confirm(SECOND, 2, 11)).as("reads only").containsExactly(new Safe(2, 11), new Release(11));
    }

    @Test
    void aCopyThatIsRequiredNoMoreIsNotWaitedFor() {
        inTerm(SECOND, THIRD);
        primary.appended(11);
        primary.durable(11);
        primary.close(0);
        confirm(SECOND, 1, 11);
        assertThat(primary.require(Set.of(SELF, SECOND), Set.of())).startsWith(new Safe(1, 11));
    }

    @Test
    void whatEarlierTermsLeftIsSafeOnlyWhenAllHaveIt() {
        PrimaryReplication successor =
                new PrimaryReplication(new CopyState(SELF, 5, BEFORE, 10, 10, 7), 6, LIMITS, (begin, end) -> end);
        successor.others(Set.of(SECOND.node()));
        successor.termStored();
        successor.require(Set.of(SELF, SECOND), Set.of());
        assertThat(successor.acknowledge(true, true)).isEmpty();
        assertThat(successor.received(new Joined(6, SECOND, 8), 0)).containsExactly(group(SECOND, 1, 8, 10, 7));
        assertThat(successor.received(new Confirmed(6, SECOND, 1, 10), 0)).startsWith(new Safe(1, 10));
    }

    @Test
    void whatAnImageShowedIsSafeOnlyWhenAllHaveIt() {
        PrimaryReplication built =
                new PrimaryReplication(new CopyState(SELF, 5, BEFORE, 10, 10, 0, 10), 6, LIMITS, (begin, end) -> end);
        built.begin();
        built.termStored();
        built.others(Set.of(SECOND.node()));
        built.require(Set.of(SELF, SECOND), Set.of());
        built.acknowledge(true, true);
        assertThat(built.received(new Joined(6, SECOND, 9), 0)).containsExactly(group(SECOND, 1, 9, 10, 0));
        assertThat(built.state()).isEqualTo(new CopyState(SELF, 6, HISTORY, 10, 10, 0, 10));
        assertThat(built.received(new Confirmed(6, SECOND, 1, 10), 0)).startsWith(new Safe(1, 10));
    }

    @Test
    void aCopyThatIsBehindGetsBoundedMessagesAndThenJoinsInSteps() {
        inTerm();
        primary.appended(40);
        primary.durable(40);
        primary.close(0);
        assertThat(primary.received(new Joined(6, SECOND, 20), 0))
                .containsExactly(group(SECOND, 0, 20, 25, 40), group(SECOND, 0, 25, 30, 40));
        assertThat(confirm(SECOND, 0, 25)).containsExactly(group(SECOND, 0, 30, 35, 40));
        assertThat(confirm(SECOND, 0, 35)).containsExactly(group(SECOND, 1, 35, 40, 40));
        assertThat(confirm(SECOND, 0, 37)).containsExactly(new Approached(SECOND));
        assertThat(primary.require(Set.of(SELF, SECOND), Set.of(SECOND)))
                .as("38 to 40 are acknowledged")
                .isEmpty();
        assertThat(confirm(SECOND, 1, 40)).containsExactly(new CaughtUp(SECOND));
        assertThat(primary.timePassed(1))
                .as("again, though nothing is written any more")
                .contains(new CaughtUp(SECOND));
    }

    @Test
    void aNewcomerHasAllThatEarlierTermsLeftForItMayHaveBeenAcknowledged() {
        PrimaryReplication successor = new PrimaryReplication(
                new CopyState(SELF, 5, BEFORE, 10, 10, 2), 6, LIMITS, (begin, end) -> Math.min(end, begin + 2));
        successor.begin();
        successor.termStored();
        successor.others(Set.of(SECOND.node(), THIRD.node()));
        successor.require(Set.of(SELF, THIRD), Set.of());
        successor.acknowledge(true, true);
        successor.received(new Joined(6, SECOND, 5), 0);
        assertThat(successor.received(new Confirmed(6, SECOND, 0, 7), 0)).contains(new Approached(SECOND));
        assertThat(successor.require(Set.of(SELF, SECOND, THIRD), Set.of(SECOND)))
                .as("what the third copy has not confirmed to this primary it may have confirmed to the last one")
                .isEmpty();
        assertThat(successor.received(new Confirmed(6, SECOND, 0, 9), 0)).doesNotContain(new CaughtUp(SECOND));
        assertThat(successor.received(new Confirmed(6, SECOND, 1, 10), 0)).contains(new CaughtUp(SECOND));
    }

    @Test
    void aRequiredCopyThatHasNotJoinedIsWaitedFor() {
        inTerm(SECOND);
        primary.require(Set.of(SELF, SECOND, THIRD), Set.of());
        primary.appended(12);
        primary.durable(12);
        primary.close(0);
        assertThat(confirm(SECOND, 1, 12)).isEmpty();
        primary.received(new Joined(6, THIRD, 10), 0);
        assertThat(confirm(THIRD, 1, 12)).startsWith(new Safe(1, 12), new Release(12));
    }

    @Test
    void afterAWhileWithoutProgressTheRestIsSentAgain() {
        inTerm(SECOND, THIRD);
        primary.appended(12);
        primary.close(0);
        assertThat(primary.timePassed(99)).isEmpty();
        assertThat(primary.timePassed(100)).containsExactly(group(SECOND, 1, 10, 12, 10), group(THIRD, 1, 10, 12, 10));
        confirm(SECOND, 1, 12);
        assertThat(primary.timePassed(300)).containsExactly(group(THIRD, 1, 10, 12, 10));
    }

    @Test
    void aCopyThatHasLessThanItConfirmedIsToldSoAndLost() {
        inTerm(SECOND);
        primary.appended(12);
        primary.close(0);
        confirm(SECOND, 1, 12);
        assertThat(primary.received(new Joined(6, SECOND, 11), 0))
                .containsExactly(new Send(SECOND.node(), new ReplicationMessage.Behind(6)), new Lost(SECOND));
        assertThat(primary.received(new Diverged(6, THIRD, 0), 0)).containsExactly(new Lost(THIRD));
    }

    @Test
    void messagesOfOtherEpochsDoNotCount() {
        inTerm(SECOND);
        primary.appended(12);
        primary.durable(12);
        primary.close(0);
        assertThat(primary.received(new Confirmed(5, SECOND, 1, 12), 0)).isEmpty();
        assertThat(primary.received(new Confirmed(7, SECOND, 1, 12), 0)).containsExactly(new Outdated(7));
        assertThat(primary.received(new Confirmed(6, SECOND, 9, 12), 0))
                .as("a group that is not closed")
                .isEmpty();
        assertThat(primary.received(new Confirmed(6, SECOND, 1, 13), 0))
                .as("more than there is")
                .isEmpty();
    }
}
