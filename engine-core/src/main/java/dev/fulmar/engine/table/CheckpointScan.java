package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a checkpoint the marked rows of a partition, piece by piece, between transactions. Whatever transactions do
 * between the pieces, the batches of a checkpoint together show the moment of {@link #begin}.
 */
public final class CheckpointScan {
    /** Slots that one piece looks at, so that no transaction waits long. */
    private static final int PIECE_SLOTS = 8192;

    private final PartitionStorage storage;
    private final DirtyMarks marks;

    /** The buckets as the checkpoint began, also those that have left the partition since. */
    private final List<Bucket> buckets = new ArrayList<>();

    private int bucket;
    private int page;
    private int slotInPage;
    private long slotNumber;

    public CheckpointScan(PartitionStorage storage) {
        this.storage = storage;
        this.marks = storage.marks();
    }

    /**
     * Does a piece of what a checkpoint needs before it begins; returns whether nothing is left of that. At any moment
     * between two messages.
     */
    public boolean prepare() {
        return marks.prepare(PIECE_SLOTS);
    }

    /** A checkpoint begins with this state, in which no transaction is under way. */
    public void begin(RowBatch batch) {
        Invariants.check(
                storage.undoLog().isEmpty(), "a checkpoint begins while the partition has no change to be undone");
        storage.checkTables();
        marks.begin(batch);
        storage.buckets().history().checkpointBegins();
        buckets.clear();
        storage.stores().forEach(store -> buckets.addAll(store.buckets().all()));
        storage.moves().stores().forEach(store -> buckets.addAll(store.buckets().all()));
        bucket = 0;
        startBucket();
    }

    /** Gives the batch some rows; returns whether that were the last. */
    public boolean fill(RowBatch batch) {
        marks.takeSaved(batch);
        int slotsLeft = PIECE_SLOTS;
        while (bucket < buckets.size()) {
            if (slotsLeft <= 0 || batch.isFull()) {
                return false;
            }
            slotsLeft -= scanPage(buckets.get(bucket), slotsLeft, batch);
        }
        if (slotsLeft <= 0 || !marks.freeLeaving(slotsLeft)) {
            return false;
        }
        if (Invariants.EXPENSIVE) {
            storage.stores().forEach(store -> store.buckets().all().forEach(this::checkMarks));
            storage.moves().stores().forEach(store -> store.buckets().all().forEach(this::checkMarks));
        }
        buckets.clear();
        marks.end();
        return true;
    }

    private void checkMarks(Bucket rows) {
        SlotStore slots = rows.slots();
        for (int at = 0; at < slots.scannedPages() && !rows.isUnmarked(); at++) {
            long slot = slots.pageAddress(at);
            for (int i = slots.scannedSlots(at); i > 0; i--, slot += rows.slotBytes()) {
                Invariants.check(
                        (RowLayout.flags(slot) & marks.former()) == 0,
                        "a checkpoint ends once it has every slot that was marked for it");
            }
        }
    }

    /** The checkpoint comes to nothing: frees some of what was kept for it, and says whether that was the last. */
    public boolean abandon() {
        marks.abandon();
        buckets.clear();
        return marks.freeLeaving(PIECE_SLOTS);
    }

    private void startBucket() {
        page = 0;
        slotInPage = 0;
        slotNumber = 0;
    }

    /** Looks at some slots of the page and goes on behind them; returns how many. */
    private int scanPage(Bucket rows, int mostSlots, RowBatch batch) {
        SlotStore slots = rows.slots();
        if (page >= slots.scannedPages() || rows.isUnmarked()) {
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
