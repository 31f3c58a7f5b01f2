package dev.fulmar.node.config;

/**
 * Limits of a node's memory.
 *
 * @param limitBytes {@code memory.limit}: off-heap memory for the data
 * @param writePercent {@code memory.write-percent}: how much of the limit what adds rows may take, so that there is
 *     some for deletes and reads
 * @param undoBytes {@code requests.undo-limit}: before-images of one transaction
 * @param intermediateBytes {@code requests.intermediate-limit}: rows that one statement keeps on a partition while it
 *     runs
 * @param underWayBytes {@code requests.memory-limit}: requests, results and replies under way, all together
 */
public record MemoryConfiguration(
        long limitBytes, int writePercent, long undoBytes, long intermediateBytes, long underWayBytes) {
    private static final long MEBIBYTE = 1 << 20;
    private static final long LEAST_LIMIT = 16 * MEBIBYTE;
    private static final long MOST = 1L << 50;
    private static final long LEAST_UNDER_WAY = 4 * MEBIBYTE;
    private static final long USUAL_INTERMEDIATE = 256 * MEBIBYTE;
    private static final int USUAL_WRITE_PERCENT = 90;

    /** Requests and results under way get one of so many parts of the heap. */
    private static final int HEAP_PARTS = 4;

    static MemoryConfiguration of(Settings settings, Machine machine) {
        return new MemoryConfiguration(
                settings.bytes("memory.limit", machine.memoryBytes() / 2, LEAST_LIMIT, MOST),
                settings.number("memory.write-percent", USUAL_WRITE_PERCENT, 1, 100),
                settings.bytes("requests.undo-limit", USUAL_INTERMEDIATE, 1024, MOST),
                settings.bytes("requests.intermediate-limit", USUAL_INTERMEDIATE, MEBIBYTE, MOST),
                settings.bytes(
                        "requests.memory-limit",
                        Math.max(LEAST_UNDER_WAY, machine.heapBytes() / HEAP_PARTS),
                        LEAST_UNDER_WAY,
                        MOST));
    }

    /** Up to where what adds rows gets memory. */
    public long markBytes() {
        return (long) (limitBytes * (writePercent / 100.0));
    }
}
