package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.AddressTable;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the rows of another partition's bucket in a bucket that is in no partition yet. No transaction, reader,
 * index, count or checkpoint of the partition sees them before {@link BucketTransfer#attach}. For the partition's
 * thread.
 */
public final class BucketStaging implements AutoCloseable {
    private final PartitionStorage storage;
    private final DetachedBucket bucket;

    /** Per table, the rows by their slots at the source, plus one: no key of such a table is zero. */
    private final Map<Integer, AddressTable> rows = new TreeMap<>();

    /** @param bucket empty, and this one's from now on */
    BucketStaging(PartitionStorage storage, DetachedBucket bucket) {
        this.storage = storage;
        this.bucket = bucket;
    }

    /**
     * Takes the entries of a chunk; chunks come in the order in which they were filled.
     *
     * @throws FulmarException {@link ErrorCode#TRANSACTION_RESTART} if tables or indexes have changed since the
     *     beginning, {@link ErrorCode#CORRUPTION} for bytes that are no chunk or that contradict the chunks before, and
     *     {@link ErrorCode#MEMORY_LIMIT}. The staging must be closed then
     */
    public void take(byte[] chunk) {
        if (isOutdated()) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "tables or indexes have changed since rows were staged; stage them anew");
        }
        storage.holdToMark(true);
        try {
            add(chunk);
        } finally {
            storage.holdToMark(false);
        }
    }

    /** Whether the partition's tables or indexes have changed since the beginning. */
    public boolean isOutdated() {
        return !bucket.isOf(storage.partitioned());
    }

    private void add(byte[] chunk) {
        RowChunk.read(chunk, new RowChunk.Reader() {
            @Override
            public void row(int table, long slot, byte[] array, int offset, int length) {
                TableStore store = store(table);
                if (!StoredRow.isWhole(store.layout(), array, offset, length)) {
                    throw RowChunk.corrupt(length + " bytes are no row of table "
                            + store.definition().name());
                }
                if (slots(table).contains(slot + 1)) {
                    throw RowChunk.corrupt(
                            "slot " + slot + " of table " + store.definition().name() + " has a row already");
                }
                slots(table).put(slot + 1, place(store, array, offset, length));
            }

            @Override
            public void gone(int table, long slot) {
                TableStore store = store(table);
                long row = slots(table).remove(slot + 1);
                if (row == 0) {
                    throw RowChunk.corrupt(
                            "slot " + slot + " of table " + store.definition().name() + " has no row that could go");
                }
                store.discard(row);
            }

            @Override
            public void nextNumber(int table, long number) {
                store(table).passRowNumbers(0, number);
            }
        });
    }

    private static long place(TableStore store, byte[] array, int offset, int length) {
        try {
            return store.place(array, offset, length);
        } catch (FulmarException failure) {
            if (failure.code().category() != ErrorCode.Category.USER) {
                throw failure;
            }
            throw RowChunk.corrupt(failure.getMessage());
        }
    }

    private TableStore store(int table) {
        try {
            return bucket.table(table);
        } catch (IllegalArgumentException unknown) {
            throw RowChunk.corrupt("it has rows of a table with id " + table + ", which is not here");
        }
    }

    private AddressTable slots(int table) {
        return rows.computeIfAbsent(table, _ -> new AddressTable());
    }

    /** The bucket, for {@link BucketTransfer#attach}; the staging takes no chunk afterwards. */
    public DetachedBucket bucket() {
        return bucket;
    }

    /** Frees the rows; does nothing if the bucket has become a partition's. */
    @Override
    public void close() {
        bucket.close();
    }
}
