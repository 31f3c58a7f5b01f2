package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;

/**
 * Hash map from row addresses to addresses, made of many small maps so that no insertion waits for a large map to grow.
 * Work on a table in use keeps in it which rows wait, or where the copies of rows are. No address is 0. One thread.
 */
public final class AddressTable {
    private static final int PARTS_BITS = 8;
    private static final long SPREAD = 0xD6E8FEB86659FD93L;

    private final AddressMap[] parts = new AddressMap[1 << PARTS_BITS];
    private int size;
    /** The part in which the search for some key goes on. */
    private int next;

    public AddressTable() {
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new AddressMap();
        }
    }

    private AddressMap part(long key) {
        return parts[(int) ((key * SPREAD) >>> (Long.SIZE - PARTS_BITS))];
    }

    /** Keys that have a value. */
    public int size() {
        return size;
    }

    public boolean contains(long key) {
        return part(key).contains(key);
    }

    public void put(long key, long value) {
        AddressMap part = part(key);
        int before = part.size();
        part.put(key, value);
        size += part.size() - before;
    }

    /** The value that the key had, 0 if it had none. */
    public long remove(long key) {
        long value = part(key).remove(key);
        size -= value == 0 ? 0 : 1;
        return value;
    }

    /** Removes some key and returns it; there must be one. */
    public long takeAny() {
        Invariants.check(size > 0, "an address is taken from a table that has one");
        while (parts[next].size() == 0) {
            next = (next + 1) & (parts.length - 1);
        }
        size--;
        return parts[next].takeAny();
    }
}
