package dev.fulmar.pmemlog.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The first block of a segment. It is durable before the file gets a segment's name.
 *
 * @param logId identity of the log
 * @param number place of the segment in the log, from 1; never used twice
 * @param segmentBytes size of the segment
 * @param blockBytes groups begin at multiples of this
 */
public record SegmentHeader(long logId, long number, int segmentBytes, int blockBytes) {
    /** Bytes of the header; the rest of its block is zero. */
    public static final int BYTES = 48;

    /** Smallest block: a cache line. */
    public static final int MIN_BLOCK_BYTES = 64;

    /** Largest block. */
    public static final int MAX_BLOCK_BYTES = 1 << 20;

    private static final long MAGIC = 0x474d4c4f4c554646L; // FFULOLMG
    private static final int VERSION = 1;
    private static final int CHECKED_OFFSET = 12;

    /** Whether segments may have such a size and such blocks. */
    public static boolean isPossible(int segmentBytes, int blockBytes) {
        return Integer.bitCount(blockBytes) == 1
                && blockBytes >= MIN_BLOCK_BYTES
                && blockBytes <= MAX_BLOCK_BYTES
                && segmentBytes >= 4 * blockBytes
                && segmentBytes % blockBytes == 0;
    }

    /** The whole first block, ready to be written. */
    public ByteBuffer toBlock() {
        ByteBuffer block = ByteBuffer.allocateDirect(blockBytes).order(ByteOrder.LITTLE_ENDIAN);
        block.putLong(0, MAGIC);
        block.putInt(12, VERSION);
        block.putLong(16, logId);
        block.putLong(24, number);
        block.putInt(32, segmentBytes);
        block.putInt(36, blockBytes);
        block.putInt(8, Checksums.of(block, CHECKED_OFFSET, BYTES - CHECKED_OFFSET));
        return block;
    }

    /** Reads a header from a little-endian buffer's beginning; null if there is none. */
    public static @Nullable SegmentHeader read(ByteBuffer buffer) {
        if (buffer.limit() < BYTES
                || buffer.getLong(0) != MAGIC
                || buffer.getInt(8) != Checksums.of(buffer, CHECKED_OFFSET, BYTES - CHECKED_OFFSET)
                || buffer.getInt(12) != VERSION) {
            return null;
        }
        SegmentHeader header =
                new SegmentHeader(buffer.getLong(16), buffer.getLong(24), buffer.getInt(32), buffer.getInt(36));
        return isPossible(header.segmentBytes, header.blockBytes) ? header : null;
    }

    /** The length, rounded up to whole blocks. */
    public int wholeBlocks(int length) {
        return Math.addExact(length, blockBytes - 1) & -blockBytes;
    }
}
