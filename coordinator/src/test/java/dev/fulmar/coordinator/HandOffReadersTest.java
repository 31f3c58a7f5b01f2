package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.BucketSender;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Readers of snapshots before, at and after hand-offs see all money once, and hand-offs end none of them. */
class HandOffReadersTest {
    private static final DatabaseConfiguration CONFIGURATION = DatabaseConfiguration.of(2, 2);
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);
    private static final int ACCOUNTS = 40;
    private static final long BALANCE = 1_000;
    private static final int STEPS_OF_READER = 200;

    private final SteppedDatabase db = bank();
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final ResponseSink client = SteppedDatabase.sink(answers);
    private long moves;

    private static SteppedDatabase bank() {
        SteppedDatabase made = new SteppedDatabase(
                CONFIGURATION,
                new BankSql(),
                null,
                DurabilityMode.NONE,
                BucketSender.replay(ReconfigurationReplay.none()));
        for (int change = 0; change < 4; change++) {
            assertThat(made.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        assertThat(made.change(SteppedDatabase.procedure("Linger", false))).isInstanceOf(Committed.class);
        long[] accounts = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = i + 1L;
        }
        made.open(BALANCE, accounts);
        made.database
                .plans()
                .replace(
                        made.database.plans().newest(),
                        failure -> assertThat(failure).isNull());
        made.settle();
        return made;
    }

    private CompletableFuture<TransactionResponse> beginReader() {
        CompletableFuture<TransactionResponse> answer = new CompletableFuture<>();
        db.database.submit(
                SteppedDatabase.request("Linger", 8L, (long) ACCOUNTS), (_, response) -> answer.complete(response));
        return answer;
    }

    private void transfer(SeededRandom random) {
        db.database.submit(
                SteppedDatabase.request("Transfer", 1L + random.nextInt(ACCOUNTS), 1L + random.nextInt(ACCOUNTS), 1L),
                (_, _) -> {});
    }

    private HandOff staged(PartitionId from, PartitionId to, int bucket) {
        BucketSender sender = new BucketSender(
                db.database.reconfiguration(), db.database.reconfiguration(), ++moves, from, to, bucket, 500);
        assertThat(db.await(sender.begin())).isEmpty();
        assertThat(db.await(sender.send())).isEmpty();
        return db.await(sender.handOff(db.database.plans().newest()));
    }

    private CompletableFuture<Optional<FulmarException>> begin(HandOff handOff) {
        CompletableFuture<Optional<FulmarException>> ended = new CompletableFuture<>();
        db.database.plans().handOver(List.of(handOff), failure -> ended.complete(Optional.ofNullable(failure)));
        return ended;
    }

    private static void assertWhole(TransactionResponse response) {
        assertThat(SteppedDatabase.value(response)).as(response.toString()).isEqualTo(ACCOUNTS * BALANCE);
    }

    /** Attempts of readers that the first partition has taken. */
    private long attempts() {
        return db.database.figures().partition(FIRST.number()).snapshots.get();
    }

    @RepeatedTest(40)
    void readersGoOnAcrossHandOffs(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        List<CompletableFuture<TransactionResponse>> readers = new ArrayList<>();
        int staged = 0;
        for (int bucket = 0; bucket < 4; bucket++) {
            HandOff handOff = staged(FIRST, SECOND, bucket);
            for (int reader = 0; reader < 3; reader++) {
                readers.add(beginReader());
                for (int step = random.nextInt(STEPS_OF_READER); step > 0; step--) {
                    db.stepRandomly(random);
                }
            }
            CompletableFuture<Optional<FulmarException>> ended = begin(handOff);
            for (int step = random.nextInt(STEPS_OF_READER); step > 0; step--) {
                if (ended.isDone() && random.nextInt(10) == 0) {
                    transfer(random);
                }
                db.stepRandomly(random);
            }
            staged += db.await(ended).isEmpty() ? 1 : 0;
        }
        assertThat(staged).isEqualTo(4);
        readers.forEach(reader -> assertWhole(db.await(reader)));
    }

    /** The reader is one attempt: it does not begin anew, however many hand-offs there are. */
    @Test
    void aReaderFromBeforeTheHandOffIsNotEnded() {
        SeededRandom random = new SeededRandom(5);
        HandOff handOff = staged(FIRST, SECOND, 0);
        CompletableFuture<TransactionResponse> reader = beginReader();
        while (attempts() == 0) {
            db.stepRandomly(random);
        }
        assertThat(reader).isNotDone();
        CompletableFuture<Optional<FulmarException>> ended = begin(handOff);
        while (!ended.isDone()) {
            db.stepRandomly(random);
        }
        assertThat(ended.join()).isEmpty();
        assertThat(reader).as("the hand-off overtakes it").isNotDone();
        for (int i = 0; i < 20; i++) {
            transfer(random);
            db.stepRandomly(random);
        }
        assertWhole(db.await(reader));
        assertThat(attempts()).isOne();
    }

    private TransactionResponse next(Sessions sessions, String sql) {
        sessions.execute(1, new TransactionRequest.AdHoc(7, 1, 0, sql, SteppedDatabase.list()), client);
        for (int i = 0; i < 100 && answers.isEmpty(); i++) {
            db.settle();
            db.time.advance(1_000_000);
        }
        assertThat(answers).as(sql).hasSize(1);
        return answers.removeFirst();
    }

    /** Later statements are planned with another plan, and their partitions are others. A cursor goes on. */
    @Test
    void aTransactionThatOnlyReadsFailsAfterTheHandOff() {
        Sessions sessions = new Sessions(
                db.database,
                db.database.portals(),
                db.time,
                db.time,
                new SeededRandom(1),
                SessionLimits.DEFAULT,
                new ByteBudget(1 << 20),
                10);
        String total = "SELECT SUM(balance) FROM account";
        HandOff handOff = staged(FIRST, SECOND, 0);
        next(sessions, "BEGIN READ ONLY");
        assertThat(SteppedDatabase.cell(next(sessions, total))).isEqualTo(ACCOUNTS * BALANCE);
        next(sessions, "DECLARE c CURSOR FOR SELECT id, balance FROM account");
        assertThat(next(sessions, "FETCH 3 c")).isInstanceOf(Committed.class);
        assertThat(db.await(begin(handOff))).isEmpty();
        TransactionResponse rest = next(sessions, "FETCH ALL c");
        assertThat(rest).isInstanceOf(Committed.class);
        byte[] rows = ((Committed) rest).results();
        assertThat(new ResultBlock().wrap(rows, 0, rows.length).rowCount()).isEqualTo(ACCOUNTS - 3);
        assertThat(SteppedDatabase.code(next(sessions, total))).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        next(sessions, "ROLLBACK");
        next(sessions, "BEGIN READ ONLY");
        assertThat(SteppedDatabase.cell(next(sessions, total))).isEqualTo(ACCOUNTS * BALANCE);
        next(sessions, "COMMIT");
    }
}
