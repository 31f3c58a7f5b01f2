package dev.fulmar.pmemlog.backend.memory;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Layout of a memory of a given size. */
record Geometry(long memoryBytes, int extentBytes, int tableBytes, int extents) {
    private static final int LEAST_EXTENT = 4 << 10;
    private static final int MOST_EXTENT = 4 << 20;
    private static final int USUAL_EXTENTS = 4096;
    private static final int NAMES_BYTES = 64 << 10;
    private static final int LEAST_MEMORY = 512 << 10;

    static Geometry of(long memoryBytes) {
        if (memoryBytes < LEAST_MEMORY) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a memory of " + memoryBytes + " bytes is too small for a log; give it " + LEAST_MEMORY
                            + " or more");
        }
        long wanted = Long.highestOneBit(memoryBytes / USUAL_EXTENTS);
        int extentBytes = Math.clamp(wanted, LEAST_EXTENT, MOST_EXTENT);
        long most = memoryBytes / extentBytes;
        int tableBytes = Math.toIntExact(NAMES_BYTES + most * Integer.BYTES + 4095) & -4096;
        return new Geometry(
                memoryBytes, extentBytes, tableBytes, (int) ((memoryBytes - 2L * tableBytes) / extentBytes));
    }

    long offsetOf(int extent) {
        return 2L * tableBytes + (long) extent * extentBytes;
    }
}
