package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import java.util.Set;
import java.util.TreeSet;

/**
 * Requests that a partition remembers at a moment.
 *
 * @param committed those that it knows as committed
 * @param forgotten those of which it knows that there was an outcome
 * @param clients of which it knows that all their outcomes are forgotten
 */
record HeldOutcomes(Set<Request> committed, Set<Request> forgotten, Set<Long> clients) {
    /** A request of a client. */
    record Request(long client, long number) implements Comparable<Request> {
        @Override
        public int compareTo(Request other) {
            int byClient = Long.compare(client, other.client);
            return byClient != 0 ? byClient : Long.compare(number, other.number);
        }
    }

    static HeldOutcomes of(PartitionRuntime runtime) {
        HeldOutcomes held = new HeldOutcomes(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        runtime.visitHistory(new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long clientId, long requestId, HandledRequest outcome) {
                if (outcome instanceof HandledRequest.Done(Committed _)
                        || (outcome instanceof HandledRequest.Underway underway && underway.decided() != null)) {
                    held.committed.add(new Request(clientId, requestId));
                }
            }

            @Override
            public void forgotten(long clientId, long requestId) {
                held.forgotten.add(new Request(clientId, requestId));
            }

            @Override
            public void forgottenClient(long clientId, long highestRequestId) {
                held.clients.add(clientId);
            }
        });
        return held;
    }

    /** Those that this partition knows as committed, and of which the other knows nothing. */
    Set<Request> unknownTo(HeldOutcomes other) {
        Set<Request> unknown = new TreeSet<>(committed);
        unknown.removeAll(other.committed);
        unknown.removeAll(other.forgotten);
        unknown.removeIf(request -> other.clients.contains(request.client()));
        return unknown;
    }
}
