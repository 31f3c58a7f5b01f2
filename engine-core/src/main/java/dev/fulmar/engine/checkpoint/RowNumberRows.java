package dev.fulmar.engine.checkpoint;

import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Saves in a partition's checkpoints, and restores, the next row numbers of tables without a primary key. The tables'
 * rows do not tell these numbers once the last row was deleted, and a call that is replayed must number its rows as it
 * did the first time. A row of the checkpoint: the table in the place of the row's number, 8 bytes.
 */
public final class RowNumberRows implements CheckpointCompanion {
    /** In the place of a table's id. */
    public static final int TABLE = -2;

    /** A bucket of a table. */
    private record Place(int table, int bucket) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return table != other.table ? Integer.compare(table, other.table) : Integer.compare(bucket, other.bucket);
        }
    }

    private final PartitionStorage storage;
    private final TreeMap<Place, Long> written = new TreeMap<>();
    private final TreeMap<Place, Long> current = new TreeMap<>();
    private final byte[] buffer = new byte[Long.BYTES];

    public RowNumberRows(PartitionStorage storage) {
        this.storage = storage;
    }

    /** Takes a row of a checkpoint; {@link #finishRestore} follows after the last. */
    public void restore(int bucket, long table, byte[] array, int offset) {
        written.put(new Place((int) table, bucket), LittleEndian.getLong(array, offset));
    }

    /** Sets the numbers of buckets and of those that are staged; all rows are where they belong. */
    public void finishRestore() {
        written.forEach((place, next) -> {
            if (storage.hasTable(place.table)) {
                storage.moves().passRowNumbers(place.table, place.bucket, next);
            }
        });
    }

    @Override
    public void begin() {
        current.clear();
        storage.visitRowNumbers((table, bucket, next) -> current.put(new Place(table, bucket), next));
    }

    /** There are few: one for each bucket of such a table. */
    @Override
    public boolean fill(RowBatch batch) {
        List<Place> gone = new ArrayList<>();
        for (Map.Entry<Place, Long> entry : written.entrySet()) {
            if (!current.containsKey(entry.getKey())) {
                gone.add(entry.getKey());
            }
        }
        for (Place place : gone) {
            batch.remove(TABLE, place.bucket, place.table);
            written.remove(place);
        }
        for (Map.Entry<Place, Long> entry : current.entrySet()) {
            Place place = entry.getKey();
            if (batch.isFull()) {
                return false;
            }
            if (!entry.getValue().equals(written.put(place, entry.getValue()))) {
                LittleEndian.putLong(buffer, 0, entry.getValue());
                batch.add(TABLE, place.bucket, place.table, buffer, 0, Long.BYTES);
            }
        }
        return true;
    }
}
