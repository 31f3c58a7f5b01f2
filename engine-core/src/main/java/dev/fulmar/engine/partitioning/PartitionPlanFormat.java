package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stored form of a partition plan, little-endian. It has the version of the form (8 bits), the number of partitions
 * (32), the ranges of hashes, and those of integers. Ranges are their count (32), and for each its start (64) and
 * partition (32). The plan's own version is not in it: it is that of the catalog.
 */
public final class PartitionPlanFormat {
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 1 + Integer.BYTES;
    private static final int RANGE_BYTES = Long.BYTES + Integer.BYTES;

    private PartitionPlanFormat() {}

    /** The bytes of the plan. */
    public static byte[] write(PartitionPlan plan) {
        KeyRanges hashes = plan.hashes();
        KeyRanges integers = plan.integers();
        byte[] bytes = new byte[HEADER_BYTES + bytesOf(hashes) + bytesOf(integers)];
        bytes[0] = VERSION;
        LittleEndian.putInt(bytes, 1, plan.partitionCount());
        write(integers, bytes, write(hashes, bytes, HEADER_BYTES));
        return bytes;
    }

    private static int bytesOf(KeyRanges ranges) {
        return Integer.BYTES + ranges.starts().size() * RANGE_BYTES;
    }

    private static int write(KeyRanges ranges, byte[] bytes, int offset) {
        LittleEndian.putInt(bytes, offset, ranges.starts().size());
        int at = offset + Integer.BYTES;
        for (int i = 0; i < ranges.starts().size(); i++) {
            LittleEndian.putLong(bytes, at, ranges.starts().get(i));
            LittleEndian.putInt(bytes, at + Long.BYTES, ranges.partitions().get(i));
            at += RANGE_BYTES;
        }
        return at;
    }

    /**
     * The plan of the bytes.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no plan
     */
    public static PartitionPlan read(byte[] bytes) {
        if (bytes.length < HEADER_BYTES + 2 * Integer.BYTES) {
            throw damaged(bytes.length);
        }
        if (bytes[0] != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a partition plan has form " + bytes[0] + ", but this version of Fulmar reads form " + VERSION
                            + " only; start the version that wrote it");
        }
        KeyRanges hashes = ranges(bytes, HEADER_BYTES);
        int second = HEADER_BYTES + bytesOf(hashes);
        KeyRanges integers = ranges(bytes, second);
        if (second + bytesOf(integers) != bytes.length) {
            throw damaged(bytes.length);
        }
        try {
            return PartitionPlan.of(LittleEndian.getInt(bytes, 1), hashes, integers);
        } catch (FulmarException noPlan) {
            throw damaged(bytes.length);
        }
    }

    private static KeyRanges ranges(byte[] bytes, int offset) {
        int room = bytes.length - offset - Integer.BYTES;
        int count = room < 0 ? -1 : LittleEndian.getInt(bytes, offset);
        if (count < 0 || count > room / RANGE_BYTES) {
            throw damaged(bytes.length);
        }
        List<Long> starts = new ArrayList<>(count);
        List<Integer> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = offset + Integer.BYTES + i * RANGE_BYTES;
            starts.add(LittleEndian.getLong(bytes, at));
            partitions.add(LittleEndian.getInt(bytes, at + Long.BYTES));
        }
        return new KeyRanges(starts, partitions);
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a partition plan of " + length + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
