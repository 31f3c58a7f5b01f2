package dev.fulmar.coordinator.durability.catalog;

import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Image of the catalog at one moment: all its changes so far, from which another node's copy of the catalog is built.
 * As bytes: version, when the last change was made, how many there are, and each as {@link CatalogHistory} keeps it,
 * behind its length.
 *
 * @param timestamp no change so far was made later
 */
public record CatalogImage(long timestamp, List<byte[]> changes) {
    private static final int VERSION = 1;

    /** Version, timestamp and number of changes. */
    private static final int HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;

    public CatalogImage {
        changes = List.copyOf(changes);
    }

    /** Length of the image of the changes. */
    public static long bytesOf(List<byte[]> changes) {
        return HEADER_BYTES
                + changes.stream()
                        .mapToLong(change -> Integer.BYTES + change.length)
                        .sum();
    }

    /** The image as bytes. */
    public byte[] bytes() {
        ImageBuffer out = new ImageBuffer();
        write(out);
        return out.toByteArray();
    }

    void write(ImageBuffer out) {
        out.putByte(VERSION);
        out.putLong(timestamp);
        out.putInt(changes.size());
        for (byte[] change : changes) {
            out.putInt(change.length);
            out.putBytes(change);
        }
    }

    /** Reads an image that another node sent; refuses what is none. */
    public static CatalogImage read(byte[] bytes) {
        return read(bytes, 0, bytes.length);
    }

    static CatalogImage read(byte[] array, int begin, int end) {
        ImageReader in = new ImageReader(array, begin, end);
        int version = in.getByte();
        if (version != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "an image of the catalog has version " + version
                            + ", which this version of Fulmar does not know; run the same version on all nodes");
        }
        long timestamp = in.getLong();
        int count = in.getInt();
        List<byte[]> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = in.getInt();
            int place = in.take(length);
            if (length < CatalogRecord.HEADER_BYTES) {
                throw malformed("a change of " + length + " bytes");
            }
            changes.add(Arrays.copyOfRange(array, place, place + length));
        }
        if (timestamp < 0 || in.hasMore()) {
            throw malformed((end - in.place()) + " bytes too many");
        }
        return new CatalogImage(timestamp, changes);
    }

    private static FulmarException malformed(String what) {
        return new FulmarException(ErrorCode.CORRUPTION, "an image of the catalog is not right: " + what);
    }
}
