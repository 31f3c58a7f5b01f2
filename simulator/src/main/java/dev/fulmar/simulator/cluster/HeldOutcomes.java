package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Requests that a partition remembers at a moment.
 *
 * @param committed those that it knows as committed
 * @param forgotten those of which it knows that there was an outcome
 * @param clients of which it knows that all their outcomes are forgotten
 */
record HeldOutcomes(RequestList committed, RequestList forgotten, Set<Long> clients) {
    /** A request of a client. */
    record Request(long client, long number) {}

    static HeldOutcomes of(PartitionRuntime runtime) {
        HeldOutcomes held = new HeldOutcomes(new RequestList(), new RequestList(), new TreeSet<>());
        runtime.visitHistory(new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long clientId, long requestId, HandledRequest outcome) {
                if (outcome instanceof HandledRequest.Done(Committed _)
                        || (outcome instanceof HandledRequest.Underway underway && underway.decided() != null)) {
                    held.committed.add(clientId, requestId);
                }
            }

            @Override
            public void forgotten(long clientId, long requestId) {
                held.forgotten.add(clientId, requestId);
            }

            @Override
            public void forgottenClient(long clientId, long highestRequestId) {
                held.clients.add(clientId);
            }
        });
        return held;
    }

    /** Those that this partition knows as committed, and of which the other knows nothing. */
    List<Request> unknownTo(HeldOutcomes other) {
        List<Request> unknown = new ArrayList<>();
        int asCommitted = 0;
        int asForgotten = 0;
        for (int i = 0; i < committed.size(); i++) {
            long client = committed.client(i);
            long number = committed.number(i);
            asCommitted = other.committed.placeOf(asCommitted, client, number);
            asForgotten = other.forgotten.placeOf(asForgotten, client, number);
            boolean isKnown = other.committed.isAt(asCommitted, client, number)
                    || other.forgotten.isAt(asForgotten, client, number)
                    || other.clients.contains(client);
            if (!isKnown) {
                unknown.add(new Request(client, number));
            }
        }
        return unknown;
    }
}
