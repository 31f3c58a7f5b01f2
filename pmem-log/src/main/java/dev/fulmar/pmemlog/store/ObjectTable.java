package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Objects by their ids, which are small numbers; those of objects that are gone are used again. */
final class ObjectTable {
    private static final int CHUNK = 1 << 12;
    private static final int CHUNKS = 1 << 16;

    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable StoredObject>> chunks =
            new AtomicReferenceArray<>(CHUNKS);
    private final AtomicLong next = new AtomicLong(1);
    private final ConcurrentLinkedQueue<Long> free = new ConcurrentLinkedQueue<>();

    @Nullable StoredObject get(long id) {
        if (id <= 0 || id >= (long) CHUNK * CHUNKS) {
            return null;
        }
        AtomicReferenceArray<@Nullable StoredObject> chunk = chunks.get((int) (id / CHUNK));
        return chunk == null ? null : chunk.get((int) (id % CHUNK));
    }

    /** A new object, locked by its owner, that no snapshot sees. */
    StoredObject create(Object owner) {
        Long recycled = free.poll();
        long id = recycled == null ? next.getAndIncrement() : recycled;
        if (id >= (long) CHUNK * CHUNKS) {
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "a store has at most " + (long) CHUNK * CHUNKS + " objects; delete some, or use two stores");
        }
        StoredObject object = new StoredObject(id, null);
        object.tryLock(owner);
        chunk(id).set((int) (id % CHUNK), object);
        return object;
    }

    private AtomicReferenceArray<@Nullable StoredObject> chunk(long id) {
        int index = (int) (id / CHUNK);
        AtomicReferenceArray<@Nullable StoredObject> chunk = chunks.get(index);
        if (chunk == null) {
            chunk = new AtomicReferenceArray<>(CHUNK);
            AtomicReferenceArray<@Nullable StoredObject> other = chunks.compareAndExchange(index, null, chunk);
            chunk = other == null ? chunk : other;
        }
        return chunk;
    }

    /** The object was never committed, or is gone for every snapshot. */
    void remove(StoredObject object) {
        chunk(object.id).set((int) (object.id % CHUNK), null);
        free.add(object.id);
    }

    /** For recovery. */
    void put(StoredObject object) {
        chunk(object.id).set((int) (object.id % CHUNK), object);
        next.accumulateAndGet(object.id + 1, Math::max);
    }

    /** Ends a recovery: ids without an object are free. */
    void collectFree() {
        for (long id = 1; id < next.get(); id++) {
            if (get(id) == null) {
                free.add(id);
            }
        }
    }
}
