package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;

/**
 * Sizes of slots of the master heap, in units: each at most an eighth larger than the one before, so that little is
 * wasted.
 */
final class SizeClasses {
    /** Slots begin at multiples of this. */
    static final int UNIT_BYTES = 16;

    /** Units that had been one in version 1. */
    static final int OLD_UNITS = 4;

    static final int SMALLEST_EXTENT_BYTES = 4 << 10;
    static final int LARGEST_EXTENT_BYTES = 16 << 20;

    /** An extent that has no slots. */
    static final int UNUSED = 0;

    /** An extent that is the beginning of one slot of several extents. */
    static final int RUN = 255;

    /** An extent that belongs to the slot of an extent before it. */
    static final int RUN_TAIL = 254;

    /** Classes below this are those of version 1, whose slots have another form; new extents get none of them. */
    private static final int FIRST = 100;

    private static final int OLD_EXACT_UNITS = 8;
    private static final int OLD_STEPS = 4;
    private static final int EXACT_UNITS = 32;
    private static final int STEPS = 8;

    private final int[] oldUnits;
    private final int[] units;

    SizeClasses(int extentBytes) {
        oldUnits = sizes(extentBytes / UNIT_BYTES / OLD_UNITS, OLD_EXACT_UNITS, OLD_STEPS);
        units = sizes(extentBytes / UNIT_BYTES, EXACT_UNITS, STEPS);
    }

    private static int[] sizes(int most, int exact, int steps) {
        int[] sizes = new int[RUN_TAIL];
        int count = 0;
        for (int size = 1; size <= most; size += size < exact ? 1 : Integer.highestOneBit(size) / steps) {
            sizes[count++] = size;
        }
        return Arrays.copyOf(sizes, count);
    }

    /** The class whose slots hold so many bytes; {@link #RUN} if no extent does. */
    int classOf(int bytes) {
        int needed = Math.ceilDiv(bytes, UNIT_BYTES);
        int found = Arrays.binarySearch(units, needed);
        int index = found >= 0 ? found : -found - 1;
        return index == units.length ? RUN : FIRST + index;
    }

    /** Units of a slot of the class. */
    int units(int sizeClass) {
        return isOld(sizeClass) ? OLD_UNITS * oldUnits[sizeClass - 1] : units[sizeClass - FIRST];
    }

    /** Whether the number means a class of slots that lie in one extent. */
    boolean isClass(int sizeClass) {
        return sizeClass >= FIRST
                ? sizeClass < FIRST + units.length
                : sizeClass > UNUSED && sizeClass <= oldUnits.length;
    }

    /** Whether the class is one of version 1. */
    static boolean isOld(int sizeClass) {
        return sizeClass < FIRST;
    }
}
