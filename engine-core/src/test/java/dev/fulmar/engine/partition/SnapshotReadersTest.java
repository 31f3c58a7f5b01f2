package dev.fulmar.engine.partition;

import static dev.fulmar.engine.partition.PartitionFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.CoordinatorMessage.Decided;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.VoteRecalled;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotReadersTest {
    private final PartitionFixture p = new PartitionFixture();
    private final SnapshotReaders readers = p.partition.readers();

    private final class Reader implements SnapshotReader {
        long registeredAt = -1;
        boolean turnedAway;
        boolean decided;

        @Override
        public void admitted(Partition partition, long timestamp) {
            assertThat(registeredAt).isEqualTo(-1);
            registeredAt = timestamp;
        }

        @Override
        public void turnedAway(Partition partition) {
            turnedAway = true;
        }

        Reader register(boolean strict, long atLeast) {
            readers.register(this, strict, atLeast);
            return this;
        }

        void advance(long timestamp) {
            p.partition.timestamps().observe(timestamp);
            readers.whenDecided(this, timestamp, () -> decided = true);
        }
    }

    private Reader strict() {
        return new Reader().register(true, 0);
    }

    private PartitionFixture.Work write(String name) {
        PartitionFixture.Work work = p.work(name, s -> s.put(name, 1));
        p.submit(work);
        return work;
    }

    private void read(String name) {
        p.submit(p.work(name, s -> s.get("a")));
    }

    private void prepare(long age) {
        p.submit(p.batch(age, 0, p.fragment(0, s -> s.put("d" + age, 1))));
        p.prepare(age, 0, PrepareMode.SPECULATE);
    }

    @Test
    void earlierCommitsAreAtOrBelowTheRegistrationAndLaterOnesAboveIt() {
        PartitionFixture.Work before = write("before");
        Reader reader = strict();
        PartitionFixture.Work after = write("after");
        assertThat(reader.registeredAt).isBetween(before.timestamp, after.timestamp - 1);
    }

    @Test
    void theProposalIsTheRegistrationUnlessThePartitionHasPassedIt() {
        PartitionFixture.Work before = write("before");
        Reader ahead = new Reader().register(false, before.timestamp + 1000);
        assertThat(ahead.registeredAt).isEqualTo(before.timestamp + 1000);
        assertThat(write("after").timestamp).isGreaterThan(ahead.registeredAt);
        assertThat(new Reader().register(false, before.timestamp).registeredAt).isGreaterThan(before.timestamp);
    }

    @Test
    void repliesThatTellOfLaterCommitsWaitForAStrictReader() {
        write("before");
        Reader reader = strict();
        read("sees nothing new");
        write("later");
        read("sees it");
        assertThat(p.replies).containsExactly("before", "sees nothing new");
        assertThat(p.store.get("later")).isOne();
        readers.release(reader);
        assertThat(p.replies).containsExactly("before", "sees nothing new", "later", "sees it");
        assertThat(p.partition.counters().repliesHeld.get()).isEqualTo(2);
    }

    /** The reader may wait at a participant for just this decision. */
    @Test
    void theDecisionOfATransactionThatHasNoPartHereWaitsForNoReader() {
        write("before");
        strict();
        write("later");
        p.submit(new PartitionMessage.BaseDecision(
                id(7), 0, p.answers::add, 0, 1L << 60, null, List.of(new PartitionId(1))));
        assertThat(p.lastAnswer(Decided.class).attempt()).isZero();
        assertThat(p.replies).containsExactly("before");
    }

    @Test
    void aReaderThatIsNotStrictHoldsNothing() {
        new Reader().register(false, 0);
        write("later");
        assertThat(p.replies).containsExactly("later");
    }

    @Test
    void aReplyWaitsForTheReadersBeforeItOnly() {
        Reader first = strict();
        write("a");
        Reader second = strict();
        readers.release(first);
        assertThat(p.replies).containsExactly("a");
        write("b");
        strict();
        readers.leave(second);
        assertThat(p.replies).containsExactly("a", "b");
    }

    @Test
    void whatAReaderFoundWaitsForOtherReadersThatMayNotHearOfIt() {
        Reader other = strict();
        write("a");
        Reader reader = strict();
        readers.answer(reader, reader.registeredAt, replies -> p.replies.add("found"));
        assertThat(p.replies).isEmpty();
        readers.release(other);
        assertThat(p.replies).containsExactly("a", "found");
    }

    @Test
    void aReaderKnowsWhetherWhatItSeesMayBeHeardOf() {
        Reader other = strict();
        Reader before = strict();
        assertThat(readers.isClear(before, before.registeredAt)).isTrue();
        write("a");
        Reader reader = strict();
        assertThat(readers.isClear(reader, reader.registeredAt)).isFalse();
        assertThat(readers.isClear(reader, other.registeredAt)).isTrue();
        readers.release(other);
        assertThat(readers.isClear(reader, reader.registeredAt)).isFalse();
        readers.release(before);
        assertThat(readers.isClear(reader, reader.registeredAt)).isTrue();
    }

    @Test
    void whatIsNotDecidedMayNotBeHeardOf() {
        Reader reader = strict();
        prepare(7);
        long proposal = readers.newestChange();
        assertThat(readers.isClear(reader, proposal - 1)).isTrue();
        assertThat(readers.isClear(reader, proposal)).isFalse();
    }

    /** Its vote is cast anew above all that the reader sees. */
    @Test
    void aVoteThatWasGivenBackHindersNoReader() {
        prepare(7);
        boolean[] clear = new boolean[1];
        readers.register(
                new SnapshotReader() {
                    @Override
                    public void admitted(Partition partition, long timestamp) {
                        clear[0] = readers.isClear(this, timestamp);
                    }

                    @Override
                    public void turnedAway(Partition partition) {}
                },
                true,
                0);
        readers.voteGivenBack(id(7), 0);
        assertThat(clear[0]).isTrue();
    }

    @Test
    void aFragmentSaysWhetherNobodyMayHearOfWhatItMayHaveRead() {
        Reader reader = strict();
        p.submit(p.batch(7, 0, p.fragment(0, s -> {})));
        assertThat(p.lastAnswer(FragmentReply.class).held()).isFalse();
        p.abort(7, 0);
        write("later");
        p.submit(p.batch(8, 0, p.fragment(0, s -> {})));
        assertThat(p.lastAnswer(FragmentReply.class).held()).isTrue();
        p.abort(8, 0);
        readers.release(reader);
        p.submit(p.batch(9, 0, p.fragment(0, s -> {})));
        assertThat(p.lastAnswer(FragmentReply.class).held()).isFalse();
    }

    @Test
    void whatAReaderFoundDoesNotWaitForTheReaderItself() {
        Reader reader = strict();
        write("a");
        readers.answer(reader, reader.registeredAt, replies -> p.replies.add("found"));
        assertThat(p.replies).containsExactly("found");
    }

    /**
     * Its decision may be another node's: where it has voted it cannot take that back, and the reader waits there for
     * it.
     */
    @Test
    void theVoteOfAChangeThatNoSnapshotShowsWaitsForNoReader() {
        strict();
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("d", 1))));
        p.prepare(5, 0, PrepareMode.WAIT);
        assertThat(p.lastAnswer(Vote.class).commit()).isTrue();
    }

    /** Its decision may wait for another node, and that one's transactions for this reader. */
    @Test
    void aStrictReaderRegistersBesideAChangeThatNoSnapshotShows() {
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("d", 1))));
        p.prepare(5, 0, PrepareMode.WAIT);
        long proposal = p.lastAnswer(Vote.class).timestamp();
        Reader reader = strict();
        assertThat(reader.registeredAt).isGreaterThanOrEqualTo(proposal);
        assertThat(p.answers).noneMatch(VoteRecalled.class::isInstance);
        reader.advance(reader.registeredAt);
        assertThat(reader.decided).as("what it reads waits").isFalse();
        p.commit(5, 0, proposal);
        assertThat(reader.decided).isTrue();
    }

    @Test
    void aVoteWaitsForAStrictReader() {
        Reader reader = strict();
        prepare(5);
        assertThat(p.answers).noneMatch(Vote.class::isInstance);
        readers.release(reader);
        assertThat(p.lastAnswer(Vote.class).timestamp()).isGreaterThan(reader.registeredAt);
    }

    @Test
    void whyATransactionFailedIsToldOnceWhatItMayHaveReadMayBeKnown() {
        Reader reader = strict();
        write("later");
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("undone", 1))));
        p.prepare(5, 0, PrepareMode.UNDO);
        assertThat(p.holder()).isEqualTo("nobody");
        assertThat(p.store.get("undone")).isZero();
        assertThat(p.answers).noneMatch(Vote.class::isInstance);
        readers.release(reader);
        assertThat(p.lastAnswer(Vote.class).commit()).isTrue();
    }

    @Test
    void aReaderRegistersBehindATransactionThatIsDecidedMeanwhile() {
        prepare(5);
        long proposal = p.lastAnswer(Vote.class).timestamp();
        Reader reader = strict();
        assertThat(p.lastAnswer(VoteRecalled.class).attempt()).isZero();
        assertThat(reader.registeredAt).isEqualTo(-1);
        p.commit(5, 0, proposal + 500);
        assertThat(reader.registeredAt).isEqualTo(proposal + 500);
    }

    @Test
    void aVoteThatWasGivenBackIsCastAnewBehindTheReader() {
        prepare(5);
        Reader reader = strict();
        Reader another = strict();
        assertThat(p.answers).filteredOn(VoteRecalled.class::isInstance).hasSize(1);
        readers.voteGivenBack(id(5), 0);
        assertThat(reader.registeredAt).isPositive();
        assertThat(p.lastAnswer(VoteRecalled.class).attempt()).isZero();
        readers.release(reader);
        readers.release(another);
        assertThat(p.lastAnswer(Vote.class).timestamp()).isGreaterThan(another.registeredAt);
    }

    @Test
    void aVoteThatHasNotLeftIsHeldWithoutAsking() {
        Reader first = strict();
        prepare(5);
        Reader second = strict();
        assertThat(second.registeredAt).isPositive();
        readers.release(first);
        assertThat(p.answers).noneMatch(Vote.class::isInstance);
        readers.release(second);
        assertThat(p.answers).filteredOn(Vote.class::isInstance).hasSize(1);
    }

    @Test
    void aReaderThatLeavesIsNotAdmittedAnyMore() {
        prepare(5);
        Reader reader = strict();
        readers.leave(reader);
        p.abort(5, 0);
        assertThat(reader.registeredAt).isEqualTo(-1);
        write("a");
        assertThat(p.replies).contains("a");
    }

    @Test
    void readingWaitsForWhatIsPreparedAtOrBelowTheTimestamp() {
        prepare(5);
        long proposal = p.lastAnswer(Vote.class).timestamp();
        Reader below = new Reader().register(false, 0);
        below.advance(proposal - 1);
        Reader at = new Reader().register(false, 0);
        at.advance(proposal);
        assertThat(below.decided).isTrue();
        assertThat(at.decided).isFalse();
        assertThat(p.partition.counters().snapshotsWaited.get()).isOne();
        p.commit(5, 0, proposal);
        assertThat(at.decided).isTrue();
    }

    @Test
    void readingDoesNotWaitForALockHolderThatHasNotVoted() {
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("a", 1))));
        Reader reader = strict();
        reader.advance(reader.registeredAt + 1000);
        assertThat(reader.decided).isTrue();
        p.prepare(5, 0, PrepareMode.SPECULATE);
        readers.release(reader);
        assertThat(p.lastAnswer(Vote.class).timestamp()).isGreaterThan(reader.registeredAt + 1000);
    }

    @Test
    void aPartitionThatStopsTurnsReadersAwayAndHoldsNothing() {
        prepare(5);
        Reader waits = strict();
        p.executor.close();
        assertThat(waits.turnedAway).isTrue();
    }
}
