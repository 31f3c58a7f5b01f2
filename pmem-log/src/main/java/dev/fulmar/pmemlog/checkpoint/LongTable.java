package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** A hash table from non-negative numbers to numbers, without boxes. */
final class LongTable {
    static final long ABSENT = -1;

    private static final int FIRST_CAPACITY = 64;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[FIRST_CAPACITY];
    private long[] values = new long[FIRST_CAPACITY];
    private int size;

    LongTable() {
        Arrays.fill(keys, ABSENT);
    }

    int size() {
        return size;
    }

    /** The key's value; {@link #ABSENT} if it has none. */
    long get(long key) {
        int index = place(key);
        return keys[index] == key ? values[index] : ABSENT;
    }

    /** Tells the consumer every key, in no particular order. */
    void eachKey(LongConsumer consumer) {
        for (long key : keys) {
            if (key != ABSENT) {
                consumer.accept(key);
            }
        }
    }

    /** Sets the key's value; returns the one before, {@link #ABSENT} for none. */
    long put(long key, long value) {
        int index = place(key);
        if (keys[index] == key) {
            long before = values[index];
            values[index] = value;
            return before;
        }
        keys[index] = key;
        values[index] = value;
        size++;
        if (2 * size > keys.length) {
            grow();
        }
        return ABSENT;
    }

    void remove(long key) {
        int hole = place(key);
        if (keys[hole] != key) {
            return;
        }
        size--;
        int mask = keys.length - 1;
        int next = (hole + 1) & mask;
        while (keys[next] != ABSENT) {
            int home = home(keys[next]);
            if (((next - home) & mask) >= ((next - hole) & mask)) {
                keys[hole] = keys[next];
                values[hole] = values[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        keys[hole] = ABSENT;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new long[keys.length];
        Arrays.fill(keys, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != ABSENT) {
                int index = place(oldKeys[i]);
                keys[index] = oldKeys[i];
                values[index] = oldValues[i];
            }
        }
    }

    private int place(long key) {
        int mask = keys.length - 1;
        int index = home(key);
        while (keys[index] != ABSENT && keys[index] != key) {
            index = (index + 1) & mask;
        }
        return index;
    }

    private int home(long key) {
        return (int) ((key * SPREAD) >>> 32) & (keys.length - 1);
    }
}
