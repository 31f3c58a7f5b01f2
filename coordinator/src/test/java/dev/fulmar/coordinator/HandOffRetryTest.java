package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Requests are sent again while buckets change their partitions: each is executed once. */
class HandOffRetryTest {
    private static final int MOVED_BUCKETS = 4;
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final int ACCOUNTS = 80;
    private static final long BALANCE = 1_000_000;

    /** A transfer that goes to the partition of the second account, and first needs that of the other one. */
    private static final ProcedureDefinition RECEIVE = new ProcedureDefinition(
            "Receive",
            Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 1)),
            new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank.Transfer", ""));

    /** A transfer that goes to the partition of a third account, the number of which is the amount. */
    static final ProcedureDefinition PASS = new ProcedureDefinition(
            "Pass",
            Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 2)),
            new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank.Transfer", ""));

    private static final String ADD_TO_ONE = "UPDATE account SET balance = balance + ? WHERE id = ?";
    private static final String ADD_TO_TWO = "UPDATE account SET balance = balance + ? WHERE id IN (?, ?)";

    private long moves;

    private static SteppedDatabase bank(int partitions) {
        SteppedDatabase db = SteppedDatabase.withBank(DatabaseConfiguration.of(partitions, partitions));
        db.open(BALANCE, LongStream.rangeClosed(1, ACCOUNTS).toArray());
        HandOffs.giveCatalogItsPlan(db.database);
        db.settle();
        return db;
    }

    private BucketSender sender(SteppedDatabase db, int bucket) {
        return new BucketSender(
                db.database.reconfiguration(), db.database.reconfiguration(), ++moves, FIRST, SECOND, bucket, 200);
    }

    /** A transfer with all its sendings, of which the database executes one. */
    private record Sent(TransactionRequest request, List<CompletableFuture<TransactionResponse>> answers) {}

    /**
     * Requests are sent again at any time, before and after their keys have moved, also those that run on both
     * partitions: each is executed once, and each sending has the same answer.
     */
    @RepeatedTest(60)
    void retriesFindTheirOutcomesWhereTheKeysAre(RepetitionInfo repetition) {
        SteppedDatabase db = bank(2);
        SeededRandom random = new SeededRandom(100 + repetition.getCurrentRepetition());
        List<Sent> all = new ArrayList<>();
        for (int bucket = 0; bucket < 3; bucket++) {
            BucketSender sender = sender(db, bucket);
            assertThat(db.await(sender.begin())).isEmpty();
            Optional<FulmarException> refused = Optional.of(new FulmarException(ErrorCode.SERVER_BUSY, "no"));
            for (int tries = 0; refused.isPresent(); tries++) {
                assertThat(refused.get().code()).isEqualTo(ErrorCode.SERVER_BUSY);
                assertThat(tries).isLessThan(200);
                CompletableFuture<Optional<FulmarException>> sent = sender.send();
                for (int step = random.nextInt(150); step > 0; step--) {
                    sendSome(db, random, all);
                    db.stepRandomly(random);
                }
                assertThat(db.await(sent)).isEmpty();
                PartitionPlan plan = db.database.plans().newest();
                HandOff handOff = db.await(sender.handOff(plan));
                CompletableFuture<Optional<FulmarException>> ended = new CompletableFuture<>();
                if (random.nextInt(3) == 0) {
                    sendSome(db, random, all);
                }
                db.database.plans().handOver(List.of(handOff), failure -> ended.complete(Optional.ofNullable(failure)));
                for (int step = random.nextInt(60); step > 0; step--) {
                    sendSome(db, random, all);
                    db.stepRandomly(random);
                }
                refused = db.await(ended);
            }
        }
        assertExecutedOnce(db, all);
    }

    private static void assertExecutedOnce(SteppedDatabase db, List<Sent> all) {
        Map<Long, Long> balances = new TreeMap<>();
        for (Sent each : all) {
            TransactionResponse first = db.await(each.answers().getFirst());
            assertThat(first).as(each.request().toString()).isInstanceOf(Committed.class);
            for (CompletableFuture<TransactionResponse> answer : each.answers()) {
                assertThat(SteppedDatabase.value(db.await(answer))).isEqualTo(SteppedDatabase.value(first));
            }
            long[] transfer = parameters(each.request());
            balances.merge(transfer[0], -transfer[2], Long::sum);
            balances.merge(transfer[1], transfer[2], Long::sum);
        }
        assertThat(all).anyMatch(each -> each.answers().size() > 1);
        for (long id = 1; id <= ACCOUNTS; id++) {
            assertThat(db.balance(id)).as("account " + id).isEqualTo(BALANCE + balances.getOrDefault(id, 0L));
        }
    }

    /**
     * Calls find that they need another partition while the hand-off waits for its locks: they run after it, where
     * their keys are then, and so do their retries.
     */
    @RepeatedTest(60)
    void aCallThatBecameATransactionIsRoutedAnew(RepetitionInfo repetition) {
        SteppedDatabase db = bank(2);
        assertThat(db.change(new CatalogChange.CreateProcedure(RECEIVE, true))).isInstanceOf(Committed.class);
        SeededRandom random = new SeededRandom(500 + repetition.getCurrentRepetition());
        PartitionPlan plan = db.database.plans().newest();
        BucketSender sender = sender(db, random.nextInt(MOVED_BUCKETS));
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        HandOff handOff = db.await(sender.handOff(plan));
        List<Long> moving = keys(plan, handOff, true);
        List<Long> far = keysOf(plan, 1);
        List<Sent> all = new ArrayList<>();
        CompletableFuture<Optional<FulmarException>> ended = HandOffs.begin(db.database, handOff);
        for (int i = 0; i < 30 && !moving.isEmpty(); i++) {
            long from = far.get(random.nextInt(far.size()));
            long to = moving.get(random.nextInt(moving.size()));
            TransactionRequest request = SteppedDatabase.numbered(1, i + 1L, "Receive", from, to, 1L);
            all.add(new Sent(request, new ArrayList<>(List.of(db.database.submit(request)))));
            for (int step = random.nextInt(4); step > 0; step--) {
                db.stepRandomly(random);
            }
        }
        db.await(ended);
        all.forEach(sent -> sent.answers().add(db.database.submit(sent.request())));
        all.forEach(sent -> sent.answers().forEach(db::await));
        all.forEach(sent -> sent.answers().add(db.database.submit(sent.request())));
        if (!all.isEmpty()) {
            assertExecutedOnce(db, all);
        }
    }

    /**
     * Calls whose key moves change rows of other nodes only, so the source has no part in them, and hears of their
     * commits late. They are sent again as soon as the hand-off counts.
     */
    @RepeatedTest(60)
    void aCallThatChangesOtherNodesIsExecutedOnce(RepetitionInfo repetition) {
        ReplicatedBank bank = new ReplicatedBank(900 + repetition.getCurrentRepetition(), 3, 3, 1, DurabilityMode.SYNC);
        SeededRandom random = new SeededRandom(900 + repetition.getCurrentRepetition());
        bank.change(ReplicatedBank.PASS);
        ClusterNode source = bank.primary(FIRST);
        HandOffs.giveCatalogItsPlan(bank.catalogPrimary().database);
        PartitionPlan plan = source.database.plans().newest();
        for (long id = 1; id <= ACCOUNTS; id++) {
            assertThat(bank.await(bank.ask(primaryOf(bank, plan, id), account(id))))
                    .isInstanceOf(Committed.class);
        }
        BucketSender sender = new BucketSender(
                source.database.reconfiguration(),
                bank.primary(SECOND).database.reconfiguration(),
                ++moves,
                FIRST,
                SECOND,
                random.nextInt(MOVED_BUCKETS),
                200);
        assertThat(bank.await(sender.begin())).isEmpty();
        List<Long> moving = keys(2_000, plan, bank.await(sender.handOff(plan)), true);
        Map<TransactionRequest, CompletableFuture<TransactionResponse>> all = new LinkedHashMap<>();
        Optional<FulmarException> refused = Optional.of(new FulmarException(ErrorCode.SERVER_BUSY, "no"));
        for (int tries = 0; refused.isPresent(); tries++) {
            assertThat(refused.get().code()).isEqualTo(ErrorCode.SERVER_BUSY);
            assertThat(tries).isLessThan(100);
            assertThat(bank.await(sender.send())).isEmpty();
            HandOff handOff = bank.await(
                    sender.handOff(bank.catalogPrimary().database.plans().newest()));
            if (tries == 0 || random.nextInt(3) == 0) {
                TransactionRequest request = SteppedDatabase.numbered(
                        1,
                        all.size() + 1L,
                        "Pass",
                        pick(keysOf(plan, 1), random),
                        pick(keysOf(plan, 2), random),
                        pick(moving, random));
                all.put(request, bank.ask(source, request));
            }
            bank.world.runFor(random.nextInt(3_000_000));
            refused = bank.await(HandOffs.begin(bank.catalogPrimary().database, handOff));
        }
        assertExecutedOnce(bank, plan, all);
    }

    private static void assertExecutedOnce(
            ReplicatedBank bank,
            PartitionPlan plan,
            Map<TransactionRequest, CompletableFuture<TransactionResponse>> all) {
        Map<TransactionRequest, TransactionResponse> again = new LinkedHashMap<>();
        all.keySet().forEach(request -> again.put(request, askUntilItRuns(bank, bank.primary(SECOND), request)));
        Map<Long, Long> balances = new TreeMap<>();
        all.forEach((request, answer) -> {
            long left = SteppedDatabase.value(bank.await(answer));
            assertThat(SteppedDatabase.value(Objects.requireNonNull(again.get(request))))
                    .isEqualTo(left);
            long[] transfer = parameters(request);
            balances.merge(transfer[0], -transfer[2], Long::sum);
            balances.merge(transfer[1], transfer[2], Long::sum);
        });
        balances.forEach((id, change) -> assertThat(
                        SteppedDatabase.cell(bank.await(bank.ask(primaryOf(bank, plan, id), ReplicatedBank.read(id)))))
                .as("account " + id)
                .isEqualTo(BALANCE + change));
    }

    /** Sends the request to the node until that one knows that it leads its partition. */
    private static TransactionResponse askUntilItRuns(
            ReplicatedBank bank, ClusterNode node, TransactionRequest request) {
        TransactionResponse response = bank.await(bank.ask(node, request));
        while (SteppedDatabase.code(response) == ErrorCode.WRONG_NODE) {
            response = bank.await(bank.ask(node, request));
        }
        return response;
    }

    private static ClusterNode primaryOf(ReplicatedBank bank, PartitionPlan plan, long id) {
        return bank.primary(new PartitionId(plan.partitionOf(id)));
    }

    private static TransactionRequest account(long id) {
        return new TransactionRequest.AdHoc(
                0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(id, BALANCE));
    }

    private static long pick(List<Long> keys, SeededRandom random) {
        return keys.get(random.nextInt(keys.size()));
    }

    /** One partition, or the one that is chosen by the client, remembers it. Neither is asked about the other's. */
    @Test
    void aStatementOfSeveralKeysIsExecutedOnce() {
        SteppedDatabase db = bank(3);
        long client = LongStream.range(1, 100)
                .filter(id -> Spread.partition(id, 3) == 2)
                .findFirst()
                .orElseThrow();
        BucketSender sender = sender(db, 0);
        assertThat(db.await(sender.begin())).isEmpty();
        PartitionPlan plan = db.database.plans().newest();
        HandOff announced = db.await(sender.handOff(plan));
        long moving = keys(plan, announced, true).getFirst();
        long staying = keys(plan, announced, false).getFirst();
        long there = keysOf(plan, 1).getFirst();
        List<TransactionRequest> ofTwo = List.of(
                statement(db, client, 1, ADD_TO_TWO, 5L, moving, staying),
                statement(db, client, 2, ADD_TO_TWO, 5L, moving, there));
        List<TransactionRequest> others = List.of(
                statement(db, client, 3, ADD_TO_TWO, 5L, moving, moving),
                statement(db, client, 4, ADD_TO_ONE, 5L, moving));
        Map<Long, TransactionResponse> first = new TreeMap<>();
        ofTwo.forEach(request -> first.put(request.requestId(), db.run(request)));
        others.forEach(request -> first.put(request.requestId(), db.run(request)));
        assertThat(first.values()).allMatch(response -> response instanceof Committed);
        assertThat(db.await(sender.send())).isEmpty();
        assertThat(HandOffs.handOver(db, sender)).isEmpty();
        others.forEach(request -> assertThat(SteppedDatabase.value(db.run(request)))
                .isEqualTo(SteppedDatabase.value(Objects.requireNonNull(first.get(request.requestId())))));
        ofTwo.forEach(
                request -> assertThat(SteppedDatabase.code(db.run(request))).isEqualTo(ErrorCode.CATALOG_CHANGED));
        assertThat(List.of(db.balance(moving), db.balance(staying), db.balance(there)))
                .containsExactly(BALANCE + 20, BALANCE + 5, BALANCE + 5);
        assertThat(db.run(statement(db, client, 5, ADD_TO_TWO, 5L, moving, staying)))
                .as("of a client that knows the plan")
                .isInstanceOf(Committed.class);
    }

    private static TransactionRequest statement(
            SteppedDatabase db, long client, long request, String sql, Object... parameters) {
        return new TransactionRequest.AdHoc(client, request, 0, sql, SteppedDatabase.list(parameters))
                .sentAt(db.database.catalog().version());
    }

    private static List<Long> keysOf(PartitionPlan plan, int partition) {
        return LongStream.rangeClosed(1, ACCOUNTS)
                .filter(id -> plan.partitionOf(id) == partition)
                .boxed()
                .toList();
    }

    /** Accounts of the first partition that move, or that stay. */
    private static List<Long> keys(PartitionPlan plan, HandOff handOff, boolean isMoving) {
        return keys(ACCOUNTS, plan, handOff, isMoving);
    }

    /** The same with keys that no account has. */
    private static List<Long> keys(long last, PartitionPlan plan, HandOff handOff, boolean isMoving) {
        return LongStream.rangeClosed(1, last)
                .filter(id -> plan.partitionOf(id) == 0)
                .filter(id -> isMoving
                        == handOff.ranges().stream()
                                .anyMatch(range -> range.contains(KeySpace.HASH, plan.positionOf(id))))
                .boxed()
                .toList();
    }

    /** A retry of it would be executed again where its key is then. */
    @Test
    void aCommitAfterTheLastOutcomesDelaysTheHandOff() {
        SteppedDatabase db = bank(2);
        PartitionPlan plan = db.database.plans().newest();
        BucketSender sender = sender(db, 0);
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        List<Long> others = keys(plan, db.await(sender.handOff(plan)), false);
        assertThat(db.run(SteppedDatabase.numbered(1, 1, "Transfer", others.get(0), others.get(1), 1L)))
                .isInstanceOf(Committed.class);
        assertThat(HandOffs.handOver(db, sender).orElseThrow().getMessage()).contains("since their outcomes were sent");
        assertThat(db.await(sender.send())).isEmpty();
        assertThat(HandOffs.handOver(db, sender)).isEmpty();
    }

    private static long[] parameters(TransactionRequest request) {
        ParameterReader reader = new ParameterReader(3);
        byte[] parameters = request.parameters();
        reader.wrap(parameters, 0, parameters.length);
        return new long[] {reader.getLong(0), reader.getLong(1), reader.getLong(2)};
    }

    /** Sends a new request now and then, and one of the last ones again, which may be under way. */
    private static void sendSome(SteppedDatabase db, SeededRandom random, List<Sent> all) {
        int choice = random.nextInt(10);
        if (choice == 0) {
            long from = 1L + random.nextInt(ACCOUNTS);
            long to = 1L + random.nextInt(ACCOUNTS);
            TransactionRequest request =
                    SteppedDatabase.numbered(1L + random.nextInt(3), all.size() + 1L, "Transfer", from, to, 1L);
            all.add(new Sent(request, new ArrayList<>(List.of(db.database.submit(request)))));
        } else if (choice <= 2 && !all.isEmpty()) {
            Sent again = all.get(Math.max(0, all.size() - 1 - random.nextInt(random.nextInt(4) == 0 ? 20 : 4)));
            again.answers().add(db.database.submit(again.request()));
        }
    }
}
