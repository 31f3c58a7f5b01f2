package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A list of addresses that is used again. */
public final class AddressList {
    private static final int KEPT = 1 << 16;
    private static final int LARGEST = 1 << 27;

    /** Least bytes of a kept row, so that the list takes no more than the rows may. */
    private static final int LEAST_ROW_BYTES = 16;

    private final int most;
    private final @Nullable ScratchMemory memory;
    private long[] addresses = new long[64];
    private int size;

    public AddressList() {
        most = LARGEST;
        memory = null;
    }

    /**
     * @param rows what the rows lie in: its limit is also one of their number, and where it is given back, a large list
     *     is too
     */
    AddressList(ScratchMemory rows) {
        memory = rows;
        most = (int) Math.min(LARGEST, Math.max(1, rows.limitBytes() / LEAST_ROW_BYTES));
    }

    public void clear() {
        if (addresses.length > KEPT) {
            addresses = new long[64];
        }
        size = 0;
    }

    /** Gives a large memory back, with what is in it; a small one is kept for the next statement. */
    public void shrink() {
        if (addresses.length > KEPT) {
            clear();
        }
    }

    public void add(long address) {
        if (size == addresses.length) {
            if (size >= most) {
                throw new FulmarException(
                        ErrorCode.STATEMENT_TOO_COMPLEX,
                        "the statement keeps more than " + most + " rows; restrict it to fewer rows at a time, or raise"
                                + " requests.intermediate-limit");
            }
            addresses = Arrays.copyOf(addresses, Math.min(2 * size, Math.max(most, size + 1)));
            if (memory != null && size <= KEPT && addresses.length > KEPT) {
                memory.whenCleared(this::clear);
            }
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
