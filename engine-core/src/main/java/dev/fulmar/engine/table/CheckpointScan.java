package dev.fulmar.engine.table;

import dev.fulmar.pmemlog.checkpoint.RowBatch;

/**
 * Gives a checkpoint the marked rows of a partition, piece by piece, between transactions. Whatever transactions do between the pieces, the
 * batches of a checkpoint together show the moment of {@link #begin}.
 */
public final class CheckpointScan {
    /** Slots that one piece looks at, so that no transaction waits long. */
    private static final int PIECE_SLOTS = 8192;

    private final PartitionStorage storage;
    private final ChangeMarks marks;
    private int table;
    private int bucket;
    private int page;
    private int slotInPage;
    private long slotNumber;

    public CheckpointScan(PartitionStorage storage) {
        this.storage = storage;
        this.marks = storage.marks();
    }

    /** A checkpoint begins with this state, in which no transaction is under way. */
    public void begin(RowBatch batch) {
        marks.begin(batch);
        table = 0;
        startTable();
    }

    private void startTable() {
        bucket = 0;
        startBucket();
    }

    private void startBucket() {
        page = 0;
        slotInPage = 0;
        slotNumber = 0;
    }

    /** Gives the batch some rows; returns whether that were the last. */
    public boolean fill(RowBatch batch) {
        marks.takeSaved(batch);
        int slotsLeft = PIECE_SLOTS;
        while (slotsLeft > 0 && !batch.isFull()) {
            if (table >= storage.tableIds()) {
                marks.end();
                return true;
            }
            if (!storage.hasTable(table)) {
                table++;
                startTable();
                continue;
            }
            slotsLeft -= scanPage(storage.table(table), slotsLeft, batch);
        }
        return false;
    }

    /** Looks at some slots of the page and goes on behind them; returns how many. */
    private int scanPage(TableStore store, int mostSlots, RowBatch batch) {
        if (bucket >= store.bucketCount()) {
            table++;
            startTable();
            return 0;
        }
        Bucket rows = store.bucket(bucket);
        SlotStore slots = rows.slots();
        if (page >= slots.scannedPages()) {
            bucket++;
            startBucket();
            return 0;
        }
        int end = slots.scannedSlots(page);
        long slot = slots.pageAddress(page) + (long) slotInPage * rows.slotBytes();
        int looked = 0;
        while (slotInPage < end && looked < mostSlots && !batch.isFull()) {
            rows.saveIfMarked(slot, slotNumber, marks.former(), batch);
            slot += rows.slotBytes();
            slotInPage++;
            slotNumber++;
            looked++;
        }
        if (slotInPage >= end) {
            page++;
            slotInPage = 0;
        }
        return looked;
    }
}
