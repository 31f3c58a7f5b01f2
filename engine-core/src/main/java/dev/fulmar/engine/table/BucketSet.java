package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The buckets of one partition: their bounds, and the memory of each. A number that no bucket has stands for an empty
 * one, which takes no memory. For the partition's thread.
 */
final class BucketSet {
    private final BucketMap map;

    /** Memory of what belongs to no bucket; in {@link #heaps}, of numbers that no bucket has. */
    private final BlockHeap shared;

    private BlockHeap[] heaps;

    private final BucketHistory history = new BucketHistory();

    /** Numbers of buckets that are to come. */
    private final SortedSet<Integer> reserved = new TreeSet<>();

    private BucketSet(BucketMap map, BlockHeap shared, BlockHeap[] heaps) {
        this.map = map;
        this.shared = shared;
        this.heaps = heaps;
    }

    /** The buckets that the map names, each with memory of its own. */
    static BucketSet of(BucketMap map, BlockHeap shared, ChunkSource memory) {
        BucketSet set = new BucketSet(map, shared, new BlockHeap[0]);
        map.bounds().buckets().forEach(number -> set.open(number, memory));
        return set;
    }

    /** One bucket for everything, in that memory. */
    static BucketSet single(BlockHeap heap) {
        return new BucketSet(BucketMap.single(), heap, new BlockHeap[] {heap});
    }

    BucketMap map() {
        return map;
    }

    /** The buckets as readers of earlier snapshots see them. */
    BucketHistory history() {
        return history;
    }

    /** One more than the highest number that a bucket has had. */
    int limit() {
        return heaps.length;
    }

    /** Memory of the bucket. */
    BlockHeap heap(int number) {
        return heaps[number];
    }

    /** Whether a bucket has the number. */
    boolean has(int number) {
        return number < heaps.length && heaps[number] != shared;
    }

    /** The lowest number that no bucket has, by the bounds and here. */
    int freeNumber(BucketBounds bounds) {
        SortedSet<Integer> named = bounds.buckets();
        int number = 0;
        while (named.contains(number) || reserved.contains(number) || has(number)) {
            number++;
        }
        if (number >= BucketBounds.MOST_BUCKETS) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a partition has " + BucketBounds.MOST_BUCKETS
                            + " buckets, as many as it may have; merge some of them first");
        }
        return number;
    }

    /** The number is for a bucket that is to come. */
    void reserve(int number) {
        Invariants.check(!has(number) && reserved.add(number), "a bucket gets a number that no other has");
    }

    /** The number's bucket comes now, or does not come. */
    void release(int number) {
        reserved.remove(number);
    }

    /** A bucket comes; its memory is new. */
    void open(int number, ChunkSource memory) {
        put(number, new BlockHeap(memory));
    }

    /** A bucket came, with its memory. */
    void put(int number, BlockHeap heap) {
        int before = heaps.length;
        if (number >= before) {
            heaps = Arrays.copyOf(heaps, number + 1);
            Arrays.fill(heaps, before, number, shared);
        }
        heaps[number] = heap;
    }

    /** The bucket goes; its memory. */
    BlockHeap take(int number) {
        BlockHeap heap = heaps[number];
        heaps[number] = shared;
        return heap;
    }

    /** Bytes that count against the budget. */
    long reservedBytes() {
        long bytes = 0;
        for (BlockHeap heap : heaps) {
            bytes += heap == shared ? 0 : heap.reservedBytes();
        }
        return bytes + shared.reservedBytes();
    }

    /** Bytes in live blocks. */
    long usedBytes() {
        long bytes = 0;
        for (BlockHeap heap : heaps) {
            bytes += heap == shared ? 0 : heap.usedBytes();
        }
        return bytes + shared.usedBytes();
    }

    /** Gives empty memory of buckets back. */
    void trim() {
        for (BlockHeap heap : heaps) {
            heap.trim();
        }
    }

    void close() {
        for (BlockHeap heap : heaps) {
            if (heap != shared) {
                heap.close();
            }
        }
        shared.close();
    }
}
