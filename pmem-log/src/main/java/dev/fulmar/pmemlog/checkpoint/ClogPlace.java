package dev.fulmar.pmemlog.checkpoint;

/**
 * Place of an entry in the checkpoint log, with a mark for a slot that it erases, as one number; later places are
 * greater.
 */
final class ClogPlace {
    private static final int OFFSET_BITS = 31;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    private ClogPlace() {}

    static long of(long segment, int offset) {
        return ((segment << OFFSET_BITS) | offset) << 1;
    }

    /** The place, of an entry that frees a slot. */
    static long erasing(long place) {
        return place | 1;
    }

    static boolean isErasing(long place) {
        return (place & 1) != 0;
    }

    static long segment(long place) {
        return place >> (OFFSET_BITS + 1);
    }

    static int offset(long place) {
        return (int) ((place >> 1) & OFFSET_MASK);
    }
}
