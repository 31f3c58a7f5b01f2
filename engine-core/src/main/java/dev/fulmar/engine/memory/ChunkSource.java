package dev.fulmar.engine.memory;

/** Maps native memory in large aligned chunks against a {@link MemoryBudget}. Thread-safe. */
public final class ChunkSource {
    public static final int CHUNK_BYTES = 2 << 20;

    public ChunkSource(MemoryBudget budget) {
        throw new UnsupportedOperationException();
    }

    public MemoryBudget budget() {
        throw new UnsupportedOperationException();
    }

    /** Maps zeroed memory, aligned to {@link #CHUNK_BYTES}; the size is a multiple of it. */
    public long map(long bytes) {
        throw new UnsupportedOperationException();
    }

    public void unmap(long address, long bytes) {
        throw new UnsupportedOperationException();
    }
}
