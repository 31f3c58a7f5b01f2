package dev.fulmar.pmemlog.backend.memory;

/**
 * A file in persistent memory: its extents and sizes. Extents and sizes change under the storage's lock; readers see
 * whole tables of extents.
 */
final class MemoryFile {
    private volatile int[] extents;
    private volatile long size;
    private long durableSize;
    private int openHandles;

    MemoryFile(int[] extents, long size) {
        this.extents = extents;
        this.size = size;
        this.durableSize = size;
    }

    int[] extents() {
        return extents;
    }

    long size() {
        return size;
    }

    /** Bytes of the file that are durable and may be named by the table. */
    long durableSize() {
        return durableSize;
    }

    void extents(int[] more) {
        extents = more;
    }

    void size(long newSize) {
        size = newSize;
    }

    void durableSize(long bytes) {
        durableSize = bytes;
    }

    void opened() {
        openHandles++;
    }

    void closed() {
        openHandles--;
    }

    boolean isOpen() {
        return openHandles > 0;
    }
}
