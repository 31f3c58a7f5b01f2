package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.list;
import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transfers between accounts on three nodes, while links break and nodes die and come back. */
class NodesBankTest {
    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int ACCOUNTS = 12;
    private static final long BALANCE = 10_000;
    private static final long NO_CHECKPOINTS = 1L << 40;
    private static final long MANY_CHECKPOINTS = 2_000;
    private static final String SUM = "SELECT SUM(balance) FROM account";

    private long wounds;
    private long reruns;
    private long undoneSpeculation;
    private long recalls;

    /** A transfer and what is known of it. */
    private static final class Transfer {
        final TransactionRequest request;
        final long from;
        final long to;
        final long amount;
        CompletableFuture<TransactionResponse> answer;

        Transfer(long client, long number, long from, long to, long amount) {
            this.request = numbered(client, number, "Transfer", from, to, amount);
            this.from = from;
            this.to = to;
            this.amount = amount;
            this.answer = new CompletableFuture<>();
        }

        /** Whether it is known whether it was executed. */
        boolean isKnown() {
            return answer.getNow(null) instanceof Committed;
        }
    }

    @Test
    void theSumStaysTheSameOnThreeNodes() {
        for (int seed = 0; seed < 40; seed++) {
            run(seed, DurabilityMode.NONE, 0, NO_CHECKPOINTS);
        }
        assertThat(wounds).as("wounds").isPositive();
        assertThat(reruns).as("reruns").isPositive();
        assertThat(undoneSpeculation).as("undone speculation").isPositive();
        assertThat(recalls).as("votes given back").isPositive();
    }

    @Test
    void theSumStaysTheSameWhileLinksBreak() {
        for (int seed = 0; seed < 40; seed++) {
            run(seed, DurabilityMode.NONE, 2, NO_CHECKPOINTS);
        }
    }

    @Test
    void theSumStaysTheSameWhileNodesDieAndRecover() {
        for (int seed = 0; seed < 12; seed++) {
            run(seed, DurabilityMode.SYNC, 4, seed % 2 == 0 ? NO_CHECKPOINTS : MANY_CHECKPOINTS);
        }
    }

    /** @param faults 0 none, 2 broken links, 4 broken links and dying nodes */
    private void run(int seed, DurabilityMode mode, int faults, long checkpointLogBytes) {
        RandomSource random = new SeededRandom(seed);
        NodesOfOneBank bank = new NodesOfOneBank(seed, NODES, PARTITIONS, mode, checkpointLogBytes);
        long[] ids = accounts();
        bank.open(random, BALANCE, ids);
        List<Transfer> transfers = new ArrayList<>();
        List<CompletableFuture<TransactionResponse>> sums = new ArrayList<>();
        int toSubmit = 60;
        int submitted = 0;
        boolean moved = true;
        while (submitted < toSubmit || moved) {
            if (submitted < toSubmit && random.nextInt(12) == 0) {
                submitted++;
                submit(bank, random, submitted, transfers, sums);
            }
            if (faults > 0 && random.nextInt(60) == 0) {
                disturb(bank, random, faults);
            }
            moved = bank.stepRandomly(random);
        }
        calm(bank, random);
        askAgain(bank, random, transfers);
        check(bank, random, seed, transfers, sums);
        count(bank);
    }

    private static void submit(
            NodesOfOneBank bank,
            RandomSource random,
            int number,
            List<Transfer> transfers,
            List<CompletableFuture<TransactionResponse>> sums) {
        int node = random.nextInt(NODES);
        if (random.nextInt(8) == 0) {
            sums.add(bank.submit(node, new TransactionRequest.AdHoc(0, 0, 0, SUM, list())));
            return;
        }
        long from = random.nextInt(ACCOUNTS);
        long to = random.nextInt(3) == 0 ? from : random.nextInt(ACCOUNTS);
        Transfer transfer = new Transfer(1L + random.nextInt(3), number, from, to, 1L + random.nextInt(80));
        transfers.add(transfer);
        transfer.answer = bank.submit(node, transfer.request);
    }

    private static void disturb(NodesOfOneBank bank, RandomSource random, int faults) {
        int one = random.nextInt(NODES);
        int other = (one + 1 + random.nextInt(NODES - 1)) % NODES;
        switch (random.nextInt(faults)) {
            case 0 -> bank.cut(one, other, random);
            case 1 -> bank.mend(one, other);
            case 2 -> {
                if (bank.isUp(one)) {
                    bank.kill(one, random);
                }
            }
            default -> {
                if (!bank.isUp(one)) {
                    bank.restart(one);
                }
            }
        }
        if (random.nextInt(4) == 0) {
            bank.pass(250_000_000);
        }
    }

    /** Everything works again. */
    private static void calm(NodesOfOneBank bank, RandomSource random) {
        for (int one = 0; one < NODES; one++) {
            if (!bank.isUp(one)) {
                bank.restart(one);
            }
            for (int other = 0; other < NODES; other++) {
                bank.mend(one, other);
            }
        }
        bank.settle(random);
    }

    /** Clients that got no answer, or one that invites them to, ask again until they know. */
    private static void askAgain(NodesOfOneBank bank, RandomSource random, List<Transfer> transfers) {
        for (Transfer transfer : transfers) {
            for (int i = 0; i < 3 && !transfer.isKnown(); i++) {
                transfer.answer = CompletableFuture.completedFuture(bank.run(0, transfer.request, random));
            }
            assertThat(transfer.isKnown())
                    .as(String.valueOf(transfer.answer.getNow(null)))
                    .isTrue();
        }
    }

    private static void check(
            NodesOfOneBank bank,
            RandomSource random,
            int seed,
            List<Transfer> transfers,
            List<CompletableFuture<TransactionResponse>> sums) {
        assertThat(bank.refusals).as("seed %d", seed).isEmpty();
        for (CompletableFuture<TransactionResponse> sum : sums) {
            @Nullable TransactionResponse read = sum.getNow(null);
            if (read instanceof Committed) {
                assertThat(cell(read)).as("sum of seed %d", seed).isEqualTo(ACCOUNTS * BALANCE);
            } else if (read instanceof Failed failed) {
                assertThat(failed.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
            }
        }
        long[] expected = new long[ACCOUNTS];
        Arrays.fill(expected, BALANCE);
        for (Transfer transfer : transfers) {
            expected[(int) transfer.from] -= transfer.amount;
            expected[(int) transfer.to] += transfer.amount;
        }
        for (int account = 0; account < ACCOUNTS; account++) {
            TransactionRequest read = new TransactionRequest.AdHoc(
                    0, 0, 0, "SELECT balance FROM account WHERE id = ?", list((long) account));
            assertThat(cell(bank.run(0, read, random)))
                    .as("account %d of seed %d", account, seed)
                    .isEqualTo(expected[account]);
        }
        TransactionRequest sum = new TransactionRequest.AdHoc(0, 0, 0, SUM, list());
        assertThat(cell(bank.run(0, sum, random))).as("seed %d", seed).isEqualTo(ACCOUNTS * BALANCE);
    }

    private void count(NodesOfOneBank bank) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            PartitionCounters counters =
                    bank.node(bank.leaderOf(partition)).database.figures().partition(partition);
            wounds += counters.wounds.get();
            undoneSpeculation += counters.speculationsUndone.get();
            reruns += counters.mismatchReruns.get();
            recalls += counters.votesRecalled.get();
        }
    }

    private static long[] accounts() {
        long[] ids = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            ids[i] = i;
        }
        return ids;
    }
}
