package dev.fulmar.engine.execution.operator;

import java.util.Arrays;

/** A set of addresses of rows that is used again. One thread. */
public final class AddressSet {
    private static final int KEPT = 1 << 16;
    private static final int FIRST = 64;

    /** Addresses at the place that they hash to, or the next free one; 0 is free. */
    private long[] places = new long[FIRST];

    private int size;

    public void clear() {
        if (size == 0) {
            return;
        }
        if (places.length > KEPT) {
            places = new long[FIRST];
        } else {
            Arrays.fill(places, 0);
        }
        size = 0;
    }

    /** Gives a large memory back, with what is in it; a small one is kept for the next statement. */
    public void shrink() {
        if (places.length > KEPT) {
            clear();
        }
    }

    /** Addresses for which there is room. */
    int capacity() {
        return places.length;
    }

    /** Adds the address, which is not 0, if it is not there. */
    public void add(long address) {
        if (2 * size >= places.length) {
            grow();
        }
        int place = place(address);
        if (places[place] == 0) {
            places[place] = address;
            size++;
        }
    }

    public boolean contains(long address) {
        return places[place(address)] == address;
    }

    private void grow() {
        long[] before = places;
        places = new long[2 * before.length];
        for (long address : before) {
            if (address != 0) {
                places[place(address)] = address;
            }
        }
    }

    /** The address's place, or the free one that it would have. */
    private int place(long address) {
        int place = (int) ((address * 0x9E3779B97F4A7C15L) >>> Long.numberOfLeadingZeros(places.length - 1L));
        while (places[place] != 0 && places[place] != address) {
            place = (place + 1) & (places.length - 1);
        }
        return place;
    }
}
