package dev.fulmar.foundation.data;

/**
 * The hash that partition plans divide into ranges. Stands in plans, files and clients: its values never change. Every
 * bit of the result depends on every bit of the key, so that any sub-range of the 64-bit result is evenly filled.
 */
public final class PartitioningHash {
    /** Keys that are hashed side by side. */
    static final int LANES = 4;

    private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

    private PartitioningHash() {}

    /** Hash of a key held as a long: integers, booleans, dates, times, timestamps, decimals of up to 18 digits. */
    public static long ofLong(long key) {
        return mix(key + GOLDEN_RATIO);
    }

    /** Hash of a double; both zeros have the same hash, and all NaNs have. */
    public static long ofDouble(double key) {
        return ofLong(Double.doubleToLongBits(key == 0 ? 0.0 : key));
    }

    /** Hash of a key of two longs. */
    public static long ofWide(long high, long low) {
        return step(step(2 * Long.BYTES, high), low);
    }

    /** Hash of a character or binary key. */
    public static long ofBytes(byte[] source, int offset, int length) {
        return ofRest(length, source, offset, offset + length);
    }

    /**
     * The hashes of {@link #LANES} keys of one array, as {@link #ofBytes(byte[], int, int)} of each. None waits for the
     * multiplications of another, so they take about as long as two.
     *
     * @param first the place of the first key's offset and length
     * @param into gets the hashes, from 0 on
     */
    static void ofLanes(byte[] source, int[] offsets, int[] lengths, int first, long[] into) {
        int offset0 = offsets[first];
        int offset1 = offsets[first + 1];
        int offset2 = offsets[first + 2];
        int offset3 = offsets[first + 3];
        long hash0 = lengths[first];
        long hash1 = lengths[first + 1];
        long hash2 = lengths[first + 2];
        long hash3 = lengths[first + 3];
        int together = (int) Math.min(Math.min(hash0, hash1), Math.min(hash2, hash3)) & -Long.BYTES;
        for (int at = 0; at < together; at += Long.BYTES) {
            hash0 = step(hash0, LittleEndian.getLong(source, offset0 + at));
            hash1 = step(hash1, LittleEndian.getLong(source, offset1 + at));
            hash2 = step(hash2, LittleEndian.getLong(source, offset2 + at));
            hash3 = step(hash3, LittleEndian.getLong(source, offset3 + at));
        }
        into[0] = ofRest(hash0, source, offset0 + together, offset0 + lengths[first]);
        into[1] = ofRest(hash1, source, offset1 + together, offset1 + lengths[first + 1]);
        into[2] = ofRest(hash2, source, offset2 + together, offset2 + lengths[first + 2]);
        into[3] = ofRest(hash3, source, offset3 + together, offset3 + lengths[first + 3]);
    }

    private static long ofRest(long begun, byte[] source, int from, int end) {
        long hash = begun;
        int position = from;
        for (; position <= end - Long.BYTES; position += Long.BYTES) {
            hash = step(hash, LittleEndian.getLong(source, position));
        }
        long rest = 0;
        for (int shift = 0; position < end; position++, shift += Byte.SIZE) {
            rest |= (source[position] & 0xffL) << shift;
        }
        return step(hash, rest);
    }

    /** The same as {@link #ofBytes(byte[], int, int)} for native memory, which must be readable. */
    public static long ofNative(long address, int length) {
        long hash = length;
        long end = address + length;
        long position = address;
        for (; position <= end - Long.BYTES; position += Long.BYTES) {
            hash = step(hash, LittleEndian.getNativeLong(position));
        }
        long rest = 0;
        for (int shift = 0; position < end; position++, shift += Byte.SIZE) {
            rest |= (LittleEndian.getNativeByte(position) & 0xffL) << shift;
        }
        return step(hash, rest);
    }

    /** A bijection of the word for a given hash, and of the hash for a given word: nothing that came before is lost. */
    private static long step(long hash, long word) {
        return mix((mix(hash + GOLDEN_RATIO) ^ word) + GOLDEN_RATIO);
    }

    /** David Stafford's variant 13 of the MurmurHash3 finalizer: a bijection. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
