package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.door.BucketCutter;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.durability.backup.BackupFigures.State;
import dev.fulmar.coordinator.durability.backup.Restoration;
import dev.fulmar.coordinator.durability.backup.RestoreView;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.pmemlog.backup.BackupCopy;
import dev.fulmar.pmemlog.backup.BackupFile;
import dev.fulmar.pmemlog.backup.BackupManifest;
import dev.fulmar.pmemlog.backup.BackupVerification;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Backups of a bank that goes on transferring, and what becomes of them. */
class BackupTest {
    private static final int ACCOUNTS = 8;
    private static final long BALANCE = 1000;
    private static final int[] PARTITION_COUNTS = {1, 2, 4, 8};

    private SimulatedWorld world = new SimulatedWorld(1);

    private Storage storage(int node) {
        return world.startProcess(new NodeId(node)).storage();
    }

    private static SteppedDatabase start(int partitions, Storage storage) {
        return new SteppedDatabase(
                DatabaseConfiguration.of(partitions, partitions), new BankSql(), storage, DurabilityMode.SYNC);
    }

    private static SteppedDatabase bank(int partitions, Storage storage) {
        SteppedDatabase db = start(partitions, storage);
        for (int i = 0; i < 4; i++) {
            assertThat(db.sql("CHANGE " + i)).isInstanceOf(Committed.class);
        }
        db.open(BALANCE, accounts());
        return db;
    }

    private static long[] accounts() {
        long[] ids = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            ids[i] = i;
        }
        return ids;
    }

    private static Map<Long, Long> balances(SteppedDatabase db) {
        Map<Long, Long> balances = new TreeMap<>();
        for (long id : accounts()) {
            balances.put(id, db.balance(id));
        }
        return balances;
    }

    private static BackupFigures begin(SteppedDatabase db, Storage target) {
        Durability durability = Objects.requireNonNull(db.database.durability());
        return durability.backUp(target, new TreeMap<>(Map.of("partitions", "?")), List.of(), "test");
    }

    private static BackupFigures backup(SteppedDatabase db, Storage target) {
        BackupFigures figures = begin(db, target);
        db.settle();
        assertThat(figures.failure()).isEmpty();
        assertThat(figures.state()).isEqualTo(State.DONE);
        return figures;
    }

    private static Restoration.Report restore(
            int partitions, Storage backup, List<RestoreView.LogPlace> logs, long upTo, int newCount, Storage target) {
        return SteppedDatabase.restore(
                DatabaseConfiguration.of(partitions, partitions),
                new BankSql(),
                RestoreView.of(backup, "log", logs),
                target,
                PartitionPlan.hash(newCount),
                false,
                upTo);
    }

    /** A repeated call goes to another partition than the one that has answered it. */
    @Test
    void asManyPartitionsWithOtherKeysRememberRequests() {
        SteppedDatabase db = bank(2, storage(0));
        List<TransactionRequest> sent = new ArrayList<>();
        for (int i = 0; i < ACCOUNTS; i++) {
            TransactionRequest request = numbered(1, i + 1L, "Transfer", (long) i, (i + 1L) % ACCOUNTS, 5L);
            assertThat(db.run(request)).isInstanceOf(Committed.class);
            sent.add(request);
        }
        Storage target = storage(1);
        BackupFigures figures = backup(db, target);
        Storage restored = storage(2);
        PartitionPlan ranges = PartitionPlan.ranges(0, 4);
        SteppedDatabase.restore(
                DatabaseConfiguration.of(2, 2),
                new BankSql(),
                RestoreView.of(target, "log", List.of()),
                restored,
                ranges,
                true,
                figures.timestamp());
        SteppedDatabase other =
                new SteppedDatabase(DatabaseConfiguration.of(ranges, 2), new BankSql(), restored, DurabilityMode.SYNC);
        assertThat(balances(other)).isEqualTo(balances(db));
        for (TransactionRequest request : sent) {
            assertThat(other.run(request)).isInstanceOf(Committed.class);
        }
        assertThat(balances(other)).as("nothing is done twice").isEqualTo(balances(db));
    }

    /** Transfers that are whole or absent, all that were answered before it began, none that was sent after its end. */
    @Test
    void aBackupUnderLoadHasAPrefixAndAnyNumberOfPartitionsShowsIt() {
        for (int seed = 0; seed < 24; seed++) {
            runSeed(seed);
        }
    }

    private record Sent(
            long from,
            long to,
            long amount,
            TransactionRequest request,
            CompletableFuture<TransactionResponse> answer) {}

    private void runSeed(int seed) {
        RandomSource random = new SeededRandom(seed);
        world = new SimulatedWorld(seed);
        int partitions = 1 + random.nextInt(3);
        Storage target = storage(1);
        Storage original = storage(0);
        SteppedDatabase db = bank(partitions, original);
        Storage archive = storage(3);
        Objects.requireNonNull(db.database.durability()).archiveTo(archive);
        List<Sent> sent = new ArrayList<>();
        play(db, random, sent, 300, null);
        List<Sent> before = sent.stream().filter(each -> each.answer().isDone()).toList();
        BackupFigures figures = begin(db, target);
        play(db, random, sent, 100_000, figures);
        assertThat(figures.failure()).isEmpty();
        int during = sent.size();
        play(db, random, sent, 300, null);
        db.settle();
        List<Sent> after = sent.subList(during, sent.size());
        assertThat(new BackupVerification(target, bytes -> {}).run().number("timestamp"))
                .isEqualTo(figures.timestamp());

        int newCount = PARTITION_COUNTS[random.nextInt(PARTITION_COUNTS.length)];
        Storage restored = storage(2);
        restore(partitions, target, List.of(), figures.timestamp(), newCount, restored);
        SteppedDatabase other = start(newCount, restored);
        assertThat(other.total()).as("transfers are whole or absent").isEqualTo(ACCOUNTS * BALANCE);
        Map<Long, Long> shown = balances(other);
        Storage withMoreLog = storage(4);
        List<RestoreView.LogPlace> logs =
                List.of(new RestoreView.LogPlace(archive, "log"), new RestoreView.LogPlace(original, "log"));
        restore(partitions, target, logs, figures.timestamp(), newCount, withMoreLog);
        assertThat(balances(start(newCount, withMoreLog)))
                .as("the backup lacks no commit up to its timestamp")
                .isEqualTo(shown);
        for (Sent each : before) {
            assertThat(other.run(each.request())).isInstanceOf(Committed.class);
        }
        assertThat(balances(other)).as("what was answered is there").isEqualTo(shown);
        for (Sent each : after) {
            assertThat(other.run(each.request())).isInstanceOf(Committed.class);
            shown = new TreeMap<>(applied(shown, each));
            assertThat(balances(other)).as("what came after is not there").isEqualTo(shown);
        }
        for (Sent each : sent) {
            assertThat(other.run(each.request())).isInstanceOf(Committed.class);
        }
        Map<Long, Long> end = balances(db);
        assertThat(balances(other)).as("each transfer is done once in all").isEqualTo(end);
    }

    private static Map<Long, Long> applied(Map<Long, Long> balances, Sent transfer) {
        balances.merge(transfer.from(), -transfer.amount(), Long::sum);
        balances.merge(transfer.to(), transfer.amount(), Long::sum);
        return balances;
    }

    /** Steps at random, and sends now and then; until the backup is over if there is one. */
    private static void play(
            SteppedDatabase db, RandomSource random, List<Sent> sent, int steps, @Nullable BackupFigures figures) {
        for (int step = 0; step < steps && (figures == null || !figures.isOver()); step++) {
            if (random.nextInt(4) == 0 && sent.size() < 900) {
                long from = random.nextInt(ACCOUNTS);
                long to = random.nextInt(ACCOUNTS);
                long amount = 1L + random.nextInt(9);
                TransactionRequest request =
                        numbered(1 + random.nextInt(3), sent.size() + 1L, "Transfer", from, to, amount);
                sent.add(new Sent(from, to, amount, request, db.database.submit(request)));
            } else {
                db.stepRandomly(random);
            }
            if (random.nextInt(60) == 0) {
                db.time.advance(1_000); // seldom, so that timestamps run ahead of the clock
            }
        }
    }

    @Test
    void aRestorationTakesTheStepsUpToItsMoment() {
        Storage original = storage(0);
        Storage target = storage(1);
        SteppedDatabase db = bank(2, original);
        db.time.advance(1_000_000);
        backup(db, target);
        List<RestoreView.LogPlace> log = List.of(new RestoreView.LogPlace(original, "log"));
        db.time.advance(1_000_000);
        assertThat(db.call("Transfer", 1L, 2L, 5L)).isInstanceOf(Committed.class);
        long before = HybridLogicalClock.ofMicros(db.time.wallMicros() + 1) - 1;
        Map<Long, Long> earlier = balances(db);
        db.time.advance(1_000_000);
        assertThat(db.await(new BucketCutter().cut(db.database.reconfiguration(), new PartitionId(0))))
                .isEmpty();
        assertThat(db.call("Transfer", 3L, 4L, 5L)).isInstanceOf(Committed.class);
        db.settle();

        restore(2, target, log, before, 2, storage(10));
        assertThat(balances(start(2, storage(10)))).isEqualTo(earlier);
        assertThatThrownBy(() -> restore(2, target, log, Long.MAX_VALUE, 2, storage(11)))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
        AtomicInteger steps = new AtomicInteger();
        BucketCutter cutter = new BucketCutter();
        SteppedDatabase.restore(
                DatabaseConfiguration.of(2, 2),
                new BankSql(),
                RestoreView.of(target, "log", log),
                storage(12),
                PartitionPlan.hash(2),
                false,
                Long.MAX_VALUE,
                (partition, buckets, step) -> {
                    steps.incrementAndGet();
                    cutter.replay(partition, buckets, step);
                });
        assertThat(steps).hasValue(1);
        assertThat(balances(start(2, storage(12)))).isEqualTo(balances(db));
    }

    @Test
    void anyMomentSinceTheBackupCanBeHadFromTheLog() throws Exception {
        Storage original = storage(0);
        Storage target = storage(1);
        SteppedDatabase db = bank(2, original);
        db.time.advance(1_000_000);
        BackupFigures figures = backup(db, target);
        Storage archive = storage(3);
        Objects.requireNonNull(db.database.durability()).archiveTo(archive);
        List<Map<Long, Long>> states = new ArrayList<>();
        List<Long> moments = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            db.time.advance(1_000_000);
            assertThat(db.call("Transfer", (long) i % ACCOUNTS, i * 3L % ACCOUNTS, 1L + i))
                    .isInstanceOf(Committed.class);
            if (i == 12) {
                db.time.advance(1_000_000);
                assertThat(db.sql("CHANGE 4")).isInstanceOf(Committed.class);
            }
            states.add(balances(db));
            moments.add(HybridLogicalClock.ofMicros(db.time.wallMicros() + 1) - 1);
        }
        assertThat(figures.timestamp()).isLessThan(moments.getFirst());
        assertThat(archive.list("log"))
                .as("segments whose space was used again")
                .isNotEmpty();
        List<RestoreView.LogPlace> log =
                List.of(new RestoreView.LogPlace(archive, "log"), new RestoreView.LogPlace(original, "log"));
        for (int i = 0; i < moments.size(); i += 3) {
            Storage restored = storage(10 + i);
            int count = PARTITION_COUNTS[i % PARTITION_COUNTS.length];
            restore(2, target, log, moments.get(i), count, restored);
            SteppedDatabase then = start(count, restored);
            assertThat(balances(then)).as("moment " + i).isEqualTo(states.get(i));
            boolean hasLater = then.database.catalog().tables().containsKey("LATER");
            assertThat(hasLater).as("the change of the catalog").isEqualTo(i >= 12);
            assertThat(then.call("Transfer", 1L, 2L, 3L)).isInstanceOf(Committed.class);
        }
        assertThatThrownBy(() -> restore(2, target, log.subList(1, 2), moments.getLast(), 2, storage(90)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("is missing between");
        assertThatThrownBy(() -> restore(2, target, log, figures.timestamp() >> 20 << 19, 2, storage(91)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("use an earlier backup");
    }

    @Test
    void logThatCannotCarryTheBackupOnIsRefused() throws Exception {
        Storage original = storage(0);
        Storage target = storage(1);
        SteppedDatabase db = bank(2, original);
        Storage stale = storage(3);
        for (String name : original.list("log")) {
            new BackupCopy(original, stale, bytes -> {}).file("log/" + name);
        }
        assertThat(db.call("Transfer", 1L, 2L, 3L)).isInstanceOf(Committed.class);
        BackupFigures figures = backup(db, target);
        assertThatThrownBy(() -> restore(2, target, List.of(place(stale, "log")), figures.timestamp(), 2, storage(10)))
                .as("its copy of a segment is older than the backup's")
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("copied before the backup ended");
        assertThatThrownBy(() -> restore(2, target, List.of(place(storage(4), "log")), Long.MAX_VALUE, 2, storage(11)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("there is no log in the directory log");
        Storage restored = storage(12);
        restore(2, target, List.of(place(original, "log")), figures.timestamp(), 2, restored);
        assertThat(balances(start(2, restored))).isEqualTo(balances(db));
    }

    private static RestoreView.LogPlace place(Storage storage, String directory) {
        return new RestoreView.LogPlace(storage, directory);
    }

    @Test
    void rowsWithoutPrimaryKeyAndReplicatedOnesAreRestored() {
        Storage target = storage(1);
        SteppedDatabase db = bank(3, storage(0));
        assertThat(db.sql("CHANGE 4")).isInstanceOf(Committed.class);
        for (long i = 0; i < 5; i++) {
            assertThat(db.sql("INSERT INTO later VALUES (?, ?)", i, i * i)).isInstanceOf(Committed.class);
        }
        backup(db, target);
        for (int count : PARTITION_COUNTS) {
            Storage restored = storage(1 + count);
            restore(3, target, List.of(), Long.MAX_VALUE, count, restored);
            SteppedDatabase other = start(count, restored);
            assertThat(SteppedDatabase.cell(other.sql("SELECT SUM(balance) FROM later")))
                    .isEqualTo(30);
            assertThat(other.database.catalog().version())
                    .isEqualTo(db.database.catalog().version());
            assertThat(other.sql("INSERT INTO later VALUES (?, ?)", 100L, 1L)).isInstanceOf(Committed.class);
            assertThat(other.sql("CHANGE 5")).isInstanceOf(Committed.class);
        }
    }

    @Test
    void aBackupThatIsNotWhatWasWrittenIsRefused() throws Exception {
        Storage target = storage(1);
        SteppedDatabase db = bank(2, storage(0));
        backup(db, target);
        BackupManifest manifest = BackupManifest.read(target);
        assertThat(manifest.files()).hasSizeGreaterThan(4);
        for (int number = 0; number < manifest.files().size(); number++) {
            BackupFile file = manifest.files().get(number);
            if (file.bytes() == 0) {
                continue;
            }
            int place = (int) (file.bytes() / 2);
            world.disk(new NodeId(1)).flipBit(file.name(), place, 3);
            assertThatThrownBy(() -> new BackupVerification(target, bytes -> {}).run())
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining(file.name() + " at offset ")
                    .extracting("code")
                    .isEqualTo(ErrorCode.CORRUPTION);
            world.disk(new NodeId(1)).flipBit(file.name(), place, 3);
        }
        new BackupVerification(target, bytes -> {}).run();
        for (String damage : List.of("longer", "shorter", "missing", "manifest", "unfinished")) {
            Storage copy = storage(20);
            world.disk(new NodeId(20)).wipe();
            BackupFigures again = backup(db, copy);
            assertThat(again.isOver()).isTrue();
            String victim = damage.equals("manifest") || damage.equals("unfinished")
                    ? BackupManifest.NAME
                    : BackupManifest.read(copy).files().getFirst().name();
            try (Storage.StorageFile file = copy.open(victim)) {
                if (damage.equals("longer")) {
                    file.write(file.size(), ByteBuffer.allocate(1));
                } else if (damage.equals("shorter")) {
                    file.truncate(file.size() - 1);
                } else if (damage.equals("manifest")) {
                    world.disk(new NodeId(20)).flipBit(victim, 40, 1);
                }
            }
            if (damage.equals("missing") || damage.equals("unfinished")) {
                copy.delete(victim);
            }
            assertThatThrownBy(() -> new BackupVerification(copy, bytes -> {}).run())
                    .as(damage)
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining(victim);
        }
    }

    @Test
    void onlyOneBackupAtATimeAndAFullTargetFailsIt() throws Exception {
        Storage target = storage(1);
        SteppedDatabase db = bank(2, storage(0));
        BackupFigures first = begin(db, target);
        assertThatThrownBy(() -> begin(db, storage(2)))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("another backup");
        world.disk(new NodeId(1)).capacity(10_000);
        db.settle();
        assertThat(first.state()).isEqualTo(State.FAILED);
        assertThat(first.failure()).contains("No space left");
        assertThatThrownBy(() -> BackupManifest.read(target)).hasMessageContaining("not finished");
        assertThat(target.list("log-checkpoints"))
                .as("others may need the space")
                .isEmpty();
        backup(db, storage(3));
        for (int i = 0; i < 500; i++) {
            assertThat(db.call("Transfer", 1L, 2L, 1L)).isInstanceOf(Committed.class);
        }
        assertThat(Objects.requireNonNull(db.database.durability()).counters().liveSegments())
                .as("the log gives up space again")
                .isLessThan(8);
    }

    /** A backup keeps the log from using its space again. */
    @Test
    void aBackupGivesWayToALogWithoutSpace() throws Exception {
        Storage target = storage(1);
        SteppedDatabase db = bank(2, storage(0));
        BackupFigures figures = begin(db, target);
        RandomSource random = new SeededRandom(1);
        while (figures.state() == State.WAITING_FOR_CHECKPOINT) {
            db.stepRandomly(random);
        }
        Runnable goOn = db.pause("backup");
        world.disk(new NodeId(0)).capacity(world.disk(new NodeId(0)).usedBytes());
        Durability durability = Objects.requireNonNull(db.database.durability());
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        for (int i = 0; durability.shortage() == null; i++) {
            assertThat(i).isLessThan(5_000);
            answer = db.database.submit(numbered(1, i + 1L, "Transfer", 1L + i % 2, 2L - i % 2, 1L));
            db.settle();
        }
        assertThat(answer).as("it waits for space").isNotDone();
        goOn.run();
        db.settle();
        assertThat(figures.state()).isEqualTo(State.FAILED);
        assertThat(figures.failure()).contains("the log needs the space");
        assertThat(target.list("log-checkpoints")).isEmpty();
        world.disk(new NodeId(0)).capacity(Long.MAX_VALUE);
        db.time.advance(2_000_000_000);
        db.settle();
        assertThat(answer.join()).isInstanceOf(Committed.class);
    }

    /** A target that behaves as none should. */
    @Test
    void aDefectEndsTheBackupAlone() {
        SteppedDatabase db = bank(1, storage(0));
        Storage target = storage(1);
        BackupFigures figures = begin(db, (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        throw new IllegalStateException("a defect");
                    }
                    return method.invoke(target, arguments);
                }));
        db.settle();
        assertThat(figures.state()).isEqualTo(State.FAILED);
        assertThat(figures.failure()).contains("a defect");
        assertThat(db.call("Transfer", 1L, 2L, 3L)).isInstanceOf(Committed.class);
    }
}
