package dev.fulmar.coordinator.membership.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Acknowledge;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.CatchUp;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Change;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Complain;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Follow;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Lead;
import dev.fulmar.coordinator.membership.leadership.LeadershipEffect.Require;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Approached;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Broken;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.CaughtUp;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.ChangeEnded;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Diverged;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Leaving;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Planned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.RecordFound;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Resigned;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Suspected;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.TimePassed;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.TransferAsked;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent.Trusted;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Step by step: what each event gives, and nothing else. */
class LeadershipTest {
    private static final CopyId FIRST = new CopyId(new NodeId(1), 1);
    private static final CopyId SECOND = new CopyId(new NodeId(2), 1);
    private static final CopyId THIRD = new CopyId(new NodeId(3), 1);
    private static final long RETRY_NANOS = 100;
    private static final long CANDIDACY_NANOS = 50;
    private static final Acknowledge ALL = new Acknowledge(true, true);
    private static final Acknowledge NOTHING = new Acknowledge(false, false);
    private static final Acknowledge READS = new Acknowledge(true, false);

    private long nowNanos = -1_000_000;

    private static Leadership leadershipOf(CopyId copy, long incarnation, int minInSync) {
        return new Leadership(
                new Leadership.Self(copy, incarnation, minInSync, RETRY_NANOS, CANDIDACY_NANOS, 1_000), Probes.NONE);
    }

    private static PartitionRecord term(long epoch, CopyId primary, CopyId... inSync) {
        return new PartitionRecord(epoch, primary, 1, List.of(inSync));
    }

    private static Require require(CopyId... inSync) {
        return new Require(Set.of(inSync), Set.of());
    }

    private static Versioned<PartitionRecord> stored(long version, PartitionRecord record) {
        return new Versioned<>(record, version);
    }

    private List<LeadershipEffect> after(long nanos, Leadership leadership, LeadershipEvent event) {
        nowNanos += nanos;
        return leadership.handle(event, nowNanos);
    }

    private List<LeadershipEffect> handle(Leadership leadership, LeadershipEvent event) {
        return after(0, leadership, event);
    }

    private static RecordFound found(long version, PartitionRecord record) {
        return new RecordFound(stored(version, record));
    }

    private static ChangeEnded applied(long version, PartitionRecord record) {
        return new ChangeEnded(new ChangeOutcome.Applied<>(stored(version, record)));
    }

    private static ChangeEnded unknown() {
        return new ChangeEnded(new ChangeOutcome.Unknown<>("lost"));
    }

    /** A primary of epoch 1 whose record has version 1. */
    private Leadership primary(int minInSync, CopyId... inSync) {
        Leadership leadership = leadershipOf(FIRST, 1, minInSync);
        PartitionRecord record = term(1, FIRST, inSync);
        assertThat(handle(leadership, found(1, record)))
                .containsExactly(new Lead(record), require(inSync), inSync.length < minInSync ? READS : ALL);
        return leadership;
    }

    private Leadership backup(CopyId self, PartitionRecord record) {
        Leadership leadership = leadershipOf(self, 1, 1);
        assertThat(handle(leadership, found(1, record))).containsExactly(new Follow(record));
        return leadership;
    }

    @Test
    void thePrimaryStopsToAcknowledgeBeforeItTakesASuspectOut() {
        Leadership leadership = primary(1, FIRST, SECOND, THIRD);
        PartitionRecord smaller = term(1, FIRST, FIRST, THIRD);
        assertThat(handle(leadership, new Suspected(SECOND.node())))
                .containsExactly(NOTHING, new Change(stored(1, term(1, FIRST, FIRST, SECOND, THIRD)), smaller));
        assertThat(handle(leadership, new TimePassed())).isEmpty();
        assertThat(handle(leadership, applied(2, smaller))).containsExactly(require(FIRST, THIRD), ALL);
    }

    @Test
    void aSuspectThatIsTrustedAgainIsStillTakenOutIfTheChangeWasSent() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(handle(leadership, new Trusted(SECOND.node(), 1))).containsExactly(ALL);
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST));
    }

    @Test
    void whileTheOutcomeIsUnknownNothingIsAcknowledgedAndTheSameChangeIsMadeAgain() {
        Leadership leadership = primary(1, FIRST, SECOND, THIRD);
        PartitionRecord full = term(1, FIRST, FIRST, SECOND, THIRD);
        PartitionRecord smaller = term(1, FIRST, FIRST, THIRD);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(handle(leadership, unknown())).isEmpty();
        assertThat(handle(leadership, new Trusted(SECOND.node(), 1))).isEmpty();
        assertThat(handle(leadership, found(1, full)))
                .as("the old record settles nothing")
                .isEmpty();
        assertThat(after(RETRY_NANOS - 1, leadership, new Suspected(THIRD.node())))
                .isEmpty();
        assertThat(after(1, leadership, new TimePassed())).containsExactly(new Change(stored(1, full), smaller));
        assertThat(handle(leadership, new Trusted(THIRD.node(), 1))).isEmpty();
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Conflict<>(stored(2, smaller)))))
                .as("its own first attempt")
                .containsExactly(require(FIRST, THIRD), ALL);
    }

    @Test
    void aLaterRecordThatAReadShowsSettlesAnUnknownOutcome() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Suspected(SECOND.node()));
        handle(leadership, unknown());
        assertThat(handle(leadership, found(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST), ALL);
    }

    @Test
    void aLostSessionLeavesTheOutcomeUnknown() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.SessionLost<>())))
                .isEmpty();
        assertThat(after(RETRY_NANOS, leadership, new TimePassed())).hasExactlyElementsOfTypes(Change.class);
    }

    @Test
    void aCopyIsRequiredBeforeItCanBePromoted() {
        Leadership leadership = primary(1, FIRST);
        assertThat(handle(leadership, new CaughtUp(SECOND)))
                .as("nobody asked for its confirmations")
                .isEmpty();
        assertThat(handle(leadership, new Approached(SECOND)))
                .containsExactly(new Require(Set.of(FIRST, SECOND), Set.of(SECOND)));
        assertThat(handle(leadership, new CaughtUp(SECOND)))
                .containsExactly(new Change(stored(1, term(1, FIRST, FIRST)), term(1, FIRST, FIRST, SECOND)));
        assertThat(handle(leadership, unknown())).containsExactly(NOTHING);
        assertThat(handle(leadership, new Suspected(SECOND.node())))
                .as("it may be in sync, so it stays required")
                .containsExactly(require(FIRST, SECOND));
        assertThat(after(RETRY_NANOS, leadership, new TimePassed())).hasExactlyElementsOfTypes(Change.class);
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST, SECOND))))
                .containsExactly(new Change(stored(2, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
    }

    @Test
    void aNewcomerThatFailsBeforeItIsProposedIsRequiredNoMore() {
        Leadership leadership = primary(1, FIRST);
        handle(leadership, new Approached(SECOND));
        assertThat(handle(leadership, new Suspected(SECOND.node()))).containsExactly(require(FIRST));
        handle(leadership, new Trusted(SECOND.node(), 1));
        assertThat(handle(leadership, new CaughtUp(SECOND))).isEmpty();
    }

    @Test
    void aCopyWhoseProcessIsAboutToEndGoesWithoutAPause() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Trusted(SECOND.node(), 1));
        assertThat(handle(leadership, new Leaving(SECOND.node(), 1)))
                .as("it confirms as long as it is there, so that acknowledgements go on")
                .containsExactly(new Change(stored(1, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST));
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("it has what is missing, and is about to end")
                .isEmpty();
        handle(leadership, new Trusted(SECOND.node(), 2));
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("its next process")
                .containsExactly(new Require(Set.of(FIRST, SECOND), Set.of(SECOND)));
    }

    @Test
    void aPrimaryThatIsAboutToEndBeginsATermOfACopyInSync() {
        Leadership leadership = primary(1, FIRST, SECOND, THIRD);
        handle(leadership, new Trusted(SECOND.node(), 4));
        handle(leadership, new Trusted(THIRD.node(), 5));
        assertThat(handle(leadership, new TransferAsked())).as("it stays").isEmpty();
        assertThat(handle(leadership, new Leaving(SECOND.node(), 4))).hasExactlyElementsOfTypes(Change.class);
        handle(leadership, applied(2, term(1, FIRST, FIRST, THIRD)));
        assertThat(leadership.isToHandOver()).isFalse();
        assertThat(handle(leadership, new Leaving(FIRST.node(), 1))).isEmpty();
        assertThat(leadership.isToHandOver()).isTrue();
        PartitionRecord next = new PartitionRecord(2, THIRD, 5, List.of(THIRD));
        assertThat(handle(leadership, new TransferAsked()))
                .containsExactly(new Change(stored(2, term(1, FIRST, FIRST, THIRD)), next));
        assertThat(handle(leadership, new TransferAsked())).as("it goes on").isEmpty();
        assertThat(handle(leadership, applied(3, next))).containsExactly(new CatchUp(next));
        assertThat(leadership.isToHandOver()).isFalse();
    }

    @Test
    void aTermIsHandedOverOnlyToAProcessThatWasKnownWhenThisOneBeganToLeave() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Leaving(FIRST.node(), 1));
        handle(leadership, new Trusted(SECOND.node(), 4));
        assertThat(leadership.isToHandOver())
                .as("what it confirmed may be of an earlier process, and this one may have another copy")
                .isFalse();
        assertThat(handle(leadership, new TransferAsked())).isEmpty();

        Leadership other = primary(1, FIRST, SECOND);
        handle(other, new Trusted(SECOND.node(), 4));
        handle(other, new Leaving(FIRST.node(), 1));
        assertThat(other.isToHandOver()).isTrue();
        handle(other, new Trusted(SECOND.node(), 5));
        assertThat(other.isToHandOver()).isFalse();
        handle(other, new Suspected(SECOND.node()));
        assertThat(other.isToHandOver()).isFalse();
    }

    @Test
    void ofAllThatAreAboutToEndNobodyTakesAnythingFromTheOthers() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Trusted(SECOND.node(), 1));
        handle(leadership, new Leaving(FIRST.node(), 1));
        assertThat(handle(leadership, new Leaving(SECOND.node(), 1))).isEmpty();
        assertThat(leadership.isToHandOver()).isFalse();

        Leadership copy = backup(SECOND, term(1, FIRST, FIRST, SECOND));
        handle(copy, new Leaving(SECOND.node(), 1));
        assertThat(handle(copy, new Suspected(FIRST.node()))).isEmpty();
        assertThat(after(10 * CANDIDACY_NANOS, copy, new TimePassed())).isEmpty();
    }

    @Test
    void aTermThatIsMeantForACopyThatThisProcessHasNoMoreIsNotBegun() {
        CopyId built = new CopyId(SECOND.node(), 2);
        Leadership leadership = leadershipOf(built, 1, 1);
        PartitionRecord record = new PartitionRecord(2, SECOND, 1, List.of(SECOND));
        assertThat(handle(leadership, found(1, record))).containsExactly(new CatchUp(record));
    }

    @Test
    void aCopyThatDivergedIsTakenOut() {
        Leadership leadership = primary(1, FIRST, SECOND);
        assertThat(handle(leadership, new Diverged(SECOND)))
                .containsExactly(NOTHING, new Change(stored(1, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST), ALL);
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("that life of the copy is over, as long as its process lives")
                .isEmpty();
        assertThat(handle(leadership, new Approached(new CopyId(SECOND.node(), 2))))
                .hasExactlyElementsOfTypes(Require.class);
    }

    /** What was of no use is what the process had in memory; the next one has what the copy's log leads to. */
    @Test
    void aCopyThatWasOfNoUseJoinsAgainInAYoungerProcess() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Trusted(SECOND.node(), 4));
        handle(leadership, new Diverged(SECOND));
        handle(leadership, applied(2, term(1, FIRST, FIRST)));
        handle(leadership, new Suspected(SECOND.node()));
        handle(leadership, new Trusted(SECOND.node(), 4));
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("the same process")
                .isEmpty();
        handle(leadership, new Trusted(SECOND.node(), 5));
        assertThat(handle(leadership, new Approached(SECOND)))
                .containsExactly(new Require(Set.of(FIRST, SECOND), Set.of(SECOND)));
        assertThat(handle(leadership, new CaughtUp(SECOND)))
                .containsExactly(new Change(stored(2, term(1, FIRST, FIRST)), term(1, FIRST, FIRST, SECOND)));
        assertThat(handle(leadership, applied(3, term(1, FIRST, FIRST, SECOND))))
                .containsExactly(require(FIRST, SECOND));
        assertThat(handle(leadership, new Diverged(SECOND)))
                .as("again")
                .containsExactly(NOTHING, new Change(stored(3, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
        handle(leadership, applied(4, term(1, FIRST, FIRST)));
        assertThat(handle(leadership, new Approached(SECOND))).isEmpty();
    }

    /** In the record it counts for what the process before it confirmed, which it may not have. */
    @Test
    void aCopyThatWasOfNoUseIsTakenOutAlsoIfAYoungerProcessIsThereSooner() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Trusted(SECOND.node(), 4));
        assertThat(handle(leadership, new Diverged(SECOND))).hasExactlyElementsOfTypes(Acknowledge.class, Change.class);
        assertThat(handle(leadership, unknown())).isEmpty();
        assertThat(handle(leadership, new Trusted(SECOND.node(), 5))).isEmpty();
        assertThat(handle(leadership, new Approached(SECOND))).isEmpty();
        assertThat(after(RETRY_NANOS, leadership, new TimePassed()))
                .containsExactly(new Change(stored(1, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST), ALL);
        assertThat(handle(leadership, new Approached(SECOND))).hasExactlyElementsOfTypes(Require.class);
    }

    @Test
    void aCopyWhoseNodeBuildsAnotherOneIsTakenOutBeforeThatOneJoins() {
        Leadership leadership = primary(1, FIRST, SECOND);
        assertThat(handle(leadership, new LeadershipEvent.Replaced(SECOND)))
                .as("the one that is in sync")
                .isEmpty();
        assertThat(handle(leadership, new LeadershipEvent.Replaced(new CopyId(SECOND.node(), 2))))
                .containsExactly(NOTHING, new Change(stored(1, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
    }

    @Test
    void aCopyIsOutWhenNoRecordNamesItAndNoneWill() {
        CopyId next = new CopyId(SECOND.node(), 2);
        Leadership leadership = primary(1, FIRST);
        handle(leadership, new Trusted(SECOND.node(), 4));
        handle(leadership, new Approached(SECOND));
        handle(leadership, new CaughtUp(SECOND));
        assertThat(handle(leadership, new LeadershipEvent.Replaced(next))).contains(NOTHING);
        assertThat(leadership.areOut(next)).as("it is about to be named").isFalse();
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST, SECOND))))
                .contains(new Change(stored(2, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
        assertThat(leadership.areOut(next)).as("it is named").isFalse();
        handle(leadership, applied(3, term(1, FIRST, FIRST)));
        assertThat(leadership.areOut(next)).isTrue();
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("what it said before it broke")
                .isEmpty();
        handle(leadership, new Trusted(SECOND.node(), 5));
        assertThat(handle(leadership, new Approached(SECOND)))
                .as("another process")
                .isNotEmpty();
    }

    @Test
    void aCopyIsNotOutBeforeItsPrimaryKnowsOfTheOneInItsPlace() {
        CopyId next = new CopyId(SECOND.node(), 2);
        Leadership leadership = primary(1, FIRST);
        assertThat(leadership.areOut(next)).isFalse();
        handle(leadership, new LeadershipEvent.Replaced(next));
        assertThat(leadership.areOut(next)).isTrue();
        assertThat(leadership.areOut(new CopyId(SECOND.node(), 3)))
                .as("one after it")
                .isFalse();
        handle(leadership, new Approached(SECOND));
        handle(leadership, new RecordFound(stored(2, term(2, SECOND, FIRST, SECOND))));
        assertThat(leadership.areOut(next)).as("deposed").isFalse();
    }

    @Test
    void aNodeThatComesBackEmptyIsNoLongerInSync() {
        Leadership leadership = primary(1, FIRST, SECOND);
        assertThat(handle(leadership, new Approached(new CopyId(SECOND.node(), 2))))
                .containsExactly(NOTHING, new Change(stored(1, term(1, FIRST, FIRST, SECOND)), term(1, FIRST, FIRST)));
    }

    @Test
    void belowTheMinimumOnlyReadsAreAcknowledged() {
        Leadership leadership = primary(2, FIRST, SECOND);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(handle(leadership, applied(2, term(1, FIRST, FIRST)))).containsExactly(require(FIRST), READS);
        handle(leadership, new Trusted(SECOND.node(), 1));
        handle(leadership, new Approached(SECOND));
        handle(leadership, new CaughtUp(SECOND));
        assertThat(handle(leadership, applied(3, term(1, FIRST, FIRST, SECOND))))
                .containsExactly(require(FIRST, SECOND), ALL);
    }

    @Test
    void aBackupWaitsForItsTurnAndThenProposesThoseThatAnswer() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND, THIRD);
        Leadership leadership = backup(THIRD, record);
        assertThat(handle(leadership, new Suspected(FIRST.node()))).isEmpty();
        assertThat(after(2 * CANDIDACY_NANOS - 1, leadership, new TimePassed())).isEmpty();
        PartitionRecord next = term(5, THIRD, SECOND, THIRD);
        assertThat(after(1, leadership, new TimePassed())).containsExactly(new Change(stored(1, record), next));
        assertThat(handle(leadership, applied(2, next))).containsExactly(new Lead(next), require(SECOND, THIRD), ALL);
    }

    @Test
    void theFirstOfTheBackupsProposesItselfSooner() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND, THIRD);
        Leadership leadership = backup(SECOND, record);
        handle(leadership, new Suspected(FIRST.node()));
        assertThat(after(CANDIDACY_NANOS - 1, leadership, new TimePassed())).isEmpty();
        assertThat(after(1, leadership, new TimePassed()))
                .containsExactly(new Change(stored(1, record), term(5, SECOND, SECOND, THIRD)));
    }

    @Test
    void aBackupThatTrustsAgainInTimeProposesNothing() {
        Leadership leadership = backup(SECOND, term(4, FIRST, FIRST, SECOND));
        handle(leadership, new Suspected(FIRST.node()));
        handle(leadership, new Trusted(FIRST.node(), 1));
        assertThat(after(10 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
        assertThat(handle(leadership, new Suspected(FIRST.node()))).isEmpty();
    }

    @Test
    void aPrimaryThatResignsIsFollowedByOneThatNamesItNoMore() {
        PartitionRecord record = term(1, FIRST, FIRST, SECOND, THIRD);
        Leadership leadership = backup(SECOND, record);
        assertThat(handle(leadership, new Resigned(FIRST, 1))).isEmpty();
        assertThat(after(CANDIDACY_NANOS, leadership, new TimePassed()))
                .containsExactly(new Change(stored(1, record), term(2, SECOND, SECOND, THIRD)));
        PartitionRecord next = term(2, THIRD, SECOND, THIRD);
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Conflict<>(stored(2, next)))))
                .as("the other was sooner")
                .containsExactly(new Follow(next));
        assertThat(after(10 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
    }

    @Test
    void onlyThePrimaryOfTheTermResigns() {
        PartitionRecord record = term(2, FIRST, FIRST, SECOND);
        Leadership leadership = backup(SECOND, record);
        handle(leadership, new Resigned(FIRST, 1));
        handle(leadership, new Resigned(THIRD, 2));
        assertThat(after(10 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
    }

    @Test
    void aPrimaryWhoseCopyBreaksTakesNobodyOutAndAcknowledgesNothingMore() {
        Leadership leadership = primary(1, FIRST, SECOND);
        assertThat(handle(leadership, new Broken())).isEmpty();
        assertThat(handle(leadership, new Suspected(SECOND.node()))).isEmpty();
        assertThat(after(10 * RETRY_NANOS, leadership, new TimePassed())).isEmpty();
        PartitionRecord next = term(2, SECOND, SECOND);
        assertThat(handle(leadership, found(2, next))).containsExactly(new CatchUp(next));
    }

    @Test
    void aBackupWhoseCopyBreaksIsNotPromoted() {
        Leadership leadership = backup(SECOND, term(1, FIRST, FIRST, SECOND));
        handle(leadership, new Broken());
        handle(leadership, new Suspected(FIRST.node()));
        assertThat(after(10 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
    }

    @Test
    void aTermEndsWithItsProcessAlsoIfTheNodeIsBackAtOnce() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND, THIRD);
        Leadership leadership = backup(SECOND, record);
        assertThat(handle(leadership, new Trusted(FIRST.node(), 2))).isEmpty();
        assertThat(after(2 * CANDIDACY_NANOS, leadership, new TimePassed()))
                .containsExactly(new Change(stored(1, record), term(5, SECOND, FIRST, SECOND, THIRD)));
    }

    @Test
    void aCandidateThatComesTooLateFollowsTheOther() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND, THIRD);
        Leadership leadership = backup(THIRD, record);
        handle(leadership, new Suspected(FIRST.node()));
        after(2 * CANDIDACY_NANOS, leadership, new TimePassed());
        PartitionRecord other = term(5, SECOND, SECOND, THIRD);
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Conflict<>(stored(2, other)))))
                .containsExactly(new Follow(other));
        assertThat(leadership.role()).isEqualTo(Leadership.Role.BACKUP);
    }

    @Test
    void aPromotionWithUnknownOutcomeIsMadeAgainAndThenLedOnce() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND);
        Leadership leadership = backup(SECOND, record);
        handle(leadership, new Suspected(FIRST.node()));
        assertThat(after(CANDIDACY_NANOS, leadership, new TimePassed())).hasSize(1);
        assertThat(handle(leadership, unknown())).isEmpty();
        assertThat(handle(leadership, new Trusted(FIRST.node(), 1))).isEmpty();
        PartitionRecord own = term(5, SECOND, SECOND);
        assertThat(after(RETRY_NANOS, leadership, new TimePassed()))
                .containsExactly(new Change(stored(1, record), own));
        assertThat(handle(leadership, found(2, own))).startsWith(new Lead(own));
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Conflict<>(stored(2, own)))))
                .isEmpty();
    }

    @Test
    void whoIsNotInSyncIsNeverPromoted() {
        PartitionRecord record = term(4, FIRST, FIRST, SECOND);
        Leadership leadership = leadershipOf(THIRD, 1, 1);
        assertThat(handle(leadership, found(1, record))).containsExactly(new CatchUp(record));
        handle(leadership, new Suspected(FIRST.node()));
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(after(100 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
        CopyId emptied = new CopyId(SECOND.node(), 2);
        Leadership returned = leadershipOf(emptied, 2, 1);
        assertThat(handle(returned, found(1, record))).containsExactly(new CatchUp(record));
        handle(returned, new Suspected(FIRST.node()));
        assertThat(after(100 * CANDIDACY_NANOS, returned, new TimePassed())).isEmpty();
    }

    @Test
    void aPrimaryThatComesBackBeginsATermOfItsOwn() {
        PartitionRecord former = term(4, FIRST, FIRST, SECOND);
        Leadership leadership = leadershipOf(FIRST, 2, 1);
        PartitionRecord next = new PartitionRecord(5, FIRST, 2, List.of(FIRST, SECOND));
        assertThat(handle(leadership, found(1, former)))
                .containsExactly(new Follow(former), new Change(stored(1, former), next));
        assertThat(handle(leadership, applied(2, next))).startsWith(new Lead(next));
    }

    @Test
    void anOlderProcessOfTheSameNodeStops() {
        Leadership leadership = primary(1, FIRST, SECOND);
        PartitionRecord younger = new PartitionRecord(2, FIRST, 2, List.of(FIRST, SECOND));
        assertThat(handle(leadership, found(2, younger))).hasExactlyElementsOfTypes(Complain.class, CatchUp.class);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(after(100 * CANDIDACY_NANOS, leadership, new TimePassed())).isEmpty();
    }

    @Test
    void aDeposedPrimaryFollows() {
        Leadership leadership = primary(1, FIRST, SECOND);
        PartitionRecord other = term(2, SECOND, SECOND);
        assertThat(handle(leadership, found(2, other))).containsExactly(new CatchUp(other));
        PartitionRecord back = term(2, SECOND, FIRST, SECOND);
        assertThat(handle(leadership, found(3, back))).containsExactly(new Follow(back));
        assertThat(handle(leadership, new Suspected(THIRD.node()))).isEmpty();
    }

    @Test
    void anOldRecordIsIgnored() {
        Leadership leadership = primary(1, FIRST, SECOND);
        PartitionRecord other = term(2, SECOND, FIRST, SECOND);
        handle(leadership, found(2, other));
        assertThat(handle(leadership, found(1, term(1, FIRST, FIRST, SECOND)))).isEmpty();
    }

    @Test
    void aRefusedChangeIsToldAndTriedAgainLater() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Suspected(SECOND.node()));
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Refused<>("no access"))))
                .containsExactly(new Complain("no access"));
        assertThat(after(RETRY_NANOS, leadership, new TimePassed())).hasExactlyElementsOfTypes(Change.class);
    }

    @Test
    void aCopyThatThePlanDoesNotWantGoesOnceTheOthersAreThere() {
        Leadership leadership = primary(1, FIRST, SECOND);
        assertThat(handle(leadership, new Planned(List.of(FIRST.node(), THIRD.node()))))
                .as("the third is not there yet")
                .isEmpty();
        handle(leadership, new Approached(THIRD));
        PartitionRecord grown = term(1, FIRST, FIRST, SECOND, THIRD);
        handle(leadership, new CaughtUp(THIRD));
        PartitionRecord kept = term(1, FIRST, FIRST, THIRD);
        assertThat(handle(leadership, applied(2, grown))).contains(new Change(stored(2, grown), kept));
        assertThat(handle(leadership, applied(3, kept))).contains(require(FIRST, THIRD));
        assertThat(handle(leadership, new TimePassed())).isEmpty();
    }

    @Test
    void aPrimaryThatThePlanDoesNotWantStaysInSyncAsLongAsItLeads() {
        Leadership leadership = primary(1, FIRST, SECOND, THIRD);
        assertThat(handle(leadership, new Planned(List.of(SECOND.node(), THIRD.node()))))
                .isEmpty();
    }

    /** Nobody sends it anything any more, so it would be waited for as long as the term lasts. */
    @Test
    void aNewcomerThatThePlanDoesNotWantAnyMoreIsNotWaitedFor() {
        Leadership leadership = primary(1, FIRST);
        handle(leadership, new Planned(List.of(FIRST.node(), SECOND.node())));
        assertThat(handle(leadership, new Approached(SECOND))).isNotEmpty();
        assertThat(handle(leadership, new Planned(List.of(FIRST.node(), THIRD.node()))))
                .contains(require(FIRST));
        assertThat(handle(leadership, new Approached(SECOND))).isEmpty();
    }

    @Test
    void aRefusalSaysNothingOfAnEarlierAttemptWhoseOutcomeIsUnknown() {
        Leadership leadership = primary(1, FIRST, SECOND);
        handle(leadership, new Approached(THIRD));
        assertThat(handle(leadership, new CaughtUp(THIRD))).hasAtLeastOneElementOfType(Change.class);
        handle(leadership, unknown());
        assertThat(after(RETRY_NANOS, leadership, new TimePassed())).hasExactlyElementsOfTypes(Change.class);
        assertThat(handle(leadership, new ChangeEnded(new ChangeOutcome.Refused<>("no access"))))
                .containsExactly(new Complain("no access"));
        assertThat(handle(leadership, new Suspected(THIRD.node())))
                .as("the record may name it")
                .doesNotContain(require(FIRST, SECOND));
        assertThat(after(2 * RETRY_NANOS, leadership, new TimePassed())).hasExactlyElementsOfTypes(Change.class);
    }
}
