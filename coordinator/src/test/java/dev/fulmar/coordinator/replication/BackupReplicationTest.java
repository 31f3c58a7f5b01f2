package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.ReplicationEffect.Apply;
import dev.fulmar.coordinator.replication.ReplicationEffect.Rebuild;
import dev.fulmar.coordinator.replication.ReplicationEffect.Release;
import dev.fulmar.coordinator.replication.ReplicationEffect.RollBack;
import dev.fulmar.coordinator.replication.ReplicationEffect.Send;
import dev.fulmar.coordinator.replication.ReplicationEffect.StoreTerm;
import dev.fulmar.coordinator.replication.ReplicationMessage.AwaitsTerm;
import dev.fulmar.coordinator.replication.ReplicationMessage.Confirmed;
import dev.fulmar.coordinator.replication.ReplicationMessage.Diverged;
import dev.fulmar.coordinator.replication.ReplicationMessage.Group;
import dev.fulmar.coordinator.replication.ReplicationMessage.Joined;
import dev.fulmar.coordinator.replication.ReplicationMessage.Outdated;
import dev.fulmar.coordinator.replication.ReplicationMessage.TermBegun;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackupReplicationTest {
    private static final CopyId SELF = new CopyId(new NodeId(2), 1);
    private static final NodeId PRIMARY = new NodeId(1);
    private static final NodeId OLD_PRIMARY = new NodeId(3);
    private static final EpochHistory BEFORE = EpochHistory.EMPTY.with(4, 0);
    private static final EpochHistory HISTORY = BEFORE.with(6, 10);

    private final BackupReplication backup = new BackupReplication(new CopyState(SELF, 4, BEFORE, 14, 14, 8));

    private List<ReplicationEffect> receive(ReplicationMessage message) {
        return backup.received(PRIMARY, message);
    }

    private static Send send(ReplicationMessage message) {
        return new Send(PRIMARY, message);
    }

    private void joined() {
        receive(new TermBegun(6, HISTORY, 12));
        backup.termStored(6);
    }

    @Test
    void itRollsBackToWhereTheLogsPartAndJoinsOnceThatIsStored() {
        assertThat(receive(new TermBegun(6, HISTORY, 12))).containsExactly(new RollBack(10), new StoreTerm(6, HISTORY));
        assertThat(receive(new TermBegun(6, HISTORY, 12)))
                .as("asked again meanwhile")
                .isEmpty();
        assertThat(receive(new Group(6, 1, 10, 12, 10))).as("too early").isEmpty();
        assertThat(backup.termStored(5)).as("an earlier one").isEmpty();
        assertThat(backup.termStored(6)).containsExactly(send(new Joined(6, SELF, 10)));
        assertThat(backup.state()).isEqualTo(new CopyState(SELF, 6, HISTORY, 10, 10, 8));
        assertThat(receive(new TermBegun(6, HISTORY, 12))).containsExactly(send(new Joined(6, SELF, 10)));
    }

    @Test
    void itAsksForATermThatItHasHeardOfAndThatDoesNotBegin() {
        backup.heardOf(6);
        assertThat(backup.timePassed(PRIMARY, false)).containsExactly(send(new AwaitsTerm(6, SELF)));
        assertThat(backup.timePassed(SELF.node(), false))
                .as("its own, of an earlier process")
                .isEmpty();
        joined();
        assertThat(backup.timePassed(PRIMARY, false)).isEmpty();
    }

    @Test
    void itIsBuiltAnewIfWhatItNeedsIsGone() {
        assertThat(receive(new ReplicationMessage.Behind(6)))
                .as("before it has joined")
                .isEmpty();
        joined();
        assertThat(receive(new ReplicationMessage.Behind(6))).containsExactly(new Rebuild(6));
        assertThat(receive(new Group(6, 1, 10, 12, 10))).as("of no use").isEmpty();
    }

    @Test
    void itIsBuiltAnewIfItBreaksAndSaysSoAsLongAsItCounts() {
        joined();
        assertThat(backup.broke()).containsExactly(new Rebuild(6));
        assertThat(backup.broke()).as("told already").isEmpty();
        assertThat(receive(new Group(6, 1, 10, 12, 10))).as("of no use").isEmpty();
        assertThat(backup.timePassed(PRIMARY, true)).containsExactly(send(new Diverged(6, SELF, 0)));
        assertThat(backup.timePassed(PRIMARY, false)).isEmpty();
    }

    @Test
    void itIsBuiltAnewIfItIsUnableToGoBack() {
        receive(new TermBegun(6, HISTORY, 12));
        assertThat(backup.unable()).containsExactly(new Rebuild(6));
        assertThat(backup.termStored(6)).isEmpty();
    }

    @Test
    void itIsBuiltAnewIfItCannotGoBackSoFar() {
        assertThat(receive(new TermBegun(6, BEFORE.with(6, 7), 7))).containsExactly(new Rebuild(6));
        assertThat(receive(new Group(6, 1, 7, 8, 7))).isEmpty();
        BackupReplication stranger =
                new BackupReplication(new CopyState(SELF, 4, EpochHistory.EMPTY.with(4, 3), 14, 14, 8));
        assertThat(stranger.received(PRIMARY, new TermBegun(6, EpochHistory.EMPTY.with(6, 10), 12)))
                .containsExactly(new Rebuild(6));
    }

    @Test
    void nothingOfAnImageIsTakenBack() {
        BackupReplication image = new BackupReplication(new CopyState(SELF, 4, BEFORE, 14, 14, 0, 11));
        assertThat(image.received(PRIMARY, new TermBegun(6, HISTORY, 12))).containsExactly(new Rebuild(6));
        BackupReplication behind = new BackupReplication(new CopyState(SELF, 4, BEFORE, 14, 14, 0, 10));
        assertThat(behind.received(PRIMARY, new TermBegun(6, HISTORY, 12)))
                .containsExactly(new RollBack(10), new StoreTerm(6, HISTORY));
        assertThat(behind.state()).isEqualTo(new CopyState(SELF, 6, HISTORY, 10, 10, 0, 10));
    }

    @Test
    void whatAlwaysCountsOfATermIsPassedOnAndTakenWithinIt() {
        assertThat(backup.settledEnd(4)).as("before it has joined").isZero();
        joined();
        receive(new Group(6, 1, 10, 12, 11));
        assertThat(backup.settledEnd(6)).as("what counts of what it has").isEqualTo(11);
        assertThat(backup.settledEnd(5)).as("in another term").isZero();
        BackupReplication other = new BackupReplication(new CopyState(SELF, 4, BEFORE, 14, 14, 8));
        other.received(PRIMARY, new TermBegun(6, HISTORY, 12));
        other.termStored(6);
        assertThat(other.received(OLD_PRIMARY, new Group(6, 0, 10, 11, 11)))
                .containsExactly(new Apply(10, 11), new Release(10));
        assertThat(other.durable(11)).containsExactly(new Release(11), send(new Confirmed(6, SELF, 0, 11)));
        assertThat(other.received(PRIMARY, new Group(6, 1, 10, 12, 11)))
                .as("what the primary sends then")
                .containsExactly(new Apply(11, 12));
    }

    @Test
    void itConfirmsWhatIsAppliedAndDurable() {
        joined();
        assertThat(receive(new Group(6, 1, 10, 12, 9))).containsExactly(new Apply(10, 12), new Release(9));
        assertThat(receive(new Group(6, 2, 12, 13, 9))).containsExactly(new Apply(12, 13));
        assertThat(backup.durable(12)).containsExactly(send(new Confirmed(6, SELF, 1, 12)));
        assertThat(backup.durable(13)).containsExactly(send(new Confirmed(6, SELF, 2, 13)));
        assertThat(receive(new Group(6, 3, 13, 13, 13)))
                .as("an empty group")
                .containsExactly(new Release(13), send(new Confirmed(6, SELF, 3, 13)));
    }

    /** A copy that is not in sync hears that others have it: what it did with it could be durable here, and it not. */
    @Test
    void whatAllInSyncHaveIsUsedOnceItIsDurableHereToo() {
        joined();
        assertThat(receive(new Group(6, 1, 10, 12, 12))).containsExactly(new Apply(10, 12), new Release(10));
        assertThat(receive(new Group(6, 2, 12, 14, 13))).containsExactly(new Apply(12, 14));
        assertThat(backup.durable(11)).containsExactly(new Release(11));
        assertThat(backup.durable(14)).containsExactly(new Release(13), send(new Confirmed(6, SELF, 2, 14)));
    }

    @Test
    void whatAlwaysCountsIsUsedWhenItIsDurableWhoeverLeadsByThen() {
        joined();
        receive(new Group(6, 1, 10, 12, 12));
        backup.heardOf(8);
        assertThat(backup.durable(12)).containsExactly(new Release(12));
        assertThat(receive(new TermBegun(8, HISTORY.with(8, 11), 11)))
                .as("a log without it")
                .containsExactly(new Rebuild(8));
    }

    @Test
    void whoBeginsToFollowAgainUsesWhatBecomesDurable() {
        BackupReplication again = new BackupReplication(new CopyState(SELF, 4, BEFORE, 14, 9, 11));
        assertThat(again.durable(10)).containsExactly(new Release(10));
        assertThat(again.durable(14)).containsExactly(new Release(11));
        assertThat(again.state()).isEqualTo(new CopyState(SELF, 4, BEFORE, 14, 14, 11));
    }

    @Test
    void whatIsSentTwiceIsAppliedOnce() {
        joined();
        receive(new Group(6, 1, 10, 12, 9));
        backup.durable(12);
        assertThat(receive(new Group(6, 1, 10, 12, 9))).containsExactly(send(new Confirmed(6, SELF, 1, 12)));
        assertThat(receive(new Group(6, 2, 11, 14, 9))).containsExactly(new Apply(12, 14));
    }

    @Test
    void aGapIsToldAndNotApplied() {
        joined();
        assertThat(receive(new Group(6, 2, 11, 14, 9))).containsExactly(send(new Joined(6, SELF, 10)));
    }

    /** Else all of them are sent again and again while nothing can be done with them. */
    @Test
    void whatCannotBeAppliedYetIsAskedForOnceItCanBe() {
        joined();
        backup.unready(6);
        for (int number = 2; number < 5; number++) {
            assertThat(receive(new Group(6, number, 10 + number, 11 + number, 9)))
                    .as("behind a group that waits")
                    .isEmpty();
        }
        assertThat(backup.ready()).containsExactly(send(new Joined(6, SELF, 10)));
        assertThat(backup.ready()).as("asked already").isEmpty();
        assertThat(receive(new Group(6, 5, 15, 16, 9)))
                .as("a gap that nothing waits in")
                .containsExactly(send(new Joined(6, SELF, 10)));
        backup.unready(5);
        assertThat(receive(new Group(6, 6, 16, 17, 9)))
                .as("what waits is of an older epoch")
                .containsExactly(send(new Joined(6, SELF, 10)));
    }

    @Test
    void whatWaitedAndCameByItselfIsNotAskedFor() {
        joined();
        backup.unready(6);
        assertThat(receive(new Group(6, 1, 10, 12, 9))).containsExactly(new Apply(10, 12), new Release(9));
        assertThat(backup.isUnready()).isFalse();
    }

    @Test
    void anOlderEpochIsToldSo() {
        joined();
        assertThat(backup.received(OLD_PRIMARY, new Group(5, 9, 10, 12, 10)))
                .containsExactly(new Send(OLD_PRIMARY, new Outdated(6)));
        backup.heardOf(8);
        assertThat(receive(new Group(6, 1, 10, 12, 9))).containsExactly(send(new Outdated(8)));
        assertThat(receive(new TermBegun(6, HISTORY, 12))).containsExactly(send(new Outdated(8)));
        assertThat(receive(new TermBegun(8, HISTORY.with(8, 12), 12)))
                .containsExactly(new RollBack(10), new StoreTerm(8, HISTORY.with(8, 12)));
    }

    @Test
    void withoutTheTermItAsksForIt() {
        assertThat(receive(new Group(6, 1, 10, 12, 9))).containsExactly(send(new AwaitsTerm(6, SELF)));
        joined();
        assertThat(receive(new Group(7, 1, 10, 12, 9))).containsExactly(send(new AwaitsTerm(7, SELF)));
    }

    @Test
    void confirmationsOfAnEarlierTermAreNotGivenInTheNext() {
        joined();
        receive(new Group(6, 1, 10, 12, 9));
        receive(new TermBegun(7, HISTORY.with(7, 12), 12));
        assertThat(backup.durable(12)).isEmpty();
        assertThat(backup.termStored(7)).containsExactly(send(new Joined(7, SELF, 12)));
    }

    /** No record has come to something else: nobody looks for a procedure that has. */
    @Test
    void aCopyWhoseTablesAreAheadOfTheLogIsBuiltAnewAndAccusesNothing() {
        joined();
        receive(new Group(6, 1, 10, 12, 9));
        assertThat(backup.ahead(11)).containsExactly(send(new Diverged(6, SELF, 0)), new Rebuild(6));
        assertThat(backup.timePassed(PRIMARY, true)).containsExactly(send(new Diverged(6, SELF, 0)));
        assertThat(backup.state().end()).isEqualTo(11);
        assertThat(receive(new Group(6, 2, 12, 12, 9))).isEmpty();
    }

    @Test
    void aCopyThatDivergesSaysSoAndIsOfNoUseAnyMore() {
        joined();
        receive(new Group(6, 1, 10, 12, 9));
        assertThat(backup.diverged(11)).containsExactly(send(new Diverged(6, SELF, 11)), new Rebuild(6));
        assertThat(backup.timePassed(PRIMARY, true))
                .as("as long as it counts")
                .containsExactly(send(new Diverged(6, SELF, 11)));
        assertThat(backup.timePassed(PRIMARY, false)).isEmpty();
        assertThat(backup.state().end()).isEqualTo(10);
        assertThat(backup.durable(10)).isEmpty();
        assertThat(receive(new Group(6, 2, 12, 12, 9))).isEmpty();
    }
}
