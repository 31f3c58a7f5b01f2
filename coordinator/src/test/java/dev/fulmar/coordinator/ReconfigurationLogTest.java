package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.door.BucketCutter;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.CheckpointScan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A subsystem cuts buckets at positions of the log, by {@link BucketCutter}. */
class ReconfigurationLogTest {
    private static final DatabaseConfiguration CONFIGURATION =
            DatabaseConfiguration.of(PartitionPlan.ranges(1, 100), 1);
    private static final PartitionId FIRST = new PartitionId(0);
    private static final int ACCOUNTS = 60;
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final BucketCutter cutter = new BucketCutter();
    private SimulatedProcess process = world.startProcess(new NodeId(0));

    private SteppedDatabase start(DurabilityMode mode, ReconfigurationReplay steps) {
        BankSql sql = new BankSql(BankSql.CHANGES.subList(0, 4));
        return new SteppedDatabase(
                CONFIGURATION, sql, mode == DurabilityMode.NONE ? null : process.storage(), mode, steps);
    }

    private SteppedDatabase bank(DurabilityMode mode) {
        SteppedDatabase db = start(mode, cutter);
        for (int change = 0; change < 4; change++) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        long[] accounts = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = i + 1L;
        }
        db.open(1000, accounts);
        return db;
    }

    private SteppedDatabase losePower(DurabilityMode mode, ReconfigurationReplay steps) {
        process.crash();
        process = world.startProcess(new NodeId(0));
        return start(mode, steps);
    }

    private static BucketBounds bounds(SteppedDatabase db) {
        return db.await(BucketCutter.bounds(db.database.reconfiguration(), FIRST));
    }

    /** Lets the memory of earlier cuts go. */
    private static void rest(SteppedDatabase db) {
        for (int i = 0; i < 100; i++) {
            db.time.advance(1_000_000);
            db.settle();
        }
    }

    private Optional<FulmarException> cut(SteppedDatabase db) {
        return db.await(cutter.cut(db.database.reconfiguration(), FIRST));
    }

    private static void move(SteppedDatabase db, long from, long to, long amount) {
        assertThat(db.run(SteppedDatabase.request("Transfer", from, to, amount)))
                .isInstanceOf(Committed.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "ASYNC"})
    void aRestartTakesTheStepAtItsPlace(DurabilityMode mode) {
        SteppedDatabase db = bank(mode);
        move(db, 1, 60, 10);
        int before = bounds(db).buckets().size();
        assertThat(cut(db)).isEmpty();
        move(db, 2, 59, 20);
        rest(db);
        assertThat(cut(db)).isEmpty();
        move(db, 3, 58, 30);
        db.settle();
        BucketBounds cut = bounds(db);
        assertThat(cut.buckets()).hasSize(before + 2);
        List<Object> balances = balances(db);
        SteppedDatabase again = losePower(mode, cutter);
        assertThat(bounds(again)).isEqualTo(cut);
        assertThat(balances(again)).isEqualTo(balances);
        assertThat(again.await(again.database.figures().tableDefects())).isEmpty();
        move(again, 1, 60, 5);
        Objects.requireNonNull(
                        Objects.requireNonNull(again.database.durability()).checkpoints())
                .request();
        for (int i = 0; i < 100; i++) {
            again.time.advance(50_000_000);
            again.settle();
        }
        move(again, 1, 60, 5);
        List<Object> after = balances(again);
        SteppedDatabase third = losePower(mode, cutter);
        assertThat(bounds(third)).as("from the checkpoint").isEqualTo(cut);
        assertThat(balances(third)).isEqualTo(after);
    }

    private static List<Object> balances(SteppedDatabase db) {
        List<Object> balances = new ArrayList<>();
        for (long id = 1; id <= ACCOUNTS; id++) {
            balances.add(db.balance(id));
        }
        return balances;
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "ASYNC"})
    void aStepIsSafeOnceItIsDurableInEveryMode(DurabilityMode mode) {
        SteppedDatabase db = bank(mode);
        int before = bounds(db).buckets().size();
        Runnable goOn = db.pause("log");
        CompletableFuture<Optional<FulmarException>> cut = cutter.cut(db.database.reconfiguration(), FIRST);
        db.settle();
        assertThat(bounds(db).buckets()).hasSize(before + 1);
        assertThat(cut).isNotDone();
        goOn.run();
        assertThat(db.await(cut)).isEmpty();
    }

    @Test
    void aNodeWithoutTheSubsystemRefusesTheLog() {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        assertThat(cut(db)).isEmpty();
        assertThatThrownBy(() -> losePower(DurabilityMode.SYNC, ReconfigurationReplay.none()))
                .isInstanceOfSatisfying(FulmarException.class, refused -> {
                    assertThat(refused.code()).isEqualTo(ErrorCode.VERSION_MISMATCH);
                    assertThat(refused).hasMessageContaining("start the version that wrote it");
                });
    }

    @Test
    void aStepThatFailsLeavesNoRecord() {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        BucketBounds before = bounds(db);
        CompletableFuture<FulmarException> refused = new CompletableFuture<>();
        db.database
                .reconfiguration()
                .write(
                        FIRST,
                        buckets -> {
                            throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, "nothing to be done");
                        },
                        new Refused(refused));
        assertThat(db.await(refused)).hasMessageContaining("nothing to be done");
        assertThat(bounds(db)).isEqualTo(before);
        SteppedDatabase again = losePower(DurabilityMode.SYNC, ReconfigurationReplay.none());
        assertThat(bounds(again)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void backupsTakeTheStep(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(71, 3, 3, 3, mode, 4 << 20, 2_000).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        long key = bank.clients.getFirst().key(0);
        List<CompletableFuture<TransactionResponse>> reads = new ArrayList<>();
        for (int round = 0; round < 12; round++) {
            ClusterNode primary = bank.primary(FIRST);
            boolean isCut = false;
            for (int tries = 0; tries < 200 && !isCut; tries++) {
                CompletableFuture<Optional<FulmarException>> cut =
                        cutter.cut(primary.database.reconfiguration(), FIRST);
                assertThat(bank.world.runUntil(cut::isDone, SECOND_NANOS)).isTrue();
                isCut = cut.join().isEmpty();
                bank.nodes.values().forEach(node -> reads.add(bank.ask(node, ReplicatedBank.read(key))));
                bank.world.runFor(SECOND_NANOS / 1_000);
            }
            assertThat(isCut).isTrue();
            bank.world.runFor(SECOND_NANOS / 20);
        }
        bank.calm();
        BucketBounds cut = bounds(bank, bank.primary(FIRST));
        bank.assertCopiesEqual();
        for (ClusterNode node : bank.nodes.values()) {
            assertThat(node.database.copies().of(FIRST).runtime().storage().bucketBounds())
                    .isEqualTo(cut);
        }
        bank.assertNothingIsLeft();
        assertThat(reads).anyMatch(CompletableFuture::isDone);
    }

    private static ReplicatedBank calmBank(long seed, int copies) {
        ReplicatedBank bank = new ReplicatedBank(seed, 3, 3, copies, DurabilityMode.NONE).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        return bank;
    }

    /** The reason for which the node takes no step; empty if it does. */
    private Optional<ErrorCode> refusalAt(ReplicatedBank bank, ClusterNode node) {
        CompletableFuture<Optional<FulmarException>> cut = cutter.cut(node.database.reconfiguration(), FIRST);
        assertThat(bank.world.runUntil(cut::isDone, SECOND_NANOS)).isTrue();
        return cut.join().map(FulmarException::code);
    }

    /** A cut at the primary; not done before the backups have it. */
    private CompletableFuture<Optional<FulmarException>> cut(ReplicatedBank bank) {
        return cutter.cut(bank.primary(FIRST).database.reconfiguration(), FIRST);
    }

    private static PartitionStorage backupStorage(ReplicatedBank bank) {
        ClusterNode primary = bank.primary(FIRST);
        ClusterNode backup = bank.nodes.values().stream()
                .filter(node -> node != primary)
                .findFirst()
                .orElseThrow();
        return backup.database.copies().of(FIRST).runtime().storage();
    }

    /** The checkpoint has the rows of the bucket that was cut, as they were when it began. */
    @Test
    void aBackupTakesTheStepBesideItsCheckpoint() {
        ReplicatedBank bank = new ReplicatedBank(72, 3, 3, 3, DurabilityMode.SYNC).withClients();
        bank.world.runFor(SECOND_NANOS / 2);
        bank.calm();
        PartitionStorage storage = backupStorage(bank);
        BucketBounds before = storage.bucketBounds();
        long rows = rowCount(storage);
        CheckpointScan scan = new CheckpointScan(storage);
        scan.prepare();
        scan.begin(new RowBatch(1 << 20));
        CompletableFuture<Optional<FulmarException>> cut = cut(bank);
        assertThat(bank.world.runUntil(cut::isDone, SECOND_NANOS)).isTrue();
        assertThat(cut.join()).isEmpty();
        assertThat(storage.bucketBounds()).isNotEqualTo(before);
        RowBatch batch = new RowBatch(1 << 20);
        assertThat(scan.fill(batch)).isTrue();
        long[] taken = {0};
        batch.forEach((table, bucket, row, array, offset, length) -> taken[0]++);
        assertThat(rows).isPositive();
        assertThat(taken[0]).isEqualTo(rows);
        assertThat(rowCount(storage)).isEqualTo(rows);
        assertThat(bank.reached).doesNotContainKey("copies: one broke");
    }

    private static long rowCount(PartitionStorage storage) {
        long rows = 0;
        for (int table = 0; table < 100; table++) {
            rows += storage.hasTable(table) ? storage.table(table).rowCount() : 0;
        }
        return rows;
    }

    @Test
    void aStepEndsTheReadersOfABackup() {
        ReplicatedBank bank = calmBank(73, 3);
        PartitionStorage storage = backupStorage(bank);
        VersionReader reader = storage.openReader(0, 0);
        long key = bank.clients.getFirst().key(0);
        CompletableFuture<TransactionResponse> write =
                bank.ask(bank.primary(FIRST), ReplicatedBank.write(900, 1, key, 7_000));
        assertThat(bank.world.runUntil(write::isDone, SECOND_NANOS)).isTrue();
        BucketBounds before = storage.bucketBounds();
        CompletableFuture<Optional<FulmarException>> cut = cut(bank);
        assertThat(bank.world.runUntil(cut::isDone, SECOND_NANOS)).isTrue();
        assertThat(cut.join()).isEmpty();
        assertThat(storage.bucketBounds()).isNotEqualTo(before);
        assertThat(reader.isExpired()).isTrue();
        assertThat(bank.reached).doesNotContainKey("copies: one broke");
    }

    @Test
    void onlyAPrimaryTakesAStep() {
        ReplicatedBank bank = calmBank(74, 3);
        ClusterNode primary = bank.primary(FIRST);
        for (ClusterNode node : bank.nodes.values()) {
            assertThat(refusalAt(bank, node))
                    .isEqualTo(node == primary ? Optional.empty() : Optional.of(ErrorCode.WRONG_NODE));
        }
    }

    @Test
    void aNodeWithoutACopyTakesNoStep() {
        ReplicatedBank bank = calmBank(75, 2);
        List<ClusterNode> others = bank.nodes.values().stream()
                .filter(node -> !bank.nodesOf(FIRST).contains(node.process.node()))
                .toList();
        assertThat(others).hasSize(1);
        assertThat(refusalAt(bank, others.getFirst())).contains(ErrorCode.WRONG_NODE);
    }

    /** Two partitions exchange money; a step finds each moment between two transactions. */
    @Test
    void aStepWaitsForTheTransactionThatHoldsThePartition() {
        SteppedDatabase db = bank(DurabilityMode.NONE);
        db.open(1000, 150);
        SeededRandom random = new SeededRandom(5);
        for (int round = 0; round < 40; round++) {
            CompletableFuture<TransactionResponse> transfer =
                    db.database.submit(SteppedDatabase.request("Transfer", 1L, 150L, 1L));
            for (int step = 0; step < round; step++) {
                db.stepRandomly(random);
            }
            assertThat(cut(db)).isEmpty();
            assertThat(db.await(transfer)).isInstanceOf(Committed.class);
            rest(db);
        }
    }

    @Test
    void aStepIsRefusedWhileTheDeviceIsFull() {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        BucketBounds before = bounds(db);
        SimulatedDisk disk = world.disk(new NodeId(0));
        disk.capacity(disk.usedBytes());
        ErrorCode refused = null;
        for (int i = 0; i < 500 && refused == null; i++) {
            CompletableFuture<TransactionResponse> answer =
                    db.database.submit(SteppedDatabase.request("Transfer", 1L, 2L, 1L));
            db.settle();
            if (answer.isDone() && answer.join() instanceof Failed failed) {
                refused = failed.code();
            }
        }
        assertThat(refused).isEqualTo(ErrorCode.DISK_FULL);
        assertThat(cut(db)).hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo(ErrorCode.DISK_FULL));
        disk.capacity(Long.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            db.time.advance(1_000_000_000);
            db.settle();
        }
        assertThat(bounds(db)).isEqualTo(before);
    }

    private record Refused(CompletableFuture<FulmarException> cause) implements StepListener {
        @Override
        public void safe() {
            cause.completeExceptionally(new AssertionError("the step is safe"));
        }

        @Override
        public void refused(FulmarException why) {
            cause.complete(why);
        }

        @Override
        public void lost(FulmarException why) {
            cause.completeExceptionally(why);
        }
    }

    private static BucketBounds bounds(ReplicatedBank bank, ClusterNode node) {
        CompletableFuture<BucketBounds> bounds = BucketCutter.bounds(node.database.reconfiguration(), FIRST);
        assertThat(bank.world.runUntil(bounds::isDone, 20 * SECOND_NANOS)).isTrue();
        return bounds.join();
    }
}
