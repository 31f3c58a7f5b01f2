package dev.fulmar.engine.partition;

import static dev.fulmar.engine.partition.PartitionFixture.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.PartitionMessage.UndoStatements;
import dev.fulmar.engine.partition.SinglePartitionWork.Verdict;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PartitionExecutorTest {
    private final PartitionFixture p = new PartitionFixture();

    @Test
    void runsTransactionsInArrivalOrderWithRisingTimestamps() {
        PartitionFixture.Work first = p.work("first", s -> s.put("a", 1));
        PartitionFixture.Work second = p.work("second", s -> s.put("a", s.get("a") + 1));
        p.put(first);
        p.put(second);
        p.run();
        assertThat(p.replies).containsExactly("first", "second");
        assertThat(p.log).containsExactly("first", "second");
        assertThat(p.store.get("a")).isEqualTo(2);
        assertThat(second.timestamp).isGreaterThan(first.timestamp);
        assertThat(p.store.stamps).containsEntry("a", second.timestamp);
    }

    @Test
    void timestampsRiseThoughTheClockGoesBack() {
        PartitionFixture.Work first = p.work("first", s -> s.put("a", 1));
        p.submit(first);
        p.nowMicros -= 500;
        PartitionFixture.Work second = p.work("second", s -> s.put("a", 2));
        p.submit(second);
        assertThat(second.timestamp).isGreaterThan(first.timestamp);
    }

    @Test
    void aFailedTransactionLeavesNoTraceAndIsStillAnswered() {
        p.submit(p.new Work("fails", s -> {
            s.put("a", 1);
            return Verdict.ABORT;
        }));
        p.submit(p.new Work("breaks", s -> {
            s.put("b", 1);
            throw new IllegalStateException("defect");
        }));
        assertThat(p.store.values).isEmpty();
        assertThat(p.log).isEmpty();
        assertThat(p.replies).containsExactly("fails", "breaks broke", "breaks");
    }

    @Test
    void transactionsWaitWhileTheLockIsHeldAndKeepTheirOrder() {
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("a", 7))));
        assertThat(p.lastAnswer(FragmentReply.class).failure()).isNull();
        p.submit(p.work("first", s -> s.put("b", s.get("a"))));
        p.submit(p.work("second", s -> s.put("c", s.get("a"))));
        assertThat(p.replies).isEmpty();
        assertThat(p.partition.inbox().depth()).isEqualTo(2);
        p.abort(5, 0);
        assertThat(p.replies).containsExactly("first", "second");
        assertThat(p.store.values).containsEntry("b", 0L).containsEntry("c", 0L).doesNotContainKey("a");
        assertThat(p.partition.inbox().depth()).isZero();
    }

    @Test
    void theOldestRequestGetsTheLockNext() {
        p.submit(p.batch(1, 0));
        p.submit(p.batch(9, 0));
        p.submit(p.batch(4, 0));
        p.abort(1, 0);
        assertThat(p.holder()).isEqualTo("4 in attempt 0");
        p.abort(4, 0);
        assertThat(p.holder()).isEqualTo("9 in attempt 0");
    }

    @Test
    void aLockRequestDoesNotOvertakeTransactionsThatCameBeforeIt() {
        p.submit(p.batch(1, 0));
        p.submit(p.work("before", s -> s.put("a", 1)));
        p.submit(p.batch(2, 0, p.fragment(0, s -> s.put("seen", s.get("a")))));
        p.submit(p.work("after", s -> s.put("a", 2)));
        p.abort(1, 0);
        assertThat(p.replies).containsExactly("before");
        assertThat(p.store.get("seen")).isEqualTo(1);
        p.abort(2, 0);
        assertThat(p.replies).containsExactly("before", "after");
    }

    @Test
    void aYoungerHolderYieldsToAnOlderRequest() {
        p.submit(p.batch(7, 0, p.fragment(0, s -> s.put("a", 7))));
        p.submit(p.batch(3, 0, p.fragment(0, s -> s.put("b", s.get("a")))));
        assertThat(p.answers.get(1)).isEqualTo(new Wounded(p.partition.id(), 0));
        assertThat(p.store.values).containsEntry("b", 0L).doesNotContainKey("a");
        assertThat(p.partition.counters().wounds.get()).isOne();
    }

    @Test
    void anOlderHolderDoesNotYield() {
        p.submit(p.batch(3, 0, p.fragment(0, s -> s.put("a", 3))));
        p.submit(p.batch(7, 0));
        assertThat(p.answers).hasSize(1);
        assertThat(p.store.get("a")).isEqualTo(3);
    }

    @Test
    void aHolderThatVotedDoesNotYield() {
        p.submit(p.batch(7, 0, p.fragment(0, s -> s.put("a", 7))));
        p.prepare(7, 0, PrepareMode.SPECULATE);
        assertThat(p.lastAnswer(Vote.class).commit()).isTrue();
        p.submit(p.batch(3, 0));
        assertThat(p.answers).hasSize(2);
        p.commit(7, 0, p.lastAnswer(Vote.class).timestamp());
        assertThat(p.store.get("a")).isEqualTo(7);
        assertThat(p.holder()).isEqualTo("3 in attempt 0");
    }

    @Test
    void lateMessagesOfAWoundedAttemptAreDroppedUntilItsCoordinatorKnows() {
        p.submit(p.batch(7, 0));
        p.submit(p.batch(3, 0));
        int answered = p.answers.size();
        p.submit(p.batch(7, 0, p.fragment(0, s -> s.put("late", 1))));
        p.prepare(7, 0, PrepareMode.SPECULATE);
        assertThat(p.answers).hasSize(answered);
        p.abort(7, 0);
        p.submit(p.batch(7, 1, p.fragment(0, s -> s.put("again", 1))));
        p.abort(3, 0);
        assertThat(p.store.values).containsOnlyKeys("again");
        assertThat(p.holder()).isEqualTo("7 in attempt 1");
    }

    @Test
    void anAbortedAttemptStopsWaiting() {
        p.submit(p.batch(1, 0));
        p.submit(p.batch(2, 0, p.fragment(0, s -> s.put("a", 2))));
        p.abort(2, 0);
        p.abort(1, 0);
        assertThat(p.partition.isQuiescent()).isTrue();
        assertThat(p.store.values).isEmpty();
    }

    @Test
    void aPrepareOfAnAttemptThatDoesNotHoldTheLockIsVotedDown() {
        p.prepare(9, 4, PrepareMode.SPECULATE);
        assertThat(p.lastAnswer(Vote.class).commit()).isFalse();
    }

    @Test
    void theOnlyParticipantCommitsWithItsVote() {
        p.submit(p.batch(9, 0, p.fragment(0, s -> s.put("a", 1))));
        p.prepare(9, 0, PrepareMode.COMMIT);
        assertThat(p.partition.isQuiescent()).isTrue();
        assertThat(p.store.stamps).containsEntry("a", p.lastAnswer(Vote.class).timestamp());
    }

    @Test
    void whoChangedNothingGivesTheLockBackWithItsVote() {
        p.submit(p.batch(9, 0, p.fragment(0, s -> {})));
        assertThat(p.lastAnswer(FragmentReply.class).changed()).isFalse();
        p.submit(p.batch(10, 0, p.fragment(0, s -> s.put("a", 1))));
        p.prepare(9, 0, PrepareMode.RELEASE);
        assertThat(p.answers).filteredOn(Vote.class::isInstance).hasSize(1).allMatch(vote -> ((Vote) vote).commit());
        assertThat(p.holder()).isEqualTo("10 in attempt 0");
        assertThat(p.lastAnswer(FragmentReply.class).changed()).isTrue();
    }

    @Test
    void whoActsAtTheCommitCountsAsAWriter() {
        p.submit(p.batch(9, 0, new FragmentWork() {
            @Override
            public int statement() {
                return 0;
            }

            @Override
            public FragmentResult run(Partition ran) {
                return FragmentResult.changed(0);
            }

            @Override
            public boolean actsAtCommit() {
                return true;
            }
        }));
        assertThat(p.lastAnswer(FragmentReply.class).changed()).isTrue();
    }

    @Test
    void aReaderThatLostTheLockDoesNotVote() {
        p.submit(p.batch(9, 0, p.fragment(0, s -> {})));
        p.submit(p.batch(3, 0));
        p.prepare(9, 0, PrepareMode.RELEASE);
        assertThat(p.answers).noneMatch(Vote.class::isInstance);
        assertThat(p.holder()).isEqualTo("3 in attempt 0");
    }

    @Test
    void aFailedStatementUndoesItselfHereAndEndsTheBatch() {
        p.submit(p.batch(
                1,
                0,
                p.fragment(0, s -> s.put("kept", 1)),
                p.fragment(1, s -> s.put("half", 1)),
                p.fragment(1, s -> {
                    s.put("rest", 1);
                    throw new FulmarException(ErrorCode.UNIQUE_VIOLATION, "taken");
                }),
                p.fragment(2, s -> s.put("never", 1))));
        FragmentReply reply = p.lastAnswer(FragmentReply.class);
        assertThat(reply.failure())
                .isEqualTo(new CoordinatorMessage.FragmentFailure(1, ErrorCode.UNIQUE_VIOLATION, "taken"));
        assertThat(p.store.values).containsOnlyKeys("kept");
    }

    @Test
    void statementsThatFailedElsewhereAreUndoneHere() {
        p.submit(p.batch(1, 0, p.fragment(0, s -> s.put("kept", 1)), p.fragment(3, s -> s.put("gone", 1))));
        p.submit(p.batch(1, 0, p.fragment(4, s -> s.put("gone too", 1))));
        p.submit(new UndoStatements(id(1), 0, 3));
        assertThat(p.store.values).containsOnlyKeys("kept");
        p.submit(p.batch(1, 0, p.fragment(5, s -> s.put("later", 1))));
        p.prepare(1, 0, PrepareMode.COMMIT);
        assertThat(p.store.values).containsOnlyKeys("kept", "later");
    }

    @Test
    void workHearsOfItsEndOnce() {
        p.submit(p.batch(1, 0, p.hooked(0, "a"), p.hooked(1, "b")));
        p.abort(1, 0);
        assertThat(p.replies).containsExactly("undone b", "undone a");
        p.submit(p.batch(2, 0, p.hooked(0, "c"), p.hooked(1, "d")));
        p.submit(new UndoStatements(id(2), 0, 1));
        p.prepare(2, 0, PrepareMode.COMMIT);
        assertThat(p.replies).containsExactly("undone b", "undone a", "undone d", "committed c");
    }

    @Test
    void speculatedTransactionsAreAnsweredWithTheHoldersCommitAndLaterTimestamps() {
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("a", 5))));
        p.prepare(5, 0, PrepareMode.SPECULATE);
        PartitionFixture.Work reader = p.work("reader", s -> s.put("seen", s.get("a")));
        PartitionFixture.Work failing = p.new Work("failing", s -> {
            s.put("junk", 1);
            return Verdict.ABORT;
        });
        p.submit(reader);
        p.submit(failing);
        assertThat(p.store.get("seen")).isEqualTo(5);
        assertThat(p.replies).isEmpty();
        assertThat(p.log).containsExactly("prepared 5");
        long decided = p.lastAnswer(Vote.class).timestamp() + 1_000_000;
        p.commit(5, 0, decided);
        assertThat(p.replies).containsExactly("reader", "failing");
        assertThat(p.log).containsExactly("prepared 5", "commit 5", "reader");
        assertThat(p.store.stamps).containsEntry("a", decided);
        assertThat(reader.timestamp).isGreaterThan(decided);
        assertThat(p.store.values).doesNotContainKey("junk");
        assertThat(p.store.uncommitted()).isEmpty();
    }

    @Test
    void theHoldersAbortUndoesSpeculationAndRunsItAgainInOrder() {
        p.submit(p.batch(5, 0, p.fragment(0, s -> s.put("a", 5))));
        p.prepare(5, 0, PrepareMode.SPECULATE);
        PartitionFixture.Work first = p.work("first", s -> s.put("x", s.get("a") + 1));
        PartitionFixture.Work second = p.work("second", s -> s.put("y", s.get("x") + 1));
        p.submit(first);
        p.submit(second);
        assertThat(p.store.values).containsEntry("x", 6L).containsEntry("y", 7L);
        p.abort(5, 0);
        assertThat(p.store.values).containsEntry("x", 1L).containsEntry("y", 2L).doesNotContainKey("a");
        assertThat(p.replies).containsExactly("second revoked", "first revoked", "first", "second");
        assertThat(first.executions).isEqualTo(2);
        assertThat(p.partition.counters().speculationsUndone.get()).isEqualTo(2);
    }

    @Test
    void nothingRunsSpeculativelyBeforeTheVoteOrWhereItIsForbidden() {
        p.submit(p.batch(5, 0));
        PartitionFixture.Work waits = p.work("waits", s -> s.put("x", 1));
        p.submit(waits);
        assertThat(waits.executions).isZero();
        p.prepare(5, 0, PrepareMode.WAIT);
        p.run();
        assertThat(waits.executions).isZero();
        p.commit(5, 0, p.lastAnswer(Vote.class).timestamp());
        assertThat(waits.executions).isOne();
    }

    @Test
    void tasksRunEvenWhileTheLockIsHeld() {
        p.submit(p.batch(5, 0));
        List<Boolean> quiescent = new ArrayList<>();
        p.submit((PartitionTask) partition -> quiescent.add(partition.isQuiescent()));
        assertThat(quiescent).containsExactly(false);
    }

    @Test
    void theGuardKeepsWorkAway() {
        List<SinglePartitionWork> taken = new ArrayList<>();
        PartitionFixture guarded = new PartitionFixture(
                (partition, work) -> {
                    taken.add(work);
                    return false;
                },
                10);
        PartitionFixture.Work work = guarded.work("moved", s -> s.put("a", 1));
        guarded.submit(work);
        assertThat(taken).containsExactly(work);
        assertThat(guarded.store.values).isEmpty();
        assertThat(guarded.replies).isEmpty();
    }

    @Test
    void aTurnIsBounded() {
        for (int i = 0; i < 10; i++) {
            p.put(p.work("w" + i, s -> s.put("a", 1)));
        }
        assertThat(p.executor.run(4)).isEqualTo(4);
        assertThat(p.replies).hasSize(4);
    }

    @Test
    void messagesOfDistributedTransactionsOvertakeRequests() {
        p.put(p.work("request", s -> s.put("a", 1)));
        p.put(p.batch(5, 0, p.fragment(0, s -> s.put("seen", s.get("a")))));
        p.run();
        assertThat(p.store.values).containsEntry("seen", 0L).doesNotContainKey("a");
        p.abort(5, 0);
        assertThat(p.replies).containsExactly("request");
    }

    @Test
    void theInboxSaysWhenItIsFull() {
        PartitionFixture small = new PartitionFixture(LeadershipGuard.alwaysLeads(), 2);
        small.put(small.work("a", s -> {}));
        assertThat(small.partition.inbox().hasRoom()).isTrue();
        small.put(small.work("b", s -> {}));
        assertThat(small.partition.inbox().hasRoom()).isFalse();
        small.run();
        assertThat(small.partition.inbox().hasRoom()).isTrue();
    }

    @Test
    void closingRefusesWhatWaitsAndWhatComes() {
        p.submit(p.batch(5, 0));
        p.submit(p.batch(6, 0));
        p.submit(p.work("deferred", s -> {}));
        p.put(p.work("queued", s -> {}));
        p.executor.close();
        p.put(p.work("late", s -> {}));
        assertThat(p.replies).containsExactly("deferred refused", "queued refused", "late refused");
        assertThat(p.answers).contains(new Wounded(p.partition.id(), 0));
        assertThat(p.lastAnswer(FragmentReply.class).failure())
                .extracting(CoordinatorMessage.FragmentFailure::code)
                .isEqualTo(ErrorCode.NODE_STOPPING);
    }

    @Test
    void aPartitionWhoseUndoFailsHalts() {
        p.store.undoFailure = new IllegalStateException("undo is broken");
        p.put(p.new Work("fails", s -> {
            s.put("a", 1);
            return Verdict.ABORT;
        }));
        p.put(p.work("next", s -> s.put("b", s.get("a"))));
        p.run();
        assertThat(p.replies).containsExactly("fails broke", "fails", "next refused");
        assertThat(p.run()).isZero();
    }

    /** What was done before was done well. */
    @Test
    void whatWaitsForTheLogLeavesAHaltedPartition() {
        List<CommitGate.GatedReply> held = new ArrayList<>();
        AtomicBoolean isSafe = new AtomicBoolean();
        ReplyBatch replies = new ReplyBatch();
        PartitionFixture halting = new PartitionFixture(LeadershipGuard.alwaysLeads(), new CommitGate() {
            @Override
            public void hold(Partition partition, long logPosition, GatedReply gatedReply) {
                held.add(gatedReply);
            }

            @Override
            public void letOut(GatedReply gatedReply) {
                gatedReply.leave(replies);
            }

            @Override
            public void holdVote(Partition partition, long logPosition, GatedReply gatedReply) {
                held.add(gatedReply);
            }

            @Override
            public int release(Partition partition) {
                if (!isSafe.get()) {
                    return 0;
                }
                List<GatedReply> going = List.copyOf(held);
                held.clear();
                going.forEach(gatedReply -> gatedReply.leave(replies));
                return going.size();
            }
        });
        halting.submit(halting.work("before", s -> s.put("a", 1)));
        halting.store.undoFailure = new IllegalStateException("undo is broken");
        halting.submit(halting.new Work("fails", s -> {
            s.put("a", 2);
            return Verdict.ABORT;
        }));
        assertThat(halting.replies).containsExactly("fails broke");
        isSafe.set(true);
        assertThat(halting.run()).isEqualTo(2);
        assertThat(halting.replies).containsExactly("fails broke", "before", "fails");
    }
}
