package dev.fulmar.pmemlog.checkpoint;

/**
 * Numbers of changing width: seven bits to a byte, the lowest first, and the highest bit of a byte says that more
 * follow.
 */
final class Numbers {
    /** Most bytes of a number. */
    static final int MOST_BYTES = 10;

    private static final int BITS = 7;
    private static final int MORE = 0x80;

    private final byte[] array;
    private final int end;
    private int at;
    private boolean isBad;

    /** Reads numbers from there on. */
    Numbers(byte[] array, int at, int end) {
        this.array = array;
        this.at = at;
        this.end = end;
    }

    /** The next one; where none is, 0, and {@link #isBad}. */
    long next() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE && at < end; shift += BITS) {
            byte part = array[at++];
            value |= (long) (part & (MORE - 1)) << shift;
            if (part >= 0) {
                return value;
            }
        }
        isBad = true;
        return 0;
    }

    /** The next one, written by {@link #putSigned}. */
    long nextSigned() {
        long value = next();
        return (value >>> 1) ^ -(value & 1);
    }

    int nextInt() {
        long value = next();
        isBad |= value < 0 || value > Integer.MAX_VALUE;
        return isBad ? 0 : (int) value;
    }

    int nextSignedInt() {
        long value = nextSigned();
        isBad |= value != (int) value;
        return isBad ? 0 : (int) value;
    }

    boolean isBad() {
        return isBad;
    }

    /** Position of the next number. */
    int at() {
        return at;
    }

    /** Writes the number, as one without sign; returns the end. */
    static int put(byte[] array, int at, long value) {
        int out = at;
        long rest = value;
        while ((rest & -MORE) != 0) {
            array[out++] = (byte) (rest | MORE);
            rest >>>= BITS;
        }
        array[out++] = (byte) rest;
        return out;
    }

    /** Writes a number that may be negative and is small in either case; returns the end. */
    static int putSigned(byte[] array, int at, long value) {
        return put(array, at, (value << 1) ^ (value >> (Long.SIZE - 1)));
    }

    /** Bytes that {@link #put} takes. */
    static int bytes(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + BITS - 1) / BITS);
    }

    /** Bytes that {@link #putSigned} takes. */
    static int signedBytes(long value) {
        return bytes((value << 1) ^ (value >> (Long.SIZE - 1)));
    }
}
