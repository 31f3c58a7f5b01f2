package dev.fulmar.pmemlog.backend.memory;

/**
 * A file's place in the memory. Extents and sizes change under the storage's lock; readers see whole tables of extents.
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

    /** What of it is durable and may be named. */
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
