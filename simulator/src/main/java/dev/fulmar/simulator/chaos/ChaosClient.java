package dev.fulmar.simulator.chaos;

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
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client on a thread of its own, which executes one wish after another, whatever happens to the nodes. It sends half
 * of the transactions for which that is possible statement by statement.
 */
final class ChaosClient {
    /** The node, or the client for it, says that these had no effect; the final state is compared with it. */
    private static final Set<ErrorCode> HARMLESS = EnumSet.of(
            ErrorCode.SERVER_BUSY,
            ErrorCode.SNAPSHOT_TOO_OLD,
            ErrorCode.NOT_CONNECTED,
            ErrorCode.WRONG_NODE,
            ErrorCode.NODE_STOPPING,
            ErrorCode.CATALOG_CHANGED,
            ErrorCode.DISK_FULL);

    private static final int SESSION_ONE_IN = 2;

    private final int number;
    private final FulmarClient client;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final AtomicLong lastCommitNanos;
    private final long pauseMillis;
    private final WishCalls calls;
    private final RandomSource random;
    private final SessionCalls sessions;
    private final Map<String, Integer> failures = new TreeMap<>();
    private int committed;
    private int committedSessions;
    private volatile boolean stopping;

    /**
     * @param lastCommitNanos told of each commit
     * @param pauseMillis between two wishes
     */
    ChaosClient(
            int number,
            FulmarClient client,
            WishSource wishes,
            RandomSource random,
            HistoryRecorder recorder,
            AtomicLong lastCommitNanos,
            long pauseMillis) {
        this.number = number;
        this.client = client;
        this.wishes = wishes;
        this.recorder = recorder;
        this.lastCommitNanos = lastCommitNanos;
        this.pauseMillis = pauseMillis;
        this.calls = new WishCalls(number, HARMLESS);
        this.random = random;
        this.sessions = new SessionCalls(random.split("sessions"), calls.ledger(), HARMLESS);
    }

    /** Breaches that it saw; for others once it is done. */
    Ledger ledger() {
        return calls.ledger();
    }

    /** Failures by code. */
    Map<String, Integer> failures() {
        return failures;
    }

    int committed() {
        return committed;
    }

    /** Transactions of many statements that were committed. */
    int committedSessions() {
        return committedSessions;
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
        if (SessionCalls.takes(wish) && random.nextInt(SESSION_ONE_IN) == 0) {
            if (sessions.run(client, wish, record) == WishCalls.Outcome.COMMITTED) {
                committedSessions++;
                hasCommitted();
            }
            return;
        }
        try {
            CallResult result = WishCalls.send(client, wish).get();
            if (calls.done(wish, record, result) == WishCalls.Outcome.COMMITTED) {
                hasCommitted();
            }
        } catch (ExecutionException failed) {
            failed(wish, record, WishCalls.failure(failed));
        } catch (FulmarException failed) {
            failed(wish, record, failed);
        }
    }

    private void hasCommitted() {
        committed++;
        lastCommitNanos.set(System.nanoTime());
    }

    private void failed(Wish wish, HistoryRecorder.Pending record, FulmarException failure) {
        failures.merge(failure.code().name(), 1, Integer::sum);
        calls.failed(wish, record, failure);
    }
}
