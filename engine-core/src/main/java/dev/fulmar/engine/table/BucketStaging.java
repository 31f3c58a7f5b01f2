package dev.fulmar.engine.table;

import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Collects the rows of another partition's bucket. No transaction, reader, index or count of the partition sees them
 * before {@link BucketMoves#handOver}; its checkpoints have them under the bucket's number. Rows have the places that
 * they have at the source. For the partition's thread.
 */
public final class BucketStaging {
    private final PartitionStorage storage;
    private final long move;
    private final int number;
    private final DetachedBucket bucket;
    private long chunks;
    private long newestTimestamp;

    /** @param bucket this one's from now on; rows that it has are in the partition's checkpoints */
    BucketStaging(PartitionStorage storage, BucketLayout.Staged staged, DetachedBucket bucket) {
        this.storage = storage;
        this.bucket = bucket;
        move = staged.move();
        number = staged.number();
        chunks = staged.chunks();
        bucket.join(number, storage.marks());
    }

    /** The move by which the reconfiguration knows the bucket. */
    public long move() {
        return move;
    }

    /** Number that the bucket has in the partition. */
    public int number() {
        return number;
    }

    /** Chunks that it has taken, which is the number of the next one. */
    public long chunks() {
        return chunks;
    }

    /** Rows that it has. */
    public long rowCount() {
        return bucket.rowCount();
    }

    /** Commit timestamp above which none of the rows that it has taken was committed. */
    long newestTimestamp() {
        return newestTimestamp;
    }

    /** Bytes of native memory. */
    public long reservedBytes() {
        return bucket.reservedBytes();
    }

    BucketLayout.Staged description() {
        return new BucketLayout.Staged(move, number, chunks);
    }

    public DetachedBucket bucket() {
        return bucket;
    }

    /**
     * Takes the entries of the next chunk; chunks come in the order in which they were filled.
     *
     * @throws FulmarException {@link ErrorCode#CORRUPTION} for bytes that are no chunk or that contradict the chunks
     *     before, and {@link ErrorCode#MEMORY_LIMIT}. The staging must be dropped then
     */
    public void take(byte[] chunk) {
        Invariants.check(!storage.moves().isHeld(), "no chunk changes staged rows while an image has them");
        storage.holdToMark(true);
        try {
            add(chunk);
            chunks++;
        } finally {
            storage.holdToMark(false);
        }
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
                if (slot > Integer.MAX_VALUE || store.rowAt(slot) != 0) {
                    throw RowChunk.corrupt(
                            "slot " + slot + " of table " + store.definition().name() + " has a row already");
                }
                place(store, slot, array, offset, length);
                newestTimestamp = Math.max(newestTimestamp, RowLayout.commitTimestamp(store.rowAt(slot)));
            }

            @Override
            public void gone(int table, long slot) {
                TableStore store = store(table);
                long row = store.rowAt(slot);
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

    private static void place(TableStore store, long slot, byte[] array, int offset, int length) {
        try {
            store.place(slot, array, offset, length);
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
}
