package dev.fulmar.engine.memory;

/**
 * The sizes of blocks: multiples of 8 up to 128 bytes, then eight steps per doubling. So at most an eighth of a block
 * is wasted.
 */
final class SizeClass {
    /** Larger blocks take whole spans. */
    static final int LARGEST_BYTES = 256 << 10;

    private static final int GRAIN = 8;
    private static final int LINEAR_LIMIT_BYTES = 128;
    private static final int LINEAR_LIMIT_BITS = 7;
    private static final int LINEAR_CLASSES = LINEAR_LIMIT_BYTES / GRAIN;
    private static final int STEPS_BITS = 3;

    static final int COUNT = of(LARGEST_BYTES) + 1;

    private SizeClass() {}

    /** The class of blocks of at least so many bytes, at least 1. */
    static int of(int bytes) {
        if (bytes <= LINEAR_LIMIT_BYTES) {
            return (bytes + GRAIN - 1) / GRAIN;
        }
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes - 1);
        int steps = ((bytes - 1 - (1 << power)) >>> (power - STEPS_BITS)) + 1;
        return LINEAR_CLASSES + ((power - LINEAR_LIMIT_BITS) << STEPS_BITS) + steps;
    }

    /** Bytes of a block of the class. */
    static int bytes(int sizeClass) {
        if (sizeClass <= LINEAR_CLASSES) {
            return sizeClass * GRAIN;
        }
        int index = sizeClass - LINEAR_CLASSES - 1;
        int power = LINEAR_LIMIT_BITS + (index >>> STEPS_BITS);
        return (1 << power) + (((index & ((1 << STEPS_BITS) - 1)) + 1) << (power - STEPS_BITS));
    }
}
