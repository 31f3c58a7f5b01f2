package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;

/**
 * All rows of a partition as one timestamp shows them, piece by piece, between transactions. Several may be under way
 * at once, beside checkpoints. For the partition's thread.
 */
public final class ImageScan {
    /** Slots that one piece looks at, so that no transaction waits long. */
    private static final int PIECE_SLOTS = 1024;

    /** The bytes that one piece copies, roughly, for the same reason. */
    private static final int PIECE_BYTES = 64 << 10;

    private final PartitionStorage storage;
    private final VersionReader reader;
    private int table;
    private int bucket;
    private int page;
    private int slotInPage;
    private long slotNumber;
    private int copiedBytes;

    /** @param reader has chosen its timestamp */
    public ImageScan(PartitionStorage storage, VersionReader reader) {
        Invariants.check(reader.hasChosen(), "an image shows the timestamp that its reader has chosen");
        this.storage = storage;
        this.reader = reader;
    }

    /**
     * Gives the batch some rows; returns whether there are no more. Fails if the reader has expired, as it does when a
     * table is dropped.
     */
    public boolean fill(RowBatch batch) {
        reader.checkAlive();
        int slotsLeft = PIECE_SLOTS;
        copiedBytes = 0;
        while (slotsLeft > 0 && copiedBytes < PIECE_BYTES && !batch.isFull()) {
            if (table >= storage.tableIds()) {
                return true;
            }
            if (!storage.hasTable(table) || bucket >= storage.table(table).bucketCount()) {
                table++;
                bucket = 0;
                startBucket();
                continue;
            }
            slotsLeft -= scanPage(storage.table(table), slotsLeft, batch);
        }
        return false;
    }

    private void startBucket() {
        page = 0;
        slotInPage = 0;
        slotNumber = 0;
    }

    /** Looks at some slots of the page and goes on behind them; returns how many. */
    private int scanPage(TableStore store, int mostSlots, RowBatch batch) {
        Bucket rows = store.bucket(bucket);
        SlotStore slots = rows.slots();
        if (page >= slots.scannedPages()) {
            bucket++;
            startBucket();
            return 1;
        }
        int end = slots.scannedSlots(page);
        long slot = slots.pageAddress(page) + (long) slotInPage * rows.slotBytes();
        int looked = 0;
        while (slotInPage < end && looked < mostSlots && copiedBytes < PIECE_BYTES && !batch.isFull()) {
            long version = reader.snapshot().versionOf(slot);
            if (version != 0) {
                copy(store.layout(), version, batch);
            }
            slot += rows.slotBytes();
            slotInPage++;
            slotNumber++;
            looked++;
        }
        if (slotInPage >= end) {
            page++;
            slotInPage = 0;
        }
        return Math.max(1, looked);
    }

    private void copy(RowLayout layout, long version, RowBatch batch) {
        int bytes = StoredRow.bytes(layout, version);
        int offset = batch.begin(table, bucket, slotNumber, bytes);
        StoredRow.write(layout, version, batch.array(), offset);
        batch.end(bytes);
        copiedBytes += bytes;
    }
}
