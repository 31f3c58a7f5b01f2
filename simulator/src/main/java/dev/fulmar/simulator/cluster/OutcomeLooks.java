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
 * through the requests of those clients only of which something else is remembered than at the last look, or of which a
 * transaction under way has been decided since, for that alone changes nothing that is counted.
 */
final class OutcomeLooks {
    private final PartitionRuntime runtime;
    private Map<Long, Seen> known = new HashMap<>();
    private @Nullable HeldOutcomes last;
    private long changes = -1;

    /**
     * A client's requests at a look.
     *
     * @param undecided those with a transaction under way that had not been decided
     */
    private record Seen(OfClient client, List<HandledRequest.Underway> undecided) {
        boolean isCurrent() {
            for (HandledRequest.Underway underway : undecided) {
                if (underway.decided() != null) {
                    return false;
                }
            }
            return true;
        }
    }

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
                && known.values().stream().allMatch(Seen::isCurrent)) {
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
        private final Map<Long, Seen> before;
        private final Map<Long, Seen> later = new HashMap<>();
        private final List<OfClient> clients = new ArrayList<>();
        private final Set<Long> forgotten = new TreeSet<>();
        private Seen current = new Seen(OfClient.NONE, List.of());

        Look(Map<Long, Seen> before) {
            this.before = before;
        }

        @Override
        public boolean wants(long clientId, long changed) {
            @Nullable Seen same = before.get(clientId);
            boolean isNew = same == null || same.client.changed() != changed || !same.isCurrent();
            current = same == null || isNew ? new Seen(new OfClient(clientId, changed), new ArrayList<>()) : same;
            clients.add(current.client);
            later.put(clientId, current);
            return isNew;
        }

        @Override
        public void outcome(long clientId, long requestId, HandledRequest outcome) {
            switch (outcome) {
                case HandledRequest.Done(Committed _) ->
                    current.client.committed().add(requestId);
                case HandledRequest.Underway underway
                when underway.decided() != null -> current.client.committed().add(requestId);
                case HandledRequest.Underway underway -> {
                    current.client.others().add(requestId);
                    current.undecided.add(underway);
                }
                case HandledRequest.Done(var _) -> current.client.others().add(requestId);
            }
        }

        @Override
        public void forgotten(long clientId, long requestId) {
            current.client.forgotten().add(requestId);
        }

        @Override
        public void forgottenClient(long clientId, long highestRequestId) {
            forgotten.add(clientId);
        }
    }
}
