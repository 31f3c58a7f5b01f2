package dev.fulmar.coordinator.request;

import java.util.Arrays;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a partition remembers of requests that changed something or failed, so that a retry gets the first outcome. Per client the last requests
 * within a window of ids; a client must not have more requests outstanding than that. One thread.
 *
 * @param <T> what is remembered
 */
public final class RequestHistory<T> {
    /** Distance of ids of one client within which a request is surely remembered. */
    public static final int WINDOW = 4096;

    private static final int FIRST_SLOTS = 16;
    private static final int RECENT_CLIENTS = 256;

    private final int maxClients;
    private final HashMap<Long, Window<T>> windows = new HashMap<>();

    /** Windows by the low bits of a mixed client id, so that the usual look-up boxes nothing. */
    private final Window<T>[] recent;

    private long uses;

    /** @param maxClients clients that are remembered; the one that was idle longest makes way for a new one */
    public RequestHistory(int maxClients) {
        this.maxClients = maxClients;
        @SuppressWarnings({"unchecked", "rawtypes"}) // holds windows of this history only
        Window<T>[] array = new Window[RECENT_CLIENTS];
        recent = array;
    }

    /** What is remembered of the request, or null. */
    public @Nullable T find(long clientId, long requestId) {
        Window<T> window = window(clientId);
        return window == null ? null : window.find(requestId);
    }

    /** The request lies so far back that it may have been forgotten. */
    public boolean mayHaveForgotten(long clientId, long requestId) {
        Window<T> window = window(clientId);
        return window != null && requestId <= window.highest - WINDOW;
    }

    /** Remembers the outcome, in place of an earlier one of the request. */
    public void put(long clientId, long requestId, T outcome) {
        Window<T> window = window(clientId);
        if (window == null) {
            window = newWindow(clientId);
        }
        window.put(requestId, outcome);
    }

    /** Forgets the request as if it had never come. */
    public void remove(long clientId, long requestId) {
        Window<T> window = window(clientId);
        if (window != null) {
            window.remove(requestId);
        }
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
        windows.put(clientId, window);
        recent[place(clientId)] = window;
        return window;
    }

    /** Which client goes depends on the uses only, never on the map's order: no two windows have the same last use. */
    private void forgetIdlest() {
        Window<T> idlest = null;
        for (Window<T> window : windows.values()) {
            if (idlest == null || window.lastUse < idlest.lastUse) {
                idlest = window;
            }
        }
        if (idlest != null) {
            windows.remove(idlest.clientId);
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
        private long[] ids = new long[FIRST_SLOTS];
        private @Nullable Object[] outcomes = new Object[FIRST_SLOTS];

        Window(long clientId) {
            this.clientId = clientId;
        }

        @SuppressWarnings("unchecked") // only put() fills the array
        @Nullable T find(long requestId) {
            int slot = slot(requestId);
            return ids[slot] == requestId ? (T) outcomes[slot] : null;
        }

        void put(long requestId, T outcome) {
            highest = Math.max(highest, requestId);
            int slot = slot(requestId);
            while (outcomes[slot] != null && ids[slot] != requestId && ids.length < WINDOW) {
                grow();
                slot = slot(requestId);
            }
            if (outcomes[slot] != null && ids[slot] > requestId) {
                return; // a whole window behind: whoever retries it is told that the outcome is unknown
            }
            ids[slot] = requestId;
            outcomes[slot] = outcome;
        }

        void remove(long requestId) {
            int slot = slot(requestId);
            if (ids[slot] == requestId) {
                outcomes[slot] = null;
            }
        }

        private void grow() {
            long[] oldIds = ids;
            @Nullable Object[] oldOutcomes = outcomes;
            ids = new long[2 * oldIds.length];
            outcomes = new Object[ids.length];
            for (int i = 0; i < oldIds.length; i++) {
                if (oldOutcomes[i] != null) {
                    int slot = slot(oldIds[i]);
                    ids[slot] = oldIds[i];
                    outcomes[slot] = oldOutcomes[i];
                }
            }
        }

        private int slot(long requestId) {
            return (int) requestId & (ids.length - 1);
        }
    }
}
