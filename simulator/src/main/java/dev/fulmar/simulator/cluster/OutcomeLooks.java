package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.simulator.cluster.HeldOutcomes.OfClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what a partition remembers of requests, again and again: a watch does so after many events. A look goes
 * through the requests of those clients only of which something else is remembered than at the last look, and of those
 * with a transaction under way, whose decision changes nothing that is counted.
 */
final class OutcomeLooks {
    private final PartitionRuntime runtime;
    private Map<Long, OfClient> known = new HashMap<>();
    private @Nullable HeldOutcomes last;
    private long changes = -1;

    OutcomeLooks(PartitionRuntime runtime) {
        this.runtime = runtime;
    }

    boolean areOf(PartitionRuntime other) {
        return runtime == other;
    }

    /** Goes through what is remembered now. */
    HeldOutcomes look() {
        HeldOutcomes same = last;
        if (same != null
                && changes == runtime.historyChanges()
                && known.size() == same.clients().size()) {
            return same;
        }
        Look look = new Look(known);
        runtime.visitHistory(look);
        known = look.later;
        changes = runtime.historyChanges();
        HeldOutcomes held = new HeldOutcomes(look.clients, look.forgotten);
        last = held;
        return held;
    }

    private static final class Look implements RequestHistory.Visitor<HandledRequest> {
        private final Map<Long, OfClient> before;
        private final Map<Long, OfClient> later = new HashMap<>();
        private final List<OfClient> clients = new ArrayList<>();
        private final Set<Long> forgotten = new TreeSet<>();
        private OfClient current = OfClient.NONE;

        Look(Map<Long, OfClient> before) {
            this.before = before;
        }

        @Override
        public boolean wants(long clientId, long changed) {
            @Nullable OfClient same = before.get(clientId);
            boolean isNew = same == null || same.changed() != changed;
            current = isNew ? new OfClient(clientId, changed) : same;
            clients.add(current);
            later.put(clientId, current);
            return isNew;
        }

        @Override
        public void outcome(long clientId, long requestId, HandledRequest outcome) {
            if (outcome instanceof HandledRequest.Done(Committed _)
                    || (outcome instanceof HandledRequest.Underway underway && underway.decided() != null)) {
                current.committed().add(requestId);
            } else if (outcome instanceof HandledRequest.Underway) {
                later.remove(clientId);
            }
        }

        @Override
        public void forgotten(long clientId, long requestId) {
            current.forgotten().add(requestId);
        }

        @Override
        public void forgottenClient(long clientId, long highestRequestId) {
            forgotten.add(clientId);
        }
    }
}
