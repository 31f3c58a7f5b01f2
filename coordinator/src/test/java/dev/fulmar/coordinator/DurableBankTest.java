package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Transfers between accounts of a database that loses its power between any two steps. */
class DurableBankTest {
    private static final NodeId NODE = new NodeId(0);
    private static final int ACCOUNTS = 8;
    private static final long BALANCE = 1000;
    private static final int LARGE_CALLS = 5;

    private SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(NODE);
    private long duplicatesFound;
    private long inDoubt;
    private int crashesWithHeldReplies;

    private SteppedDatabase start(int partitions, DurabilityMode mode) {
        return new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions), new BankSql(), process.storage(), mode);
    }

    private void losePower() {
        process.crash();
        process = world.startProcess(NODE);
    }

    private static void createBank(SteppedDatabase db, int changes) {
        for (int i = 0; i < changes; i++) {
            assertThat(db.sql("CHANGE " + i)).isInstanceOf(Committed.class);
        }
    }

    private static long[] accounts() {
        long[] ids = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            ids[i] = i;
        }
        return ids;
    }

    /** What the client knows of one request. */
    private static final class Sent {
        final TransactionRequest request;
        CompletableFuture<TransactionResponse> answer;

        Sent(TransactionRequest request, CompletableFuture<TransactionResponse> answer) {
            this.request = request;
            this.answer = answer;
        }
    }

    @Test
    void whatIsAcknowledgedSurvivesAndTransfersAreWholeOrAbsent() {
        for (int seed = 0; seed < 60; seed++) {
            runSeed(seed);
        }
        assertThat(duplicatesFound).as("retries that found their outcome").isPositive();
        assertThat(inDoubt).as("transactions in doubt").isPositive();
        assertThat(crashesWithHeldReplies).as("crashes while replies were held").isPositive();
    }

    private void runSeed(int seed) {
        RandomSource random = new SeededRandom(seed);
        world = new SimulatedWorld(seed);
        process = world.startProcess(NODE);
        int partitions = 1 + random.nextInt(3);
        SteppedDatabase db = start(partitions, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        List<Sent> sent = new ArrayList<>();
        for (int life = 0; life < 4; life++) {
            play(db, random, sent, life);
            if (sent.stream().anyMatch(each -> !each.answer.isDone())) {
                crashesWithHeldReplies++;
            }
            losePower();
            db = start(partitions, DurabilityMode.SYNC);
            check(db, sent);
        }
    }

    private static void play(SteppedDatabase db, RandomSource random, List<Sent> sent, int life) {
        int steps = 20 + random.nextInt(400);
        for (int step = 0; step < steps; step++) {
            if (random.nextInt(4) == 0) {
                long from = random.nextInt(ACCOUNTS);
                long to = random.nextInt(3) == 0 ? from : random.nextInt(ACCOUNTS);
                TransactionRequest request =
                        numbered(1 + random.nextInt(3), 1000L * life + step + 1, "Transfer", from, to, 1L + step);
                sent.add(new Sent(request, db.database.submit(request)));
            } else {
                db.stepRandomly(random);
            }
        }
    }

    private void check(SteppedDatabase db, List<Sent> sent) {
        inDoubt +=
                db.progress.stream().filter(line -> line.contains("in doubt")).count();
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
        Map<Long, Long> recovered = balances(db);
        for (Sent each : sent) {
            if (each.answer.isDone() && each.answer.join() instanceof Committed first) {
                TransactionResponse again = db.run(each.request);
                assertThat(again).isInstanceOf(Committed.class);
                assertThat(((Committed) again).value()).isEqualTo(first.value());
                duplicatesFound++;
            }
        }
        assertThat(balances(db))
                .as("acknowledged transfers are there and are not done again")
                .isEqualTo(recovered);
        for (Sent each : sent) {
            if (!each.answer.isDone()) {
                each.answer = CompletableFuture.completedFuture(db.run(each.request));
            }
        }
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
    }

    private static Map<Long, Long> balances(SteppedDatabase db) {
        Map<Long, Long> balances = new TreeMap<>();
        for (long id : accounts()) {
            balances.put(id, db.balance(id));
        }
        return balances;
    }

    @Test
    void aReplyWaitsForTheLogInSyncModeOnly() {
        SteppedDatabase sync = start(1, DurabilityMode.SYNC);
        createBank(sync, 4);
        sync.open(BALANCE, accounts());
        CompletableFuture<TransactionResponse> answer =
                sync.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 5L));
        sync.turn(0);
        sync.turn(0);
        assertThat(answer).isNotDone();
        CompletableFuture<TransactionResponse> read = sync.database.submit(new TransactionRequest.AdHoc(
                0, 0, 0, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(1L)));
        sync.settleFibers();
        sync.turn(0);
        assertThat(read).as("a reader of what is not durable yet").isNotDone();
        sync.settle();
        assertThat(answer).isDone();
        assertThat(read).isDone();

        losePower();
        SteppedDatabase async = start(1, DurabilityMode.ASYNC);
        CompletableFuture<TransactionResponse> early =
                async.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 5L));
        async.turn(0);
        assertThat(early).isDone();
    }

    @Test
    void catalogAndDataComeBackInTheOrderInWhichTheyWereMade() {
        SteppedDatabase db = start(2, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        assertThat(db.sql("CHANGE 4")).isInstanceOf(Committed.class);
        assertThat(db.sql("INSERT INTO later VALUES (?, ?)", 1L, 2L)).isInstanceOf(Committed.class);
        long version = db.database.catalog().version();
        losePower();
        db = start(2, DurabilityMode.SYNC);
        assertThat(db.database.catalog().version()).isEqualTo(version);
        assertThat(SteppedDatabase.cell(db.sql("SELECT SUM(balance) FROM later")))
                .isEqualTo(2);
        assertThat(db.sql("CHANGE 5")).isInstanceOf(Committed.class);
        losePower();
        db = start(2, DurabilityMode.SYNC);
        assertThat(db.sql("SELECT SUM(balance) FROM later")).isInstanceOf(Failed.class);
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(db.progress).anyMatch(line -> line.contains("transactions with"));
    }

    @Test
    void aChangeWithoutAStatementIsRefused() {
        SteppedDatabase db = start(1, DurabilityMode.SYNC);
        assertThat(SteppedDatabase.code(db.change(SteppedDatabase.table("T")))).isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(db.database.catalog().version()).isZero();
    }

    @Test
    void afterAFailedWriteNothingIsAcknowledged() {
        SteppedDatabase db = start(1, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        CompletableFuture<TransactionResponse> held =
                db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 5L));
        db.turn(0);
        world.disk(NODE).faults().failForces(1);
        db.settle();
        assertThat(db.failures).hasSize(1);
        assertThat(SteppedDatabase.code(held.join())).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(((Failed) held.join()).message()).contains("outcome is unknown");
        world.disk(NODE).faults().failForces(0);
        CompletableFuture<TransactionResponse> later =
                db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 5L));
        db.settle();
        assertThat(later).as("answered when the node ends").isNotDone();
    }

    @Test
    void anotherNumberOfPartitionsIsRefused() {
        SteppedDatabase db = start(3, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        losePower();
        assertThatThrownBy(() -> start(2, DurabilityMode.SYNC))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("partition");
    }

    @Test
    void aStopInOrderKeepsEverything() {
        SteppedDatabase db = start(2, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        CompletableFuture<TransactionResponse> last =
                db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 5L));
        CompletableFuture<Void> stopped = db.database.stop(1_000_000_000L);
        for (int i = 0; i < 1000 && !stopped.isDone(); i++) {
            db.settle();
            db.time.advance(1_000_000);
        }
        assertThat(stopped).isCompleted();
        assertThat(last.join()).isInstanceOf(Committed.class);
        losePower();
        db = start(2, DurabilityMode.SYNC);
        assertThat(db.balance(1)).isEqualTo(BALANCE - 5);
        assertThat(db.progress).noneMatch(line -> line.contains("cut"));
    }

    @Test
    void aFullDeviceRefusesChangesUntilThereIsSpace() {
        SteppedDatabase db = start(1, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        world.disk(NODE).capacity(world.disk(NODE).usedBytes());
        ErrorCode refused = null;
        for (int i = 0; i < 200 && refused == null; i++) {
            CompletableFuture<TransactionResponse> answer =
                    db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 1L));
            db.settle();
            if (answer.getNow(null) instanceof Failed failed) {
                refused = failed.code();
            }
        }
        assertThat(refused).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(db.failures).isEmpty();
        world.disk(NODE).capacity(Long.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            db.time.advance(1_000_000_000);
            db.settle();
        }
        assertThat(db.call("Transfer", 1L, 2L, 1L)).isInstanceOf(Committed.class);
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
    }

    /** What waits for space fills the lane; what comes then is told of the device, and not left to its time-out. */
    @Test
    void aFullDeviceRefusesChangesAlsoBehindALargeTransactionThatWaitsForSpace() {
        SteppedDatabase db = start(1, DurabilityMode.SYNC);
        createBank(db, 4);
        db.open(BALANCE, accounts());
        world.disk(NODE).capacity(world.disk(NODE).usedBytes());
        List<CompletableFuture<TransactionResponse>> large = new ArrayList<>();
        for (int i = 1; i <= LARGE_CALLS; i++) {
            large.add(db.database.submit(SteppedDatabase.request(
                    "OpenAccounts",
                    LongStream.range(i * 100_000L, i * 100_000L + 2_000).toArray(),
                    1L)));
        }
        db.settle();
        assertThat(large).anyMatch(call -> !call.isDone());
        CompletableFuture<TransactionResponse> change =
                db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 1L));
        db.settle();
        assertThat(change.getNow(null))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DISK_FULL));
        world.disk(NODE).capacity(Long.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            db.time.advance(1_000_000_000);
            db.settle();
        }
        assertThat(large).allMatch(CompletableFuture::isDone);
        assertThat(db.call("Transfer", 1L, 2L, 1L)).isInstanceOf(Committed.class);
    }

    @Test
    void aLargeTransactionGoesIntoSeveralRecordsAndIsWhole() {
        SteppedDatabase db = start(1, DurabilityMode.SYNC);
        createBank(db, 4);
        long[] many = new long[2000];
        for (int i = 0; i < many.length; i++) {
            many[i] = i;
        }
        db.open(1, many);
        losePower();
        db = start(1, DurabilityMode.SYNC);
        assertThat(db.total()).isEqualTo(many.length);
    }
}
