package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes.Place;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets change their partitions while money moves between accounts, by {@link BucketSender}. */
class HandOffTest {
    private static final int MOVED_BUCKETS = 4;
    private static final DatabaseConfiguration CONFIGURATION = DatabaseConfiguration.of(2, 2);
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final int ACCOUNTS = 80;
    private static final long BALANCE = 1_000;
    private static final long SECOND_NANOS = ReplicatedBank.SECOND_NANOS;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(new NodeId(0));
    private long moves;

    private SteppedDatabase start(DurabilityMode mode) {
        BankSql sql = new BankSql();
        return new SteppedDatabase(
                CONFIGURATION,
                sql,
                mode == DurabilityMode.NONE ? null : process.storage(),
                mode,
                BucketSender.replay(ReconfigurationReplay.none()));
    }

    private SteppedDatabase bank(DurabilityMode mode) {
        SteppedDatabase db = start(mode);
        for (int change = 0; change < 4; change++) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        long[] accounts = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = i + 1L;
        }
        db.open(BALANCE, accounts);
        HandOffs.giveCatalogItsPlan(db.database);
        return db;
    }

    private SteppedDatabase losePower(DurabilityMode mode) {
        process.crash();
        process = world.startProcess(new NodeId(0));
        return start(mode);
    }

    private BucketSender sender(SteppedDatabase db, PartitionId from, PartitionId to, int bucket, int chunkBytes) {
        return new BucketSender(
                db.database.reconfiguration(), db.database.reconfiguration(), ++moves, from, to, bucket, chunkBytes);
    }

    private static List<Long> balances(SteppedDatabase db) {
        List<Long> balances = new ArrayList<>();
        for (long id = 1; id <= ACCOUNTS; id++) {
            balances.add(db.balance(id));
        }
        return balances;
    }

    private static void assertWhole(SteppedDatabase db) {
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(balances(db).stream().mapToLong(Long::longValue).sum()).isEqualTo(ACCOUNTS * BALANCE);
        assertThat(db.await(db.database.figures().tableDefects())).isEmpty();
    }

    private static void transfers(SteppedDatabase db, SeededRandom random, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(db.run(transfer(random))).isInstanceOf(Committed.class);
        }
    }

    private static TransactionRequest transfer(SeededRandom random) {
        long from = 1L + random.nextInt(ACCOUNTS);
        long to = 1L + random.nextInt(ACCOUNTS);
        return SteppedDatabase.request("Transfer", from, to, 1L);
    }

    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void bucketsMoveAndComeBack(DurabilityMode mode) {
        SteppedDatabase db = bank(mode);
        SeededRandom random = new SeededRandom(3);
        PartitionPlan before = db.database.plans().newest();
        List<Integer> moved = new ArrayList<>();
        for (int bucket = 0; bucket < MOVED_BUCKETS; bucket++) {
            BucketSender sender = sender(db, FIRST, SECOND, bucket, 500);
            assertThat(db.await(sender.begin())).isEmpty();
            assertThat(db.await(sender.send())).isEmpty();
            transfers(db, random, 20);
            assertThat(db.await(sender.send())).isEmpty();
            assertThat(HandOffs.handOver(db, sender)).isEmpty();
            moved.add(sender.stagedNumber());
            transfers(db, random, 20);
            assertWhole(db);
        }
        assertThat(db.database.plans().newest().rangesOf(1)).isNotEqualTo(before.rangesOf(1));
        if (mode != DurabilityMode.NONE) {
            db.settle();
            List<Long> balances = balances(db);
            SteppedDatabase again = losePower(mode);
            assertThat(balances(again)).isEqualTo(balances);
            assertWhole(again);
            checkpoint(again);
            transfers(again, random, 20);
            balances = balances(again);
            db = losePower(mode);
            assertThat(balances(db))
                    .as("from a checkpoint and the log after it")
                    .isEqualTo(balances);
            assertWhole(db);
        }
        for (int bucket : moved) {
            BucketSender sender = sender(db, SECOND, FIRST, bucket, 500);
            assertThat(db.await(sender.begin())).isEmpty();
            assertThat(db.await(sender.send())).isEmpty();
            assertThat(HandOffs.handOver(db, sender)).isEmpty();
        }
        assertThat(db.database.plans().newest().hashes()).isEqualTo(before.hashes());
        transfers(db, random, 20);
        assertWhole(db);
    }

    private static void checkpoint(SteppedDatabase db) {
        Objects.requireNonNull(Objects.requireNonNull(db.database.durability()).checkpoints())
                .request();
        for (int i = 0; i < 100; i++) {
            db.time.advance(50_000_000);
            db.settle();
        }
    }

    /** Steps, transactions and the hand-off meet in any order; a hand-off that comes too early is refused. */
    @RepeatedTest(30)
    void rowsThatChangeMeanwhileMoveAsTheyAre(RepetitionInfo repetition) {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        BucketSender sender = sender(db, FIRST, SECOND, random.nextInt(MOVED_BUCKETS), 50 + random.nextInt(300));
        assertThat(db.await(sender.begin())).isEmpty();
        Optional<FulmarException> refused = Optional.of(new FulmarException(ErrorCode.SERVER_BUSY, "no"));
        for (int tries = 0; refused.isPresent(); tries++) {
            assertThat(refused.get().code()).isEqualTo(ErrorCode.SERVER_BUSY);
            assertThat(tries).isLessThan(100);
            List<CompletableFuture<TransactionResponse>> open = new ArrayList<>();
            CompletableFuture<Optional<FulmarException>> sent = sender.send();
            for (int step = 0; step < 200; step++) {
                if (random.nextInt(10) == 0) {
                    open.add(db.database.submit(transfer(random)));
                }
                db.stepRandomly(random);
            }
            assertThat(db.await(sent)).isEmpty();
            for (int more = random.nextInt(3); more > 0; more--) {
                open.add(db.database.submit(transfer(random)));
            }
            refused = HandOffs.handOver(db, sender);
            for (CompletableFuture<TransactionResponse> answer : open) {
                assertThat(db.await(answer)).isInstanceOf(Committed.class);
            }
            assertWhole(db);
        }
        List<Long> balances = balances(db);
        assertThat(balances(losePower(DurabilityMode.SYNC))).isEqualTo(balances);
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "ASYNC"})
    void stagedRowsOutliveARestart(DurabilityMode mode) {
        SteppedDatabase db = bank(mode);
        SeededRandom random = new SeededRandom(4);
        BucketSender sender = sender(db, FIRST, SECOND, 1, 300);
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        long rows = staged(db);
        assertThat(rows).isPositive();
        checkpoint(db);
        SteppedDatabase again = losePower(mode);
        assertThat(staged(again)).as("from the checkpoint").isEqualTo(rows);
        assertWhole(again);
        BucketSender lost = sender(again, FIRST, SECOND, 1, 300);
        assertThat(HandOffs.handOver(again, lost).orElseThrow().code())
                .as("what was not sent is not handed over")
                .isEqualTo(ErrorCode.SERVER_BUSY);
        moves = 0;
        assertThat(again.await(sender(again, FIRST, SECOND, 1, 300).forget())).isEmpty();
        assertThat(staged(again)).isZero();
        transfers(again, random, 10);
        List<Long> balances = balances(again);
        SteppedDatabase third = losePower(mode);
        assertThat(staged(third)).isZero();
        assertThat(balances(third)).isEqualTo(balances);
        assertWhole(third);
    }

    private static long staged(SteppedDatabase db) {
        CompletableFuture<Long> rows = new CompletableFuture<>();
        db.database
                .reconfiguration()
                .inspect(
                        SECOND,
                        data -> rows.complete(data.buckets().moves().stagings().stream()
                                .mapToLong(staging -> staging.rowCount())
                                .sum()),
                        rows::completeExceptionally);
        return db.await(rows);
    }

    private static int size(RequestOutcomes.Batch batch) {
        return batch.parts().stream().mapToInt(part -> part.length).sum();
    }

    private static <T> T at(SteppedDatabase db, PartitionId partition, Function<PartitionData, T> look) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        db.database
                .reconfiguration()
                .inspect(partition, data -> seen.complete(look.apply(data)), seen::completeExceptionally);
        return db.await(seen);
    }

    /** Outcomes that two partitions have do not go to and fro between them with each move. */
    @Test
    void outcomesThatAreKnownAreNoNewOnes() {
        SteppedDatabase db = bank(DurabilityMode.NONE);
        for (long id = 1; id <= 40; id++) {
            db.run(SteppedDatabase.numbered(9, id, "Transfer", id, id, 1L));
        }
        RequestOutcomes.Batch batch = at(db, FIRST, data -> data.requests().since(Place.BEGIN));
        assertThat(batch.parts()).isNotEmpty();
        long before =
                at(db, SECOND, data -> data.requests().since(Place.BEGIN).next().put());
        long after = 0;
        for (int times = 0; times < 2; times++) {
            after = at(db, SECOND, data -> {
                batch.parts().forEach(data.requests()::take);
                return data.requests().since(Place.BEGIN).next().put();
            });
        }
        assertThat(after)
                .isGreaterThan(before)
                .isLessThanOrEqualTo(before + batch.next().put());
        Place known = at(db, SECOND, data -> data.requests().since(Place.BEGIN).next());
        assertThat(known.put()).isEqualTo(after);
        RequestOutcomes.Batch newer = at(db, SECOND, data -> data.requests().since(known));
        assertThat(newer.parts()).isEmpty();
    }

    /** An outcome that the destination had before the source's copies would outlive the commit, if these lead next. */
    @Test
    void outcomesAreSafeOnceTheCopiesHaveThem() {
        ReplicatedBank bank = new ReplicatedBank(82, 3, 3, 2, DurabilityMode.SYNC);
        ClusterNode source = bank.primary(FIRST);
        PartitionPlan plan = source.database.plans().newest();
        long key = LongStream.range(1, 100)
                .filter(id -> plan.partitionOf(id) == FIRST.number())
                .findFirst()
                .orElseThrow();
        TransactionRequest open = new TransactionRequest.AdHoc(
                0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(key, BALANCE));
        assertThat(bank.await(bank.ask(source, open))).isInstanceOf(Committed.class);
        assertThat(bank.await(bank.ask(source, ReplicatedBank.write(9, 1, key, 5))))
                .isInstanceOf(Committed.class);
        List<Integer> looks = new ArrayList<>();
        assertThat(bank.await(fateOfOutcomes(source, looks))).isEqualTo("safe");

        bank.isolate(source.process.node());
        CompletableFuture<TransactionResponse> unsafe = bank.ask(source, ReplicatedBank.write(9, 2, key, 6));
        CompletableFuture<String> after = fateOfOutcomes(source, looks);
        assertThat(bank.world.runUntil(() -> !bank.primary(FIRST).equals(source), 20 * SECOND_NANOS))
                .isTrue();
        assertThat(after).isNotDone();
        assertThat(unsafe).isNotDone();
        bank.mend();
        assertThat(bank.await(after)).isEqualTo("lost");
        assertThat(looks).hasSize(2);
        assertThat(looks.getFirst()).isPositive();
        assertThat(looks.getLast()).isGreaterThan(looks.getFirst());
    }

    private static CompletableFuture<String> fateOfOutcomes(ClusterNode node, List<Integer> looks) {
        CompletableFuture<String> fate = new CompletableFuture<>();
        StepListener listener = new StepListener() {
            @Override
            public void safe() {
                fate.complete("safe");
            }

            @Override
            public void refused(FulmarException cause) {
                fate.complete("refused");
            }

            @Override
            public void lost(FulmarException cause) {
                fate.complete("lost");
            }
        };
        node.process.execute(
                50_000,
                "outcomes are looked at",
                () -> node.database
                        .reconfiguration()
                        .inspectOnceSafe(
                                FIRST, data -> looks.add(size(data.requests().since(Place.BEGIN))), listener));
        return fate;
    }

    /** A bucket changes its partition and its node; copies of both partitions have it where the primaries have it. */
    @ParameterizedTest
    @EnumSource(DurabilityMode.class)
    void copiesFollowTheHandOff(DurabilityMode mode) {
        ReplicatedBank bank = new ReplicatedBank(81, 3, 3, 2, mode, 4 << 20, 2_000).withClients();
        bank.clients.forEach(client -> client.wander(2)); // their keys move to other nodes
        HandOffs.giveCatalogItsPlan(bank.catalogPrimary().database);
        bank.world.runFor(SECOND_NANOS / 2);
        PartitionPlan before = bank.catalogPrimary().database.plans().newest();
        for (int bucket = 0; bucket < 3; bucket++) {
            BucketSender sender = new BucketSender(
                    bank.primary(FIRST).database.reconfiguration(),
                    bank.primary(SECOND).database.reconfiguration(),
                    ++moves,
                    FIRST,
                    SECOND,
                    bucket,
                    500);
            assertThat(bank.await(sender.begin())).isEmpty();
            Optional<FulmarException> refused = bank.await(sender.send());
            assertThat(refused).isEmpty();
            for (int tries = 0; tries < 50; tries++) {
                assertThat(bank.await(sender.send())).isEmpty();
                refused = handOver(bank, sender);
                if (refused.isEmpty()) {
                    break;
                }
                assertThat(refused.get().code()).isEqualTo(ErrorCode.SERVER_BUSY);
            }
            assertThat(refused).isEmpty();
            bank.world.runFor(SECOND_NANOS / 5); // a copy takes the hand-off with the next record
            bank.assertCopiesEqual();
        }
        PartitionPlan after = bank.catalogPrimary().database.plans().newest();
        assertThat(after.rangesOf(0)).isNotEqualTo(before.rangesOf(0));
        bank.calm();
        bank.kill(bank.primary(SECOND).process.node());
        assertThat(bank.world.runUntil(bank::allServe, 10 * SECOND_NANOS)).isTrue();
        bank.world.runFor(SECOND_NANOS);
        bank.calm();
        bank.assertNothingIsLeft();
    }

    /** All nodes have a copy of all partitions, and one that has backups only dies while a bucket is handed over. */
    @RepeatedTest(4)
    void twoBackupsFollowTheHandOffAndOneDiesInIt(RepetitionInfo repetition) {
        long seed = 300L + repetition.getCurrentRepetition();
        SeededRandom random = new SeededRandom(seed);
        ReplicatedBank bank = new ReplicatedBank(seed, 3, 3, 3, DurabilityMode.SYNC, 4 << 20, 2_000).withClients();
        bank.clients.forEach(client -> client.wander(2));
        HandOffs.giveCatalogItsPlan(bank.catalogPrimary().database);
        bank.world.runFor(SECOND_NANOS / 2);
        PartitionPlan before = bank.catalogPrimary().database.plans().newest();
        NodeId victim = bank.primary(new PartitionId(2)).process.node();
        BucketSender sender = new BucketSender(
                bank.primary(FIRST).database.reconfiguration(),
                bank.primary(SECOND).database.reconfiguration(),
                ++moves,
                FIRST,
                SECOND,
                random.nextInt(3),
                500);
        assertThat(bank.primary(FIRST).process.node()).isNotEqualTo(victim);
        assertThat(bank.primary(SECOND).process.node()).isNotEqualTo(victim);
        assertThat(bank.catalogPrimary().process.node()).isNotEqualTo(victim);
        assertThat(bank.await(sender.begin())).isEmpty();
        for (int tries = 0; bank.catalogPrimary().database.plans().newest().hasSameOwners(before); tries++) {
            assertThat(tries).isLessThan(50);
            assertThat(bank.await(sender.send())).isEmpty();
            HandOff handOff = bank.await(
                    sender.handOff(bank.catalogPrimary().database.plans().newest()));
            CompletableFuture<Optional<FulmarException>> ended =
                    HandOffs.begin(bank.catalogPrimary().database, handOff);
            if (tries == 0) {
                bank.world.runFor(random.nextInt(4_000_000));
                bank.kill(victim);
            }
            bank.await(ended);
        }
        assertThat(bank.world.runUntil(bank::allServe, 20 * SECOND_NANOS)).isTrue();
        bank.world.runFor(SECOND_NANOS);
        bank.assertCopiesEqual();
        bank.replace(victim);
        bank.heal();
        bank.world.runFor(SECOND_NANOS);
        bank.assertCopiesEqual();
        bank.nodes
                .values()
                .forEach(node -> assertThat(node.database.plans().newest().hasSameOwners(before))
                        .isFalse());
        bank.calm();
        bank.assertNothingIsLeft();
    }

    private static Optional<FulmarException> handOver(ReplicatedBank bank, BucketSender sender) {
        PartitionPlan plan = bank.catalogPrimary().database.plans().newest();
        HandOff handOff = bank.await(sender.handOff(plan));
        return bank.await(HandOffs.begin(bank.catalogPrimary().database, handOff));
    }

    @Test
    void aTableThatComesEndsTheMove() {
        SteppedDatabase db = bank(DurabilityMode.SYNC);
        BucketSender sender = sender(db, FIRST, SECOND, 1, 300);
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        assertThat(db.sql(BankSql.PREFIX + 4)).isInstanceOf(Committed.class);
        assertThat(staged(db)).isZero();
        assertThat(HandOffs.handOver(db, sender).orElseThrow().code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(db.await(sender.send()).orElseThrow().code()).isEqualTo(ErrorCode.TRANSACTION_RESTART);
        assertWhole(db);
        assertWhole(losePower(DurabilityMode.SYNC));
    }
}
