package dev.fulmar.simulator.chaos;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.simulator.campaign.Ledger;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.ClientReply;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** A client on a thread of its own: one wish after another, whatever happens to the nodes. */
final class ChaosClient {
    private final int number;
    private final FulmarClient client;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final AtomicLong lastCommitNanos;
    private final long pauseMillis;
    private final Ledger ledger = new Ledger();
    private final Map<String, Integer> failures = new TreeMap<>();
    private int committed;
    private volatile boolean stopping;

    /**
     * @param lastCommitNanos told of each commit
     * @param pauseMillis between two wishes
     */
    ChaosClient(
            int number,
            FulmarClient client,
            WishSource wishes,
            HistoryRecorder recorder,
            AtomicLong lastCommitNanos,
            long pauseMillis) {
        this.number = number;
        this.client = client;
        this.wishes = wishes;
        this.recorder = recorder;
        this.lastCommitNanos = lastCommitNanos;
        this.pauseMillis = pauseMillis;
    }

    /** Breaches that it saw; for others once it is done. */
    Ledger ledger() {
        return ledger;
    }

    /** Failures by code. */
    Map<String, Integer> failures() {
        return failures;
    }

    int committed() {
        return committed;
    }

    void stop() {
        stopping = true;
    }

    /** Wishes until it is stopped. */
    void run() throws InterruptedException {
        while (!stopping) {
            wish(wishes.next());
            Thread.sleep(pauseMillis);
        }
    }

    private void wish(Wish wish) throws InterruptedException {
        HistoryRecorder.Pending record = recorder.invoke(number, wish.writes(), wish.takesAnySnapshot());
        try {
            done(wish, record, send(wish).get());
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
            committed++;
            lastCommitNanos.set(System.nanoTime());
        } catch (IllegalStateException wrong) {
            ledger.violation("a wrong answer to " + text(wish) + ": " + wrong.getMessage());
            record.unknown();
        }
        ledger.committed(wish);
    }

    private void failed(Wish wish, HistoryRecorder.Pending record, FulmarException failure) {
        failures.merge(failure.code().name(), 1, Integer::sum);
        switch (failure.code()) {
            case USER_ABORT -> {
                if (!wish.mayRollBack()) {
                    ledger.violation("an unexpected rollback of " + text(wish) + ": " + failure.getMessage());
                }
                record.failed();
            }
            // The node, or the client for it, says that these had no effect; the final state is compared with it.
            case SERVER_BUSY, SNAPSHOT_TOO_OLD, NOT_CONNECTED, WRONG_NODE, NODE_STOPPING, DISK_FULL -> record.failed();
            case TIMEOUT, OUTCOME_UNKNOWN -> unknown(wish, record);
            default -> {
                ledger.violation(
                        "an unexpected failure of " + text(wish) + ": " + failure.code() + " " + failure.getMessage());
                unknown(wish, record);
            }
        }
    }

    private void unknown(Wish wish, HistoryRecorder.Pending record) {
        record.unknown();
        ledger.unknown(wish);
    }

    private String text(Wish wish) {
        return "client " + number + ", " + wish.text() + " " + Arrays.deepToString(wish.arguments());
    }
}
