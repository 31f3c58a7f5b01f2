package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Stored form of ranges, little-endian: their count (32), and for each its start (64) and its owner (32). */
final class KeyRangesFormat {
    private static final int RANGE_BYTES = Long.BYTES + Integer.BYTES;

    private KeyRangesFormat() {}

    static int bytesOf(KeyRanges ranges) {
        return Integer.BYTES + ranges.starts().size() * RANGE_BYTES;
    }

    /** Writes the ranges and returns the offset behind them. */
    static int write(KeyRanges ranges, byte[] bytes, int offset) {
        LittleEndian.putInt(bytes, offset, ranges.starts().size());
        int at = offset + Integer.BYTES;
        for (int i = 0; i < ranges.starts().size(); i++) {
            LittleEndian.putLong(bytes, at, ranges.starts().get(i));
            LittleEndian.putInt(bytes, at + Long.BYTES, ranges.owners().get(i));
            at += RANGE_BYTES;
        }
        return at;
    }

    /**
     * The ranges at the offset.
     *
     * @throws FulmarException {@link ErrorCode#CORRUPTION} if the bytes end before
     */
    static KeyRanges read(byte[] bytes, int offset) {
        int room = bytes.length - offset - Integer.BYTES;
        int count = room < 0 ? -1 : LittleEndian.getInt(bytes, offset);
        if (count < 0 || count > room / RANGE_BYTES) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "ranges of keys in " + bytes.length
                            + " bytes cannot be read; restore the data from a copy or a backup");
        }
        List<Long> starts = new ArrayList<>(count);
        List<Integer> owners = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = offset + Integer.BYTES + i * RANGE_BYTES;
            starts.add(LittleEndian.getLong(bytes, at));
            owners.add(LittleEndian.getInt(bytes, at + Long.BYTES));
        }
        return new KeyRanges(starts, owners);
    }
}
