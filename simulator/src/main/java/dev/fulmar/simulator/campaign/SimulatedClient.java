package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.workload.WishSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulated client of a one-node run: sends random wishes to the router, repeats unanswered requests, and records the
 * outcomes in the history. Each wish is sent, and sent again under the same handle when no answer comes in time or the
 * server is busy, until the client knows its outcome or gives up.
 */
final class SimulatedClient {
    private static final int PERCENT = 100;
    private static final int HURRY_NANOS = 400_000;

    private final int number;
    private final Scenario.Traffic traffic;
    private final SimulatedWorld world;
    private final TransactionRouter router;
    private final LongSupplier knownVersion;
    private final RandomSource random;
    private final WishSource wishes;
    private final HistoryRecorder recorder;
    private final Ledger ledger;
    private final ProbeCounts probes;
    private final String label;
    private int remaining;
    private long lastRequest;

    SimulatedClient(
            int number,
            Scenario.Traffic traffic,
            SimulatedWorld world,
            TransactionRouter router,
            LongSupplier knownVersion,
            WishSource wishes,
            HistoryRecorder recorder,
            Ledger ledger,
            ProbeCounts probes) {
        this.number = number;
        this.traffic = traffic;
        this.world = world;
        this.router = router;
        this.knownVersion = knownVersion;
        this.wishes = wishes;
        this.recorder = recorder;
        this.ledger = ledger;
        this.probes = probes;
        this.label = "client-" + number;
        this.random = world.random(label);
        this.remaining = traffic.wishes();
    }

    void start() {
        for (int i = 0; i < traffic.openWishes(); i++) {
            ledger.wishBegins();
            thinkAndWish();
        }
    }

    private void thinkAndWish() {
        world.schedule(random.nextInt(traffic.maxThinkNanos()), label + " thinks", this::wish);
    }

    private void wish() {
        if (remaining == 0) {
            ledger.wishEnds();
            return;
        }
        remaining--;
        new Exchange(wishes.next()).send();
    }

    /** A wish from its first request to its last answer. */
    private final class Exchange implements ResponseSink {
        private final Wish wish;
        private final TransactionRequest request;
        private final HistoryRecorder.Pending record;
        private int sent;
        private int answered;

        /** The client knows, or gave up. */
        private boolean over;

        private @Nullable TransactionResponse outcome;

        Exchange(Wish wish) {
            this.wish = wish;
            this.request = request();
            this.record = recorder.invoke(number, wish.writes(), wish.takesAnySnapshot());
        }

        private TransactionRequest request() {
            long id = ++lastRequest;
            long timeoutNanos = random.nextInt(PERCENT) < traffic.hurryPercent() ? 1 + random.nextInt(HURRY_NANOS) : 0;
            ReadConsistency consistency = wish.takesAnySnapshot() ? ReadConsistency.SNAPSHOT : ReadConsistency.DECLARED;
            byte[] parameters = SimulatedDatabase.parameters(wish.arguments());
            TransactionRequest made = wish.isStatement()
                    ? new TransactionRequest.AdHoc(number, id, timeoutNanos, consistency, wish.text(), parameters)
                    : new TransactionRequest.Call(number, id, timeoutNanos, consistency, wish.text(), parameters);
            return made.sentAt(knownVersion.getAsLong());
        }

        void send() {
            sent++;
            ledger.sent();
            world.schedule(travelNanos(), label + " sends", () -> router.submit(request, this));
            int mySend = sent;
            world.schedule(traffic.patienceNanos(), label + " waits", () -> impatient(mySend));
        }

        private long travelNanos() {
            return random.nextInt(traffic.maxTravelNanos());
        }

        private void impatient(int send) {
            if (over || send != sent || answered == sent) {
                return;
            }
            if (sent < traffic.maxSends()) {
                send();
            } else if (random.nextInt(2) == 0) {
                probes.reached(RarePath.OUTCOME_UNKNOWN.name());
                record.unknown();
                ledger.unknown(wish);
                end();
            }
        }

        @Override
        public void respond(TransactionRequest answeredRequest, TransactionResponse response) {
            world.schedule(travelNanos(), label + " hears", () -> hear(response));
        }

        private void hear(TransactionResponse response) {
            answered++;
            ledger.answered();
            if (answered > sent) {
                ledger.violation("a request was answered twice: " + text());
            }
            note(response);
            if (over) {
                compare(response);
                return;
            }
            switch (response) {
                case Committed committed -> committed(committed);
                case Failed failed -> failed(failed);
            }
        }

        private void committed(Committed response) {
            if (wish.rollsBack()) {
                ledger.violation("a transaction that rolls back was committed: " + text());
            }
            try {
                List<Operation> operations = wish.done(Replies.decode(response));
                record.ok(operations, OptionalLong.empty());
            } catch (IllegalStateException wrong) {
                ledger.violation("a wrong answer to " + text() + ": " + wrong.getMessage());
                record.unknown();
            }
            if (wish instanceof Wish.Transact transact && transact.stumble() && transact.appends().length > 0) {
                probes.reached(RarePath.STATEMENT_UNDONE.name());
            }
            ledger.committed(wish);
            outcome = response;
            end();
        }

        private void failed(Failed response) {
            switch (response.code()) {
                case USER_ABORT -> {
                    probes.reached(RarePath.ROLLBACK.name());
                    if (!wish.mayRollBack()) {
                        ledger.violation("an unexpected rollback of " + text() + ": " + response.message());
                    }
                    record.failed();
                    outcome = response;
                    end();
                }
                case SERVER_BUSY, TIMEOUT -> notDone(response.code());
                case SNAPSHOT_TOO_OLD -> {
                    probes.reached(RarePath.SNAPSHOT_EXPIRED.name());
                    record.failed();
                    end();
                }
                default -> {
                    ledger.violation(
                            "an unexpected failure of " + text() + ": " + response.code() + " " + response.message());
                    record.unknown();
                    ledger.unknown(wish);
                    end();
                }
            }
        }

        /** The request that was answered had no effect; another one with the same handle may have. */
        private void notDone(ErrorCode code) {
            if (code == ErrorCode.TIMEOUT && request.timeoutNanos() == 0) {
                ledger.violation("the server gave up what was in no hurry: " + text());
            }
            probes.reached((code == ErrorCode.TIMEOUT ? RarePath.SERVER_TIMEOUT : RarePath.SERVER_BUSY).name());
            if (answered < sent) {
                return;
            }
            if (code == ErrorCode.SERVER_BUSY && sent < traffic.maxSends()) {
                send();
                return;
            }
            record.failed();
            end();
        }

        /** Compares a later answer to the same handle with the first one, which it must not contradict. */
        private void compare(TransactionResponse later) {
            TransactionResponse first = outcome;
            boolean same = switch (later) {
                case Committed committed -> isSame(first, committed);
                case Failed failed ->
                    switch (failed.code()) {
                        case SERVER_BUSY, TIMEOUT, SNAPSHOT_TOO_OLD -> true;
                        case USER_ABORT -> first == null || first instanceof Failed;
                        default -> false;
                    };
            };
            if (!same) {
                ledger.violation("two answers to one handle: " + text() + ": first "
                        + (first == null ? "none" : Replies.text(first)) + ", then " + Replies.text(later));
            }
        }

        /**
         * Whether two answers may belong to one handle: a request that only reads may be executed again and then sees
         * something newer.
         */
        private boolean isSame(@Nullable TransactionResponse first, Committed later) {
            boolean changes = wish instanceof Wish.Transfer || !wish.writes().isEmpty();
            return switch (first) {
                case null -> true;
                case Failed failed -> false;
                case Committed known ->
                    !changes || (known.value() == later.value() && Arrays.equals(known.results(), later.results()));
            };
        }

        private void end() {
            over = true;
            thinkAndWish();
        }

        private void note(TransactionResponse response) {
            switch (response) {
                case Committed(var kind, long value, byte[] results, long snapshot) -> {
                    world.note(kind.ordinal());
                    world.note(value);
                    world.note(snapshot);
                    world.note(PartitioningHash.ofBytes(results, 0, results.length));
                }
                case Failed(var code, String message, var _) -> {
                    world.note(code.number());
                    world.note(message);
                }
            }
        }

        private String text() {
            return label + " request " + request.requestId() + " " + wish.text() + " "
                    + Arrays.deepToString(wish.arguments());
        }
    }
}
