package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;

/**
 * Hash map from addresses to addresses in two arrays of longs; an AddressTable consists of many of these. No address is
 * 0. One thread.
 */
final class AddressMap {
    private static final int FIRST_CAPACITY = 64;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[FIRST_CAPACITY];
    private long[] values = new long[FIRST_CAPACITY];
    private int size;
    /** The place at which the search for some key goes on. */
    private int next;

    private int place(long key) {
        int mask = keys.length - 1;
        int place = (int) ((key * SPREAD) >>> Integer.SIZE) & mask;
        while (keys[place] != 0 && keys[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }

    int size() {
        return size;
    }

    boolean contains(long key) {
        return keys[place(key)] != 0;
    }

    void put(long key, long value) {
        int place = place(key);
        if (keys[place] == 0) {
            if (2 * (size + 1) > keys.length) {
                grow();
                place = place(key);
            }
            size++;
        }
        keys[place] = key;
        values[place] = value;
    }

    /** The value that the key had, 0 if it had none. */
    long remove(long key) {
        int place = place(key);
        if (keys[place] == 0) {
            return 0;
        }
        long value = values[place];
        size--;
        keys[place] = 0;
        closeGap(place);
        return value;
    }

    /** Removes some key and returns it; there must be one. */
    long takeAny() {
        while (keys[next] == 0) {
            next = (next + 1) & (keys.length - 1);
        }
        long key = keys[next];
        remove(key);
        return key;
    }

    /** Entries behind a gap move up, so that no look-up ends too early. */
    private void closeGap(int gap) {
        int mask = keys.length - 1;
        int place = (gap + 1) & mask;
        while (keys[place] != 0) {
            long key = keys[place];
            long value = values[place];
            keys[place] = 0;
            int better = place(key);
            keys[better] = key;
            values[better] = value;
            place = (place + 1) & mask;
        }
    }

    private void checkPlaces() {
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                Invariants.check(place(keys[i]) == i, "an address map finds each address where it lies");
                count++;
            }
        }
        Invariants.check(count == size, "an address map counts its addresses");
    }

    private void grow() {
        if (Invariants.EXPENSIVE) {
            checkPlaces();
        }
        long[] oldKeys = keys;
        long[] oldValues = values;
        next = 0;
        keys = new long[2 * oldKeys.length];
        values = new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int place = place(oldKeys[i]);
                keys[place] = oldKeys[i];
                values[place] = oldValues[i];
            }
        }
    }
}
