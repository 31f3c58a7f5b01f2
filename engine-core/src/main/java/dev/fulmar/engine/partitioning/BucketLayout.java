package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;

/**
 * Description of a partition's buckets in checkpoints and images. It has the bounds of its own, and the numbers of
 * those that it stages for a reconfiguration. Immutable.
 *
 * @param staged by their moves
 */
public record BucketLayout(BucketBounds bounds, List<Staged> staged) {
    /** Form of a layout with staged buckets; without, it is the form of the bounds. */
    private static final int VERSION = 2;

    private static final int HEADER_BYTES = 1 + Integer.BYTES;
    private static final int STAGED_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES;

    /**
     * A staged bucket.
     *
     * @param move by which the reconfiguration knows it
     * @param number in this partition
     * @param chunks that it has taken
     */
    public record Staged(long move, int number, long chunks) {}

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for a number that another bucket has */
    public BucketLayout {
        staged = staged.stream().sorted(Comparator.comparingLong(Staged::move)).toList();
        SortedSet<Integer> numbers = bounds.buckets();
        for (Staged one : staged) {
            if (one.number() < 0 || one.number() >= BucketBounds.MOST_BUCKETS || !numbers.add(one.number())) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "bucket " + one.number() + " cannot be staged, for another one has the number");
            }
        }
    }

    /**
     * Stored form: that of the bounds if nothing is staged. Else its version (8 bits), the number of staged buckets
     * (32), each with its move (64), number (32) and chunks (64), and the bounds.
     */
    public byte[] toBytes() {
        byte[] own = bounds.toBytes();
        if (staged.isEmpty()) {
            return own;
        }
        int head = HEADER_BYTES + staged.size() * STAGED_BYTES;
        byte[] bytes = new byte[head + own.length];
        bytes[0] = VERSION;
        LittleEndian.putInt(bytes, 1, staged.size());
        int at = HEADER_BYTES;
        for (Staged one : staged) {
            LittleEndian.putLong(bytes, at, one.move());
            LittleEndian.putInt(bytes, at + Long.BYTES, one.number());
            LittleEndian.putLong(bytes, at + Long.BYTES + Integer.BYTES, one.chunks());
            at += STAGED_BYTES;
        }
        System.arraycopy(own, 0, bytes, head, own.length);
        return bytes;
    }

    /**
     * The layout in stored form.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no layout
     */
    public static BucketLayout of(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != VERSION) {
            return new BucketLayout(BucketBounds.of(bytes), List.of());
        }
        int count = bytes.length < HEADER_BYTES ? -1 : LittleEndian.getInt(bytes, 1);
        if (count < 0 || count > BucketBounds.MOST_BUCKETS || bytes.length < HEADER_BYTES + count * STAGED_BYTES) {
            throw damaged(bytes.length);
        }
        List<Staged> staged = new ArrayList<>();
        int at = HEADER_BYTES;
        for (int i = 0; i < count; i++, at += STAGED_BYTES) {
            staged.add(new Staged(
                    LittleEndian.getLong(bytes, at),
                    LittleEndian.getInt(bytes, at + Long.BYTES),
                    LittleEndian.getLong(bytes, at + Long.BYTES + Integer.BYTES)));
        }
        BucketBounds bounds = BucketBounds.of(Arrays.copyOfRange(bytes, at, bytes.length));
        try {
            return new BucketLayout(bounds, staged);
        } catch (FulmarException noLayout) {
            throw damaged(bytes.length);
        }
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a layout of buckets of " + length + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
