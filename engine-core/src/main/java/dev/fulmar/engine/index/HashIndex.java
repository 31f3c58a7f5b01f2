package dev.fulmar.engine.index;

import dev.fulmar.engine.memory.BlockHeap;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.version.Snapshot;
import dev.fulmar.foundation.check.Invariants;

/**
 * Unique keys by extendible hashing: a directory of segments, each a small table of cache lines. When a segment is full
 * it alone is split in two, so no insertion moves more than one segment; only the directory, 8 bytes per segment,
 * doubles as a whole. Rows whose key has a null are not in it. One thread.
 *
 * <p>A line has five entries and the {@link #PLACES places} of their hashes. An entry is the row's 48-bit address under
 * 16 other bits of the hash, so almost every look-up reads one line and one row. The place's 32 bits choose the segment
 * from above and the home line from below, so splits and removals look at no row. Up to four keys in a row share a home
 * line, see {@link SearchKey#hash}. An entry that finds its home line full goes to the next line with room, and the
 * home line counts it as strayed. Candidates with the right 16 bits are compared with the row, which also passes over
 * ghosts: a deleted row is not visible and one with another key is not equal.
 */
public final class HashIndex implements RowIndex {
    private static final int LINE_BITS = 6;
    private static final int LINE_BYTES = 1 << LINE_BITS;
    private static final int ENTRIES = 5;
    private static final int ENTRIES_BYTES = ENTRIES * Long.BYTES;
    private static final int PLACES = ENTRIES_BYTES;
    private static final int STRAYED = PLACES + ENTRIES * Integer.BYTES;

    /** A segment of so many lines (as a power of two) is split when it is full; a smaller one grows. */
    private static final int SPLIT_LINES_BITS = 9;

    private static final int MOST_LINES_BITS = 24;
    private static final int MOST_DIRECTORY_BITS = 24;
    /** The directory may have so many entries per segment before full segments grow instead of being split. */
    private static final int MOST_DIRECTORY_ENTRIES_PER_SEGMENT = 16;
    /** A segment counts as full when an entry finds no room in so many lines and half of the segment is taken. */
    private static final int NEAR_LINES = 4;
    /** So many lines of a segment tell how full it is. */
    private static final int COUNTED_LINES = 32;

    private static final int ADDRESS_BITS = 48;
    private static final int DEPTH_SHIFT = ADDRESS_BITS + Byte.SIZE;
    private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;

    private KeyFormat format;
    private final BlockHeap heap;
    private SearchKey scratch;
    /**
     * Address of the directory; 0 while the index is empty. Its entries are a segment's address, then 8 bits
     * {@code log2(lines)} and 8 bits how many bits of the place the segment's entries share.
     */
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
    public void use(KeyFormat same) {
        format = same;
        scratch = same.newKey(null);
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
        long line = line(segment, place);
        for (int i = 0; i < ENTRIES_BYTES; i += Long.BYTES) {
            long entry = OffHeap.getLong(line + i);
            if ((entry ^ (hash << ADDRESS_BITS)) >>> ADDRESS_BITS == 0
                    && isFound(entry & ADDRESS_MASK, key, exceptRow)) {
                return entry & ADDRESS_MASK;
            }
        }
        return OffHeap.getInt(line + STRAYED) == 0 ? 0 : findStrayed(segment, hash, key, exceptRow);
    }

    /**
     * Address at which the look-up of a key with the hash begins to read, 0 in an empty index. Reads nothing but the
     * directory.
     */
    public long homeLine(long hash) {
        return directory == 0 ? 0 : line(segment(place(hash)), place(hash));
    }

    /** The row that a look-up of a key with the hash would compare first, 0 if the home line has none. */
    public static long candidate(long homeLine, long hash) {
        for (int i = 0; i < ENTRIES_BYTES; i += Long.BYTES) {
            long entry = OffHeap.getLong(homeLine + i);
            if ((entry ^ (hash << ADDRESS_BITS)) >>> ADDRESS_BITS == 0) {
                return entry & ADDRESS_MASK;
            }
        }
        return 0;
    }

    private boolean isFound(long row, SearchKey key, long exceptRow) {
        return row != 0 && RowLayout.isVisible(row) && row != exceptRow && format.hasKey(row, key, scratch);
    }

    private long findStrayed(long segment, long hash, SearchKey key, long exceptRow) {
        int place = place(hash);
        int mask = lines(segment) - 1;
        int left = OffHeap.getInt(line(segment, place) + STRAYED);
        for (int number = place + 1; left > 0; number++) {
            long line = line(segment, number);
            for (int i = 0; i < ENTRIES; i++) {
                long entry = OffHeap.getLong(line + (long) i * Long.BYTES);
                int itsPlace = OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES);
                if (entry == 0 || ((itsPlace ^ place) & mask) != 0) {
                    continue;
                }
                left--;
                if (itsPlace == place
                        && (entry ^ (hash << ADDRESS_BITS)) >>> ADDRESS_BITS == 0
                        && isFound(entry & ADDRESS_MASK, key, exceptRow)) {
                    return entry & ADDRESS_MASK;
                }
            }
        }
        return 0;
    }

    @Override
    public long findAt(SearchKey key, Snapshot snapshot) {
        if (directory == 0 || key.saturation() != 0) {
            return 0;
        }
        long hash = key.hash();
        int place = place(hash);
        long segment = segment(place);
        int mask = lines(segment) - 1;
        int left = OffHeap.getInt(line(segment, place) + STRAYED);
        for (int number = place; number == place || left > 0; number++) {
            long line = line(segment, number);
            for (int i = 0; i < ENTRIES; i++) {
                long entry = OffHeap.getLong(line + (long) i * Long.BYTES);
                int itsPlace = OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES);
                left -= number != place && entry != 0 && ((itsPlace ^ place) & mask) == 0 ? 1 : 0;
                if (entry != 0
                        && itsPlace == place
                        && (entry ^ (hash << ADDRESS_BITS)) >>> ADDRESS_BITS == 0
                        && isShown(entry & ADDRESS_MASK, key, snapshot)) {
                    return entry & ADDRESS_MASK;
                }
            }
        }
        return 0;
    }

    private boolean isShown(long row, SearchKey key, Snapshot snapshot) {
        long version = snapshot.versionOf(row);
        return version != 0 && format.hasKey(version, key, scratch);
    }

    /** The 32 bits that choose the segment, from above, and the home line, from below. */
    private static int place(long hash) {
        return (int) (hash >>> Integer.SIZE);
    }

    private long segment(int place) {
        return OffHeap.getLong(directory + (((place & 0xFFFFFFFFL) >>> (Integer.SIZE - directoryBits)) << 3));
    }

    private static int linesBits(long segment) {
        return (int) (segment >>> ADDRESS_BITS) & 0xFF;
    }

    private static int lines(long segment) {
        return 1 << linesBits(segment);
    }

    private static int depth(long segment) {
        return (int) (segment >>> DEPTH_SHIFT);
    }

    private static long address(long segment) {
        return segment & ADDRESS_MASK;
    }

    private static long line(long segment, int number) {
        return address(segment) + ((long) (number & (lines(segment) - 1)) << LINE_BITS);
    }

    @Override
    public boolean insert(SearchKey key, long row) {
        if (key.hasNull()) {
            return true;
        }
        long hash = key.hash();
        if (directory == 0) {
            begin();
        } else if (addressOf(hash, row) != 0) {
            return false;
        }
        int place = place(hash);
        long entry = (hash << ADDRESS_BITS) | row;
        if (!put(segment(place), place, entry, NEAR_LINES)) {
            putIntoCrowd(place, entry);
        }
        entryCount++;
        return true;
    }

    /** Puts the entry into the first line with room from its home on; false if there is none among so many. */
    private static boolean put(long segment, int place, long entry, int mostLines) {
        int most = Math.min(mostLines, lines(segment));
        for (int far = 0; far < most; far++) {
            long line = line(segment, place + far);
            for (int i = 0; i < ENTRIES; i++) {
                if (OffHeap.getLong(line + (long) i * Long.BYTES) == 0) {
                    OffHeap.putLong(line + (long) i * Long.BYTES, entry);
                    OffHeap.putInt(line + PLACES + (long) i * Integer.BYTES, place);
                    if (far > 0) {
                        countStrayed(segment, place, 1);
                    }
                    return true;
                }
            }
        }
        return false;
    }

    private static void countStrayed(long segment, int place, int more) {
        long strayed = line(segment, place) + STRAYED;
        int count = OffHeap.getInt(strayed) + more;
        Invariants.check(count >= 0, "a line of a hash index counts each entry that strayed from it");
        OffHeap.putInt(strayed, count);
    }

    /** The address of the row's entry under the hash, or 0. */
    private long addressOf(long hash, long row) {
        int place = place(hash);
        long segment = segment(place);
        long wanted = (hash << ADDRESS_BITS) | row;
        long home = line(segment, place);
        long found = addressIn(home, place, wanted);
        if (found != 0) {
            return found;
        }
        int mask = lines(segment) - 1;
        int left = OffHeap.getInt(home + STRAYED);
        for (int number = place + 1; left > 0; number++) {
            long line = line(segment, number);
            found = addressIn(line, place, wanted);
            if (found != 0) {
                return found;
            }
            for (int i = 0; i < ENTRIES; i++) {
                boolean taken = OffHeap.getLong(line + (long) i * Long.BYTES) != 0;
                int itsPlace = OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES);
                left -= taken && ((itsPlace ^ place) & mask) == 0 ? 1 : 0;
            }
        }
        return 0;
    }

    private static long addressIn(long line, int place, long wanted) {
        for (int i = 0; i < ENTRIES; i++) {
            long address = line + (long) i * Long.BYTES;
            if (OffHeap.getLong(address) == wanted
                    && OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES) == place) {
                return address;
            }
        }
        return 0;
    }

    private void begin() {
        long segment = newSegment(0, 0);
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

    private long newSegment(int linesBits, int depth) {
        long bytes = (long) LINE_BYTES << linesBits;
        long address = heap.allocate(bytes);
        usedBytes += BlockHeap.usableBytes(bytes);
        segmentCount++;
        OffHeap.fill(address, bytes, (byte) 0);
        return ((long) depth << DEPTH_SHIFT) | ((long) linesBits << ADDRESS_BITS) | address;
    }

    private void freeSegment(long segment) {
        long bytes = (long) LINE_BYTES << linesBits(segment);
        heap.free(address(segment), bytes);
        usedBytes -= BlockHeap.usableBytes(bytes);
        segmentCount--;
    }

    /**
     * Splits or grows the segment until the entry finds room. All memory for a step is taken before its first change.
     */
    private void putIntoCrowd(int place, long entry) {
        do {
            long segment = segment(place);
            if (linesBits(segment) < SPLIT_LINES_BITS) {
                grow(segment, place);
            } else if (!isHalfFull(segment)) {
                // Many entries share a home, as ghosts of one key do; dividing would not part them.
                boolean isPut = put(segment, place, entry, lines(segment));
                Invariants.check(isPut, "a segment of a hash index that is not half full has room for an entry");
                return;
            } else if (canSplit(segment)) {
                split(segment, place);
            } else {
                grow(segment, place);
            }
        } while (!put(segment(place), place, entry, NEAR_LINES));
    }

    /** Whether half of the segment is taken, judged by some of its lines. */
    private static boolean isHalfFull(long segment) {
        int step = Math.max(1, lines(segment) / COUNTED_LINES);
        int count = 0;
        int counted = 0;
        for (int number = 0; number < lines(segment); number += step) {
            long line = line(segment, number);
            for (int i = 0; i < ENTRIES_BYTES; i += Long.BYTES) {
                count += OffHeap.getLong(line + i) == 0 ? 0 : 1;
            }
            counted++;
        }
        return 2 * count >= ENTRIES * counted;
    }

    /** Whether a split does not blow up the directory. */
    private boolean canSplit(long segment) {
        boolean mustSplit = linesBits(segment) >= MOST_LINES_BITS;
        boolean directoryMayGrow = directoryBits < MOST_DIRECTORY_BITS
                && 1L << directoryBits < (long) MOST_DIRECTORY_ENTRIES_PER_SEGMENT * segmentCount;
        return depth(segment) < directoryBits || directoryMayGrow || mustSplit;
    }

    private void grow(long segment, int place) {
        long larger = newSegment(linesBits(segment) + 1, depth(segment));
        moveAll(segment, larger, larger, 0);
        pointTo(place, larger);
        freeSegment(segment);
        if (Invariants.EXPENSIVE) {
            checkSegments();
        }
    }

    private void split(long segment, int place) {
        int depth = depth(segment);
        long left = newSegment(linesBits(segment), depth + 1);
        long right;
        try {
            right = newSegment(linesBits(segment), depth + 1);
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
        moveAll(segment, left, right, divide);
        pointTo(place & ~divide, left);
        pointTo(place | divide, right);
        freeSegment(segment);
        if (Invariants.EXPENSIVE && depth + 1 == directoryBits) {
            checkSegments();
        }
    }

    /** Copies the entries, those with the bit in their place to the right. */
    private static void moveAll(long segment, long left, long right, int bit) {
        for (int number = 0; number < lines(segment); number++) {
            long line = line(segment, number);
            for (int i = 0; i < ENTRIES; i++) {
                long entry = OffHeap.getLong(line + (long) i * Long.BYTES);
                if (entry != 0) {
                    int place = OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES);
                    long target = (place & bit) != 0 ? right : left;
                    boolean isPut = put(target, place, entry, lines(target));
                    Invariants.check(isPut, "a hash index finds room for each entry of a segment that it divides");
                }
            }
        }
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

    /** Sets all directory entries that share the segment's bits of the place. */
    private void pointTo(int place, long segment) {
        int rest = directoryBits - depth(segment);
        long first = ((place & 0xFFFFFFFFL) >>> (Integer.SIZE - depth(segment))) << rest;
        for (long i = first; i < first + (1L << rest); i++) {
            OffHeap.putLong(directory + (i << 3), segment);
        }
    }

    /** Reads all entries. */
    private void checkSegments() {
        long entries = 0;
        int segments = 0;
        long i = 0;
        while (i < 1L << directoryBits) {
            long segment = OffHeap.getLong(directory + (i << 3));
            int below = directoryBits - depth(segment);
            entries += countEntries(segment, i >>> below);
            segments++;
            i += 1L << below;
        }
        Invariants.check(
                entries == entryCount && segments == segmentCount,
                "a hash index counts its segments and entries as its directory leads to them");
    }

    /** @param first the bits that the places of the segment's entries begin with */
    private static long countEntries(long segment, long first) {
        long entries = 0;
        long strayed = 0;
        for (int number = 0; number < lines(segment); number++) {
            long line = line(segment, number);
            strayed += OffHeap.getInt(line + STRAYED);
            for (int i = 0; i < ENTRIES; i++) {
                if (OffHeap.getLong(line + (long) i * Long.BYTES) != 0) {
                    int place = OffHeap.getInt(line + PLACES + (long) i * Integer.BYTES);
                    Invariants.check(
                            (place & 0xFFFFFFFFL) >>> (Integer.SIZE - depth(segment)) == first,
                            "an entry of a hash index lies in the segment that its hash names");
                    entries++;
                    strayed -= line(segment, place) == line ? 0 : 1;
                }
            }
        }
        Invariants.check(strayed == 0, "the lines of a segment count as many strayed entries as it has");
        return entries;
    }

    @Override
    public boolean remove(SearchKey key, long row) {
        if (directory == 0 || key.hasNull()) {
            return false;
        }
        long hash = key.hash();
        long found = addressOf(hash, row);
        if (found == 0) {
            return false;
        }
        OffHeap.putLong(found, 0);
        long segment = segment(place(hash));
        if ((found & -LINE_BYTES) != line(segment, place(hash))) {
            countStrayed(segment, place(hash), -1);
        }
        entryCount--;
        return true;
    }

    @Override
    public boolean isEntryOf(SearchKey key, long slot) {
        // Equal hashes share one entry of the row, whatever the keys.
        return format.keyIfAny(slot, scratch)
                && format.admits(slot)
                && !scratch.hasNull()
                && !key.hasNull()
                && scratch.hash() == key.hash();
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
            i += 1L << (directoryBits - depth(segment));
            freeSegment(segment);
        }
        heap.free(directory, size << 3);
        usedBytes -= BlockHeap.usableBytes(size << 3);
        directory = 0;
        entryCount = 0;
        Invariants.check(usedBytes == 0 && segmentCount == 0, "a hash index without entries uses no memory");
    }

    /** Segments are so few that they go at once. */
    @Override
    public int clearSome(int mostEntries) {
        clear();
        return mostEntries;
    }
}
