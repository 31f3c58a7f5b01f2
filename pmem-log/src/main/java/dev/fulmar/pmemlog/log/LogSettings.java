package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.SegmentHeader;

/**
 * Sizes and times of an operation log.
 *
 * @param directory where its files are
 * @param segmentBytes size of a segment
 * @param blockBytes groups begin at multiples of this, so that no write touches a block that holds durable records; a
 *     page on files
 * @param maxGroupBytes size at which a group is written although more has come
 * @param maxRecordBytes largest record, header included
 * @param laneBytes memory of a lane, a power of two
 * @param maxSegments most files that the log may have; a log that needs more waits for a checkpoint
 * @param readySegments segments to have prepared beyond the one that is being written
 * @param sealAfterIdleNanos how long nothing must have come before the last records are attested
 */
public record LogSettings(
        String directory,
        int segmentBytes,
        int blockBytes,
        int maxGroupBytes,
        int maxRecordBytes,
        int laneBytes,
        int maxSegments,
        int readySegments,
        long sealAfterIdleNanos) {
    private static final int KIBIBYTE = 1 << 10;
    private static final int MEBIBYTE = 1 << 20;
    private static final int MAX_SEGMENT_BYTES = 1 << 30;
    private static final int MIN_LANE_BYTES = KIBIBYTE;
    private static final int MIN_SEGMENTS = 3;

    /** Part of a segment that a table of all streams may take. */
    private static final int SEAL_SHARE = 16;

    public LogSettings {
        check(
                SegmentHeader.isPossible(segmentBytes, blockBytes) && segmentBytes <= MAX_SEGMENT_BYTES,
                "a segment of " + segmentBytes + " bytes in blocks of " + blockBytes
                        + "; a block is a power of two from 64 bytes to 1 MiB, a segment at least four and at most 1 GiB");
        check(
                maxRecordBytes > 0 && maxRecordBytes <= segmentBytes / 2,
                "records of up to " + maxRecordBytes + " bytes in segments of " + segmentBytes
                        + "; a record takes at most half a segment");
        check(
                maxGroupBytes > GroupHeader.BYTES && maxGroupBytes <= segmentBytes / 2,
                "groups of up to " + maxGroupBytes + " bytes in segments of " + segmentBytes
                        + "; a group takes at most half a segment");
        check(
                laneBytes >= MIN_LANE_BYTES && Integer.bitCount(laneBytes) == 1,
                "lanes of " + laneBytes + " bytes; a lane's size is a power of two from 1 KiB on");
        check(
                readySegments > 0 && maxSegments >= MIN_SEGMENTS && readySegments <= maxSegments - 2,
                "at most " + maxSegments + " segments with " + readySegments
                        + " ready ones; there are at least 3, and 2" + " more than are kept ready");
        check(sealAfterIdleNanos > 0, "a seal after " + sealAfterIdleNanos + " ns; the time is positive");
    }

    /** For a database on files. */
    public static LogSettings defaults(String directory) {
        return new LogSettings(
                directory, 64 * MEBIBYTE, 4 * KIBIBYTE, MEBIBYTE, 16 * MEBIBYTE, 256 * KIBIBYTE, 64, 1, 50_000_000);
    }

    /** The same with other blocks, as a backend wants them. */
    public LogSettings withBlockBytes(int bytes) {
        return new LogSettings(
                directory,
                segmentBytes,
                bytes,
                maxGroupBytes,
                maxRecordBytes,
                laneBytes,
                maxSegments,
                readySegments,
                sealAfterIdleNanos);
    }

    /** Bytes that a seal may take. */
    int maxSealBytes() {
        return segmentBytes / SEAL_SHARE;
    }

    /** Whether a segment of the header's shape is one of these settings. */
    boolean matches(SegmentHeader header) {
        return header.segmentBytes() == segmentBytes && header.blockBytes() == blockBytes;
    }

    private static void check(boolean possible, String setting) {
        if (!possible) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the operation log cannot have " + setting + "; change the settings");
        }
    }
}
