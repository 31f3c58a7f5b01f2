package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * Clients lose answers while their keys move: COMMITs of sessions, batches of COPY, and statements of clients that say
 * nothing of the catalog. Each is sent again under its handle, at the new place and at the old one, and is found
 * executed once.
 */
class HandOffHandlesTest {
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final int ACCOUNTS = 40;
    private static final long BALANCE = 1_000;
    private static final long CLIENT = 9;
    private static final String ADD = "UPDATE account SET balance = balance + ? WHERE id = ?";
    private static final String READ = "SELECT balance FROM account WHERE id = ?";
    private static final String INSERT = "INSERT INTO account VALUES (?, ?)";

    private final SteppedDatabase db = bank();
    private final PartitionPlan plan = db.database.plans().newest();
    private final BucketSender sender =
            new BucketSender(db.database.reconfiguration(), db.database.reconfiguration(), 1, FIRST, SECOND, 0, 200);

    private static SteppedDatabase bank() {
        SteppedDatabase made = SteppedDatabase.withBank(DatabaseConfiguration.of(2, 2));
        made.open(BALANCE, LongStream.rangeClosed(1, ACCOUNTS).toArray());
        HandOffs.giveCatalogItsPlan(made.database);
        made.settle();
        return made;
    }

    /** Those of a node; a client that has lost its connection asks at others. */
    private Sessions sessions(long seed) {
        return new Sessions(
                db.database,
                db.database.portals(),
                db.time,
                db.time,
                new SeededRandom(seed),
                SessionLimits.DEFAULT,
                new ByteBudget(1 << 20),
                10);
    }

    private static TransactionRequest.AdHoc request(long number, String sql, Object... parameters) {
        return new TransactionRequest.AdHoc(
                CLIENT, number, 0, ReadConsistency.DECLARED, sql, SteppedDatabase.list(parameters));
    }

    private static ResponseSink sink(CompletableFuture<TransactionResponse> answer) {
        return (asked, response) -> answer.complete(response);
    }

    private HandOff staged() {
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        return db.await(sender.handOff(plan));
    }

    /** Keys from 1 to the last, of accounts or not, that move. */
    private List<Long> moving(HandOff handOff, long last) {
        return LongStream.rangeClosed(1, last)
                .filter(id ->
                        handOff.ranges().stream().anyMatch(range -> range.contains(KeySpace.HASH, plan.positionOf(id))))
                .boxed()
                .toList();
    }

    /** The bucket goes to the other partition, again after what was refused. */
    private void handOver() {
        Optional<FulmarException> refused = HandOffs.handOver(db, sender);
        for (int tries = 0; refused.isPresent(); tries++) {
            assertThat(tries).isLessThan(20);
            assertThat(db.await(sender.send())).isEmpty();
            refused = HandOffs.handOver(db, sender);
        }
    }

    private void step(SeededRandom random, int most) {
        for (int step = random.nextInt(most); step > 0; step--) {
            db.stepRandomly(random);
        }
    }

    /** The answer to a client that has lost its connection, and sends COMMIT under its handle. */
    private TransactionResponse askAgain(Sessions elsewhere, long commit) {
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        elsewhere.execute(1, request(commit, "COMMIT"), sink(answer));
        return db.await(answer);
    }

    private static void assertSame(TransactionResponse again, TransactionResponse first) {
        if (first instanceof Committed) {
            assertThat(again).isInstanceOf(Committed.class);
            assertThat(SteppedDatabase.value(again)).isEqualTo(SteppedDatabase.value(first));
        } else {
            assertThat(again).isInstanceOf(Failed.class);
        }
    }

    /** The COMMIT meets the hand-off at any moment, and the client asks at another node during it and after it. */
    @RepeatedTest(40)
    void aCommitWhoseAnswerIsLostIsExecutedOnce(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        HandOff handOff = staged();
        long moving = moving(handOff, ACCOUNTS).getFirst();
        int place = random.nextInt(2);
        long other = LongStream.rangeClosed(1, ACCOUNTS)
                .filter(id -> id != moving && plan.partitionOf(id) == place)
                .findFirst()
                .orElseThrow();
        Sessions sessions = sessions(1);
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        List<TransactionRequest.AdHoc> all = List.of(
                request(1, "BEGIN"), request(2, ADD, -7L, moving), request(3, ADD, 7L, other), request(4, "COMMIT"));
        ResponseSink client =
                (asked, response) -> answers.get((int) asked.requestId() - 1).complete(response);
        all.forEach(each -> answers.add(new CompletableFuture<>()));
        all.subList(0, 3).forEach(each -> sessions.execute(1, each, client));
        boolean isEarly = random.nextBoolean();
        if (isEarly) {
            db.await(answers.get(2));
        }
        CompletableFuture<Optional<FulmarException>> ended = HandOffs.begin(db.database, handOff);
        step(random, 60);
        sessions.execute(1, all.get(3), client);
        step(random, 60);
        CompletableFuture<TransactionResponse> during = new CompletableFuture<>();
        sessions(2).execute(1, request(4, "COMMIT"), sink(during));
        db.await(ended);
        TransactionResponse first = db.await(answers.get(3));
        assertSame(db.await(during), first);
        handOverIfNot();
        assertSame(askAgain(sessions(3), 4), first);
        assertThat(db.balance(moving)).isEqualTo(BALANCE - (first instanceof Committed ? 7 : 0));
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
    }

    private void handOverIfNot() {
        if (!db.database.plans().newest().hasSameOwners(plan)) {
            return;
        }
        assertThat(db.await(sender.send())).isEmpty();
        handOver();
    }

    /** Rows of a COPY are INSERTs that run together once, without a session. */
    @RepeatedTest(40)
    void aBatchOfCopyIsExecutedOnce(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        HandOff handOff = staged();
        long unused = ACCOUNTS + 1;
        List<Long> keys = new ArrayList<>(moving(handOff, 400).stream()
                .filter(id -> id >= unused)
                .limit(3)
                .toList());
        if (random.nextBoolean()) {
            LongStream.range(unused, unused + 5)
                    .filter(id -> !keys.contains(id))
                    .forEach(keys::add);
        }
        List<TransactionRequest.AdHoc> rows =
                keys.stream().map(id -> request(5, INSERT, id, 1L)).toList();
        CompletableFuture<Optional<FulmarException>> ended = HandOffs.begin(db.database, handOff);
        step(random, 60);
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        sessions(1).executeTogether(rows, request(5, "COMMIT"), sink(answer));
        step(random, 60);
        CompletableFuture<TransactionResponse> resent = new CompletableFuture<>();
        sessions(2).executeTogether(rows, request(5, "COMMIT"), sink(resent));
        db.await(ended);
        assertThat(db.await(answer)).isInstanceOf(Committed.class);
        assertSame(db.await(resent), db.await(answer));
        handOverIfNot();
        CompletableFuture<TransactionResponse> late = new CompletableFuture<>();
        sessions(3).executeTogether(rows, request(5, "COMMIT"), sink(late));
        assertSame(db.await(late), db.await(answer));
        assertSame(askAgain(sessions(4), 5), db.await(answer));
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE + keys.size());
    }

    /** As those of PostgreSQL's clients, whose connection numbers them. */
    @RepeatedTest(40)
    void aStatementThatSaysNothingOfTheCatalogIsExecutedOnce(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        assertThat(db.await(sender.begin())).isEmpty();
        HandOff known = db.await(sender.handOff(plan));
        long key = moving(known, ACCOUNTS).getFirst();
        TransactionRequest add = request(1, ADD, 5L, key);
        TransactionRequest insert = request(2, INSERT, moving(known, 400).getLast(), 1L);
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        if (random.nextBoolean()) {
            answers.add(db.database.submit(add));
            db.await(answers.getFirst());
        }
        assertThat(db.await(sender.send())).isEmpty();
        HandOff handOff = db.await(sender.handOff(plan));
        CompletableFuture<Optional<FulmarException>> ended = HandOffs.begin(db.database, handOff);
        for (int times = 0; times < 3; times++) {
            step(random, 50);
            answers.add(db.database.submit(add));
            step(random, 10);
            answers.add(db.database.submit(insert));
        }
        db.await(ended);
        handOverIfNot();
        answers.add(db.database.submit(add));
        answers.add(db.database.submit(insert));
        answers.forEach(answer -> assertThat(db.await(answer)).isInstanceOf(Committed.class));
        assertThat(db.balance(key)).isEqualTo(BALANCE + 5);
        assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE + 6);
    }

    /** Three nodes, of which the first has staged a bucket at the second. */
    private static final class Cluster {
        final ReplicatedBank bank;
        final ClusterNode source;
        final ClusterNode third;
        final HandOff handOff;

        /** That no account has, and that move. */
        final List<Long> keys;

        Cluster(long seed) {
            bank = new ReplicatedBank(seed, 3, 3, 1, DurabilityMode.SYNC);
            bank.passesOn = true;
            source = bank.primary(FIRST);
            third = bank.primary(new PartitionId(2));
            HandOffs.giveCatalogItsPlan(bank.catalogPrimary().database);
            PartitionPlan before = source.database.plans().newest();
            BucketSender moved = new BucketSender(
                    source.database.reconfiguration(),
                    bank.primary(SECOND).database.reconfiguration(),
                    1,
                    FIRST,
                    SECOND,
                    0,
                    200);
            assertThat(bank.await(moved.begin())).isEmpty();
            assertThat(bank.await(moved.send())).isEmpty();
            handOff = bank.await(moved.handOff(before));
            keys = LongStream.range(1, 12_000)
                    .filter(id -> handOff.ranges().stream()
                            .anyMatch(range -> range.contains(KeySpace.HASH, before.positionOf(id))))
                    .boxed()
                    .toList();
        }
    }

    /**
     * Clients with the plan of before ask the old place, or a third node, while the hand-off is under way and after it.
     * Their requests reach the new one by one more hop, and none fails. Nodes begin to use a plan at different moments:
     * where the other one is later, the request comes back, and goes there again.
     */
    @RepeatedTest(12)
    void aRequestByAnOldPlanTakesTwoHopsAtMost(RepetitionInfo repetition) {
        Cluster cluster = new Cluster(60L + repetition.getCurrentRepetition());
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        ReplicatedBank bank = cluster.bank;
        CompletableFuture<Optional<FulmarException>> ended =
                HandOffs.begin(bank.catalogPrimary().database, cluster.handOff);
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ClusterNode asked = i % 2 == 0 ? cluster.source : cluster.third;
            answers.add(bank.ask(asked, request(i + 1L, READ, cluster.keys.get(i)))); // a write delays the hand-off
            bank.world.runFor(random.nextInt(200_000));
        }
        assertThat(bank.await(ended)).isEmpty();
        answers.forEach(answer -> assertThat(bank.await(answer)).isInstanceOf(Committed.class));
        assertThat(passes(bank)).isNotEmpty().allMatch(passes -> passes <= 3);
        bank.reached.clear();
        for (int i = 60; i < 80; i++) {
            ClusterNode asked = i % 2 == 0 ? cluster.source : cluster.third;
            answers.add(bank.ask(asked, request(i + 1L, INSERT, cluster.keys.get(i), 1L)));
        }
        answers.forEach(answer -> assertThat(bank.await(answer)).isInstanceOf(Committed.class));
        assertThat(passes(bank)).hasSize(20).containsOnly(1);
    }

    /** How often each request was passed on that was so. */
    private static List<Integer> passes(ReplicatedBank bank) {
        return bank.reached.entrySet().stream()
                .filter(reached -> reached.getKey().startsWith("passed on "))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Statements of a session are passed on as others are. */
    @RepeatedTest(12)
    void aSessionGoesOnWhileItsKeysMove(RepetitionInfo repetition) {
        Cluster cluster = new Cluster(80L + repetition.getCurrentRepetition());
        ReplicatedBank bank = cluster.bank;
        ClusterNode node = repetition.getCurrentRepetition() % 2 == 0 ? cluster.source : cluster.third;
        Sessions sessions = new Sessions(
                node.database,
                node.database.portals(),
                node.process.clock(),
                node.process.scheduler(),
                new SeededRandom(1),
                SessionLimits.DEFAULT,
                new ByteBudget(1 << 20),
                10);
        List<TransactionResponse> answers = new ArrayList<>();
        ResponseSink client = SteppedDatabase.sink(answers);
        sessions.execute(1, request(1, "BEGIN"), client);
        CompletableFuture<Optional<FulmarException>> ended =
                HandOffs.begin(bank.catalogPrimary().database, cluster.handOff);
        int asked = 1;
        while (!ended.isDone() || answers.size() < asked || asked < 10) {
            if (answers.size() == asked) {
                assertThat(answers).hasOnlyElementsOfType(Committed.class);
                String query = asked % 2 == 0 ? READ + " FOR UPDATE" : READ;
                sessions.execute(1, request(++asked, query, cluster.keys.get(asked)), client);
            }
            bank.world.runFor(50_000);
        }
        assertThat(bank.await(ended)).isEmpty();
        assertThat(answers).hasOnlyElementsOfType(Committed.class);
        assertThat(passes(bank)).isNotEmpty();
    }

    /** The former place passes a retry on; its own memory of the outcome would be as good, but a new request is not. */
    @Test
    void aRetryThatReachesTheOldPlaceFindsItsOutcome() {
        ReplicatedBank bank = new ReplicatedBank(7, 3, 3, 1, DurabilityMode.SYNC);
        bank.passesOn = true;
        ClusterNode source = bank.primary(FIRST);
        ClusterNode destination = bank.primary(SECOND);
        HandOffs.giveCatalogItsPlan(bank.catalogPrimary().database);
        PartitionPlan before = source.database.plans().newest();
        BucketSender moved = new BucketSender(
                source.database.reconfiguration(), destination.database.reconfiguration(), 1, FIRST, SECOND, 0, 200);
        assertThat(bank.await(moved.begin())).isEmpty();
        HandOff known = bank.await(moved.handOff(before));
        long key = LongStream.range(1, 10_000)
                .filter(id ->
                        known.ranges().stream().anyMatch(range -> range.contains(KeySpace.HASH, before.positionOf(id))))
                .findFirst()
                .orElseThrow();
        TransactionRequest insert = request(1, INSERT, key, 10L);
        TransactionRequest add = request(2, ADD, 5L, key);
        TransactionResponse inserted = bank.await(bank.ask(source, insert));
        TransactionResponse added = bank.await(bank.ask(source, add));
        assertThat(inserted).isInstanceOf(Committed.class);
        assertThat(added).isInstanceOf(Committed.class);
        assertThat(bank.await(moved.send())).isEmpty();
        HandOff handOff = bank.await(moved.handOff(before));
        assertThat(bank.await(HandOffs.begin(bank.catalogPrimary().database, handOff)))
                .isEmpty();
        bank.world.runFor(ReplicatedBank.SECOND_NANOS / 5);
        for (ClusterNode node : List.of(source, destination, source)) {
            assertSame(bank.await(bank.ask(node, insert)), inserted);
            assertSame(bank.await(bank.ask(node, add)), added);
        }
        assertThat(SteppedDatabase.cell(bank.await(bank.ask(destination, ReplicatedBank.read(key)))))
                .isEqualTo(15);
        assertThat(bank.await(bank.ask(source, request(3, ADD, 5L, key)))).isInstanceOf(Committed.class);
        assertThat(SteppedDatabase.cell(bank.await(bank.ask(source, ReplicatedBank.read(key)))))
                .isEqualTo(20);
    }
}
