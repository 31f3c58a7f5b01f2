package dev.fulmar.engine.index;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;

/**
 * Unique keys by extendible hashing: a directory of segments, each a small open-addressed table. When a segment is full it alone is split in two, so
 * no insertion moves more than one segment; only the directory, 8 bytes per segment, doubles as a whole. Rows whose key has a null are not
 * in it. One thread.
 *
 * <p>An entry is the row's 48-bit address under 16 bits of the hash; the 32 bits that choose segment and slot stand in a second array, so
 * that splits and removals look at no row. Candidates with the right 16 bits are compared with the row, which also passes over ghosts: a
 * deleted row is not visible and one with another key is not equal.
 */
public final class HashIndex implements RowIndex {
    private static final int FIRST_SLOTS_BITS = 4;
    private static final int SPLIT_SLOTS_BITS = 9;
    private static final int MOST_SLOTS_BITS = 28;
    private static final int MOST_DIRECTORY_BITS = 26;
    /** The directory may have so many entries per segment before full segments grow instead of being split. */
    private static final int MOST_DIRECTORY_ENTRIES_PER_SEGMENT = 16;

    private static final int COUNT = 0;
    private static final int DEPTH = 4;
    private static final int HEADER_BYTES = 8;
    private static final int ENTRY_BYTES = Long.BYTES;
    private static final int SLOT_BYTES = ENTRY_BYTES + Integer.BYTES;

    private static final int ADDRESS_BITS = 48;
    private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;

    private final KeyFormat format;
    private final BlockHeap heap;
    private final SearchKey scratch;
    /** Address of the directory, whose entries are a segment's address under its {@code log2(slots)}; 0 while the index is empty. */
    private long directory;

    private int directoryBits;
    private int segmentCount;
    private long entryCount;
    private long usedBytes;

    public HashIndex(KeyFormat format, BlockHeap heap) {
        this.format = format;
        this.heap = heap;
        scratch = format.newKey(null);
    }

    @Override
    public long find(SearchKey key) {
        return findOther(key, 0);
    }

    @Override
    public long findOther(SearchKey key, long exceptRow) {
        if (directory == 0 || key.saturation() != 0) {
            return 0;
        }
        long hash = key.hash();
        int place = place(hash);
        long segment = segment(place);
        int slots = slots(segment);
        long entries = address(segment) + HEADER_BYTES;
        long tag = hash << ADDRESS_BITS;
        int slot = place & (slots - 1);
        while (true) {
            long entry = OffHeap.getLong(entries + ((long) slot << 3));
            if (entry == 0) {
                return 0;
            }
            if (((entry ^ tag) & ~ADDRESS_MASK) == 0) {
                long row = entry & ADDRESS_MASK;
                if (RowLayout.isVisible(row) && row != exceptRow && format.hasKey(row, key, scratch)) {
                    return row;
                }
            }
            slot = (slot + 1) & (slots - 1);
        }
    }

    /** The 32 bits that choose the segment, from above, and the slot, from below. */
    private static int place(long hash) {
        return (int) (hash >>> Integer.SIZE);
    }

    private long segment(int place) {
        return OffHeap.getLong(directory + (((place & 0xFFFFFFFFL) >>> (Integer.SIZE - directoryBits)) << 3));
    }

    private static int slots(long segment) {
        return 1 << (segment >>> ADDRESS_BITS);
    }

    private static long address(long segment) {
        return segment & ADDRESS_MASK;
    }

    private static long hashes(long segment) {
        return address(segment) + HEADER_BYTES + (long) slots(segment) * ENTRY_BYTES;
    }

    @Override
    public boolean insert(SearchKey key, long row) {
        if (key.hasNull()) {
            return true;
        }
        long hash = key.hash();
        if (directory == 0) {
            begin();
        } else if (slotOf(hash, row) >= 0) {
            return false;
        }
        makeRoom(place(hash));
        long segment = segment(place(hash));
        put(segment, place(hash), (hash << ADDRESS_BITS) | row);
        OffHeap.putInt(address(segment) + COUNT, OffHeap.getInt(address(segment) + COUNT) + 1);
        entryCount++;
        return true;
    }

    private static void put(long segment, int place, long entry) {
        int mask = slots(segment) - 1;
        long entries = address(segment) + HEADER_BYTES;
        int slot = place & mask;
        while (OffHeap.getLong(entries + ((long) slot << 3)) != 0) {
            slot = (slot + 1) & mask;
        }
        OffHeap.putLong(entries + ((long) slot << 3), entry);
        OffHeap.putInt(hashes(segment) + ((long) slot << 2), place);
    }

    /** The slot of the row's entry under the hash, or -1. */
    private int slotOf(long hash, long row) {
        long segment = segment(place(hash));
        int mask = slots(segment) - 1;
        long entries = address(segment) + HEADER_BYTES;
        long wanted = (hash << ADDRESS_BITS) | row;
        int slot = place(hash) & mask;
        while (true) {
            long entry = OffHeap.getLong(entries + ((long) slot << 3));
            if (entry == 0) {
                return -1;
            }
            if (entry == wanted && OffHeap.getInt(hashes(segment) + ((long) slot << 2)) == place(hash)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    private void begin() {
        long segment = newSegment(FIRST_SLOTS_BITS, 0);
        try {
            directory = heap.allocate(Long.BYTES);
        } catch (RuntimeException failure) {
            freeSegment(segment);
            throw failure;
        }
        usedBytes += BlockHeap.usableBytes(Long.BYTES);
        directoryBits = 0;
        OffHeap.putLong(directory, segment);
    }

    private long newSegment(int slotsBits, int depth) {
        long bytes = segmentBytes(slotsBits);
        long address = heap.allocate(bytes);
        usedBytes += BlockHeap.usableBytes(bytes);
        segmentCount++;
        OffHeap.putInt(address + COUNT, 0);
        OffHeap.putInt(address + DEPTH, depth);
        OffHeap.fill(address + HEADER_BYTES, (long) ENTRY_BYTES << slotsBits, (byte) 0);
        return ((long) slotsBits << ADDRESS_BITS) | address;
    }

    private void freeSegment(long segment) {
        long bytes = segmentBytes((int) (segment >>> ADDRESS_BITS));
        heap.free(address(segment), bytes);
        usedBytes -= BlockHeap.usableBytes(bytes);
        segmentCount--;
    }

    private static long segmentBytes(int slotsBits) {
        return HEADER_BYTES + ((long) SLOT_BYTES << slotsBits);
    }

    /** Sees to it that the segment of the place has a slot to spare; all memory is taken before the first change. */
    private void makeRoom(int place) {
        while (true) {
            long segment = segment(place);
            int slots = slots(segment);
            int count = OffHeap.getInt(address(segment) + COUNT);
            if (count < slots - (slots >>> 3) - 1) {
                return;
            }
            if (segment >>> ADDRESS_BITS < SPLIT_SLOTS_BITS || !canSplit(segment)) {
                grow(segment, place);
                return;
            }
            split(segment, place);
        }
    }

    /** Whether a split divides the segment's entries without blowing up the directory; many entries of one hash cannot be divided. */
    private boolean canSplit(long segment) {
        int depth = OffHeap.getInt(address(segment) + DEPTH);
        boolean mustSplit = segment >>> ADDRESS_BITS >= MOST_SLOTS_BITS;
        boolean directoryMayGrow = directoryBits < MOST_DIRECTORY_BITS
                && 1L << directoryBits < (long) MOST_DIRECTORY_ENTRIES_PER_SEGMENT * segmentCount;
        return depth < directoryBits || directoryMayGrow || mustSplit;
    }

    private void grow(long segment, int place) {
        int depth = OffHeap.getInt(address(segment) + DEPTH);
        long larger = newSegment((int) (segment >>> ADDRESS_BITS) + 1, depth);
        moveAll(segment, larger, larger, 0);
        OffHeap.putInt(address(larger) + COUNT, OffHeap.getInt(address(segment) + COUNT));
        pointTo(place, depth, larger);
        freeSegment(segment);
    }

    private void split(long segment, int place) {
        int depth = OffHeap.getInt(address(segment) + DEPTH);
        int slotsBits = (int) (segment >>> ADDRESS_BITS);
        long left = newSegment(slotsBits, depth + 1);
        long right;
        try {
            right = newSegment(slotsBits, depth + 1);
        } catch (RuntimeException failure) {
            freeSegment(left);
            throw failure;
        }
        if (depth == directoryBits) {
            try {
                doubleDirectory();
            } catch (RuntimeException failure) {
                freeSegment(left);
                freeSegment(right);
                throw failure;
            }
        }
        int divide = 1 << (Integer.SIZE - 1 - depth);
        int toRight = moveAll(segment, left, right, divide);
        OffHeap.putInt(address(right) + COUNT, toRight);
        OffHeap.putInt(address(left) + COUNT, OffHeap.getInt(address(segment) + COUNT) - toRight);
        pointTo(place & ~divide, depth + 1, left);
        pointTo(place | divide, depth + 1, right);
        freeSegment(segment);
    }

    /** Copies the entries, those with the bit in their place to the right; returns how many these are. */
    private static int moveAll(long segment, long left, long right, int bit) {
        int slots = slots(segment);
        long entries = address(segment) + HEADER_BYTES;
        long hashes = hashes(segment);
        int toRight = 0;
        for (int slot = 0; slot < slots; slot++) {
            long entry = OffHeap.getLong(entries + ((long) slot << 3));
            if (entry != 0) {
                int place = OffHeap.getInt(hashes + ((long) slot << 2));
                boolean goesRight = (place & bit) != 0;
                put(goesRight ? right : left, place, entry);
                toRight += goesRight ? 1 : 0;
            }
        }
        return toRight;
    }

    private void doubleDirectory() {
        long bytes = (long) Long.BYTES << directoryBits;
        long larger = heap.allocate(2 * bytes);
        for (long i = 0; i < 1L << directoryBits; i++) {
            long segment = OffHeap.getLong(directory + (i << 3));
            OffHeap.putLong(larger + (i << 4), segment);
            OffHeap.putLong(larger + (i << 4) + Long.BYTES, segment);
        }
        heap.free(directory, bytes);
        usedBytes += BlockHeap.usableBytes(2 * bytes) - BlockHeap.usableBytes(bytes);
        directory = larger;
        directoryBits++;
    }

    /** Sets all directory entries that share the first bits of the place. */
    private void pointTo(int place, int depth, long segment) {
        long first = ((place & 0xFFFFFFFFL) >>> (Integer.SIZE - depth)) << (directoryBits - depth);
        long end = first + (1L << (directoryBits - depth));
        for (long i = first; i < end; i++) {
            OffHeap.putLong(directory + (i << 3), segment);
        }
    }

    @Override
    public boolean remove(SearchKey key, long row) {
        if (directory == 0 || key.hasNull()) {
            return false;
        }
        long hash = key.hash();
        int slot = slotOf(hash, row);
        if (slot < 0) {
            return false;
        }
        long segment = segment(place(hash));
        removeSlot(segment, slot);
        OffHeap.putInt(address(segment) + COUNT, OffHeap.getInt(address(segment) + COUNT) - 1);
        entryCount--;
        return true;
    }

    /** Closes the gap, so that no entry is cut off from its home slot. */
    private static void removeSlot(long segment, int removed) {
        int mask = slots(segment) - 1;
        long entries = address(segment) + HEADER_BYTES;
        long hashes = hashes(segment);
        int gap = removed;
        int slot = gap;
        while (true) {
            slot = (slot + 1) & mask;
            long entry = OffHeap.getLong(entries + ((long) slot << 3));
            if (entry == 0) {
                OffHeap.putLong(entries + ((long) gap << 3), 0);
                return;
            }
            int place = OffHeap.getInt(hashes + ((long) slot << 2));
            int fromHome = (slot - place) & mask;
            int fromGap = (slot - gap) & mask;
            if (fromHome >= fromGap) {
                OffHeap.putLong(entries + ((long) gap << 3), entry);
                OffHeap.putInt(hashes + ((long) gap << 2), place);
                gap = slot;
            }
        }
    }

    @Override
    public void releaseStale(SearchKey key, long row) {
        if (RowLayout.isVisible(row)) {
            format.keyOf(row, scratch);
            // Equal hashes share one entry of the row, whatever the keys.
            if (!scratch.hasNull() && scratch.hash() == key.hash()) {
                return;
            }
        }
        remove(key, row);
    }

    @Override
    public long entryCount() {
        return entryCount;
    }

    @Override
    public long usedBytes() {
        return usedBytes;
    }

    @Override
    public void clear() {
        if (directory == 0) {
            return;
        }
        long size = 1L << directoryBits;
        long i = 0;
        while (i < size) {
            long segment = OffHeap.getLong(directory + (i << 3));
            i += 1L << (directoryBits - OffHeap.getInt(address(segment) + DEPTH));
            freeSegment(segment);
        }
        heap.free(directory, size << 3);
        usedBytes -= BlockHeap.usableBytes(size << 3);
        directory = 0;
        entryCount = 0;
    }
}
