package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.durability.backup.RestoreView;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * A bucket changes its partition, and the database is restored to moments on either side: each row is there once, at
 * the partition that has it by the plan of the moment.
 */
class HandOffRestoreTest {
    private static final DatabaseConfiguration CONFIGURATION = DatabaseConfiguration.of(2, 2);
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final int ACCOUNTS = 40;
    private static final long BALANCE = 1_000;
    private static final long CLIENT = 9;

    /** That are looked at on either side of a hand-off. */
    private static final int MOMENTS = 2;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final ReconfigurationReplay steps = BucketSender.replay(ReconfigurationReplay.none());
    private final Storage original = storage(0);
    private final Storage archive = storage(1);
    private final SteppedDatabase db = bank();
    private final List<TransactionRequest> sent = new ArrayList<>();
    private int node = 1;

    private Storage storage(int number) {
        return world.startProcess(new NodeId(number)).storage();
    }

    private SteppedDatabase start(Storage storage, DatabaseConfiguration configuration) {
        return new SteppedDatabase(configuration, new BankSql(), storage, DurabilityMode.SYNC, steps);
    }

    private SteppedDatabase bank() {
        SteppedDatabase made = start(original, CONFIGURATION);
        for (int change = 0; change < 4; change++) {
            assertThat(made.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        made.open(BALANCE, LongStream.rangeClosed(1, ACCOUNTS).toArray());
        HandOffs.giveCatalogItsPlan(made.database);
        made.settle();
        Objects.requireNonNull(made.database.durability()).archiveTo(archive);
        return made;
    }

    private Storage backup() {
        Storage target = storage(++node);
        db.time.advance(1_000_000);
        Durability durability = Objects.requireNonNull(db.database.durability());
        BackupFigures figures = durability.backUp(target, new TreeMap<>(Map.of("partitions", "2")), List.of(), "test");
        db.settle();
        assertThat(figures.failure()).isEmpty();
        assertThat(figures.state()).isEqualTo(BackupFigures.State.DONE);
        return target;
    }

    /** The database of the backup and of all log up to the moment. */
    private SteppedDatabase restored(Storage backup, long moment, DatabaseConfiguration configuration)
            throws IOException {
        Storage target = storage(++node);
        List<RestoreView.LogPlace> log = new ArrayList<>(List.of(new RestoreView.LogPlace(original, "log")));
        if (!archive.list("log").isEmpty()) {
            log.addFirst(new RestoreView.LogPlace(archive, "log"));
        }
        SteppedDatabase.restore(
                CONFIGURATION,
                new BankSql(),
                RestoreView.of(backup, "log", log),
                target,
                configuration.plan(),
                false,
                moment,
                steps);
        return start(target, configuration);
    }

    private TransactionRequest transfer(SeededRandom random) {
        TransactionRequest request = SteppedDatabase.numbered(
                CLIENT,
                sent.size() + 1L,
                "Transfer",
                1L + random.nextInt(ACCOUNTS),
                1L + random.nextInt(ACCOUNTS),
                1L + random.nextInt(5));
        sent.add(request);
        return request;
    }

    private void transfers(SeededRandom random) {
        for (int i = 0; i < 20; i++) {
            assertThat(db.run(transfer(random))).isInstanceOf(Committed.class);
        }
    }

    /** After all that has happened so far, and before all that comes. */
    private long moment() {
        long moment = HybridLogicalClock.ofMicros(db.time.wallMicros() + 1) - 1;
        db.time.advance(1_000_000);
        return moment;
    }

    private static Map<Long, Long> balances(SteppedDatabase of) {
        Map<Long, Long> balances = new TreeMap<>();
        LongStream.rangeClosed(1, ACCOUNTS).forEach(id -> balances.put(id, of.balance(id)));
        return balances;
    }

    /** All rows are there once, where routes lead, and those of the moving keys are at the partition. */
    private static void assertWhole(SteppedDatabase of, List<Long> moving, int partition) {
        assertThat(of.total()).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(balances(of).values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(ACCOUNTS * BALANCE);
        PartitionPlan plan = of.database.plans().newest();
        assertThat(moving).isNotEmpty().allMatch(id -> plan.partitionOf(id) == partition);
        assertThat(of.await(of.database.figures().tableDefects())).isEmpty();
        assertThat(of.failures).isEmpty();
    }

    private static List<Long> keys(PartitionPlan plan, HandOff handOff) {
        return LongStream.rangeClosed(1, ACCOUNTS)
                .filter(id ->
                        handOff.ranges().stream().anyMatch(range -> range.contains(KeySpace.HASH, plan.positionOf(id))))
                .boxed()
                .toList();
    }

    private BucketSender sender() {
        return new BucketSender(db.database.reconfiguration(), db.database.reconfiguration(), 1, FIRST, SECOND, 0, 200);
    }

    /**
     * From a backup before the move, from one with staged rows, and from one after it. The first two have the hand-off
     * in the log alone.
     */
    @Test
    void rowsAreThereOnceBeforeAndAfterTheHandOff() throws IOException {
        SeededRandom random = new SeededRandom(4);
        PartitionPlan plan = db.database.plans().newest();
        transfers(random);
        Storage unstaged = backup();
        BucketSender sender = sender();
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        transfers(random);
        Storage staged = backup();
        assertThat(db.await(sender.send())).isEmpty();
        HandOff handOff = db.await(sender.handOff(plan));
        Map<Long, Long> earlier = balances(db);
        int sentEarlier = sent.size();
        long before = moment();
        assertThat(db.await(HandOffs.begin(db.database, handOff))).isEmpty();
        long after = moment();
        transfers(random);
        Map<Long, Long> later = balances(db);
        long end = moment();
        Storage moved = backup();

        List<Long> moving = keys(plan, handOff);
        for (Storage backup : List.of(unstaged, staged)) {
            SteppedDatabase then = restored(backup, before, CONFIGURATION);
            assertThat(balances(then)).isEqualTo(earlier);
            assertWhole(then, moving, FIRST.number());
            then = restored(backup, after, CONFIGURATION);
            assertThat(balances(then)).isEqualTo(earlier);
            assertWhole(then, moving, SECOND.number());
            for (TransactionRequest request : sent.subList(0, sentEarlier)) {
                assertThat(then.run(request)).isInstanceOf(Committed.class);
            }
            assertThat(balances(then)).as("retries find their outcomes").isEqualTo(earlier);
        }
        for (Storage backup : List.of(unstaged, staged, moved)) {
            SteppedDatabase now = restored(backup, backup.equals(moved) ? Long.MAX_VALUE : end, CONFIGURATION);
            assertThat(balances(now)).isEqualTo(later);
            assertWhole(now, moving, SECOND.number());
            for (TransactionRequest request : sent) {
                assertThat(now.run(request)).isInstanceOf(Committed.class);
            }
            assertThat(balances(now)).isEqualTo(later);
        }
        DatabaseConfiguration wider = DatabaseConfiguration.of(3, 3);
        for (long moment : new long[] {before, after}) {
            SteppedDatabase other = restored(staged, moment, wider);
            assertThat(balances(other)).isEqualTo(earlier);
            assertThat(other.total()).isEqualTo(ACCOUNTS * BALANCE);
        }
    }

    /** The timestamps around that of the hand-off are such moments, while transfers and it meet in any order. */
    @RepeatedTest(4)
    void rowsAreThereOnceAtEveryTimestamp(RepetitionInfo repetition) throws IOException {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        PartitionPlan plan = db.database.plans().newest();
        Storage backup = backup();
        long first = moment();
        BucketSender sender = sender();
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        HandOff handOff = db.await(sender.handOff(plan));
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        CompletableFuture<Optional<FulmarException>> ended = HandOffs.begin(db.database, handOff);
        for (int step = 0; step < 60; step++) {
            if (random.nextInt(6) == 0) {
                answers.add(db.database.submit(transfer(random)));
            }
            db.stepRandomly(random);
        }
        boolean isMoved = db.await(ended).isEmpty();
        answers.forEach(answer -> assertThat(db.await(answer)).isInstanceOf(Committed.class));
        db.settle();
        long movedSince = isMoved ? timestamps(true).last() : Long.MAX_VALUE;
        TreeSet<Long> moments = timestamps(false);
        while (moments.headSet(movedSince).size() > MOMENTS || moments.first() < first) {
            moments.pollFirst();
        }
        while (isMoved && moments.tailSet(movedSince).size() > MOMENTS) {
            moments.pollLast();
        }
        moments.add(movedSince - 1);
        for (long moment : moments) {
            SteppedDatabase then = restored(backup, moment, CONFIGURATION);
            assertWhole(then, keys(plan, handOff), moment < movedSince ? FIRST.number() : SECOND.number());
        }
    }

    /** Of changes of the catalog only, or of all commits. */
    private TreeSet<Long> timestamps(boolean ofCatalog) {
        TreeSet<Long> timestamps = new TreeSet<>();
        LogReader.scan(original, "log").replay(stream -> true, (record, segment, offset) -> {
            if (ofCatalog ? record.stream() == CatalogRecord.STREAM : record.kind() != RecordKind.EPOCH) {
                timestamps.add(record.commitTimestamp());
            }
        });
        return timestamps;
    }
}
