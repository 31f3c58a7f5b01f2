package dev.fulmar.coordinator.replication.building;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import dev.fulmar.pmemlog.checkpoint.RowConsumer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an image as bytes, big-endian. The fields are, with their sizes: version (1), three bytes of 0, CRC32C of the
 * rest (4), number of rows (4); of each row table (4), bucket (4), row (8), length (4), image as a checkpoint has it.
 * Tables with negative numbers are those of checkpoints.
 */
public final class ChunkFormat {
    /** Bytes before the first row. */
    static final int HEADER_BYTES = 12;

    static final int ROW_HEADER_BYTES = 20;
    private static final byte VERSION = 1;
    private static final int CHECKSUM_OFFSET = 4;
    private static final int CHECKED_OFFSET = 8;

    private ChunkFormat() {}

    /** The rows of a batch. */
    public static byte[] write(RowBatch batch) {
        int[] sizes = new int[2];
        batch.forEach((table, bucket, row, array, offset, length) -> {
            sizes[0]++;
            sizes[1] = Math.addExact(sizes[1], ROW_HEADER_BYTES + length);
        });
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + sizes[1]);
        out.put(VERSION).position(CHECKED_OFFSET);
        out.putInt(sizes[0]);
        batch.forEach((table, bucket, row, array, offset, length) -> {
            out.putInt(table).putInt(bucket).putLong(row).putInt(length);
            out.put(array, offset, length);
        });
        out.putInt(CHECKSUM_OFFSET, checksum(out.flip()));
        return out.array();
    }

    private static int checksum(ByteBuffer chunk) {
        CRC32C checksum = new CRC32C();
        checksum.update(chunk.slice(CHECKED_OFFSET, chunk.limit() - CHECKED_OFFSET));
        return (int) checksum.getValue();
    }

    /** Why the bytes are no chunk, or null. What is behind this check may be read. */
    private static @Nullable String defect(ByteBuffer in) {
        if (in.limit() < HEADER_BYTES) {
            return "a chunk of " + in.limit() + " bytes";
        }
        if (in.getInt(CHECKSUM_OFFSET) != checksum(in)) {
            return "a chunk with a wrong checksum";
        }
        int place = HEADER_BYTES;
        for (int left = in.getInt(CHECKED_OFFSET); left != 0; left--) {
            int length =
                    in.limit() - place < ROW_HEADER_BYTES ? -1 : in.getInt(place + ROW_HEADER_BYTES - Integer.BYTES);
            if (length < 0 || length > in.limit() - place - ROW_HEADER_BYTES) {
                return "a chunk that ends within a row";
            }
            place += ROW_HEADER_BYTES + length;
        }
        return place == in.limit() ? null : "a chunk with more than its rows";
    }

    /** Gives the consumer the rows of a chunk; refuses what is none before it gives the first. */
    public static void read(byte[] chunk, RowConsumer consumer) {
        if (chunk.length > 0 && chunk[0] != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a node sends rows of copies in form " + chunk[0] + ", which this version of Fulmar does not know;"
                            + " run the same version on all nodes");
        }
        ByteBuffer in = ByteBuffer.wrap(chunk);
        String defect = defect(in);
        if (defect != null) {
            throw BuildFormat.malformed(defect);
        }
        in.position(HEADER_BYTES);
        while (in.hasRemaining()) {
            int table = in.getInt();
            int bucket = in.getInt();
            long row = in.getLong();
            int length = in.getInt();
            consumer.row(table, bucket, row, chunk, in.position(), length);
            in.position(in.position() + length);
        }
    }
}
