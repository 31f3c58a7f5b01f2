package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * All rows of a partition as one timestamp shows them, piece by piece, between transactions. Rows that the partition
 * stages belong to them as they are, and do not change until the reader leaves. Several may be under way at once,
 * beside checkpoints. For the partition's thread.
 */
public final class ImageScan {
    /** Slots that one piece looks at, so that no transaction waits long. */
    private static final int PIECE_SLOTS = 1024;

    /** The bytes that one piece copies, roughly, for the same reason. */
    private static final int PIECE_BYTES = 64 << 10;

    private final VersionReader reader;
    private final List<Bucket> buckets = new ArrayList<>();

    /** Buckets from this one on are staged. */
    private final int firstStaged;

    private int bucket;
    private int page;
    private int slotInPage;
    private long slotNumber;
    private int copiedBytes;

    /** @param reader has chosen its timestamp */
    public ImageScan(PartitionStorage storage, VersionReader reader) {
        Invariants.check(reader.hasChosen(), "an image shows the timestamp that its reader has chosen");
        this.reader = reader;
        storage.stores().forEach(store -> buckets.addAll(store.buckets().all()));
        firstStaged = buckets.size();
        storage.moves().stores().forEach(store -> buckets.addAll(store.buckets().all()));
        storage.moves().hold(reader);
    }

    /**
     * Gives the batch some rows; returns whether there are no more. Fails if the reader has expired, as it does when a
     * table is dropped.
     */
    public boolean fill(RowBatch batch) {
        reader.checkAlive();
        int slotsLeft = PIECE_SLOTS;
        copiedBytes = 0;
        while (slotsLeft > 0 && copiedBytes < PIECE_BYTES && !batch.isFull() && bucket < buckets.size()) {
            slotsLeft -= scanPage(buckets.get(bucket), slotsLeft, batch);
        }
        return bucket == buckets.size();
    }

    private void startBucket() {
        page = 0;
        slotInPage = 0;
        slotNumber = 0;
    }

    /** Looks at some slots of the page and goes on behind them; returns how many. */
    private int scanPage(Bucket rows, int mostSlots, RowBatch batch) {
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
            long version = version(slot);
            if (version != 0) {
                copy(rows, version, batch);
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

    /** Commit timestamps of staged rows are those of another partition. */
    private long version(long slot) {
        if (bucket < firstStaged) {
            return reader.snapshot().versionOf(slot);
        }
        return RowLayout.isVisible(slot) ? slot : 0;
    }

    private void copy(Bucket rows, long version, RowBatch batch) {
        RowLayout layout = rows.layout();
        int bytes = StoredRow.bytes(layout, version);
        int offset = batch.begin(rows.tableId(), rows.number(), slotNumber, bytes);
        StoredRow.write(layout, version, batch.array(), offset);
        batch.end(bytes);
        copiedBytes += bytes;
    }
}
