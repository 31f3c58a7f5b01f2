package dev.fulmar.pmemlog.checkpoint;

import java.util.Arrays;

/** Sizes of slots of the master heap, in units: each at most a quarter larger than the one before, so that little is wasted. */
final class SizeClasses {
    /** Slots begin at multiples of this. */
    static final int UNIT_BYTES = 64;

    static final int SMALLEST_EXTENT_BYTES = 4 << 10;

    /** An extent that has no slots. */
    static final int UNUSED = 0;

    /** An extent that is the beginning of one slot of several extents. */
    static final int RUN = 255;

    /** An extent that belongs to the slot of an extent before it. */
    static final int RUN_TAIL = 254;

    private static final int EXACT_UNITS = 8;
    private static final int STEPS = 4;

    private final int[] units;

    SizeClasses(int extentBytes) {
        int most = extentBytes / UNIT_BYTES;
        int[] sizes = new int[RUN_TAIL];
        int count = 1;
        for (int size = 1; size <= most; size += size < EXACT_UNITS ? 1 : Integer.highestOneBit(size) / STEPS) {
            sizes[count++] = size;
        }
        units = Arrays.copyOf(sizes, count);
    }

    /** The class whose slots hold so many bytes; {@link #RUN} if no extent does. */
    int classOf(int bytes) {
        int needed = unitsOf(bytes);
        int found = Arrays.binarySearch(units, 1, units.length, needed);
        int index = found >= 0 ? found : -found - 1;
        return index == units.length ? RUN : index;
    }

    /** Units of a slot of the class. */
    int units(int sizeClass) {
        return units[sizeClass];
    }

    /** Whether the number means a class of slots that lie in one extent. */
    boolean isClass(int sizeClass) {
        return sizeClass > UNUSED && sizeClass < units.length;
    }

    static int unitsOf(int bytes) {
        return Math.addExact(bytes, UNIT_BYTES - 1) / UNIT_BYTES;
    }
}
