package dev.fulmar.engine.durability;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Reads what an {@link ImageBuffer} wrote. Never reads beyond the end. */
public final class ImageReader {
    private final byte[] array;
    private final int end;
    private int place;

    public ImageReader(byte[] array, int begin, int end) {
        this.array = array;
        this.place = begin;
        this.end = end;
    }

    public boolean hasMore() {
        return place < end;
    }

    public byte[] array() {
        return array;
    }

    /** The place of the next byte. */
    public int place() {
        return place;
    }

    public int end() {
        return end;
    }

    public int getByte() {
        return array[take(1)];
    }

    public int getInt() {
        return LittleEndian.getInt(array, take(Integer.BYTES));
    }

    public long getLong() {
        return LittleEndian.getLong(array, take(Long.BYTES));
    }

    public int getShort() {
        return (short) LittleEndian.getUnsignedShort(array, take(Short.BYTES));
    }

    /** Passes so many bytes; returns where they begin. */
    public int take(int bytes) {
        if (bytes < 0 || bytes > end - place) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a record of the log ends after " + (end - place) + " bytes where " + bytes + " more are needed");
        }
        int begin = place;
        place += bytes;
        return begin;
    }
}
