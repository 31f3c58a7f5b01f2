package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.PartitioningHash;
import java.util.Arrays;

/**
 * Keys and a payload address for each, in native memory. Entries are walked in the order of insertion, so nothing
 * depends on hashes. An entry: {@code long next, long hash, long payload, int keyLength, int unused}, then the key.
 */
final class KeyTable {
    private static final int HASH_OFFSET = 8;
    private static final int PAYLOAD_OFFSET = 16;
    private static final int LENGTH_OFFSET = 24;
    private static final int KEY_OFFSET = 32;
    private static final int INITIAL_BUCKETS = 64;
    private static final int KEPT_BUCKETS = 1 << 16;

    private final ScratchMemory memory;
    private long[] buckets = new long[INITIAL_BUCKETS];
    private long[] entries = new long[INITIAL_BUCKETS];
    private int count;
    private boolean inserted;

    KeyTable(ScratchMemory memory) {
        this.memory = memory;
    }

    void clear() {
        if (buckets.length > KEPT_BUCKETS) {
            buckets = new long[INITIAL_BUCKETS];
            entries = new long[INITIAL_BUCKETS];
        } else if (count > 0) {
            Arrays.fill(buckets, 0);
        }
        count = 0;
    }

    /** The entry with the key, 0 if there is none. */
    long find(long key, int length) {
        long hash = PartitioningHash.ofNative(key, length);
        return find(key, length, hash);
    }

    private long find(long key, int length, long hash) {
        long entry = buckets[(int) hash & buckets.length - 1];
        while (entry != 0) {
            if (OffHeap.getLong(entry + HASH_OFFSET) == hash
                    && OffHeap.getInt(entry + LENGTH_OFFSET) == length
                    && OffHeap.equal(entry + KEY_OFFSET, key, length)) {
                return entry;
            }
            entry = OffHeap.getLong(entry);
        }
        return 0;
    }

    /** The entry with the key; a new one has the payload 0 and {@link #inserted()} says so. */
    long findOrInsert(long key, int length) {
        long hash = PartitioningHash.ofNative(key, length);
        long found = find(key, length, hash);
        inserted = found == 0;
        return inserted ? insert(key, length, hash) : found;
    }

    private long insert(long key, int length, long hash) {
        if (count == entries.length) {
            grow();
        }
        long entry = memory.allocate(KEY_OFFSET + (long) length);
        int bucket = (int) hash & buckets.length - 1;
        OffHeap.putLong(entry, buckets[bucket]);
        OffHeap.putLong(entry + HASH_OFFSET, hash);
        OffHeap.putLong(entry + PAYLOAD_OFFSET, 0);
        OffHeap.putInt(entry + LENGTH_OFFSET, length);
        OffHeap.copy(key, entry + KEY_OFFSET, length);
        buckets[bucket] = entry;
        entries[count++] = entry;
        return entry;
    }

    private void grow() {
        entries = Arrays.copyOf(entries, 2 * entries.length);
        buckets = new long[2 * buckets.length];
        if (buckets.length == 2 * KEPT_BUCKETS) {
            memory.whenCleared(this::clear);
        }
        for (int i = 0; i < count; i++) {
            long entry = entries[i];
            int bucket = (int) OffHeap.getLong(entry + HASH_OFFSET) & buckets.length - 1;
            OffHeap.putLong(entry, buckets[bucket]);
            buckets[bucket] = entry;
        }
        if (Invariants.EXPENSIVE) {
            checkChains();
        }
    }

    private void checkChains() {
        int chained = 0;
        for (long first : buckets) {
            for (long entry = first; entry != 0 && chained <= count; entry = OffHeap.getLong(entry)) {
                chained++;
            }
        }
        Invariants.check(chained == count, "a statement's table of keys reaches each of its keys once");
    }

    boolean inserted() {
        return inserted;
    }

    int count() {
        return count;
    }

    /** The entry that was inserted at the position. */
    long entry(int position) {
        return entries[position];
    }

    static long payload(long entry) {
        return OffHeap.getLong(entry + PAYLOAD_OFFSET);
    }

    static void setPayload(long entry, long payload) {
        OffHeap.putLong(entry + PAYLOAD_OFFSET, payload);
    }
}
