package dev.fulmar.simulator.campaign;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Invocation;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.ClientReply;
import dev.fulmar.simulator.workload.Wish;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Executes wishes of one numbered client by the real client library, and records their answers in the history and in
 * the ledger. One thread.
 */
public final class WishCalls {
    /** Outcome of a wish, as its client knows it. */
    public enum Outcome {
        COMMITTED,
        /** It had no effect. */
        FAILED,
        UNKNOWN
    }

    private final int number;
    private final Set<ErrorCode> harmless;
    private final Ledger ledger = new Ledger();

    /** @param harmless codes that a call may end with, having had no effect */
    public WishCalls(int number, Set<ErrorCode> harmless) {
        this.number = number;
        this.harmless = harmless;
    }

    /** The client's ledger; for others once the client is done. */
    public Ledger ledger() {
        return ledger;
    }

    /** Sends what is wished for. */
    public static CompletableFuture<CallResult> send(FulmarClient client, Wish wish) {
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

    /** The failure that the future of a call ended with. */
    public static FulmarException failure(ExecutionException failed) {
        if (!(failed.getCause() instanceof FulmarException known)) {
            throw new IllegalStateException("a call fails with an error code", failed);
        }
        return known;
    }

    /** Notes an answer. */
    public Outcome done(Wish wish, HistoryRecorder.Pending record, CallResult result) {
        if (wish.rollsBack()) {
            ledger.violation("a transaction that rolls back was committed: " + text(wish));
        }
        Outcome outcome = Outcome.COMMITTED;
        try {
            record.ok(wish.done(ClientReply.of(result)), OptionalLong.empty());
        } catch (IllegalStateException wrong) {
            ledger.violation("a wrong answer to " + text(wish) + ": " + wrong.getMessage());
            record.unknown();
            outcome = Outcome.UNKNOWN;
        }
        ledger.committed(wish);
        return outcome;
    }

    /** Notes a failure. */
    public Outcome failed(Wish wish, HistoryRecorder.Pending record, FulmarException failure) {
        ErrorCode code = failure.code();
        if (code == ErrorCode.USER_ABORT || harmless.contains(code)) {
            if (code == ErrorCode.USER_ABORT && !wish.mayRollBack()) {
                ledger.violation("an unexpected rollback of " + text(wish) + ": " + failure.getMessage());
            }
            record.failed();
            return Outcome.FAILED;
        }
        if (code != ErrorCode.TIMEOUT && code != ErrorCode.OUTCOME_UNKNOWN) {
            ledger.violation("an unexpected failure of " + text(wish) + ": " + code + " " + failure.getMessage());
        }
        record.unknown();
        ledger.unknown(wish);
        return Outcome.UNKNOWN;
    }

    private String text(Wish wish) {
        return "client " + number + ", " + wish.text() + " " + Arrays.deepToString(wish.arguments());
    }
}
