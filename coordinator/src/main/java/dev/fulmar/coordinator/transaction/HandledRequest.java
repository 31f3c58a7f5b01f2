package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.RoutedKey;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition's memory of one request: its outcome, or that it is under way. Touched by the partition's thread only.
 */
public sealed interface HandledRequest {
    /** Memory for the entry without its results. */
    int ENTRY_BYTES = 96;

    /** Memory that it takes, roughly. */
    default int bytes() {
        return switch (this) {
            case Done(Committed committed) -> ENTRY_BYTES + committed.results().length;
            case Done(Failed failed) -> ENTRY_BYTES + failed.message().length();
            case Underway underway -> ENTRY_BYTES;
        };
    }

    /** The outcome of a request that has ended. */
    record Done(TransactionResponse response) implements HandledRequest {}

    /** A multi-partition transaction is under way for it; retries wait for its end. */
    final class Underway implements HandledRequest {
        /** In {@link #planVersion}: the client says where the request is remembered. */
        private static final long OF_CLIENT = -1;

        private final long planVersion;
        private final RoutedKey key;
        private final List<Retry> retries = new ArrayList<>();
        private @Nullable Committed decided;

        /** A request that is remembered where its client's are. */
        Underway() {
            this(OF_CLIENT, RoutedKey.NONE);
        }

        /** A request that is remembered where its key is, by the plan of that version. */
        Underway(long planVersion, RoutedKey key) {
            this.planVersion = planVersion;
            this.key = key;
        }

        /** The key that the request is remembered with. */
        RoutedKey key() {
            return key;
        }

        /** Whether it is remembered where its key is. */
        boolean isOfKey() {
            return planVersion != OF_CLIENT;
        }

        /** Whether its key may be elsewhere by another plan than that by which it came here. */
        boolean mayBeElsewhere(long newPlanVersion) {
            return isOfKey() && newPlanVersion != planVersion;
        }

        /** Notes that the log has this outcome; retries that wait are answered once it is safe. */
        void decided(Committed outcome) {
            Invariants.check(decided == null, "a log gets the outcome of a request once");
            decided = outcome;
        }

        /** The outcome in the log; null if there is none yet. */
        public @Nullable Committed decided() {
            return decided;
        }

        void await(Retry retry) {
            retries.add(retry);
        }

        /** Whether a retry waits for the outcome. */
        boolean isAwaited() {
            return !retries.isEmpty();
        }

        /** No retry waits any more; those that did. */
        List<Retry> release() {
            List<Retry> released = List.copyOf(retries);
            retries.clear();
            return released;
        }

        /** The retry does not wait any more; false if it had its answer. */
        boolean forsake(Retry retry) {
            return retries.remove(retry);
        }

        void answer(TransactionResponse response) {
            for (Retry retry : retries) {
                retry.sink().respond(retry.request(), response);
                retry.sink().flush();
            }
            retries.clear();
        }
    }

    /** A request that repeats an earlier one. */
    record Retry(TransactionRequest request, ResponseSink sink) {}
}
