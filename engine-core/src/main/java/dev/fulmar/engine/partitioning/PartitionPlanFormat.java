package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Stored form of a partition plan, little-endian. It has the version of the form (8 bits), the number of partitions
 * (32), the ranges of hashes, and those of integers. Ranges are their count (32), and for each its start (64) and
 * partition (32). The plan's own version is not in it: it is that of the catalog.
 */
public final class PartitionPlanFormat {
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 1 + Integer.BYTES;

    private PartitionPlanFormat() {}

    /** The bytes of the plan. */
    public static byte[] write(PartitionPlan plan) {
        KeyRanges hashes = plan.hashes();
        KeyRanges integers = plan.integers();
        byte[] bytes = new byte[HEADER_BYTES + KeyRangesFormat.bytesOf(hashes) + KeyRangesFormat.bytesOf(integers)];
        bytes[0] = VERSION;
        LittleEndian.putInt(bytes, 1, plan.partitionCount());
        KeyRangesFormat.write(integers, bytes, KeyRangesFormat.write(hashes, bytes, HEADER_BYTES));
        return bytes;
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
        KeyRanges hashes = KeyRangesFormat.read(bytes, HEADER_BYTES);
        int second = HEADER_BYTES + KeyRangesFormat.bytesOf(hashes);
        KeyRanges integers = KeyRangesFormat.read(bytes, second);
        if (second + KeyRangesFormat.bytesOf(integers) != bytes.length) {
            throw damaged(bytes.length);
        }
        try {
            return PartitionPlan.of(LittleEndian.getInt(bytes, 1), hashes, integers);
        } catch (FulmarException noPlan) {
            throw damaged(bytes.length);
        }
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a partition plan of " + length + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
