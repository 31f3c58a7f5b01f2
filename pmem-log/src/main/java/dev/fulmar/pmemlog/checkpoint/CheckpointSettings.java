package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Sizes of checkpoints on disk.
 *
 * @param directory where the files are
 * @param blockBytes groups begin at multiples of this, so that no write touches a block of a checkpoint that holds
 * @param groupBytes size at which a group is written
 * @param segmentBytes size of a file of the checkpoint log
 * @param clogBytes size of a partition's checkpoint log at which its oldest part is written back to the master heap
 * @param extentBytes unit in which the master heap grows
 */
public record CheckpointSettings(
        String directory, int blockBytes, int groupBytes, int segmentBytes, long clogBytes, int extentBytes) {
    private static final int KIBIBYTE = 1 << 10;
    private static final int MEBIBYTE = 1 << 20;
    private static final int MAX_SEGMENT_BYTES = 1 << 30;

    public CheckpointSettings {
        check(
                Integer.bitCount(blockBytes) == 1 && blockBytes >= ClogGroup.HEADER_BYTES,
                "blocks of " + blockBytes + " bytes; a block is a power of two from 64 on");
        check(
                groupBytes > 2 * ClogGroup.HEADER_BYTES && groupBytes <= segmentBytes,
                "groups of " + groupBytes + " bytes in segments of " + segmentBytes + "; a group fits in a segment");
        check(
                segmentBytes % blockBytes == 0 && segmentBytes <= MAX_SEGMENT_BYTES,
                "segments of " + segmentBytes + " bytes; a segment has whole blocks and at most 1 GiB");
        check(
                clogBytes >= 2L * segmentBytes,
                "a checkpoint log of " + clogBytes + " bytes in segments of " + segmentBytes
                        + "; it holds at least two");
        check(
                Integer.bitCount(extentBytes) == 1
                        && extentBytes >= SizeClasses.SMALLEST_EXTENT_BYTES
                        && extentBytes <= SizeClasses.LARGEST_EXTENT_BYTES,
                "extents of " + extentBytes + " bytes; an extent is a power of two from "
                        + SizeClasses.SMALLEST_EXTENT_BYTES + " to " + SizeClasses.LARGEST_EXTENT_BYTES);
    }

    /** For a database on files. */
    public static CheckpointSettings defaults(String directory) {
        return new CheckpointSettings(directory, 4 * KIBIBYTE, 256 * KIBIBYTE, 8 * MEBIBYTE, 64L * MEBIBYTE, MEBIBYTE);
    }

    private static void check(boolean possible, String setting) {
        if (!possible) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, "checkpoints cannot have " + setting + "; change the settings");
        }
    }
}
