package dev.fulmar.engine.partitioning;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of keys as bytes within stored records: their number, then space, first and last of each. The order of the
 * bytes is that of the buffer.
 */
public final class KeyRangeFormat {
    private static final int RANGE_BYTES = 1 + 2 * Long.BYTES;

    private KeyRangeFormat() {}

    /** Bytes that the ranges take. */
    public static int bytes(List<KeyRange> ranges) {
        return Integer.BYTES + ranges.size() * RANGE_BYTES;
    }

    /** Puts the ranges into the buffer. */
    public static void write(List<KeyRange> ranges, ByteBuffer out) {
        out.putInt(ranges.size());
        for (KeyRange range : ranges) {
            out.put((byte) (range.space() == KeySpace.HASH ? 0 : 1));
            out.putLong(range.first());
            out.putLong(range.last());
        }
    }

    /** Takes ranges from the buffer; null if its bytes are none. */
    public static @Nullable List<KeyRange> read(ByteBuffer in) {
        int count = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        if (count < 0 || count > in.remaining() / RANGE_BYTES) {
            return null;
        }
        List<KeyRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            KeySpace space = in.get() == 0 ? KeySpace.HASH : KeySpace.INTEGER;
            long first = in.getLong();
            long last = in.getLong();
            if (last < first) {
                return null;
            }
            ranges.add(new KeyRange(space, first, last));
        }
        return List.copyOf(ranges);
    }
}
