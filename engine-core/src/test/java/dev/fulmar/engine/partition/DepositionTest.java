package dev.fulmar.engine.partition;

import static dev.fulmar.engine.partition.PartitionFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.CoordinatorMessage.Decided;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Lost;
import dev.fulmar.engine.partition.CoordinatorMessage.Refused;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.VoteRecalled;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.PartitionMessage.BaseDecision;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A partition that another node leads from some moment on: what was under way comes to an end that everybody is told.
 */
class DepositionTest {
    private static final FulmarException DEPOSED =
            new FulmarException(ErrorCode.OUTCOME_UNKNOWN, "another node leads the partition");

    /** Led in an epoch, or not. */
    private static final class Leadership implements LeadershipGuard {
        long epoch = 5;
        boolean leads = true;

        @Override
        public boolean admits(Partition partition, SinglePartitionWork work) {
            return leads;
        }

        @Override
        public boolean leads(Partition partition) {
            return leads;
        }

        @Override
        public boolean leads(Partition partition, long asked) {
            return leads && asked == epoch;
        }
    }

    /** Holds what leaves until it is safe, or lost. */
    private final class Gate implements CommitGate {
        final ArrayDeque<GatedReply> held = new ArrayDeque<>();

        /** A term has begun in which nothing is served yet. */
        boolean isTerm;

        @Override
        public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
            if (leadership.leads || isTerm) {
                held.add(gatedReply);
            } else {
                gatedReply.lost(DEPOSED, p.replyBatch);
            }
        }

        @Override
        public void letOut(GatedReply gatedReply) {
            gatedReply.leave(p.replyBatch);
        }

        @Override
        public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
            hold(partition, logPosition, gatedReply);
        }

        @Override
        public int release(Partition partition) {
            return 0;
        }

        void safe() {
            while (!held.isEmpty()) {
                held.removeFirst().leave(p.replyBatch);
            }
        }

        void lost() {
            while (!held.isEmpty()) {
                held.removeFirst().lost(DEPOSED, p.replyBatch);
            }
        }
    }

    private static final class Reader implements SnapshotReader {
        boolean isAway;

        @Override
        public void admitted(Partition partition, long timestamp) {}

        @Override
        public void turnedAway(Partition partition) {
            isAway = true;
        }
    }

    private final Leadership leadership = new Leadership();
    private final Gate gate = new Gate();
    private final PartitionFixture p = new PartitionFixture(leadership, gate);
    private final PartitionId base = new PartitionId(3);

    private boolean depose() {
        leadership.leads = false;
        boolean isInLog = p.executor.depose();
        gate.lost();
        return isInLog;
    }

    private void vote(long age) {
        p.submit(p.batch(age, 0, p.fragment(0, s -> s.put("a", 7))));
        p.submit(new Prepare(id(age), 0, p.answers::add, PrepareMode.SPECULATE, null, base, 0));
    }

    private BaseDecision decision(long epoch) {
        return new BaseDecision(id(7), 0, p.answers::add, epoch, 1L << 60, null, List.of(new PartitionId(1)));
    }

    @Test
    void aVoteThatCanNeverLeaveIsANo() {
        vote(7);
        assertThat(p.answers).hasSize(1);
        assertThat(depose()).as("a part is in the log").isTrue();
        assertThat(p.lastAnswer(Vote.class).commit()).isFalse();
        assertThat(p.store.values).isEmpty();
        assertThat(p.holder()).isEqualTo("nobody");
    }

    @Test
    void aVoteThatHasLeftStays() {
        vote(7);
        gate.safe();
        assertThat(p.lastAnswer(Vote.class).commit()).isTrue();
        assertThat(p.partition.votedPart()).isEqualTo(new VotedPart(id(7), 0, base));
        int answers = p.answers.size();
        depose();
        assertThat(p.answers).hasSize(answers);
        assertThat(p.partition.votedPart()).isNull();
    }

    @Test
    void whoWasAskedForTheVoteBackDoesNotWaitForItInVain() {
        vote(7);
        gate.safe();
        p.partition.readers().register(new Reader(), true, 0);
        assertThat(p.answers.getLast()).isEqualTo(new VoteRecalled(p.partition.id(), 0));
        depose();
        assertThat(p.answers.getLast()).isEqualTo(new Wounded(p.partition.id(), 0));
    }

    /**
     * Else the next primary, whose clock may be behind, could commit a change of what was read before the transaction
     * that read it.
     */
    @Test
    void aPartThatOnlyReadOutlastsItsPrimaryLikeOneThatWrote() {
        long decidedTimestamp = 1L << 60;
        p.submit(p.batch(7, 0, p.fragment(0, s -> {})));
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.SPECULATE, null, base, 0));
        gate.safe();
        assertThat(p.lastAnswer(Vote.class).recorded()).isTrue();
        assertThat(p.log).containsExactly("prepared 7");
        p.submit(new PartitionMessage.Decision(id(7), 0, true, decidedTimestamp, p.answers::add, null));
        assertThat(p.log).containsExactly("prepared 7", "commit 7");
        assertThat(p.answers).doesNotContain(new Decided(p.partition.id(), 0));
        gate.safe();
        assertThat(p.answers.getLast()).isEqualTo(new Decided(p.partition.id(), 0));
        assertThat(p.partition.timestamps().next()).isGreaterThan(decidedTimestamp);
        p.submit(p.batch(9, 0, p.fragment(0, s -> {})));
        p.submit(new Prepare(id(9), 0, p.answers::add, PrepareMode.SPECULATE, null, base, 0));
        assertThat(depose()).as("a part is in the log").isTrue();
    }

    /** A snapshot that shows what is written here next must show what the transaction has read elsewhere. */
    @Test
    void whatIsWrittenBehindATransactionThatOnlyReadCommitsAboveAllThatItRead() {
        long readElsewhere = 1L << 60;
        p.submit(p.batch(7, 0, p.fragment(0, s -> {})));
        assertThat(p.lastAnswer(FragmentReply.class).clock())
                .isEqualTo(p.partition.timestamps().last());
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.RELEASE, null, base, readElsewhere));
        assertThat(p.holder()).isEqualTo("nobody");
        assertThat(p.partition.timestamps().next()).isGreaterThan(readElsewhere);
        assertThat(p.promises).as("who leads the partition next").containsExactly(readElsewhere);
        assertThat(p.answers).doesNotHaveAnyElementsOfTypes(Vote.class);
        gate.safe();
        assertThat(p.lastAnswer(Vote.class).commit()).isTrue();
    }

    /** The reason for which it failed may tell of it. */
    @Test
    void whatIsWrittenBehindATransactionThatFailedCommitsAboveAllThatItRead() {
        long readElsewhere = 1L << 60;
        p.submit(p.batch(7, 0, p.fragment(0, s -> s.put("a", 7))));
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.UNDO, null, base, readElsewhere));
        assertThat(p.store.values).isEmpty();
        assertThat(p.partition.timestamps().next()).isGreaterThan(readElsewhere);
        assertThat(p.promises).containsExactly(readElsewhere);
    }

    @Test
    void thePartAtTheBasePartitionIsInTheLogWithTheDecision() {
        p.submit(p.batch(7, 0, p.fragment(0, s -> {})));
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.SPECULATE, null, p.partition.id(), 0));
        gate.safe();
        assertThat(p.lastAnswer(Vote.class).recorded()).isFalse();
        assertThat(p.log).isEmpty();
        p.submit(decision(5));
        assertThat(p.log).containsExactly("commit 7");
        assertThat(p.partition.timestamps().next()).isGreaterThan(1L << 60);
    }

    @Test
    void aPartThatOnlyReadIsRefusedWhereTheLogTakesNothingMore() {
        p.submit(p.batch(7, 0, p.fragment(0, s -> {})));
        p.refusal = new FulmarException(ErrorCode.DISK_FULL, "the device is full");
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.SPECULATE, null, base, 0));
        assertThat(p.lastAnswer(Refused.class).code()).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(p.log).isEmpty();
        assertThat(p.holder()).isEqualTo("nobody");
    }

    @Test
    void whoHasNotVotedIsToldAndWhoWaitsIsSentElsewhere() {
        p.submit(p.batch(3, 0, p.fragment(0, s -> s.put("a", 7))));
        p.submit(p.batch(9, 0));
        assertThat(depose()).isFalse();
        assertThat(p.answers).contains(new Wounded(p.partition.id(), 0));
        assertThat(p.lastAnswer(FragmentReply.class).failure())
                .isNotNull()
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
        p.submit(p.batch(11, 0));
        assertThat(p.lastAnswer(FragmentReply.class).failure())
                .isNotNull()
                .satisfies(failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
        assertThat(p.holder()).isEqualTo("nobody");
    }

    @Test
    void aSingleParticipantThatHasCommittedDoesNotSayThatNothingWasChanged() {
        p.submit(p.batch(7, 0, p.fragment(0, s -> s.put("a", 7))));
        p.submit(new Prepare(id(7), 0, p.answers::add, PrepareMode.COMMIT, null, p.partition.id(), 0));
        depose();
        assertThat(p.lastAnswer(Lost.class).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void aDecisionIsWrittenInTheEpochOfItsTransactionOnly() {
        leadership.epoch = 7;
        p.submit(decision(5));
        assertThat(p.lastAnswer(Lost.class).code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(p.log).isEmpty();
        p.submit(decision(7));
        assertThat(p.log).containsExactly("commit 7");
        gate.safe();
        assertThat(p.answers.getLast()).isEqualTo(new Decided(p.partition.id(), 0));
    }

    @Test
    void aWrittenDecisionThatCanNeverBeToldIsUnknown() {
        p.submit(decision(5));
        depose();
        assertThat(p.lastAnswer(Lost.class).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void readersAreSentAwayAndWhatTheyHeldBackNeverLeaves() {
        Reader reader = new Reader();
        p.partition.readers().register(reader, true, 0);
        p.submit(p.work("later", s -> s.put("a", 1)));
        assertThat(gate.held).as("held behind the reader").isEmpty();
        depose();
        assertThat(reader.isAway).isTrue();
        leadership.leads = true;
        p.partition.readers().leave(reader);
        gate.safe();
        assertThat(p.replies).isEmpty();
    }

    @Test
    void whoComesToReadAfterwardsIsSentAway() {
        depose();
        Reader reader = new Reader();
        p.partition.readers().register(reader, false, 0);
        assertThat(reader.isAway).isTrue();
    }

    @Test
    void whatMustBeConfirmedDoesNotWaitForReaders() {
        List<String> said = new ArrayList<>();
        p.partition.readers().register(new Reader(), true, 0);
        p.submit(p.work("later", s -> s.put("a", 1)));
        p.partition.readers().onceConfirmed(replies -> said.add("confirmed"));
        assertThat(said).isEmpty();
        gate.safe();
        assertThat(said).containsExactly("confirmed");
    }

    @Test
    void nothingIsCutWhileAPartWaitsForItsDecision() {
        List<String> cut = new ArrayList<>();
        p.partition.awaitDecision(true);
        p.partition.whenQuiescent(partition -> cut.add("cut"));
        p.run();
        assertThat(cut).isEmpty();
        assertThat(p.partition.isQuiescent()).isFalse();
        p.partition.awaitDecision(false);
        p.run();
        assertThat(cut).containsExactly("cut");
    }

    /**
     * The part that the decision is on may be in doubt here, and is asked for when the one who begins to lead knows
     * what there is.
     */
    @Test
    void whoDoesNotServeAcknowledgesNoDecision() {
        leadership.leads = false;
        gate.isTerm = true;
        p.submit(new PartitionMessage.Decision(id(7), 0, true, 1L << 60, p.answers::add, null));
        gate.safe();
        assertThat(p.answers).isEmpty();
        leadership.leads = true;
        p.submit(new PartitionMessage.Decision(id(7), 0, true, 1L << 60, p.answers::add, null));
        gate.safe();
        assertThat(p.answers).containsExactly(new Decided(p.partition.id(), 0));
    }
}
