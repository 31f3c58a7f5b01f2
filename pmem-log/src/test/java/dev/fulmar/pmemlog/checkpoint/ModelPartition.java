package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A partition with a history of changes, of which nothing is ever lost, and what checkpoints of it must hold. */
final class ModelPartition implements CheckpointSource {
    private final int partition;
    private final SeededRandom random;
    private final List<Change> history = new ArrayList<>();
    private final SortedMap<Key, byte[]> rows = new TreeMap<>();
    private final SortedSet<Key> dirty = new TreeSet<>();
    private final Deque<Dirty> cut = new ArrayDeque<>();
    private @Nullable RowBatch wanted;
    private long durable;
    private long published;
    private long released;

    record Key(int table, int bucket, long row) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int tables = Integer.compare(table, other.table);
            int buckets = tables != 0 ? tables : Integer.compare(bucket, other.bucket);
            return buckets != 0 ? buckets : Long.compare(row, other.row);
        }
    }

    private record Change(Key key, byte @Nullable [] image) {}

    private record Dirty(Key key, byte @Nullable [] image) {}

    ModelPartition(int partition, SeededRandom random) {
        this.partition = partition;
        this.random = random;
    }

    @Override
    public int partition() {
        return partition;
    }

    int size() {
        return rows.size();
    }

    long published() {
        return published;
    }

    void published(CheckpointPosition position) {
        assertThat(position.sequence()).isGreaterThanOrEqualTo(published);
        assertThat(position.sequence()).isLessThanOrEqualTo(durable);
        published = position.sequence();
    }

    void released(CheckpointPosition position) {
        assertThat(position.sequence()).isLessThanOrEqualTo(published);
        released = Math.max(released, position.sequence());
    }

    /** Changes a row, or makes it a new one, or removes it. */
    void change(int mostImageBytes) {
        Key key = new Key(random.nextInt(2), random.nextInt(2), random.nextInt(40));
        byte[] image = random.nextInt(5) == 0 ? null : new byte[random.nextInt(mostImageBytes)];
        if (image != null) {
            Arrays.fill(image, (byte) random.nextInt(256));
        }
        history.add(new Change(key, image));
        apply(rows, key, image);
        dirty.add(key);
    }

    /** Removes all rows of a bucket. */
    void clearBucket() {
        int table = random.nextInt(2);
        int bucket = random.nextInt(2);
        for (Key key : List.copyOf(rows.keySet())) {
            if (key.table == table && key.bucket == bucket) {
                history.add(new Change(key, null));
                rows.remove(key);
                dirty.add(key);
            }
        }
    }

    private static void apply(Map<Key, byte[]> rows, Key key, byte @Nullable [] image) {
        if (image == null) {
            rows.remove(key);
        } else {
            rows.put(key, image);
        }
    }

    /** Makes some of the history durable in the log. */
    void makeDurable() {
        durable = history.size();
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return position.sequence() <= durable;
    }

    @Override
    public void request(RowBatch batch) {
        wanted = batch;
    }

    /** Answers a request, if there is one. */
    void answer() {
        RowBatch batch = wanted;
        if (batch == null) {
            return;
        }
        wanted = null;
        if (batch.isFirst()) {
            batch.at(new CheckpointPosition(history.size(), 1, 1000 + history.size(), 3));
            cut.clear();
            dirty.forEach(key -> cut.add(new Dirty(key, rows.get(key))));
            dirty.clear();
        }
        for (int i = random.nextInt(12); i >= 0 && !cut.isEmpty(); i--) {
            Dirty row = cut.remove();
            byte[] image = row.image;
            if (image == null) {
                batch.remove(row.key.table, row.key.bucket, row.key.row);
            } else {
                batch.add(row.key.table, row.key.bucket, row.key.row, image, 0, image.length);
            }
        }
        batch.complete(cut.isEmpty());
    }

    /** The process ended: loads the rows from the store, checks them, and replays the history after them. */
    LoadReport recover(CheckpointStore store, String where) {
        SortedMap<Key, byte[]> loaded = new TreeMap<>();
        LoadReport report = store.load(partition, (table, bucket, row, array, offset, length) -> {
            byte[] before = loaded.put(new Key(table, bucket, row), Arrays.copyOfRange(array, offset, offset + length));
            assertThat(before).as(where).isNull();
        });
        long sequence = report.position().sequence();
        assertThat(sequence).as(where + ": published stays").isBetween(published, durable);
        assertThat(sequence).as(where + ": what the log forgot is there").isGreaterThanOrEqualTo(released);
        SortedMap<Key, byte[]> expected = new TreeMap<>();
        for (Change change : history.subList(0, (int) sequence)) {
            apply(expected, change.key, change.image);
        }
        assertThat(loaded.keySet()).as(where).isEqualTo(expected.keySet());
        loaded.forEach((key, image) -> assertThat(image).as(where + ", " + key).isEqualTo(expected.get(key)));
        published = sequence;
        wanted = null;
        cut.clear();
        dirty.clear();
        history.subList((int) sequence, history.size()).forEach(change -> dirty.add(change.key));
        return report;
    }
}
