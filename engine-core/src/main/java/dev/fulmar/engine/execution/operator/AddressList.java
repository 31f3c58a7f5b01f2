package dev.fulmar.engine.execution.operator;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;

/** A list of addresses that is used again. */
public final class AddressList {
    private static final int KEPT = 1 << 16;
    private static final int LARGEST = 1 << 27;

    private long[] addresses = new long[64];
    private int size;

    public void clear() {
        if (addresses.length > KEPT) {
            addresses = new long[64];
        }
        size = 0;
    }

    public void add(long address) {
        if (size == addresses.length) {
            if (size >= LARGEST) {
                throw new FulmarException(
                        ErrorCode.STATEMENT_TOO_COMPLEX,
                        "the statement keeps more than " + LARGEST + " rows; restrict it to fewer rows at a time");
            }
            addresses = Arrays.copyOf(addresses, 2 * size);
        }
        addresses[size++] = address;
    }

    public int size() {
        return size;
    }

    public long get(int position) {
        return addresses[position];
    }

    void truncate(int newSize) {
        size = newSize;
    }

    long[] array() {
        return addresses;
    }
}
