package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.cell;
import static dev.fulmar.coordinator.SteppedDatabase.list;
import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.fiber.real.JvmFibers;
import dev.fulmar.coordinator.request.FutureResponse;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.schedule.real.ThreadScheduler;
import dev.fulmar.foundation.time.real.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Random transfers through the whole database: in one thread under random schedules, and on real threads. */
class BankDatabaseTest {
    private static final int ACCOUNTS = 12;
    private static final long BALANCE = 100;
    private static final String SUM = "SELECT SUM(balance) FROM account";

    private long wounds;
    private long undoneSpeculation;
    private long reruns;

    @Test
    void theSumStaysTheSameInEverySchedule() {
        for (int seed = 0; seed < 60; seed++) {
            runSeed(seed);
        }
        assertThat(wounds).as("wounds").isPositive();
        assertThat(undoneSpeculation).as("undone speculation").isPositive();
        assertThat(reruns).as("reruns").isPositive();
    }

    private void runSeed(int seed) {
        RandomSource random = new SeededRandom(seed);
        SteppedDatabase db = SteppedDatabase.withBank(2 + random.nextInt(3));
        long[] ids = accounts();
        db.open(BALANCE, ids);
        List<TransactionResponse> responses = new ArrayList<>();
        List<Long> sums = new ArrayList<>();
        int toSubmit = 60;
        int submitted = 0;
        boolean moved = true;
        while (submitted < toSubmit || moved) {
            if (submitted < toSubmit && random.nextInt(5) == 0) {
                submitted++;
                submit(db, random, submitted, responses, sums);
            }
            moved = db.stepRandomly(random);
        }
        assertThat(responses.size() + sums.size()).as("seed %d", seed).isEqualTo(toSubmit);
        assertThat(sums).as("seed %d", seed).allMatch(sum -> sum == ACCOUNTS * BALANCE);
        assertThat(db.total()).as("seed %d", seed).isEqualTo(ACCOUNTS * BALANCE);
        for (int partition = 0; partition < db.database.figures().partitionCount(); partition++) {
            PartitionCounters counters = db.database.figures().partition(partition);
            wounds += counters.wounds.get();
            undoneSpeculation += counters.speculationsUndone.get();
            reruns += counters.mismatchReruns.get();
        }
    }

    private static void submit(
            SteppedDatabase db, RandomSource random, int number, List<TransactionResponse> responses, List<Long> sums) {
        if (random.nextInt(8) == 0) {
            db.database.submit(
                    new TransactionRequest.AdHoc(0, 0, 0, SUM, list()),
                    (request, response) -> sums.add(cell(response)));
            return;
        }
        long from = random.nextInt(ACCOUNTS);
        long to = random.nextInt(3) == 0 ? from : random.nextInt(ACCOUNTS);
        db.database.submit(
                numbered(1L + random.nextInt(3), number, "Transfer", from, to, (long) random.nextInt(80)),
                SteppedDatabase.sink(responses));
    }

    private static long[] accounts() {
        long[] ids = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            ids[i] = i;
        }
        return ids;
    }

    @Test
    void theSumStaysTheSameOnRealThreads() {
        List<Throwable> failures = new ArrayList<>();
        try (ThreadScheduler scheduler = new ThreadScheduler("test-scheduler")) {
            NodeServices services = new NodeServices(
                    new NodeId(0), new SystemClock(), scheduler, new SeededRandom(3), new JvmFibers(true), () -> -1);
            Database database = new Database(
                    DatabaseConfiguration.of(4, 2),
                    new DatabaseEnvironment(
                            services,
                            agent -> new ThreadAgentRunner(agent, IdleStrategy.forThreads(4, 2), failures::add),
                            new TinySql(),
                            new ChunkSource(new MemoryBudget(1L << 30, "memory")),
                            SteppedDatabase::testClass));
            database.start();
            SteppedDatabase.createBank(database, () -> {});
            database.submit(new TransactionRequest.Call(0, 0, 0, "OpenAccounts", list(accounts(), BALANCE)))
                    .join();
            transferAndAudit(database);
            assertThat(sum(database)).isEqualTo(ACCOUNTS * BALANCE);
            database.stop(10_000_000_000L).join();
        }
        assertThat(failures).isEmpty();
    }

    private static void transferAndAudit(Database database) {
        RandomSource random = new SeededRandom(5);
        List<CompletableFuture<TransactionResponse>> transfers = new ArrayList<>();
        List<CompletableFuture<TransactionResponse>> audits = new ArrayList<>();
        for (int i = 1; i <= 6_000; i++) {
            long from = random.nextInt(ACCOUNTS);
            long to = random.nextInt(4) == 0 ? random.nextInt(ACCOUNTS) : from;
            FutureResponse sink = new FutureResponse();
            TransactionRequest request = numbered(1, i, "Transfer", from, to, (long) random.nextInt(50));
            database.submit(request, sink);
            transfers.add(sink.future());
            if (i % 50 == 0) {
                database.submit(request, new FutureResponse()); // a retry while the first is under way
                audits.add(database.submit(new TransactionRequest.AdHoc(0, 0, 0, SUM, list())));
                transfers.get(i - 40).join();
            }
        }
        for (CompletableFuture<TransactionResponse> audit : audits) {
            assertThat(cell(audit.join())).isEqualTo(ACCOUNTS * BALANCE);
        }
        assertThat(transfers).allMatch(transfer -> transfer.join() != null);
        assertThat(transfers).anyMatch(transfer -> transfer.join() instanceof Committed);
    }

    private static long sum(Database database) {
        return cell(database.submit(new TransactionRequest.AdHoc(0, 0, 0, SUM, list()))
                .join());
    }
}
