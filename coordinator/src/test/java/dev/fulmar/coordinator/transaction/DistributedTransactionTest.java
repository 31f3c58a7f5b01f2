package dev.fulmar.coordinator.transaction;

import static dev.fulmar.coordinator.transaction.SteppedCluster.and;
import static dev.fulmar.coordinator.transaction.SteppedCluster.on;
import static dev.fulmar.coordinator.transaction.SteppedCluster.transfer;
import static dev.fulmar.coordinator.transaction.SteppedCluster.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Refused;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionMessage.BaseDecision;
import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.SnapshotReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class DistributedTransactionTest {
    private final SteppedCluster cluster = new SteppedCluster(3, 4, 100);
    private final List<TransactionResponse> responses = new ArrayList<>();

    @Test
    void commitsOnAllPartitionsWithOneTimestamp() {
        cluster.begin(transfer(0, 1, 2, 3, 30), responses::add);
        cluster.settle();
        assertThat(responses).hasSize(1).first().isInstanceOf(Committed.class);
        assertThat(cluster.stores.get(0).balances[1]).isEqualTo(70);
        assertThat(cluster.stores.get(2).balances[3]).isEqualTo(130);
        assertThat(cluster.stores.get(0).history.getFirst().timestamp())
                .isEqualTo(cluster.stores.get(2).history.getFirst().timestamp());
        assertQuiescent();
    }

    @Test
    void whoChangedNothingGivesItsLocksBackWithoutADecision() {
        cluster.begin(cluster.audit(), responses::add);
        cluster.settle();
        assertThat(((Committed) responses.getFirst()).value()).isEqualTo(400L * cluster.stores.size());
        assertThat(cluster.sent)
                .filteredOn(Prepare.class::isInstance)
                .allMatch(message -> ((Prepare) message).mode() == PrepareMode.RELEASE);
        assertThat(cluster.sent).noneMatch(Decision.class::isInstance);
        assertQuiescent();
    }

    @Test
    void whoChangedOnePartitionHoldsAllLocksUntilItsDecision() {
        cluster.begin(
                dispatch -> {
                    dispatch.run(on(0, new Accounts.Total(dispatch.nextStatement())));
                    dispatch.run(on(1, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    dispatch.run(on(2, new Accounts.Total(dispatch.nextStatement())));
                    return value(0);
                },
                responses::add);
        cluster.settle();
        assertThat(cluster.sent)
                .filteredOn(Prepare.class::isInstance)
                .hasSize(3)
                .allMatch(message -> ((Prepare) message).mode() == PrepareMode.SPECULATE);
        assertThat(cluster.sent).filteredOn(Decision.class::isInstance).hasSize(3);
        assertQuiescent();
    }

    @Test
    void aTransactionWithoutStatementsCommits() {
        cluster.begin(dispatch -> value(7), responses::add);
        cluster.settle();
        assertThat(((Committed) responses.getFirst()).value()).isEqualTo(7);
    }

    @Test
    void aFailedStatementUndoesItselfEverywhereAndTheTransactionMayGoOn() {
        cluster.begin(
                dispatch -> {
                    dispatch.run(on(0, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    int failing = dispatch.nextStatement();
                    FragmentDispatch.Outcome outcome = dispatch.run(
                            and(on(1, new Accounts.Add(failing, 0, 5)), 2, new Accounts.Add(failing, 0, -1000)));
                    assertThat(outcome.failure())
                            .extracting(CoordinatorMessage.FragmentFailure::code)
                            .isEqualTo(ErrorCode.CHECK_VIOLATION);
                    dispatch.run(on(1, new Accounts.Add(dispatch.nextStatement(), 1, 9)));
                    return value(0);
                },
                responses::add);
        cluster.settle();
        assertThat(responses.getFirst()).isInstanceOf(Committed.class);
        assertThat(cluster.stores.get(0).balances[0]).isEqualTo(101);
        assertThat(cluster.stores.get(1).balances).containsExactly(100, 109, 100, 100);
        assertThat(cluster.stores.get(2).total()).isEqualTo(400);
        assertQuiescent();
    }

    @Test
    void aFailureLeavesNoTrace() {
        cluster.begin(
                dispatch -> {
                    dispatch.run(on(0, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    throw new FulmarException(ErrorCode.USER_ABORT, "no");
                },
                responses::add);
        cluster.settle();
        assertThat(responses).containsExactly(new Failed(ErrorCode.USER_ABORT, "no"));
        assertThat(cluster.stores.get(0).total()).isEqualTo(400);
        assertQuiescent();
    }

    @Test
    void aFailureIsToldWhenAllPartitionsHaveSaidThatItMayBe() {
        cluster.begin(
                dispatch -> {
                    int statement = dispatch.nextStatement();
                    dispatch.run(and(on(0, new Accounts.Add(statement, 0, 1)), 1, new Accounts.Total(statement)));
                    throw new FulmarException(ErrorCode.USER_ABORT, "what was read");
                },
                responses::add);
        cluster.stepFiber();
        stepAll(0);
        stepAll(1);
        cluster.stepFiber(); // fails
        stepAll(0);
        assertThat(responses).isEmpty();
        stepAll(1);
        assertThat(responses).containsExactly(new Failed(ErrorCode.USER_ABORT, "what was read"));
        cluster.settle();
        assertQuiescent();
    }

    private void stepAll(int partition) {
        int moved;
        do {
            moved = cluster.step(partition);
        } while (moved > 0);
    }

    @Test
    void theYoungerOfTwoRivalsIsUndoneAndRunsAgain() {
        List<String> order = new ArrayList<>();
        cluster.begin(9, twoSteps("young", order, 0, 1), responses::add);
        cluster.stepFiber();
        cluster.step(0);
        cluster.step(0); // young holds partition 0
        cluster.begin(5, twoSteps("old", order, 1, 0), responses::add);
        cluster.settle();
        assertThat(responses).hasSize(2).allMatch(Committed.class::isInstance);
        assertThat(order).startsWith("young", "old").endsWith("old done", "young done");
        assertThat(cluster.stores.get(0).balances[0]).isEqualTo(102);
        assertThat(cluster.stores.get(1).balances[0]).isEqualTo(102);
        assertThat(cluster.partition(0).counters().wounds.get()).isPositive();
        assertQuiescent();
    }

    /**
     * A change of the catalog in a cluster, as one node makes its part: decided when all nodes have said that they are
     * ready.
     */
    private ControlCode change(int partition, List<Runnable> ready, int nodes) {
        return new ControlCode() {
            @Override
            public TransactionResponse run(FragmentDispatch dispatch) {
                dispatch.run(on(partition, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                return value(0);
            }

            @Override
            public PrepareMode prepareMode() {
                return PrepareMode.WAIT;
            }

            @Override
            public void committing(long promised, LongConsumer proceed, Consumer<FulmarException> refuse) {
                ready.add(() -> proceed.accept(promised));
                if (ready.size() == nodes) {
                    List.copyOf(ready).forEach(Runnable::run);
                }
            }
        };
    }

    private static final class Reader implements SnapshotReader {
        boolean isAdmitted;

        @Override
        public void admitted(Partition partition, long timestamp) {
            isAdmitted = true;
        }

        @Override
        public void turnedAway(Partition partition) {}
    }

    /**
     * A strict reader holds the vote of a transaction at partition 0, for whose lock a change of the catalog waits
     * there. At partition 1 the change has voted, and cannot take that back, for it is decided with the other node's
     * part.
     */
    @Test
    void aStrictReaderAndAChangeOfTheCatalogDoNotWaitForEachOther() {
        Reader here = new Reader();
        Reader there = new Reader();
        List<Runnable> ready = new ArrayList<>();
        cluster.partition(0).readers().register(here, true, 0);
        cluster.begin(9, transfer(0, 1, 2, 3, 30), responses::add);
        cluster.settle();
        cluster.begin(1, change(0, ready, 2), responses::add);
        cluster.begin(2, change(1, ready, 2), responses::add);
        cluster.settle();
        assertThat(ready).hasSize(1);
        cluster.partition(1).readers().register(there, true, 0);
        cluster.settle();
        assertThat(here.isAdmitted && there.isAdmitted).isTrue();
        cluster.partition(0).readers().release(here);
        cluster.partition(1).readers().release(there);
        cluster.settle();
        assertThat(responses).hasSize(3).allMatch(Committed.class::isInstance);
        assertQuiescent();
    }

    /** Its base partition has the decision, durably or not yet: nobody may undo it any more. */
    @Test
    void aParticipantThatStopsUndoesNothingThatIsDecided() {
        List<PartitionId> kept = new ArrayList<>();
        cluster.begin(
                9, transfer(1, 1, 2, 3, 30), responses::add, new CommitBase(new PartitionId(0), 0, 0, keeper(kept)));
        cluster.stepFiber();
        for (int round = 0; round < 2; round++) { // fragments, votes
            stepAll(1);
            stepAll(2);
            if (cluster.fibers.runnableCount() > 0) {
                cluster.stepFiber();
            }
        }
        assertThat(cluster.sent).last().isInstanceOf(BaseDecision.class);
        cluster.stop(2);
        cluster.settle();
        assertThat(cluster.sent)
                .filteredOn(Decision.class::isInstance)
                .isNotEmpty()
                .allMatch(message -> ((Decision) message).commit());
        assertThat(kept).containsExactly(new PartitionId(1), new PartitionId(2));
        assertThat(responses).hasSize(1).first().isInstanceOf(Committed.class);
        assertThat(cluster.stores.get(1).balances[1]).isEqualTo(70);
    }

    /** Where one log has all partitions' records the last one to vote writes the decision. */
    @Test
    void aPartitionThatStopsBeforeItWritesTheDecisionLeavesTheOutcomeUnknown() {
        PartitionId writer = new PartitionId(2);
        DistributedTransaction transaction = cluster.begin(9, transfer(1, 1, 2, 3, 30), responses::add);
        cluster.stepFiber();
        stepAll(1);
        stepAll(2);
        cluster.stepFiber();
        transaction.deliver(new Vote(new PartitionId(1), 0, true, 1L << 60, true));
        transaction.deliver(new Vote(writer, 0, true, 1L << 60, true));
        assertThat(responses).isEmpty();
        cluster.stop(2);
        cluster.settle();
        assertThat(responses).hasSize(1);
        assertThat(((Failed) responses.getFirst()).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(cluster.stores.get(1).balances[1])
                .as("the others have heard")
                .isEqualTo(70);
    }

    @Test
    void whoHasReadOnlyTellsAllHowFarItHasRead() {
        DistributedTransaction transaction = cluster.begin(9, transfer(1, 1, 2, 3, 30), responses::add);
        cluster.stepFiber();
        transaction.deliver(
                new FragmentReply(new PartitionId(1), 0, List.of(FragmentResult.changed(0)), false, null, 700, false));
        transaction.deliver(
                new FragmentReply(new PartitionId(2), 0, List.of(FragmentResult.changed(0)), false, null, 900, false));
        cluster.stepFiber();
        assertThat(cluster.sent)
                .filteredOn(Prepare.class::isInstance)
                .hasSize(2)
                .allSatisfy(message -> {
                    assertThat(((Prepare) message).mode()).isEqualTo(PrepareMode.RELEASE);
                    assertThat(((Prepare) message).read()).isEqualTo(900);
                });
    }

    @Test
    void aPartitionThatCannotTakePartEndsTheTransactionWithItsReason() {
        DistributedTransaction transaction = cluster.begin(9, transfer(1, 1, 2, 3, 30), responses::add);
        cluster.stepFiber();
        stepAll(1);
        stepAll(2);
        cluster.stepFiber();
        transaction.deliver(new Refused(new PartitionId(1), 0, ErrorCode.DISK_FULL, "the device is full"));
        cluster.settle();
        assertThat(responses).containsExactly(new Failed(ErrorCode.DISK_FULL, "the device is full"));
        assertThat(cluster.stores.get(2).balances[3]).as("undone").isEqualTo(100);
    }

    /**
     * The next primary, or this one in its next term, may have executed the request meanwhile: the decision is refused
     * then, but a commit with the vote is not.
     */
    @Test
    void theOnlyParticipantCommitsWithItsVoteInTheTermOfTheBeginningOnly() {
        PartitionId only = new PartitionId(0);
        CommitBase.Keeper keeper = keeper(new ArrayList<>()); // says that the term is 0
        cluster.begin(8, transfer(0, 1, 0, 2, 30), responses::add, new CommitBase(only, 0, 0, keeper));
        cluster.settle();
        assertThat(cluster.sent)
                .filteredOn(Prepare.class::isInstance)
                .singleElement()
                .satisfies(message -> assertThat(((Prepare) message).mode()).isEqualTo(PrepareMode.COMMIT));
        cluster.sent.clear();
        cluster.begin(9, transfer(0, 1, 0, 2, 30), responses::add, new CommitBase(only, -1, 0, keeper));
        cluster.settle();
        assertThat(cluster.sent)
                .filteredOn(Prepare.class::isInstance)
                .singleElement()
                .satisfies(message -> assertThat(((Prepare) message).mode()).isEqualTo(PrepareMode.SPECULATE));
        assertThat(cluster.sent)
                .filteredOn(BaseDecision.class::isInstance)
                .singleElement()
                .satisfies(
                        message -> assertThat(((BaseDecision) message).epoch()).isEqualTo(-1));
    }

    private static CommitBase.Keeper keeper(List<PartitionId> kept) {
        return new CommitBase.Keeper() {
            @Override
            public void keep(
                    TransactionId transaction,
                    int attempt,
                    long commitTimestamp,
                    PartitionId base,
                    List<PartitionId> participants) {
                kept.addAll(participants);
            }

            @Override
            public long epochOf(PartitionId partition) {
                return 0;
            }

            @Override
            public void acknowledged(DecidedAttempt decided, PartitionId participant) {}
        };
    }

    private static ControlCode twoSteps(String name, List<String> order, int first, int second) {
        return dispatch -> {
            order.add(name);
            dispatch.run(on(first, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
            dispatch.run(on(second, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
            order.add(name + " done");
            return value(0);
        };
    }

    @Test
    void controlCodeThatSwallowsItsWoundIsStillUndone() {
        List<Integer> attempts = new ArrayList<>();
        cluster.begin(
                9,
                dispatch -> {
                    attempts.add(attempts.size());
                    dispatch.run(on(0, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    try {
                        dispatch.run(on(1, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    } catch (Throwable swallowed) {
                        return value(-1);
                    }
                    return value(attempts.size());
                },
                responses::add);
        cluster.stepFiber();
        cluster.step(0);
        cluster.step(0);
        cluster.begin(5, transfer(0, 1, 1, 1, 10), responses::add);
        cluster.settle();
        assertThat(attempts).hasSize(2);
        assertThat(responses)
                .hasSize(2)
                .extracting(r -> ((Committed) r).value())
                .containsExactly(10L, 2L);
        assertThat(cluster.stores.get(0).balances[0]).isEqualTo(101);
        assertQuiescent();
    }

    @Test
    void disjointTransactionsOverlap() {
        List<String> order = new ArrayList<>();
        cluster.begin(twoSteps("a", order, 0, 0), responses::add);
        cluster.begin(twoSteps("b", order, 1, 2), responses::add);
        cluster.stepFiber();
        cluster.stepFiber();
        cluster.step(0);
        cluster.step(0);
        cluster.step(1);
        cluster.step(1);
        assertThat(cluster.partition(0).isQuiescent()).isFalse();
        assertThat(cluster.partition(1).isQuiescent()).isFalse();
        cluster.settle();
        assertThat(responses).hasSize(2);
        assertThat(cluster.partition(0).counters().lockWaits.get()).isZero();
    }

    @Test
    void aCancelledTransactionIsUndone() {
        DistributedTransaction transaction = cluster.begin(transfer(0, 0, 1, 0, 10), responses::add);
        cluster.stepFiber();
        cluster.step(0);
        cluster.step(0);
        transaction.cancel(ErrorCode.TIMEOUT, "too slow");
        cluster.settle();
        assertThat(responses).containsExactly(new Failed(ErrorCode.TIMEOUT, "too slow"));
        assertThat(cluster.stores.get(0).total()).isEqualTo(400);
        assertQuiescent();
    }

    /**
     * Votes are not taken back then; but if they come to nothing there is no time for another attempt, which nobody
     * would end.
     */
    @Test
    void noAttemptFollowsWhenTheTimeIsOver() {
        DistributedTransaction transaction = cluster.begin(transfer(0, 0, 1, 0, 10), responses::add);
        cluster.stepFiber();
        stepAll(0);
        stepAll(1);
        cluster.stepFiber();
        transaction.cancel(ErrorCode.TIMEOUT, "too slow");
        assertThat(responses).isEmpty();
        transaction.deliver(new Vote(new PartitionId(0), 0, false, 0, false));
        cluster.settle();
        assertThat(responses).containsExactly(new Failed(ErrorCode.TIMEOUT, "too slow"));
        assertThat(cluster.stores.get(0).total()).isEqualTo(400);
        assertQuiescent();
    }

    /**
     * Code of the engine's own waits for votes with everything locked; it can be ended until what follows them has
     * begun.
     */
    @Test
    void whatHoldsAllLocksCanBeEndedWhileVotesAreOpen() {
        for (boolean isVoted : new boolean[] {false, true}) {
            SteppedCluster fresh = new SteppedCluster(3, 4, 100);
            List<TransactionResponse> outcome = new ArrayList<>();
            List<Runnable> committing = new ArrayList<>();
            DistributedTransaction transaction = fresh.begin(change(0, committing, 2), outcome::add);
            fresh.stepFiber();
            while (fresh.step(0) > 0) {} // the lock, and the work
            fresh.stepFiber(); // it asks for the vote
            if (isVoted) {
                fresh.settle();
            }
            transaction.cancel(ErrorCode.SERVER_BUSY, "too slow");
            fresh.settle();
            assertThat(committing).hasSize(isVoted ? 1 : 0);
            if (isVoted) {
                assertThat(outcome).as("what follows the votes decides").isEmpty();
                committing.getFirst().run();
                fresh.settle();
                assertThat(outcome).containsExactly(value(0));
            } else {
                assertThat(outcome).containsExactly(new Failed(ErrorCode.SERVER_BUSY, "too slow"));
                assertThat(fresh.stores.get(0).total()).isEqualTo(400);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(fresh.partition(i).isQuiescent()).isTrue();
            }
        }
    }

    @Test
    void cancellingAtEveryStepLeavesAllOrNothing() {
        boolean committedOnce = false;
        boolean failedOnce = false;
        for (int cut = 0; cut < 14; cut++) {
            SteppedCluster fresh = new SteppedCluster(3, 4, 100);
            List<TransactionResponse> outcome = new ArrayList<>();
            DistributedTransaction transaction = fresh.begin(transfer(0, 0, 1, 0, 10), outcome::add);
            for (int i = 0; i < cut; i++) {
                advance(fresh);
            }
            transaction.cancel(ErrorCode.TIMEOUT, "cut at " + cut);
            fresh.settle();
            assertThat(outcome).as("cut at %d", cut).hasSize(1);
            boolean committed = outcome.getFirst() instanceof Committed;
            committedOnce |= committed;
            failedOnce |= !committed;
            assertThat(fresh.stores.get(0).balances[0]).isEqualTo(committed ? 90 : 100);
            assertThat(fresh.stores.get(1).balances[0]).isEqualTo(committed ? 110 : 100);
            for (int i = 0; i < 3; i++) {
                assertThat(fresh.partition(i).isQuiescent()).isTrue();
            }
        }
        assertThat(committedOnce && failedOnce).isTrue();
    }

    /** One step of whatever can go on, partitions in turn before fibers. */
    private static void advance(SteppedCluster cluster) {
        for (int i = 0; i < 3; i++) {
            if (cluster.step(i) > 0) {
                return;
            }
        }
        if (cluster.fibers.runnableCount() > 0) {
            cluster.stepFiber();
        }
    }

    @Test
    void aDefectInControlCodeFailsItsTransactionOnly() {
        cluster.begin(
                dispatch -> {
                    dispatch.run(on(0, new Accounts.Add(dispatch.nextStatement(), 0, 1)));
                    throw new IllegalStateException("defect");
                },
                responses::add);
        cluster.begin(transfer(0, 0, 1, 0, 10), responses::add);
        cluster.settle();
        assertThat(responses.get(0)).isInstanceOf(Failed.class);
        assertThat(responses.get(1)).isInstanceOf(Committed.class);
        assertThat(cluster.stores.get(0).balances[0]).isEqualTo(90);
    }

    private void assertQuiescent() {
        for (int i = 0; i < cluster.executors.size(); i++) {
            assertThat(cluster.partition(i).isQuiescent()).isTrue();
            assertThat(cluster.partition(i).inbox().depth()).isZero();
        }
    }
}
