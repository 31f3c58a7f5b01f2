package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.wire.limit.HandleWindow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A partition's memory of requests that changed something or failed, which gives a retry the first outcome. It keeps,
 * per client, the last requests within a window of ids. The ids of a client's outstanding requests must not lie further
 * apart than that. Memory is bounded: when outcomes take too much, the oldest are forgotten, but not that they were.
 * One thread.
 *
 * @param <T> what is remembered
 */
public final class RequestHistory<T> {
    /** Distance of ids of one client within which a request is surely remembered. */
    public static final int WINDOW = HandleWindow.REQUESTS;

    private static final int FIRST_SLOTS = 16;
    private static final int RECENT_CLIENTS = 256;

    /** Clients of which only the highest request is known, per client that is remembered. */
    private static final int FORGOTTEN_CLIENTS = 16;

    private static final int FIRST_AGES = 1024;

    private static final int CHANGES_PER_CHECK = 256;

    /** The mark of an outcome that existed and is forgotten. */
    private static final Object FORGOTTEN = new Object();

    private final int maxClients;
    private final long maxBytes;
    private final ToIntFunction<T> bytes;
    private final HashMap<Long, Window<T>> windows = new HashMap<>();

    /** Windows by the low bits of a mixed client id, so that the usual look-up boxes nothing. */
    private final Window<T>[] recent;

    /** The highest request of clients that made way. */
    private final Map<Long, Long> forgottenClients;

    // Outcomes by age, oldest first, as a ring.
    private Window<T>[] ageWindows;
    private long[] ageIds = new long[FIRST_AGES];
    private int oldest;
    private int ageCount;

    private long heldBytes;
    private long uses;
    private long changes;

    /** Times that a client was forgotten, or that a request or a client was noted as forgotten. */
    private long forgets;

    /** Outcomes that were put, which the newest places of the ring are of. */
    private long puts;

    /**
     * Is shown what a history remembers; marks of what is forgotten concern few.
     *
     * @param <T> what is remembered
     */
    public interface Visitor<T> {
        /** An outcome. */
        void outcome(long clientId, long requestId, T outcome);

        /** The request had an outcome that is forgotten. */
        default void forgotten(long clientId, long requestId) {}

        /** A client of which it is known only that no request beyond the highest came. */
        default void forgottenClient(long clientId, long highestRequestId) {}

        /** Whether it wants to be shown no more for now. */
        default boolean isFull() {
            return false;
        }

        /**
         * Whether {@link #visit} is to show what is remembered of the client's requests.
         *
         * @param changed is another number whenever something else is remembered of them
         */
        default boolean wants(long clientId, long changed) {
            return true;
        }
    }

    /**
     * @param maxClients clients that are remembered; the one that was idle longest makes way for a new one
     * @param maxBytes what outcomes may take, all together
     * @param bytes what an outcome takes, roughly
     */
    public RequestHistory(int maxClients, long maxBytes, ToIntFunction<T> bytes) {
        this.maxClients = maxClients;
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.forgottenClients = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
                return size() > FORGOTTEN_CLIENTS * maxClients;
            }
        };
        this.ageWindows = windows(FIRST_AGES);
        this.recent = windows(RECENT_CLIENTS);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // holds windows of this history only
    private static <T> Window<T>[] windows(int length) {
        return new Window[length];
    }

    /** The outcome remembered for the request, or null. */
    public @Nullable T find(long clientId, long requestId) {
        Window<T> window = window(clientId);
        return window == null ? null : window.find(requestId);
    }

    /** The request lies so far back that it may have been forgotten. */
    public boolean mayHaveForgotten(long clientId, long requestId) {
        Window<T> window = window(clientId);
        if (window != null) {
            return requestId <= window.highest - WINDOW || window.hasForgotten(requestId);
        }
        Long highest = forgottenClients.get(clientId);
        return highest != null && requestId <= highest;
    }

    /** Grows whenever something is remembered or forgotten. */
    public long changes() {
        return changes;
    }

    /** Outcomes that were put so far. */
    public long puts() {
        return puts;
    }

    /** Grows whenever {@link #visit} has more marks of what is forgotten that {@link #visitSince} does not show. */
    public long forgets() {
        return forgets;
    }

    /** Whether {@link #visitSince} misses outcomes that were put after so many, for they are forgotten by their age. */
    public boolean hasForgottenSince(long since) {
        return puts - since > ageCount;
    }

    /**
     * Shows outcomes in the order in which they were put, from the one on before which so many were. Those that are
     * forgotten are shown as marks, and those that have been removed are left out.
     *
     * @param most how many places are looked at
     * @return the number of outcomes before the next one that is to be shown
     */
    public long visitSince(long since, int most, Visitor<T> visitor) {
        long from = puts - Math.min(puts - since, ageCount);
        long end = Math.min(puts, from + most);
        for (long put = from; put < end; put++) {
            if (visitor.isFull()) {
                return put;
            }
            int place = (oldest + ageCount - (int) (puts - put)) & (ageIds.length - 1);
            T outcome = ageWindows[place].find(ageIds[place]);
            if (outcome != null) {
                visitor.outcome(ageWindows[place].clientId, ageIds[place], outcome);
            } else if (ageWindows[place].hasForgotten(ageIds[place])) {
                visitor.forgotten(ageWindows[place].clientId, ageIds[place]);
            }
        }
        return end;
    }

    /** Shows everything, clients and requests ascending. */
    public void visit(Visitor<T> visitor) {
        new TreeMap<>(forgottenClients).forEach(visitor::forgottenClient);
        for (Window<T> window : new TreeMap<>(windows).values()) {
            if (visitor.wants(window.clientId, window.changed)) {
                window.visit(visitor);
            }
        }
    }

    /** Remembers that the request had an outcome, but not which. */
    public void putForgotten(long clientId, long requestId) {
        changes++;
        Window<T> window = window(clientId);
        if (window == null) {
            window = newWindow(clientId);
        }
        window.changed = changes;
        forgets += window.putForgotten(requestId) ? 1 : 0;
    }

    /** Remembers of a client without outcomes which request was the highest. */
    public void putForgottenClient(long clientId, long highestRequestId) {
        changes++;
        if (window(clientId) == null) {
            Long before = forgottenClients.get(clientId);
            if (before == null || before < highestRequestId) {
                forgets++;
                forgottenClients.put(clientId, highestRequestId);
            }
        }
    }

    /** Remembers the outcome, in place of an earlier one of the request. */
    public void put(long clientId, long requestId, T outcome) {
        changes++;
        Window<T> window = window(clientId);
        if (window == null) {
            window = newWindow(clientId);
        }
        window.changed = changes;
        int weight = bytes.applyAsInt(outcome);
        heldBytes += weight - window.put(requestId, outcome, weight);
        noteAge(window, requestId);
        while (heldBytes > maxBytes && ageCount > 1) {
            forgetOldest();
        }
        Invariants.check(heldBytes >= 0, "a partition's memory of requests gives back no more than it took");
        if (Invariants.EXPENSIVE && changes % CHANGES_PER_CHECK == 0) {
            checkBytes();
        }
    }

    private void checkBytes() {
        long sum = 0;
        for (Window<T> window : windows.values()) {
            for (int weight : window.weights) {
                sum += weight;
            }
        }
        Invariants.check(sum == heldBytes, "a partition's memory of requests takes what its outcomes take");
    }

    private void noteAge(Window<T> window, long requestId) {
        if (ageCount == ageIds.length) {
            dropDeadAges();
        }
        int place = (oldest + ageCount) & (ageIds.length - 1);
        ageWindows[place] = window;
        ageIds[place] = requestId;
        ageCount++;
        puts++;
    }

    /** Keeps the ages of outcomes that are still there, in a ring twice as long as they need. */
    private void dropDeadAges() {
        Window<T>[] oldWindows = ageWindows;
        long[] oldIds = ageIds;
        int first = oldest;
        int count = ageCount;
        int alive = 0;
        for (int i = 0; i < count; i++) {
            int place = (first + i) & (oldIds.length - 1);
            alive += oldWindows[place].find(oldIds[place]) == null ? 0 : 1;
        }
        int length = Math.max(FIRST_AGES, Integer.highestOneBit(Math.max(1, alive)) << 2);
        ageWindows = windows(length);
        ageIds = new long[length];
        oldest = 0;
        ageCount = 0;
        for (int i = 0; i < count; i++) {
            int place = (first + i) & (oldIds.length - 1);
            if (oldWindows[place].find(oldIds[place]) != null) {
                ageWindows[ageCount] = oldWindows[place];
                ageIds[ageCount] = oldIds[place];
                ageCount++;
            }
        }
    }

    private void forgetOldest() {
        ageWindows[oldest].changed = changes;
        heldBytes -= ageWindows[oldest].forget(ageIds[oldest]);
        oldest = (oldest + 1) & (ageIds.length - 1);
        ageCount--;
    }

    /** Forgets the request as if it had never come. */
    public void remove(long clientId, long requestId) {
        changes++;
        Window<T> window = window(clientId);
        if (window != null) {
            window.changed = changes;
            heldBytes -= window.remove(requestId);
        }
    }

    /** Forgets everything, as if no request had ever come. */
    public void clear() {
        changes++;
        windows.clear();
        Arrays.fill(recent, null);
        forgottenClients.clear();
        ageWindows = windows(FIRST_AGES);
        ageIds = new long[FIRST_AGES];
        oldest = 0;
        ageCount = 0;
        heldBytes = 0;
    }

    private @Nullable Window<T> window(long clientId) {
        int place = place(clientId);
        Window<T> window = recent[place];
        if (window == null || window.clientId != clientId) {
            window = windows.get(clientId);
            if (window == null) {
                return null;
            }
            recent[place] = window;
        }
        window.lastUse = ++uses;
        return window;
    }

    private Window<T> newWindow(long clientId) {
        if (windows.size() >= maxClients) {
            forgetIdlest();
        }
        Window<T> window = new Window<>(clientId);
        Long highest = forgottenClients.remove(clientId);
        if (highest != null) {
            window.highest = highest + WINDOW; // whatever it sent before may have been forgotten
        }
        windows.put(clientId, window);
        Invariants.check(windows.size() <= maxClients, "a partition remembers no more clients than it may");
        recent[place(clientId)] = window;
        return window;
    }

    /**
     * Forgets the client whose last use is oldest. The choice depends on the uses only, never on the map's order: no
     * two windows have the same last use.
     */
    private void forgetIdlest() {
        forgets++;
        Window<T> idlest = null;
        for (Window<T> window : windows.values()) {
            if (idlest == null || window.lastUse < idlest.lastUse) {
                idlest = window;
            }
        }
        if (idlest != null) {
            windows.remove(idlest.clientId);
            forgottenClients.put(idlest.clientId, idlest.highest);
            heldBytes -= idlest.forgetAll();
            Arrays.fill(recent, null);
        }
    }

    private static int place(long clientId) {
        return (int) ((clientId * 0x9E3779B97F4A7C15L) >>> 56);
    }

    /** Requests of one client in slots by the low bits of their ids. */
    private static final class Window<T> {
        final long clientId;
        long highest;
        long lastUse;

        /** The history's number of changes as of the last one of this client's requests. */
        long changed;

        private long[] ids = new long[FIRST_SLOTS];
        private @Nullable Object[] outcomes = new Object[FIRST_SLOTS];

        /** Memory that each outcome takes, 0 for an empty slot: asking an old outcome itself would miss every cache. */
        private int[] weights = new int[FIRST_SLOTS];

        Window(long clientId) {
            this.clientId = clientId;
        }

        @Nullable T find(long requestId) {
            int slot = slot(requestId);
            return ids[slot] == requestId ? outcome(slot) : null;
        }

        @SuppressWarnings("unchecked") // only put() fills the array
        private @Nullable T outcome(int slot) {
            return FORGOTTEN.equals(outcomes[slot]) ? null : (T) outcomes[slot];
        }

        void visit(Visitor<T> visitor) {
            long[] known = new long[ids.length];
            int count = 0;
            for (int slot = 0; slot < ids.length; slot++) {
                if (outcomes[slot] != null) {
                    known[count++] = ids[slot];
                }
            }
            Arrays.sort(known, 0, count);
            for (int i = 0; i < count; i++) {
                long requestId = known[i];
                T outcome = find(requestId);
                if (outcome != null) {
                    visitor.outcome(clientId, requestId, outcome);
                } else if (hasForgotten(requestId)) {
                    visitor.forgotten(clientId, requestId);
                }
            }
        }

        /** Returns whether that was not known. */
        boolean putForgotten(long requestId) {
            highest = Math.max(highest, requestId);
            int slot = slot(requestId);
            while (outcomes[slot] != null && ids[slot] != requestId && ids.length < WINDOW) {
                grow();
                slot = slot(requestId);
            }
            if (outcomes[slot] != null) {
                return false;
            }
            ids[slot] = requestId;
            outcomes[slot] = FORGOTTEN;
            return true;
        }

        boolean hasForgotten(long requestId) {
            int slot = slot(requestId);
            return ids[slot] == requestId && FORGOTTEN.equals(outcomes[slot]);
        }

        /** Returns what the outcome takes that makes way, 0 if none does. */
        int put(long requestId, T outcome, int weight) {
            highest = Math.max(highest, requestId);
            int slot = slot(requestId);
            while (outcomes[slot] != null && ids[slot] != requestId && ids.length < WINDOW) {
                grow();
                slot = slot(requestId);
            }
            if (outcomes[slot] != null && ids[slot] > requestId) {
                return weight; // a whole window behind: whoever retries it is told that the outcome is unknown
            }
            int replaced = weights[slot];
            ids[slot] = requestId;
            outcomes[slot] = outcome;
            weights[slot] = weight;
            return replaced;
        }

        /** Returns what the outcome took, 0 if there was none. */
        int remove(long requestId) {
            int slot = slot(requestId);
            return ids[slot] == requestId ? replace(slot, null) : 0;
        }

        /** Returns what the outcome took, 0 if there was none. */
        int forget(long requestId) {
            return find(requestId) == null ? 0 : replace(slot(requestId), FORGOTTEN);
        }

        private int replace(int slot, @Nullable Object mark) {
            int weight = weights[slot];
            outcomes[slot] = mark;
            weights[slot] = 0;
            return weight;
        }

        /** Returns what the outcomes took. */
        long forgetAll() {
            long sum = 0;
            for (int slot = 0; slot < ids.length; slot++) {
                sum += replace(slot, null);
            }
            return sum;
        }

        private void grow() {
            long[] oldIds = ids;
            @Nullable Object[] oldOutcomes = outcomes;
            int[] oldWeights = weights;
            ids = new long[2 * oldIds.length];
            outcomes = new Object[ids.length];
            weights = new int[ids.length];
            for (int i = 0; i < oldIds.length; i++) {
                if (oldOutcomes[i] != null) {
                    int slot = slot(oldIds[i]);
                    ids[slot] = oldIds[i];
                    outcomes[slot] = oldOutcomes[i];
                    weights[slot] = oldWeights[i];
                }
            }
        }

        private int slot(long requestId) {
            return (int) requestId & (ids.length - 1);
        }
    }
}
