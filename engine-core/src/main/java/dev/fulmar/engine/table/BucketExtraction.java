package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Copies the rows of a bucket into chunks for another partition, while transactions go on (Squall §4.4, without its
 * pulls). Rows that change after they were copied are copied again. Invariants:
 *
 * <ul>
 *   <li>Chunks are filled while no transaction is under way, so each row in them is committed.
 *   <li>In the order of chunks, the removal of a row that has changed precedes all later rows. So the destination never
 *       has rows of different moments that contradict each other, such as two of one key.
 *   <li>Once {@link #fill} returns true, the chunks so far give the bucket's rows as they are, until the next change.
 * </ul>
 *
 * <p>The order of rows follows from their slots, so it is the same in each run. For the partition's thread.
 */
public final class BucketExtraction {
    private final PartitionStorage storage;
    private final int number;
    private final BlockHeap heap;
    private final long tableChanges;
    private final List<Part> parts = new ArrayList<>();
    private long chunks;
    private long notedCommits;
    private boolean isEnded;

    BucketExtraction(PartitionStorage storage, int number) {
        Invariants.check(storage.buckets().has(number), "an extraction is of a bucket that is there");
        this.storage = storage;
        this.number = number;
        heap = storage.buckets().heap(number);
        tableChanges = storage.tableChanges();
        storage.partitioned().forEach(store -> parts.add(new Part(store)));
    }

    /**
     * Adds rows until the chunk is full, or so many slots have been looked at. While no transaction is under way.
     *
     * @return whether the chunks so far give the bucket as it is
     * @throws FulmarException {@link ErrorCode#TRANSACTION_RESTART} if tables, indexes or the bucket have changed
     *     since the beginning: end it then
     */
    public boolean fill(RowChunk chunk, int mostSlots) {
        Invariants.check(!isEnded, "an extraction that has ended fills no chunk");
        Invariants.check(
                storage.undoLog().isEmpty(),
                "an extraction copies rows while the partition has no change to be undone");
        if (isOutdated()) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "tables, indexes or the bucket have changed since the extraction began; begin another one");
        }
        chunks++;
        int left = mostSlots;
        for (Part part : parts) {
            left = part.addGone(chunk, left);
        }
        for (Part part : parts) {
            left = part.addPages(chunk, left);
        }
        for (Part part : parts) {
            left = part.addChanged(chunk, left);
        }
        if (!isWhole()) {
            return false;
        }
        parts.forEach(part -> part.addNextNumber(chunk));
        return true;
    }

    /** Whether the chunks so far give the bucket's rows as they are. */
    public boolean isWhole() {
        return !isEnded && !isOutdated() && parts.stream().noneMatch(Part::hasMore);
    }

    /** Whether all slots have been looked at once, so that only rows that have changed since are left. */
    public boolean isFollowing() {
        return parts.stream().allMatch(Part::isFollowing);
    }

    /** Number of the bucket. */
    public int bucket() {
        return number;
    }

    /** Chunks that were filled. */
    public long chunks() {
        return chunks;
    }

    /** Notes how many calls on the partition's keys had committed when the destination got the last outcomes. */
    public void noteCommits(long commits) {
        notedCommits = commits;
    }

    /** The number that was noted last. */
    public long notedCommits() {
        return notedCommits;
    }

    /** Slots that are still to be looked at, as far as known. */
    public long remainingSlots() {
        return parts.stream().mapToLong(Part::remainingSlots).sum();
    }

    /** Whether tables or indexes have changed since the beginning, or the bucket is gone, so that it must be ended. */
    public boolean isOutdated() {
        return tableChanges != storage.tableChanges()
                || !storage.buckets().has(number)
                || storage.buckets().heap(number) != heap;
    }

    /** Stops observing the rows; no chunk is filled afterwards. */
    public void end() {
        if (!isEnded) {
            isEnded = true;
            parts.forEach(Part::unobserve);
        }
    }

    /** The rows of one table. Bits stand for slots. */
    private final class Part implements RowObserver {
        private final TableStore source;
        private final int table;

        /** Rows that chunks have and that are not gone there. */
        private final BitSet sent = new BitSet();

        /** Of those, the rows that have changed since. */
        private final BitSet stale = new BitSet();

        /** Rows that have changed, sent or not. */
        private final BitSet changed = new BitSet();

        private int nextChanged;
        private int page;
        private int slotInPage;

        Part(TableStore source) {
            this.source = source;
            table = source.definition().id();
            source.observe(this);
        }

        private SlotStore slots() {
            return source.bucket(number).slots();
        }

        @Override
        public void changing(long row) {
            if (source.bucketOf(row) == number) {
                int slot = Math.toIntExact(slots().numberOf(row));
                changed.set(slot);
                if (sent.get(slot)) {
                    stale.set(slot);
                }
            }
        }

        int addGone(RowChunk chunk, int mostSlots) {
            int left = mostSlots;
            for (int slot = stale.nextSetBit(0); slot >= 0 && left > 0 && !chunk.isFull(); left--) {
                chunk.gone(table, slot);
                stale.clear(slot);
                sent.clear(slot);
                slot = stale.nextSetBit(slot);
            }
            return left;
        }

        /** Adds nothing if a row of any table is still to go: the chunk is full then, or no slot is left to look at. */
        int addPages(RowChunk chunk, int mostSlots) {
            int left = mostSlots;
            while (left > 0 && !chunk.isFull() && page < slots().scannedPages()) {
                left -= addPage(chunk, left);
            }
            return left;
        }

        /**
         * Adds rows that have changed, in turn, once all pages have been looked at. A row that changes often would else
         * be copied again and again before others were copied once.
         */
        int addChanged(RowChunk chunk, int mostSlots) {
            int left = mostSlots;
            while (left > 0 && !chunk.isFull() && !changed.isEmpty()) {
                int next = changed.nextSetBit(nextChanged);
                int slot = next < 0 ? changed.nextSetBit(0) : next;
                addIfThere(slots().usedSlot(slot), slot, chunk);
                changed.clear(slot);
                nextChanged = slot + 1;
                left--;
            }
            return left;
        }

        private int addPage(RowChunk chunk, int mostSlots) {
            long first = slots().pageAddress(page);
            int firstSlot = Math.toIntExact(slots().slotsBefore(page));
            int end = slots().scannedSlots(page);
            int looked = 0;
            while (slotInPage < end && looked < mostSlots && !chunk.isFull()) {
                addIfThere(first + (long) slotInPage * source.layout().slotBytes(), firstSlot + slotInPage, chunk);
                slotInPage++;
                looked++;
            }
            if (slotInPage >= end) {
                page++;
                slotInPage = 0;
            }
            return Math.max(1, looked);
        }

        private void addIfThere(long row, int slot, RowChunk chunk) {
            if (row == 0 || sent.get(slot) || !RowLayout.isVisible(row)) {
                return;
            }
            int bytes = StoredRow.bytes(source.layout(), row);
            int offset = chunk.row(table, slot, bytes);
            StoredRow.write(source.layout(), row, chunk.array(), offset);
            sent.set(slot);
            changed.clear(slot);
        }

        void addNextNumber(RowChunk chunk) {
            if (source.layout().hasRowNumber()) {
                chunk.nextNumber(table, source.bucket(number).nextRowNumber());
            }
        }

        boolean hasMore() {
            return !stale.isEmpty() || !changed.isEmpty() || !isFollowing();
        }

        boolean isFollowing() {
            return page >= slots().scannedPages();
        }

        long remainingSlots() {
            long slots = changed.cardinality();
            for (int later = page; later < slots().scannedPages(); later++) {
                slots += slots().scannedSlots(later);
            }
            return slots - (page < slots().scannedPages() ? slotInPage : 0);
        }

        void unobserve() {
            source.unobserve(this);
        }
    }
}
