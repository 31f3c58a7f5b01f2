package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Maps native memory in large aligned chunks against a {@link MemoryBudget}. Thread-safe but for {@link #holdToMark}.
 */
public final class ChunkSource {
    /** Size and alignment of a chunk: a huge page. */
    public static final int CHUNK_BYTES = 2 << 20;

    private final MemoryBudget budget;
    private final PageSource pages;
    private boolean isHeldToMark;

    public ChunkSource(MemoryBudget budget) {
        this(budget, MappedPages.isSupported() ? new MappedPages() : new ArenaPages());
    }

    ChunkSource(MemoryBudget budget, PageSource pages) {
        this.budget = budget;
        this.pages = pages;
    }

    /** Another source of the same memory, for one thread at a time. */
    public ChunkSource share() {
        return new ChunkSource(budget, pages);
    }

    /**
     * Whether what is mapped from now on would hold more rows, for which the budget has a mark of its own. For the
     * thread of a shared source.
     */
    public void holdToMark(boolean isHeld) {
        isHeldToMark = isHeld;
    }

    public MemoryBudget budget() {
        return budget;
    }

    /**
     * Maps zeroed memory at a multiple of {@link #CHUNK_BYTES}. Fails with {@link ErrorCode#MEMORY_LIMIT}.
     *
     * @param bytes a multiple of 64 KiB
     * @param hugePages for memory that will be full soon; without, pages take real memory one by one as they are
     *     touched
     */
    public long map(long bytes, boolean hugePages) {
        return map(bytes, bytes, hugePages);
    }

    /**
     * Like {@link #map(long, boolean)}, but only the first bytes count; the rest may be used once it is counted by
     * {@link #count}.
     */
    long map(long bytes, long countedBytes, boolean hugePages) {
        budget.reserve(countedBytes, isHeldToMark);
        long address = pages.map(bytes, hugePages);
        if (address == 0) {
            budget.release(countedBytes);
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the operating system gives no more memory (" + bytes + " bytes asked for, " + budget.usedBytes()
                            + " in use); delete data, add nodes, or lower the memory limit to what the machine has");
        }
        Invariants.check((address & (CHUNK_BYTES - 1)) == 0, "a chunk of memory lies at a multiple of its size");
        return address;
    }

    /** Counts more bytes of what is mapped. Fails with {@link ErrorCode#MEMORY_LIMIT}. */
    void count(long moreBytes) {
        budget.reserve(moreBytes, isHeldToMark);
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
