package dev.fulmar.simulator.threads;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.campaign.SessionCalls;
import dev.fulmar.simulator.campaign.WishCalls;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A client on a thread of its own: one wish after another over a real connection, which it may close under a call. */
final class ThreadedClient implements AutoCloseable {
    private static final int PERCENT = 100;
    private static final Set<ErrorCode> HARMLESS = EnumSet.of(ErrorCode.SERVER_BUSY, ErrorCode.SNAPSHOT_TOO_OLD);

    private final int number;
    private final ThreadedSetup setup;
    private final LocalDatabase database;
    private final WishSource wishes;
    private final RandomSource random;
    private final HistoryRecorder recorder;
    private final WishCalls calls;
    private FulmarClient client;
    private final SessionCalls sessions;
    private int unknown;
    private int committedSessions;

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
        this.calls = new WishCalls(number, HARMLESS);
        this.sessions = new SessionCalls(random.split("sessions"), calls.ledger(), Set.of());
        this.client = connect();
    }

    private FulmarClient connect() {
        boolean impatient = setup.impatientOneIn() > 0 && number % setup.impatientOneIn() == 0;
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + database.port())
                .callTimeout(impatient ? Duration.ofMillis(setup.hurryMillis()) : Duration.ofSeconds(30))
                .connect();
    }

    /** The client's ledger; for others once the client is done. */
    Ledger ledger() {
        return calls.ledger();
    }

    /** Wishes of which it never learnt what became of them. */
    int unknown() {
        return unknown;
    }

    /** Transactions of many statements that were committed. */
    int committedSessions() {
        return committedSessions;
    }

    /** Wishes everything. */
    void run() throws InterruptedException {
        for (int i = 0; i < setup.wishes(); i++) {
            wish(wishes.next());
        }
    }

    private void wish(Wish wish) throws InterruptedException {
        HistoryRecorder.Pending record = recorder.invoke(number, wish.writes(), wish.takesAnySnapshot());
        if (SessionCalls.takes(wish) && random.nextInt(PERCENT) < setup.sessionPercent()) {
            WishCalls.Outcome outcome = sessions.run(client, wish, record);
            committedSessions += outcome == WishCalls.Outcome.COMMITTED ? 1 : 0;
            unknown += outcome == WishCalls.Outcome.UNKNOWN ? 1 : 0;
            return;
        }
        try {
            CompletableFuture<CallResult> future = WishCalls.send(client, wish);
            if (setup.breaksOneIn() > 0 && random.nextInt(setup.breaksOneIn()) == 0) {
                client.close();
                client = connect();
            }
            calls.done(wish, record, future.get());
        } catch (ExecutionException failed) {
            failed(wish, record, WishCalls.failure(failed));
        } catch (FulmarException failed) {
            failed(wish, record, failed);
        }
    }

    private void failed(Wish wish, HistoryRecorder.Pending record, FulmarException failure) {
        if (calls.failed(wish, record, failure) == WishCalls.Outcome.UNKNOWN) {
            unknown++;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
