package dev.fulmar.simulator.threads;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.ClientReply;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A client on a thread of its own: one wish after another over a real connection, which it may close under a call. */
final class ThreadedClient implements AutoCloseable {
    private final int number;
    private final ThreadedSetup setup;
    private final LocalDatabase database;
    private final WishSource wishes;
    private final RandomSource random;
    private final HistoryRecorder recorder;
    private final Ledger ledger = new Ledger();
    private FulmarClient client;
    private int unknown;

    ThreadedClient(
            int number,
            ThreadedSetup setup,
            LocalDatabase database,
            WishSource wishes,
            RandomSource random,
            HistoryRecorder recorder) {
        this.number = number;
        this.setup = setup;
        this.database = database;
        this.wishes = wishes;
        this.random = random;
        this.recorder = recorder;
        this.client = connect();
    }

    private FulmarClient connect() {
        boolean impatient = setup.impatientOneIn() > 0 && number % setup.impatientOneIn() == 0;
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + database.port())
                .callTimeout(impatient ? Duration.ofMillis(setup.hurryMillis()) : Duration.ofSeconds(30))
                .connect();
    }

    /** What it learnt; for others once it is done. */
    Ledger ledger() {
        return ledger;
    }

    /** Wishes of which it never learnt what became of them. */
    int unknown() {
        return unknown;
    }

    /** Wishes everything. */
    void run() throws InterruptedException {
        for (int i = 0; i < setup.wishes(); i++) {
            wish(wishes.next());
        }
    }

    private void wish(Wish wish) throws InterruptedException {
        HistoryRecorder.Pending record = recorder.invoke(number, wish.writes(), wish.takesAnySnapshot());
        try {
            CompletableFuture<CallResult> future = send(wish);
            if (setup.breaksOneIn() > 0 && random.nextInt(setup.breaksOneIn()) == 0) {
                client.close();
                client = connect();
            }
            done(wish, record, future.get());
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof FulmarException known)) {
                throw new IllegalStateException("a call fails with an error code", failed);
            }
            failed(wish, record, known);
        } catch (FulmarException failed) {
            failed(wish, record, failed);
        }
    }

    private CompletableFuture<CallResult> send(Wish wish) {
        Consistency consistency = wish.takesAnySnapshot() ? Consistency.SNAPSHOT : Consistency.DECLARED;
        if (wish.isStatement()) {
            return client.executeAsync(consistency, wish.text(), wish.arguments());
        }
        Invocation call =
                client.prepare(wish.text()).withConsistency(consistency).start();
        for (Object argument : wish.arguments()) {
            call.withObject(argument);
        }
        return call.callAsync();
    }

    private void done(Wish wish, HistoryRecorder.Pending record, CallResult result) {
        if (wish.rollsBack()) {
            ledger.violation("a transaction that rolls back was committed: " + text(wish));
        }
        try {
            record.ok(wish.done(ClientReply.of(result)), OptionalLong.empty());
        } catch (IllegalStateException wrong) {
            ledger.violation("a wrong answer to " + text(wish) + ": " + wrong.getMessage());
            record.unknown();
        }
        ledger.committed(wish);
    }

    private void failed(Wish wish, HistoryRecorder.Pending record, FulmarException failure) {
        switch (failure.code()) {
            case USER_ABORT -> {
                if (!wish.mayRollBack()) {
                    ledger.violation("an unexpected rollback of " + text(wish) + ": " + failure.getMessage());
                }
                record.failed();
            }
            case SERVER_BUSY, SNAPSHOT_TOO_OLD -> record.failed();
            case TIMEOUT, OUTCOME_UNKNOWN -> unknown(wish, record);
            default -> {
                ledger.violation(
                        "an unexpected failure of " + text(wish) + ": " + failure.code() + " " + failure.getMessage());
                unknown(wish, record);
            }
        }
    }

    private void unknown(Wish wish, HistoryRecorder.Pending record) {
        unknown++;
        record.unknown();
        ledger.unknown(wish);
    }

    private String text(Wish wish) {
        return "client " + number + ", " + wish.text() + " " + Arrays.deepToString(wish.arguments());
    }

    @Override
    public void close() {
        client.close();
    }
}
