package dev.fulmar.coordinator.request;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that clients have open on this node, such as transactions. A client numbers its own. They end with its
 * connection. Thread-safe.
 */
public final class OpenOfClients<T> {
    private final int most;

    /** By the client's way back, then by its number. */
    private final Map<ResponseSink, ConcurrentSkipListMap<Long, T>> byClient = new ConcurrentHashMap<>();

    private final ConcurrentSkipListMap<Long, T> inOrder = new ConcurrentSkipListMap<>();
    private final AtomicLong lastPlace = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();

    /** @param most objects that may be open at once */
    public OpenOfClients(int most) {
        this.most = most;
    }

    public int count() {
        return count.get();
    }

    /** The objects in the order of their places. */
    public Collection<T> inOrder() {
        return inOrder.values();
    }

    /** A place in the order, for an object that is to be added. */
    public long nextPlace() {
        return lastPlace.incrementAndGet();
    }

    /**
     * Adds an object; false if too many are open.
     *
     * @param check gets the numbers of what the client has open; if it throws, nothing is added
     */
    public boolean add(ResponseSink client, long number, long place, T object, Consumer<Set<Long>> check) {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return false;
        }
        boolean isAdded = false;
        try {
            byClient.compute(client, (sink, before) -> {
                ConcurrentSkipListMap<Long, T> own = before == null ? new ConcurrentSkipListMap<>() : before;
                check.accept(own.keySet());
                own.put(number, object);
                return own;
            });
            inOrder.put(place, object);
            isAdded = true;
        } finally {
            if (!isAdded) {
                count.decrementAndGet();
            }
        }
        return true;
    }

    /** Null if the client has none open with the number. */
    public @Nullable T find(ResponseSink client, long number) {
        Map<Long, T> own = byClient.get(client);
        return own == null ? null : own.get(number);
    }

    /** Removes an object that has ended. Once for each that was added. */
    public void remove(ResponseSink client, long number, long place) {
        count.decrementAndGet();
        inOrder.remove(place);
        byClient.computeIfPresent(client, (sink, own) -> {
            own.remove(number);
            return own.isEmpty() ? null : own;
        });
    }

    /** Takes leave of a client that is gone; its objects are still counted until each is removed. */
    public Collection<T> departed(ResponseSink client) {
        Map<Long, T> gone = byClient.remove(client);
        return gone == null ? Set.of() : gone.values();
    }
}
