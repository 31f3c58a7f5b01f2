package dev.fulmar.engine.table;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/**
 * The slots of one bucket in pages that grow with the table. A freed slot is the next to be used again; without one,
 * slots are used in order. {@link #takeBack} restores exactly what an allocation changed, so the order of slots follows
 * from committed changes alone.
 */
final class SlotStore {
    private static final int FIRST_PAGE_SLOTS = 8;
    private static final int MOST_PAGE_BYTES = 256 << 10;

    // Links of free slots lie where the header of a row would be.
    private static final int NEXT_FREE = 0;
    private static final int PREVIOUS_FREE = 8;

    private final BlockHeap heap;
    private final int slotBytes;
    private final int mostPageSlots;
    private DirtyMarks marks;
    private long[] pages = new long[2];
    private int pageCount;
    /** Page and slot of the first slot never used, or given back from the end. */
    private int freshPage;

    private int freshSlot;
    private long firstFree;
    private boolean lastWasReused;
    private long usedBytes;

    SlotStore(BlockHeap heap, int slotBytes, DirtyMarks marks) {
        this.heap = heap;
        this.slotBytes = slotBytes;
        this.marks = marks;
        mostPageSlots = Math.max(FIRST_PAGE_SLOTS, MOST_PAGE_BYTES / slotBytes);
    }

    /** From now on changes are marked there. */
    void markIn(DirtyMarks shared) {
        marks = shared;
    }

    private int pageSlots(int page) {
        return page >= Integer.SIZE - 4
                ? mostPageSlots
                : (int) Math.min(mostPageSlots, (long) FIRST_PAGE_SLOTS << page);
    }

    /** A slot whose content is unspecified. */
    long allocate() {
        long slot = firstFree;
        lastWasReused = slot != 0;
        if (slot != 0) {
            if (Invariants.EXPENSIVE) {
                Invariants.check((RowLayout.flags(slot) & RowLayout.USED) == 0, "a free slot holds no row");
            }
            unlink(slot);
            return slot;
        }
        return allocateFresh();
    }

    /** The first slot that was never used. */
    private long allocateFresh() {
        if (freshSlot == pageSlots(freshPage) || pageCount == 0) {
            openPage();
        }
        long slot = pages[freshPage] + (long) freshSlot * slotBytes;
        freshSlot++;
        return slot;
    }

    /**
     * The slot with the place in the order of slots, which has no row. Its content is unspecified; slots before it that
     * were never used are free from now on.
     */
    long allocateAt(long number) {
        long slot = usedSlot(number);
        lastWasReused = slot != 0;
        if (slot != 0) {
            Invariants.check((RowLayout.flags(slot) & RowLayout.USED) == 0, "a slot that is allocated holds no row");
            unlink(slot);
            return slot;
        }
        for (long next = slotCount(); next < number; next++) {
            free(allocateFresh());
        }
        return allocateFresh();
    }

    /** Slots that were ever used. */
    private long slotCount() {
        return pageCount == 0 ? 0 : slotsBefore(freshPage) + freshSlot;
    }

    private void openPage() {
        int page = pageCount == 0 ? 0 : freshPage + 1;
        if (page == pageCount) {
            if (page == pages.length) {
                pages = Arrays.copyOf(pages, 2 * page);
            }
            long bytes = (long) pageSlots(page) * slotBytes;
            pages[page] = heap.allocate(bytes);
            usedBytes += BlockHeap.usableBytes(bytes);
            pageCount++;
        }
        freshPage = page;
        freshSlot = 0;
    }

    /** Whether the slot allocated last had been used before. */
    boolean lastWasReused() {
        return lastWasReused;
    }

    /** Undoes the allocation that is the youngest still standing. */
    void takeBack(long slot, boolean wasReused) {
        if (wasReused) {
            free(slot);
            return;
        }
        Invariants.check(slot == lastSlot(), "a table takes back its youngest slot first");
        OffHeap.putLong(slot + RowLayout.STATE_OFFSET, 0); // whoever was told of the row must not take it for one
        stepBack();
    }

    private void stepBack() {
        freshSlot--;
        if (freshSlot == 0 && freshPage > 0) {
            freshPage--;
            freshSlot = pageSlots(freshPage);
        }
    }

    void free(long slot) {
        OffHeap.putLong(slot + RowLayout.STATE_OFFSET, marks.current());
        OffHeap.putLong(slot + NEXT_FREE, firstFree);
        OffHeap.putLong(slot + PREVIOUS_FREE, 0);
        if (firstFree != 0) {
            OffHeap.putLong(firstFree + PREVIOUS_FREE, slot);
        }
        firstFree = slot;
    }

    private void unlink(long slot) {
        long next = OffHeap.getLong(slot + NEXT_FREE);
        long previous = OffHeap.getLong(slot + PREVIOUS_FREE);
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    slot == (previous == 0 ? firstFree : OffHeap.getLong(previous + NEXT_FREE)),
                    "a table's free slots are linked in both directions");
        }
        if (previous == 0) {
            firstFree = next;
        } else {
            OffHeap.putLong(previous + NEXT_FREE, next);
        }
        if (next != 0) {
            OffHeap.putLong(next + PREVIOUS_FREE, previous);
        }
    }

    /** Place of the slot in the order of slots. */
    long numberOf(long slot) {
        long before = 0;
        for (int page = 0; page < pageCount; page++) {
            long offset = slot - pages[page];
            long slots = pageSlots(page);
            if (offset >= 0 && offset < slots * slotBytes) {
                return before + offset / slotBytes;
            }
            before += slots;
        }
        throw Invariants.breach("a slot lies in a page");
    }

    /**
     * While restoring: the slot with the place in the order of slots; those before it become slots in use that hold
     * nothing.
     */
    long slotAt(long number) {
        long before = 0;
        int page = 0;
        while (number >= before + pageSlots(page) && pageSlots(page) < mostPageSlots) {
            before += pageSlots(page++);
        }
        int fullPages = (int) ((number - before) / mostPageSlots);
        page += fullPages;
        before += (long) fullPages * mostPageSlots;
        while (pageCount <= page) {
            freshPage = pageCount == 0 ? 0 : pageCount - 1;
            openPage();
            for (int slot = 0; slot < pageSlots(freshPage); slot++) {
                OffHeap.putLong(pages[freshPage] + (long) slot * slotBytes + RowLayout.STATE_OFFSET, 0);
            }
        }
        int slot = (int) (number - before);
        if (page == freshPage) {
            freshSlot = Math.max(freshSlot, slot + 1);
        }
        return pages[page] + (long) slot * slotBytes;
    }

    /** The slot with the place in the order of slots; 0 if none such was ever used, or it was given back. */
    long usedSlot(long number) {
        return number < slotCount() ? slotAt(number) : 0;
    }

    /** Place of the page's first slot in the order of slots. */
    long slotsBefore(int page) {
        long before = 0;
        int earlier = 0;
        while (earlier < page && pageSlots(earlier) < mostPageSlots) {
            before += pageSlots(earlier++);
        }
        return before + (long) (page - earlier) * mostPageSlots;
    }

    /** After restoring: slots that hold nothing are free, the first in order to be used first. */
    void freeUnused() {
        for (int page = scannedPages() - 1; page >= 0; page--) {
            for (int slot = scannedSlots(page) - 1; slot >= 0; slot--) {
                long address = pages[page] + (long) slot * slotBytes;
                if ((RowLayout.flags(address) & RowLayout.USED) == 0) {
                    free(address);
                }
            }
        }
    }

    /** Pages that hold slots in use, in order. */
    int scannedPages() {
        return pageCount == 0 ? 0 : freshPage + 1;
    }

    long pageAddress(int page) {
        return pages[page];
    }

    /** Slots of the page that were ever used; those that are free have no flag set. */
    int scannedSlots(int page) {
        return page == freshPage ? freshSlot : pageSlots(page);
    }

    boolean hasFree() {
        return firstFree != 0;
    }

    /** The last slot in order; 0 if there is none. */
    long lastSlot() {
        return pageCount == 0 || freshSlot == 0 ? 0 : pages[freshPage] + (long) (freshSlot - 1) * slotBytes;
    }

    /** Gives up the last slot, which must be free or just vacated. */
    void dropLast(boolean linked) {
        if (linked) {
            unlink(lastSlot());
        }
        stepBack();
        while (pageCount > freshPage + 1) {
            freePage();
        }
        if (freshSlot == 0) {
            freePage();
        }
    }

    private void freePage() {
        pageCount--;
        long bytes = (long) pageSlots(pageCount) * slotBytes;
        heap.free(pages[pageCount], bytes);
        usedBytes -= BlockHeap.usableBytes(bytes);
    }

    /** Frees the last page that holds slots in use, of a store that takes no more. */
    void clearLastPage() {
        while (pageCount > freshPage) {
            freePage();
        }
        firstFree = 0;
        freshPage = Math.max(0, pageCount - 1);
        freshSlot = pageCount == 0 ? 0 : pageSlots(freshPage);
    }

    /** Fails unless each slot without a row is free, once; reads all slots. */
    void checkFreeSlots() {
        long unused = 0;
        for (int page = 0; page < scannedPages(); page++) {
            for (int slot = 0; slot < scannedSlots(page); slot++) {
                long address = pages[page] + (long) slot * slotBytes;
                unused += (RowLayout.flags(address) & RowLayout.USED) == 0 ? 1 : 0;
            }
        }
        long free = 0;
        for (long slot = firstFree; slot != 0 && free <= unused; slot = OffHeap.getLong(slot + NEXT_FREE)) {
            free++;
        }
        Invariants.check(free == unused, "a table lists each slot without a row as free, and no other");
    }

    long usedBytes() {
        return usedBytes;
    }

    void clear() {
        while (pageCount > 0) {
            freePage();
        }
        freshPage = 0;
        freshSlot = 0;
        firstFree = 0;
    }
}
