package dev.fulmar.engine.memory;

/** A source of address space for native memory. Thread-safe. */
sealed interface PageSource permits MappedPages, ArenaPages {
    /** Zeroed memory at a multiple of {@link ChunkSource#CHUNK_BYTES}, or 0 if there is none. */
    long map(long bytes, boolean hugePages);

    /** Gives back exactly what one call of {@link #map} returned. */
    void unmap(long address, long bytes);
}
