package dev.fulmar.engine.memory;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Maps native memory in large aligned chunks against a {@link MemoryBudget}. Thread-safe. */
public final class ChunkSource {
    /** Size and alignment of a chunk: a huge page. */
    public static final int CHUNK_BYTES = 2 << 20;

    private final MemoryBudget budget;
    private final PageSource pages;

    public ChunkSource(MemoryBudget budget) {
        this(budget, MappedPages.isSupported() ? new MappedPages() : new ArenaPages());
    }

    ChunkSource(MemoryBudget budget, PageSource pages) {
        this.budget = budget;
        this.pages = pages;
    }

    public MemoryBudget budget() {
        return budget;
    }

    /**
     * Maps zeroed memory at a multiple of {@link #CHUNK_BYTES}. Fails with {@link ErrorCode#MEMORY_LIMIT}.
     *
     * @param bytes a multiple of 64 KiB
     * @param hugePages for memory that will be full soon; without, pages take real memory one by one as they are touched
     */
    public long map(long bytes, boolean hugePages) {
        return map(bytes, bytes, hugePages);
    }

    /** Like {@link #map(long, boolean)}, but only the first bytes count; the rest may be used once it is counted by {@link #count}. */
    long map(long bytes, long countedBytes, boolean hugePages) {
        budget.reserve(countedBytes);
        long address = pages.map(bytes, hugePages);
        if (address == 0) {
            budget.release(countedBytes);
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the operating system gives no more memory (" + bytes + " bytes asked for, " + budget.usedBytes()
                            + " in use); delete data, add nodes, or lower the memory limit to what the machine has");
        }
        return address;
    }

    /** Counts more bytes of what is mapped. Fails with {@link ErrorCode#MEMORY_LIMIT}. */
    void count(long moreBytes) {
        budget.reserve(moreBytes);
    }

    /** Gives back exactly what one call of {@link #map} returned. */
    public void unmap(long address, long bytes) {
        unmap(address, bytes, bytes);
    }

    /** Like {@link #unmap(long, long)}, where so many bytes of it were counted. */
    void unmap(long address, long bytes, long countedBytes) {
        pages.unmap(address, bytes);
        budget.release(countedBytes);
    }
}
