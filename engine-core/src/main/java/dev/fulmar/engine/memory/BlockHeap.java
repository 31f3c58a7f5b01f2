package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/**
 * Blocks of native memory of any size, without a header per block: who frees a block knows its size. One thread.
 *
 * <p>A chunk is divided into 64 spans; a run of spans holds blocks of one size class and keeps its own free list. The
 * runs' records and a bitmap of free spans lie at the chunk's start, which any address in the chunk leads to. A run
 * without a live block returns to its chunk, and a chunk without a run to the {@link ChunkSource}; one empty run per
 * class and one empty chunk stay until {@link #trim}.
 *
 * <p>A database has hundreds of heaps, most of them nearly empty where partitions are many and rows few. So the first
 * chunk of a heap is of small pages, and counts against the budget as far as it was ever used; spans are taken from its
 * beginning.
 */
public final class BlockHeap implements AutoCloseable {
    private static final int SPAN_BITS = 15;
    private static final int SPAN_BYTES = 1 << SPAN_BITS;
    private static final int SPANS = ChunkSource.CHUNK_BYTES / SPAN_BYTES;
    private static final int MOST_RUN_SPANS = 32;
    private static final int RUN_WASTE_DIVISOR = 16;
    private static final int DIRECT_GRAIN_BYTES = 64 << 10;
    private static final int SEARCHED_CHUNKS = 8;

    /** The first chunk of a heap is counted in steps of so many spans. */
    private static final int COUNTED_SPANS = 4;

    // The chunk's header: bitmap of free spans, links of the list of chunks with free spans, place in chunks[], spans
    // that count against the budget, span records.
    private static final int CHUNK_FREE = 0;
    private static final int CHUNK_NEXT = 8;
    private static final int CHUNK_PREVIOUS = 16;
    private static final int CHUNK_INDEX = 24;
    private static final int CHUNK_COUNTED = 32;
    private static final int CHUNK_RUNS = 64;

    // A run's record, at its first span: class, live blocks, offset in the chunk of the first block never used and of
    // the first freed one.
    private static final int RUN_CLASS = 0;
    private static final int RUN_LIVE = 4;
    private static final int RUN_FRESH = 8;
    private static final int RUN_FREED = 12;
    private static final int RUN_NEXT = 16;
    private static final int RUN_PREVIOUS = 24;
    private static final int RUN_BYTES = 32;
    private static final int HEADER_BYTES = CHUNK_RUNS + SPANS * RUN_BYTES;

    /** The first span is short by the header; only small blocks use it. */
    private static final int FIRST_SPAN_LARGEST_BYTES = 4 << 10;

    private static final int LARGEST_IN_CHUNK_BYTES = (SPANS - 1) * SPAN_BYTES;

    private ChunkSource source;
    private final int[] runSpans = new int[SizeClass.COUNT];
    /** Per class, the first run that has room. */
    private final long[] open = new long[SizeClass.COUNT];

    private long[] chunks = new long[4];
    private int chunkCount;
    private long firstAvailable;
    private long usedBytes;
    private long directBytes;
    private long uncountedBytes;

    public BlockHeap(ChunkSource source) {
        this.source = source;
        for (int sizeClass = 1; sizeClass < SizeClass.COUNT; sizeClass++) {
            runSpans[sizeClass] = chooseRunSpans(SizeClass.bytes(sizeClass));
        }
    }

    private static int chooseRunSpans(int blockBytes) {
        for (int spans = 1; spans < MOST_RUN_SPANS; spans++) {
            int run = spans * SPAN_BYTES;
            if (run >= blockBytes && run % blockBytes <= run / RUN_WASTE_DIVISOR) {
                return spans;
            }
        }
        return MOST_RUN_SPANS;
    }

    /** Bytes that a block asked for with this size really has. */
    public static long usableBytes(long bytes) {
        if (bytes <= SizeClass.LARGEST_BYTES) {
            return SizeClass.bytes(SizeClass.of((int) Math.max(1, bytes)));
        }
        long grain = bytes <= LARGEST_IN_CHUNK_BYTES ? SPAN_BYTES : DIRECT_GRAIN_BYTES;
        return (bytes + grain - 1) & -grain;
    }

    /** A block of at least so many bytes at a multiple of 8, its content unspecified. Fails with MEMORY_LIMIT. */
    public long allocate(long bytes) {
        long block = bytes <= SizeClass.LARGEST_BYTES
                ? allocateSmall(SizeClass.of((int) Math.max(1, bytes)))
                : allocateLarge(usableBytes(bytes));
        usedBytes += usableBytes(bytes);
        return block;
    }

    /** Frees a block that was asked for with this size, or with another of the same {@link #usableBytes}. */
    public void free(long block, long bytes) {
        usedBytes -= usableBytes(bytes);
        if (bytes <= SizeClass.LARGEST_BYTES) {
            freeSmall(block, SizeClass.of((int) Math.max(1, bytes)));
        } else {
            freeLarge(block, usableBytes(bytes));
        }
    }

    /** The heap is another thread's from now on, which maps memory by that source, of the same budget. */
    public void moveTo(ChunkSource other) {
        Invariants.check(source.budget() == other.budget(), "memory moves within a node");
        source = other;
    }

    /** Whether the address, which is in a chunk of some heap, is in one of this. */
    public boolean has(long address) {
        long chunk = chunkOf(address);
        long index = OffHeap.getLong(chunk + CHUNK_INDEX);
        return index < chunkCount && chunks[(int) index] == chunk;
    }

    /** Bytes in live blocks. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Bytes that count against the budget. */
    public long reservedBytes() {
        return (long) chunkCount * ChunkSource.CHUNK_BYTES - uncountedBytes + directBytes;
    }

    /** Gives empty runs and chunks back. */
    public void trim() {
        for (int sizeClass = 1; sizeClass < SizeClass.COUNT; sizeClass++) {
            long run = open[sizeClass];
            while (run != 0) {
                long next = OffHeap.getLong(run + RUN_NEXT);
                if (OffHeap.getInt(run + RUN_LIVE) == 0) {
                    closeRun(run, sizeClass);
                    returnSpans(run, runSpans[sizeClass]);
                }
                run = next;
            }
        }
        for (int i = chunkCount - 1; i >= 0; i--) {
            if (OffHeap.getLong(chunks[i] + CHUNK_FREE) == ~0L) {
                unmapChunk(chunks[i]);
            }
        }
        if (Invariants.EXPENSIVE) {
            checkAvailable();
        }
    }

    /** Reads the list of chunks with free spans. */
    private void checkAvailable() {
        int expected = 0;
        for (int i = 0; i < chunkCount; i++) {
            expected += OffHeap.getLong(chunks[i] + CHUNK_FREE) == 0 ? 0 : 1;
        }
        int listed = 0;
        for (long chunk = firstAvailable;
                chunk != 0 && listed <= expected;
                chunk = OffHeap.getLong(chunk + CHUNK_NEXT)) {
            listed++;
        }
        Invariants.check(listed == expected, "a heap lists each chunk that has free spans, and no other");
    }

    /** Unmaps everything; large blocks beyond a chunk's size must have been freed. */
    @Override
    public void close() {
        Invariants.check(directBytes == 0, "blocks larger than a chunk are freed before their heap is closed");
        for (int i = 0; i < chunkCount; i++) {
            source.unmap(chunks[i], ChunkSource.CHUNK_BYTES, countedBytes(chunks[i]));
        }
        chunkCount = 0;
        uncountedBytes = 0;
        firstAvailable = 0;
        usedBytes = 0;
        Arrays.fill(open, 0);
    }

    private long allocateSmall(int sizeClass) {
        long run = open[sizeClass];
        if (run == 0) {
            run = openRun(sizeClass);
        }
        long chunk = chunkOf(run);
        int offset = OffHeap.getInt(run + RUN_FREED);
        if (offset != 0) {
            OffHeap.putInt(run + RUN_FREED, OffHeap.getInt(chunk + offset));
        } else {
            offset = OffHeap.getInt(run + RUN_FRESH);
            OffHeap.putInt(run + RUN_FRESH, offset + SizeClass.bytes(sizeClass));
        }
        OffHeap.putInt(run + RUN_LIVE, OffHeap.getInt(run + RUN_LIVE) + 1);
        if (isFull(run, sizeClass)) {
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        OffHeap.getInt(run + RUN_LIVE) == handedOut(run, sizeClass),
                        "a full run of blocks has all of them in use");
            }
            closeRun(run, sizeClass);
        }
        return chunk + offset;
    }

    private void freeSmall(long block, int sizeClass) {
        long chunk = chunkOf(block);
        long run = runOf(chunk, block);
        Invariants.check(
                OffHeap.getInt(run + RUN_CLASS) == sizeClass, "a block is freed with the size it was made with");
        if (Invariants.EXPENSIVE) {
            checkBlock(chunk, run, block);
        }
        boolean wasFull = isFull(run, sizeClass);
        OffHeap.putInt(block, OffHeap.getInt(run + RUN_FREED));
        OffHeap.putInt(run + RUN_FREED, (int) (block - chunk));
        int live = OffHeap.getInt(run + RUN_LIVE) - 1;
        OffHeap.putInt(run + RUN_LIVE, live);
        if (wasFull) {
            linkRun(run, sizeClass);
        }
        if (Invariants.EXPENSIVE && live == 0) {
            checkFreeBlocks(chunk, run, sizeClass);
        }
        boolean onlyOpenRun = open[sizeClass] == run && OffHeap.getLong(run + RUN_NEXT) == 0;
        if (live == 0 && !onlyOpenRun) {
            closeRun(run, sizeClass);
            returnSpans(run, runSpans[sizeClass]);
        }
    }

    /** Offset in the chunk of the run's first block. */
    private static int firstBlock(long run) {
        int span = spanOfRun(run);
        return span == 0 ? HEADER_BYTES : span << SPAN_BITS;
    }

    /** Blocks of the run that were used at least once. */
    private static int handedOut(long run, int sizeClass) {
        return (OffHeap.getInt(run + RUN_FRESH) - firstBlock(run)) / SizeClass.bytes(sizeClass);
    }

    private static void checkBlock(long chunk, long run, long block) {
        int offset = (int) (block - chunk);
        int blockBytes = SizeClass.bytes(OffHeap.getInt(run + RUN_CLASS));
        Invariants.check(
                (offset - firstBlock(run)) % blockBytes == 0, "a block is freed at the address at which it begins");
        Invariants.check(
                offset < OffHeap.getInt(run + RUN_FRESH) && OffHeap.getInt(run + RUN_LIVE) > 0,
                "a heap frees only blocks that it handed out");
    }

    /** Reads the list of an empty run. */
    private static void checkFreeBlocks(long chunk, long run, int sizeClass) {
        int handedOut = handedOut(run, sizeClass);
        int count = 0;
        int offset = OffHeap.getInt(run + RUN_FREED);
        while (offset != 0 && count <= handedOut) {
            count++;
            offset = OffHeap.getInt(chunk + offset);
        }
        Invariants.check(count == handedOut, "an empty run of blocks has each of them in its free list once");
    }

    private boolean isFull(long run, int sizeClass) {
        if (OffHeap.getInt(run + RUN_FREED) != 0) {
            return false;
        }
        int first = spanOfRun(run);
        int end = (first + runSpans[sizeClass]) << SPAN_BITS;
        return OffHeap.getInt(run + RUN_FRESH) + SizeClass.bytes(sizeClass) > end;
    }

    private long allocateLarge(long bytes) {
        if (bytes > LARGEST_IN_CHUNK_BYTES) {
            long block = source.map(bytes, true);
            directBytes += bytes;
            return block;
        }
        long run = takeSpans((int) (bytes >>> SPAN_BITS), false);
        return chunkOf(run) + ((long) spanOfRun(run) << SPAN_BITS);
    }

    private void freeLarge(long block, long bytes) {
        if (bytes > LARGEST_IN_CHUNK_BYTES) {
            source.unmap(block, bytes);
            directBytes -= bytes;
            return;
        }
        long chunk = chunkOf(block);
        int span = (int) (block - chunk) >>> SPAN_BITS;
        returnSpans(recordOf(chunk, span), (int) (bytes >>> SPAN_BITS));
    }

    private long openRun(int sizeClass) {
        int spans = runSpans[sizeClass];
        boolean mayBeFirst = spans == 1 && SizeClass.bytes(sizeClass) <= FIRST_SPAN_LARGEST_BYTES;
        long run = takeSpans(spans, mayBeFirst);
        int first = spanOfRun(run);
        OffHeap.putInt(run + RUN_CLASS, sizeClass);
        OffHeap.putInt(run + RUN_LIVE, 0);
        OffHeap.putInt(run + RUN_FRESH, first == 0 ? HEADER_BYTES : first << SPAN_BITS);
        OffHeap.putInt(run + RUN_FREED, 0);
        for (int i = 1; i < spans; i++) {
            OffHeap.putInt(run + (long) i * RUN_BYTES + RUN_CLASS, -i);
        }
        linkRun(run, sizeClass);
        return run;
    }

    private void linkRun(long run, int sizeClass) {
        long next = open[sizeClass];
        OffHeap.putLong(run + RUN_NEXT, next);
        OffHeap.putLong(run + RUN_PREVIOUS, 0);
        if (next != 0) {
            OffHeap.putLong(next + RUN_PREVIOUS, run);
        }
        open[sizeClass] = run;
    }

    private void closeRun(long run, int sizeClass) {
        long next = OffHeap.getLong(run + RUN_NEXT);
        long previous = OffHeap.getLong(run + RUN_PREVIOUS);
        if (previous == 0) {
            open[sizeClass] = next;
        } else {
            OffHeap.putLong(previous + RUN_NEXT, next);
        }
        if (next != 0) {
            OffHeap.putLong(next + RUN_PREVIOUS, previous);
        }
    }

    /** The record of the first of so many adjacent free spans, which are then taken. */
    private long takeSpans(int spans, boolean mayBeFirst) {
        long chunk = firstAvailable;
        for (int searched = 0; chunk != 0 && searched < SEARCHED_CHUNKS; searched++) {
            long starts = runStarts(OffHeap.getLong(chunk + CHUNK_FREE), spans, mayBeFirst);
            if (starts != 0) {
                return take(chunk, Long.numberOfTrailingZeros(starts), spans);
            }
            chunk = OffHeap.getLong(chunk + CHUNK_NEXT);
        }
        chunk = mapChunk();
        return take(chunk, mayBeFirst ? 0 : 1, spans);
    }

    /** Bit i is set if spans i to i + spans - 1 are free. */
    private static long runStarts(long free, int spans, boolean mayBeFirst) {
        long starts = mayBeFirst ? free : free & ~1L;
        int joined = 1;
        while (joined < spans && starts != 0) {
            int step = Math.min(joined, spans - joined);
            starts &= starts >>> step;
            joined += step;
        }
        return starts;
    }

    private long take(long chunk, int span, int spans) {
        countUpTo(chunk, span + spans);
        long taken = maskOf(span, spans);
        long before = OffHeap.getLong(chunk + CHUNK_FREE);
        Invariants.check((before & taken) == taken, "a heap takes only spans that are free");
        long free = before & ~taken;
        OffHeap.putLong(chunk + CHUNK_FREE, free);
        if (free == 0) {
            unlinkChunk(chunk);
        }
        return recordOf(chunk, span);
    }

    private void returnSpans(long run, int spans) {
        long chunk = chunkOf(run);
        long before = OffHeap.getLong(chunk + CHUNK_FREE);
        long returned = maskOf(spanOfRun(run), spans);
        Invariants.check((before & returned) == 0, "a heap returns only spans that it had taken");
        long free = before | returned;
        OffHeap.putLong(chunk + CHUNK_FREE, free);
        if (before == 0) {
            linkChunk(chunk);
        }
        boolean onlyAvailable = firstAvailable == chunk && OffHeap.getLong(chunk + CHUNK_NEXT) == 0;
        if (free == ~0L && !onlyAvailable) {
            unmapChunk(chunk);
        }
    }

    private void countUpTo(long chunk, int end) {
        int counted = OffHeap.getInt(chunk + CHUNK_COUNTED);
        if (end > counted) {
            int more = (end - counted + COUNTED_SPANS - 1) & -COUNTED_SPANS;
            long moreBytes = (long) more << SPAN_BITS;
            source.count(moreBytes);
            OffHeap.putInt(chunk + CHUNK_COUNTED, counted + more);
            uncountedBytes -= moreBytes;
        }
    }

    private static long countedBytes(long chunk) {
        return (long) OffHeap.getInt(chunk + CHUNK_COUNTED) << SPAN_BITS;
    }

    private static long maskOf(int span, int spans) {
        return (~0L >>> (Long.SIZE - spans)) << span;
    }

    private long mapChunk() {
        boolean first = chunkCount == 0;
        int countedSpans = first ? COUNTED_SPANS : SPANS;
        long chunk = source.map(ChunkSource.CHUNK_BYTES, (long) countedSpans << SPAN_BITS, !first);
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        OffHeap.putLong(chunk + CHUNK_FREE, ~0L);
        OffHeap.putLong(chunk + CHUNK_INDEX, chunkCount);
        OffHeap.putInt(chunk + CHUNK_COUNTED, countedSpans);
        uncountedBytes += ChunkSource.CHUNK_BYTES - countedBytes(chunk);
        chunks[chunkCount++] = chunk;
        linkChunk(chunk);
        return chunk;
    }

    private void unmapChunk(long chunk) {
        unlinkChunk(chunk);
        int index = (int) OffHeap.getLong(chunk + CHUNK_INDEX);
        Invariants.check(chunks[index] == chunk, "a heap's chunk knows its place among the chunks");
        long last = chunks[--chunkCount];
        chunks[index] = last;
        OffHeap.putLong(last + CHUNK_INDEX, index);
        long countedBytes = countedBytes(chunk);
        uncountedBytes -= ChunkSource.CHUNK_BYTES - countedBytes;
        source.unmap(chunk, ChunkSource.CHUNK_BYTES, countedBytes);
    }

    private void linkChunk(long chunk) {
        OffHeap.putLong(chunk + CHUNK_NEXT, firstAvailable);
        OffHeap.putLong(chunk + CHUNK_PREVIOUS, 0);
        if (firstAvailable != 0) {
            OffHeap.putLong(firstAvailable + CHUNK_PREVIOUS, chunk);
        }
        firstAvailable = chunk;
    }

    private void unlinkChunk(long chunk) {
        long next = OffHeap.getLong(chunk + CHUNK_NEXT);
        long previous = OffHeap.getLong(chunk + CHUNK_PREVIOUS);
        if (previous == 0) {
            firstAvailable = next;
        } else {
            OffHeap.putLong(previous + CHUNK_NEXT, next);
        }
        if (next != 0) {
            OffHeap.putLong(next + CHUNK_PREVIOUS, previous);
        }
    }

    private static long chunkOf(long address) {
        return address & -ChunkSource.CHUNK_BYTES;
    }

    private static long recordOf(long chunk, int span) {
        return chunk + CHUNK_RUNS + (long) span * RUN_BYTES;
    }

    private static int spanOfRun(long run) {
        return ((int) (run - chunkOf(run)) - CHUNK_RUNS) / RUN_BYTES;
    }

    private static long runOf(long chunk, long block) {
        long record = recordOf(chunk, (int) (block - chunk) >>> SPAN_BITS);
        int back = OffHeap.getInt(record + RUN_CLASS);
        return back > 0 ? record : record + (long) back * RUN_BYTES;
    }
}
