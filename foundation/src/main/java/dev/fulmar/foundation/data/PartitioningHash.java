package dev.fulmar.foundation.data;

/**
 * The hash that partition plans divide into ranges. Stands in plans, files and clients: its values never change. Every
 * bit of the result depends on every bit of the key, so that any sub-range of the 64-bit result is evenly filled.
 */
public final class PartitioningHash {
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
        long hash = length;
        int end = offset + length;
        int position = offset;
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
