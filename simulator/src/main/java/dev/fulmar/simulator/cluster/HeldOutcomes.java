package dev.fulmar.simulator.cluster;

import dev.fulmar.wire.limit.HandleWindow;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a partition remembers at a moment.
 *
 * @param clients of whose requests it knows some, ascending
 * @param forgotten clients of which it knows that all their outcomes are forgotten
 */
record HeldOutcomes(List<OfClient> clients, Set<Long> forgotten) {
    /** A request of a client. */
    record Request(long client, long number) {}

    /**
     * Memory of a client's requests. Nothing changes it once a look is over, so that later looks may share it.
     *
     * @param changed other requests have another number
     * @param committed those that the partition knows as committed
     * @param forgotten those of which the partition knows that there was an outcome
     * @param others those that have failed or are under way
     */
    record OfClient(long client, long changed, RequestList committed, RequestList forgotten, RequestList others) {
        static final OfClient NONE = new OfClient(0, 0);

        OfClient(long client, long changed) {
            this(client, changed, new RequestList(), new RequestList(), new RequestList());
        }

        /** Whether the request lies so far behind others that its retry is told of an unknown outcome. */
        private boolean isTooOld(long request) {
            long highest = Math.max(committed.last(), Math.max(forgotten.last(), others.last()));
            return request <= highest - HandleWindow.REQUESTS;
        }

        /** Adds those that this list has as committed, and of which the other knows nothing. */
        private void addUnknownTo(OfClient other, List<Request> unknown) {
            int asCommitted = 0;
            int asForgotten = 0;
            for (int i = 0; i < committed.size(); i++) {
                long number = committed.number(i);
                asCommitted = other.committed.placeOf(asCommitted, number);
                asForgotten = other.forgotten.placeOf(asForgotten, number);
                boolean isKnown =
                        other.committed.isAt(asCommitted, number) || other.forgotten.isAt(asForgotten, number);
                if (!isKnown && !other.isTooOld(number)) {
                    unknown.add(new Request(client, number));
                }
            }
        }
    }

    /**
     * Those that this partition knows as committed, and of which the other knows nothing. One that lies a whole window
     * behind what the other knows of its client is none of them.
     */
    List<Request> unknownTo(HeldOutcomes other) {
        return unknownTo(other, new IdentityHashMap<>());
    }

    /**
     * As the other, for one who asks again and again.
     *
     * @param covered clients here, with those of the other partition that are known to know all of them
     */
    @SuppressWarnings("ReferenceEquality") // comparing them is what is to be spared
    List<Request> unknownTo(HeldOutcomes other, IdentityHashMap<OfClient, OfClient> covered) {
        List<Request> unknown = new ArrayList<>();
        int place = 0;
        for (OfClient mine : clients) {
            while (place < other.clients.size() && other.clients.get(place).client < mine.client) {
                place++;
            }
            @Nullable OfClient same = place < other.clients.size() ? other.clients.get(place) : null;
            OfClient there = same == null || same.client != mine.client ? OfClient.NONE : same;
            if (covered.get(mine) != there && !other.forgotten.contains(mine.client)) {
                int before = unknown.size();
                mine.addUnknownTo(there, unknown);
                if (unknown.size() == before) {
                    covered.put(mine, there);
                }
            }
        }
        return unknown;
    }
}
