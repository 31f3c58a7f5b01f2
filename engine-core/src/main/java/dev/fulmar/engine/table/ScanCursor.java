package dev.fulmar.engine.table;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks all visible rows bucket by bucket in the order of their slots. That order is a function of the bucket's
 * committed history (which slots were freed and used again), never of addresses; a rolled back transaction leaves no
 * trace in it. Rows inserted while it is open may or may not be seen; updates move no row unless they change the
 * partitioning key. Over a snapshot it yields the rows that this shows, whatever happens meanwhile. Reusable, one
 * thread.
 */
public final class ScanCursor {
    private final TableStore table;
    private final @Nullable Snapshot snapshot;
    private final int slotBytes;

    /** Buckets that the snapshot shows. One that leaves meanwhile goes on to be read. */
    private final List<Bucket> seen = new ArrayList<>();

    private int bucket;
    private int page;
    private int slotsLeft;
    private long slot;

    /** @param snapshot null for the newest versions */
    ScanCursor(TableStore table, @Nullable Snapshot snapshot) {
        this.table = table;
        this.snapshot = snapshot;
        slotBytes = table.layout().slotBytes();
    }

    void open() {
        bucket = 0;
        page = -1;
        slotsLeft = 0;
        Snapshot shown = snapshot;
        if (shown != null) {
            seen.clear();
            table.buckets().visitAt(shown, seen::add);
        }
    }

    /** Address of the next row's slot, 0 at the end. */
    public long next() {
        while (true) {
            while (slotsLeft > 0) {
                long row = slot;
                slot += slotBytes;
                slotsLeft--;
                if (snapshot == null ? RowLayout.isVisible(row) : snapshot.versionOf(row) != 0) {
                    return row;
                }
            }
            if (!nextPage()) {
                return 0;
            }
        }
    }

    /** Number of the bucket that the last row is in, where the cursor shows the newest versions. */
    int bucket() {
        return bucket;
    }

    private boolean nextPage() {
        page++;
        int count = snapshot == null ? table.bucketCount() : seen.size();
        while (bucket < count) {
            SlotStore slots = (snapshot == null ? table.bucket(bucket) : seen.get(bucket)).slots();
            if (page < slots.scannedPages()) {
                slot = slots.pageAddress(page);
                slotsLeft = slots.scannedSlots(page);
                return true;
            }
            bucket++;
            page = 0;
        }
        return false;
    }
}
