package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.list;
import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * One transfer between two nodes, disturbed after each single step of it in turn. However it is disturbed, both sides
 * come to the same end.
 */
class DecisionStepsTest {
    private static final int NODES = 2;
    private static final long BALANCE = 100;
    private static final long AMOUNT = 30;

    /** More steps than a transfer takes. */
    private static final int MOST_STEPS = 400;

    private enum Disturbance {
        KILL_COORDINATOR,
        KILL_PARTICIPANT,
        CUT_LINK,
        CUT_LINK_SHORTLY,
        KILL_BOTH
    }

    private int committedBefore;
    private int undone;

    /** An account of each partition. */
    private final long[] accounts = accounts();

    private static long[] accounts() {
        long[] found = {-1, -1};
        SteppedDatabase db = new SteppedDatabase(NODES);
        for (long id = 0; found[0] < 0 || found[1] < 0; id++) {
            int partition = db.database.configuration().plan().partitionOf(id);
            found[partition] = found[partition] < 0 ? id : found[partition];
        }
        return found;
    }

    private NodesOfOneBank bank(long seed, RandomSource random) {
        return bank(seed, random, 1L << 40);
    }

    private NodesOfOneBank bank(long seed, RandomSource random, long checkpointLogBytes) {
        NodesOfOneBank bank = new NodesOfOneBank(seed, NODES, NODES, DurabilityMode.SYNC, checkpointLogBytes);
        bank.open(random, BALANCE, accounts);
        return bank;
    }

    @Test
    void everyEndIsTheSameOnBothSides() {
        for (Disturbance disturbance : Disturbance.values()) {
            int step = 0;
            while (step < MOST_STEPS && disturb(disturbance, step)) {
                step += 1 + step / 24;
            }
            assertThat(step).as("the transfer ends").isLessThan(MOST_STEPS);
        }
        assertThat(committedBefore)
                .as("ends in a commit without being asked again")
                .isPositive();
        assertThat(undone).as("ends undone, until it is asked again").isPositive();
    }

    /** Whether the transfer had not come to its end before the step. */
    private boolean disturb(Disturbance disturbance, int steps) {
        RandomSource random = new SeededRandom(7 + steps);
        NodesOfOneBank bank = bank(steps, random);
        TransactionRequest request = numbered(1, 1, "Transfer", accounts[0], accounts[1], AMOUNT);
        CompletableFuture<TransactionResponse> answer = bank.submit(0, request);
        boolean goesOn = true;
        for (int step = 0; step < steps && goesOn; step++) {
            goesOn = bank.stepRandomly(random);
        }
        String when = disturbance + " after " + steps + " steps";
        boolean promised = answer.getNow(null) instanceof Committed;
        switch (disturbance) {
            case KILL_COORDINATOR -> restart(bank, random, 0);
            case KILL_PARTICIPANT -> restart(bank, random, 1);
            case CUT_LINK -> {
                bank.cut(0, 1, random);
                while (bank.stepRandomly(random)) {}
                bank.mend(0, 1);
            }
            case CUT_LINK_SHORTLY -> {
                bank.cut(0, 1, random);
                bank.mend(0, 1);
            }
            case KILL_BOTH -> {
                bank.kill(0, random);
                bank.kill(1, random);
                bank.restart(0);
                bank.restart(1);
            }
        }
        bank.settle(random);
        long left = balance(bank, random, 0);
        assertThat(left + balance(bank, random, 1)).as(when).isEqualTo(2 * BALANCE);
        assertThat(left).as(when).isIn(BALANCE, BALANCE - AMOUNT);
        if (promised) {
            assertThat(left).as("what was promised, " + when).isEqualTo(BALANCE - AMOUNT);
        }
        committedBefore += left == BALANCE ? 0 : 1;
        undone += left == BALANCE ? 1 : 0;
        assertThat(bank.run(0, request, random)).as(when).isInstanceOf(Committed.class);
        assertThat(balance(bank, random, 0)).as("once, " + when).isEqualTo(BALANCE - AMOUNT);
        assertThat(balance(bank, random, 1)).as("once, " + when).isEqualTo(BALANCE + AMOUNT);
        return goesOn;
    }

    @Test
    void aDecisionOutlivesItsRecord() {
        int asked = 0;
        for (int seed = 0; seed < 12; seed++) {
            RandomSource random = new SeededRandom(seed);
            NodesOfOneBank bank = bank(seed, random, 2_000);
            CompletableFuture<TransactionResponse> answer =
                    bank.submit(0, numbered(1, 1, "Transfer", accounts[0], accounts[1], AMOUNT));
            while (!answer.isDone()) {
                bank.stepRandomly(random);
            }
            bank.cut(0, 1, random);
            while (bank.stepRandomly(random)) {}
            asked += bank.doubtCount(1) > 0 ? 1 : 0;
            for (int i = 0; i < 80; i++) { // so that a checkpoint covers the decision
                CompletableFuture<TransactionResponse> other =
                        bank.submit(0, numbered(1, 10 + i, "Transfer", accounts[0], accounts[0], 1L));
                while (bank.stepRandomly(random)) {}
                assertThat(other).isDone();
            }
            bank.kill(0, random);
            bank.restart(0);
            bank.mend(0, 1);
            bank.settle(random);
            assertThat(balance(bank, random, 0)).as("seed %d", seed).isEqualTo(BALANCE - AMOUNT);
            assertThat(balance(bank, random, 1)).as("seed %d", seed).isEqualTo(BALANCE + AMOUNT);
        }
        assertThat(asked).as("asked after the record was gone").isPositive();
    }

    private static void restart(NodesOfOneBank bank, RandomSource random, int node) {
        bank.kill(node, random);
        while (bank.stepRandomly(random)) {}
        bank.restart(node);
    }

    private long balance(NodesOfOneBank bank, RandomSource random, int account) {
        TransactionRequest read = new TransactionRequest.AdHoc(
                0, 0, 0, "SELECT balance FROM account WHERE id = ?", list(accounts[account]));
        return cell(bank.run(0, read, random));
    }

    @Test
    void aFragmentOfAnotherEpochIsVotedDown() {
        RandomSource random = new SeededRandom(3);
        NodesOfOneBank bank = bank(3, random);
        long before = counters(bank, 1).distributedAborted.get();
        CompletableFuture<TransactionResponse> answer =
                bank.submit(0, numbered(1, 1, "Transfer", accounts[0], accounts[1], AMOUNT));
        long delivered = bank.delivered;
        while (bank.delivered < delivered + 2) { // the fragments there, their answer back
            bank.stepRandomly(random);
        }
        bank.newEpoch(1);
        bank.settle(random);
        assertThat(answer.getNow(null)).as("in the next attempt").isInstanceOf(Committed.class);
        assertThat(counters(bank, 1).distributedAborted.get()).isEqualTo(before + 1);
        assertThat(balance(bank, random, 1)).isEqualTo(BALANCE + AMOUNT);
    }

    @Test
    void aFragmentOfAnotherEpochIsVotedDownAtHome() {
        RandomSource random = new SeededRandom(3);
        NodesOfOneBank bank = bank(3, random);
        long before = counters(bank, 0).distributedAborted.get();
        CompletableFuture<TransactionResponse> answer =
                bank.submit(0, numbered(1, 1, "Transfer", accounts[0], accounts[1], AMOUNT));
        long delivered = bank.delivered;
        while (bank.delivered < delivered + 2) {
            bank.stepRandomly(random);
        }
        bank.newEpoch(0);
        bank.settle(random);
        assertThat(answer.getNow(null)).as("in the next attempt").isInstanceOf(Committed.class);
        assertThat(counters(bank, 0).distributedAborted.get()).isEqualTo(before + 1);
    }

    /**
     * A transaction votes at node 1 and is undone at node 2 for an older one, and the link breaks on which node 1 would
     * hear of that. Its next attempt finds a new link, and waits at node 1 for the end of the vote.
     */
    @Test
    void anAttemptThatIsPastIsNotWaitedFor() {
        for (int seed = 0; seed < 10; seed++) {
            RandomSource random = new SeededRandom(seed);
            NodesOfOneBank bank = new NodesOfOneBank(seed, 4, 4, DurabilityMode.SYNC, 1L << 40);
            bank.open(random, BALANCE, account(bank, 0, 0));
            CompletableFuture<TransactionResponse> older = open(bank, 3, 1, 2);
            rest(bank, 3);
            bank.pass(1_000_000);
            CompletableFuture<TransactionResponse> younger = open(bank, 0, 1, 2);
            rest(bank, 0);
            for (int participant : new int[] {1, 2}) {
                assertThat(bank.deliver(0, participant)).as("fragments").isTrue();
                rest(bank, participant);
                assertThat(bank.deliver(participant, 0)).as("their answer").isTrue();
            }
            rest(bank, 0);
            assertThat(bank.deliver(0, 1)).as("the call to vote").isTrue();
            rest(bank, 1);
            assertThat(bank.deliver(3, 2)).as("the older one").isTrue();
            rest(bank, 2);
            assertThat(counters(bank, 2).wounds.get()).isEqualTo(1);
            assertThat(bank.deliver(2, 0)).as("it is undone").isTrue();
            bank.cut(0, 1, random);
            bank.mend(0, 1);
            while (bank.deliver(1, 0)) {}
            bank.settle(random);
            assertThat(older.getNow(null)).as("seed %d", seed).isInstanceOf(Committed.class);
            assertThat(younger.getNow(null)).as("seed %d", seed).isInstanceOf(Committed.class);
        }
    }

    /**
     * Its only participant is its base partition, which another node leads by then: nobody asks that one to commit with
     * its vote.
     */
    @Test
    void aTransactionWhoseBasePartitionMovesIsUndone() {
        int failed = 0;
        for (int steps = 0; steps < 24; steps++) {
            RandomSource random = new SeededRandom(5);
            NodesOfOneBank bank = bank(5, random);
            CompletableFuture<TransactionResponse> answer = open(bank, 0);
            for (int step = 0; step < steps; step++) {
                bank.stepRandomly(random);
            }
            bank.move(0, 1);
            bank.settle(random);
            assertThat(bank.refusals).as("after %d steps", steps).isEmpty();
            TransactionResponse given = answer.getNow(null);
            assertThat(given).as("after %d steps", steps).isNotNull();
            if (!(given instanceof Committed)) {
                assertThat(SteppedDatabase.code(given)).isEqualTo(ErrorCode.NOT_CONNECTED);
                failed++;
            }
        }
        assertThat(failed).isPositive();
    }

    /** Opens an account in each of the partitions, for the first partition's leader. */
    private CompletableFuture<TransactionResponse> open(NodesOfOneBank bank, int... partitions) {
        long[] ids = new long[partitions.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = account(bank, partitions[i], 1_000L * (1 + partitions[0]));
        }
        return bank.submit(bank.leaderOf(partitions[0]), SteppedDatabase.request("OpenAccounts", ids, BALANCE));
    }

    private static void rest(NodesOfOneBank bank, int node) {
        RandomSource random = new SeededRandom(1);
        while (bank.node(node).stepRandomly(random)) {}
    }

    /** The first account of the partition with this or a greater number. */
    private static long account(NodesOfOneBank bank, int partition, long from) {
        long id = from;
        while (bank.node(0).database.configuration().plan().partitionOf(id) != partition) {
            id++;
        }
        return id;
    }

    private static PartitionCounters counters(NodesOfOneBank bank, int partition) {
        return bank.node(bank.leaderOf(partition)).database.figures().partition(partition);
    }
}
