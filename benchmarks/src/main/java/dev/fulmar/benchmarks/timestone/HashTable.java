package dev.fulmar.benchmarks.timestone;

import dev.fulmar.benchmarks.timestone.Nodes.Body;
import java.util.Arrays;

/** A fixed number of sorted lists. */
final class HashTable implements Structure {
    private final SortedList[] buckets;

    HashTable(int bucketCount) {
        buckets = new SortedList[bucketCount];
        Arrays.setAll(buckets, i -> new SortedList());
    }

    private SortedList bucket(long key) {
        return buckets[(int) (key % buckets.length)];
    }

    @Override
    public void begin(Body body) {
        for (SortedList bucket : buckets) {
            bucket.begin(body);
        }
    }

    @Override
    public boolean contains(Body body, long key) {
        return bucket(key).contains(body, key);
    }

    @Override
    public boolean add(Body body, long key) {
        return bucket(key).add(body, key);
    }

    @Override
    public boolean remove(Body body, long key) {
        return bucket(key).remove(body, key);
    }

    @Override
    public long count(Body body) {
        return Arrays.stream(buckets).mapToLong(bucket -> bucket.count(body)).sum();
    }
}
