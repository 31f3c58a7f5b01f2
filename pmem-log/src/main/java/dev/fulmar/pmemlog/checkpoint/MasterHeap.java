package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A partition's file of slots, one for each row, in extents of slots of one size. A slot is named by its place in the
 * file, in units. Who holds which slot is in memory only; recovery learns it from the slots. An extent is filled from
 * its beginning, and a checkpoint says how far: what lies behind is not read, so it may be anything. One thread.
 */
final class MasterHeap implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 16;

    /** Most bytes of neighbouring slots that wait for each other and are written with one call. */
    private static final int RUN_BYTES = 1 << 18;

    private static final long MOST_GATHERED_BYTES = 16 << 20;

    /**
     * Bytes written at the end of a new extent, so that the file has it. The part in front of them reads as zeros and
     * takes no space yet.
     */
    private static final int END_BYTES = 4096;

    /**
     * Rows for each free slot: free slots are used again once there are more of them than that. Until then new rows get
     * slots that no checkpoint reads yet.
     */
    private static final int ROWS_FOR_A_HOLE = 8;

    /** Spare bytes that a slot may have beyond twice its row's size, before the row moves to another slot. */
    private static final int MOST_SPARE_BYTES = 64;

    private static final int NONE = -1;

    private final String name;
    private final StorageFile file;
    private final int extentBytes;
    private final long extentUnits;
    private final SizeClasses sizes;
    private final FreeSlots free = new FreeSlots();
    private final IdleExtents idle = new IdleExtents();
    private byte[] classes;
    private int extentCount;
    /** Extents that have no slots. */
    private int unused;
    /** Whether the file has extents behind those that there are. */
    private boolean isLong;

    private int[] used;
    /** Entries of the checkpoint log that are newest for a place in the extent and not written back. */
    private int[] pending;
    /** Slots that were given out so far, from the extent's beginning on. */
    private int[] filled;
    /** Slots of the extent that the checkpoint that holds reads. */
    private int[] named;
    /** Of each class, the extent that is being filled, and the rows that there are. */
    private final int[] filling = new int[SizeClasses.RUN + 1];

    private final long[] rows = new long[SizeClasses.RUN + 1];

    /** By slot, what will be written there. */
    private final SortedMap<Long, byte[]> gathered = new TreeMap<>();

    private long gatheredBytes;
    private final byte[] run = new byte[RUN_BYTES];
    private boolean unforced;
    private long writtenBytes;
    private long zeroBytes;
    private long givenBackBytes;

    /** @param root what the checkpoint that holds says */
    MasterHeap(Storage storage, String name, CheckpointRoot root) throws IOException {
        this.name = name;
        this.file = storage.open(name);
        this.extentBytes = root.extentBytes();
        this.extentUnits = extentBytes / SizeClasses.UNIT_BYTES;
        this.sizes = new SizeClasses(extentBytes);
        this.extentCount = root.classes().length;
        this.classes = Arrays.copyOf(root.classes(), Math.max(16, extentCount));
        this.used = new int[this.classes.length];
        this.pending = new int[this.classes.length];
        this.filled = new int[this.classes.length];
        this.named = new int[this.classes.length];
        Arrays.fill(filling, NONE);
        for (int extent = 0; extent < extentCount; extent++) {
            int fill = root.filled().getOrDefault(extent, capacity(extent));
            filled[extent] = fill;
            if (classOf(extent) == SizeClasses.UNUSED) {
                unused++;
                idle.add(extent, 0);
            }
            if (fill < capacity(extent)) {
                filling[classOf(extent)] = extent;
            }
        }
        published();
    }

    /** Slots that the extent has room for. */
    private int capacity(int extent) {
        int sizeClass = classOf(extent);
        if (sizeClass == SizeClasses.UNUSED) {
            return 0;
        }
        return sizes.isClass(sizeClass) ? (int) (extentUnits / sizes.units(sizeClass)) : 1;
    }

    /** Slots of the extent that hold something: those from its beginning on. */
    int filledSlots(int extent) {
        return filled[extent];
    }

    /**
     * Frees the extents that have no rows. The next checkpoint does not need them, and their space goes to the ones
     * after it. Entries for their slots in the checkpoint log mean nothing from then on.
     */
    void retireIdle() throws IOException {
        writeGathered(); // slots of an extent that is none any more have no size
        BitSet retired = new BitSet(extentCount);
        for (int extent = 0; extent < extentCount; extent++) {
            // Only the first extent of a slot of several knows of the entries for it.
            boolean mayGo = isIdle(extent) || (used[extent] == 0 && sizes.isClass(classOf(extent)));
            retired.set(extent, mayGo && classOf(extent) != SizeClasses.UNUSED);
        }
        if (!retired.isEmpty()) {
            free.removeIf(slot -> retired.get(extentOf(slot)));
            retired.stream().forEach(this::retire);
        }
        int spare = IdleExtents.spare(extentCount - unused);
        while (unused > spare && classOf(extentCount - 1) == SizeClasses.UNUSED) {
            extentCount--;
            unused--;
            isLong = true;
        }
    }

    private void retire(int extent) {
        idle.add(extent, pending[extent]);
        pending[extent] = 0;
        noSlots(extent);
    }

    /** Whether the file has space that no checkpoint reads, and more of it than rows to come will soon need. */
    boolean hasExcess() {
        return isLong || idle.hasExcess(IdleExtents.spare(extentCount - unused));
    }

    /** Gives back the space that {@link #hasExcess} tells of. The checkpoint that holds is the last one of all. */
    void giveBack() throws IOException {
        if (isLong) {
            givenBackBytes += file.size() - fileBytes();
            cutFile();
        }
        BitSet excess = idle.takeExcess(IdleExtents.spare(extentCount - unused));
        for (int first = excess.nextSetBit(0); first >= 0; ) {
            int end = excess.nextClearBit(first);
            file.discard((long) first * extentBytes, (long) (end - first) * extentBytes);
            givenBackBytes += (long) (end - first) * extentBytes;
            first = excess.nextSetBit(end);
        }
    }

    /** Whether entries of the checkpoint log keep so much of the file from new rows that they are to go. */
    boolean isFadingMuch() {
        return idle.isFadingMuch(extentCount - unused);
    }

    /** Whether the slot was one of an extent that has none any more. */
    boolean isRetired(long slot) {
        return slot >= 0 && (slot >= extentCount * extentUnits || classOf(extentOf(slot)) == SizeClasses.UNUSED);
    }

    /** The checkpoint log has an entry for the slot that {@link #isRetired}; or no more, once {@link #segmentGone}. */
    void retiredEntry(long slot) {
        idle.entry(extentOf(slot));
    }

    void retiredEntryGone(long slot) {
        idle.entryGone(extentOf(slot));
    }

    /** No recovery reads the entries any more that were written back. */
    void segmentGone() {
        idle.segmentGone();
    }

    private boolean isIdle(int extent) {
        return used[extent] == 0 && pending[extent] == 0;
    }

    /** The checkpoint whose root has the present {@link #classes} and {@link #partlyFilled} holds. */
    void published() {
        Arrays.fill(named, 0);
        System.arraycopy(filled, 0, named, 0, extentCount);
    }

    /**
     * Whether the checkpoint that holds does not read the slot, so that it may be written without it being in the
     * checkpoint log.
     */
    boolean isUnread(long slot) {
        int extent = extentOf(slot);
        return sizes.isClass(classOf(extent)) && indexOf(slot) >= named[extent];
    }

    private int indexOf(long slot) {
        int extent = extentOf(slot);
        return (int) ((slot - extent * extentUnits) / sizes.units(classOf(extent)));
    }

    /** Number of filled slots of each extent that is being filled, which the root of a checkpoint keeps. */
    SortedMap<Integer, Integer> partlyFilled() {
        SortedMap<Integer, Integer> partly = new TreeMap<>();
        for (int extent = 0; extent < extentCount; extent++) {
            if (filled[extent] < capacity(extent)) {
                partly.put(extent, filled[extent]);
            }
        }
        return partly;
    }

    String name() {
        return name;
    }

    StorageFile file() {
        return file;
    }

    int extentBytes() {
        return extentBytes;
    }

    int extentCount() {
        return extentCount;
    }

    /** Class of slots in the extent. */
    int classOf(int extent) {
        return classes[extent] & 0xFF;
    }

    SizeClasses sizes() {
        return sizes;
    }

    /** Size class of each extent, which the root of a checkpoint keeps. */
    byte[] classes() {
        return Arrays.copyOf(classes, extentCount);
    }

    /** Bytes of the file. */
    long fileBytes() {
        return (long) extentCount * extentBytes;
    }

    /** Bytes of the file that a restart reads. */
    long readBytes() {
        return (long) (extentCount - unused) * extentBytes;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /** Zeros with which new extents were filled. */
    long zeroBytes() {
        return zeroBytes;
    }

    /** Bytes whose space the file system got back. */
    long givenBackBytes() {
        return givenBackBytes;
    }

    /** Extents of the slot that begins in the extent: one, but for the largest rows. */
    int extentsOf(int extent) {
        int count = 1;
        if (classOf(extent) == SizeClasses.RUN) {
            while (extent + count < extentCount && classOf(extent + count) == SizeClasses.RUN_TAIL) {
                count++;
            }
        }
        return count;
    }

    /** Bytes of the slot. */
    int slotBytes(long slot) {
        int extent = extentOf(slot);
        int sizeClass = classOf(extent);
        return sizeClass == SizeClasses.RUN
                ? extentsOf(extent) * extentBytes
                : sizes.units(sizeClass) * SizeClasses.UNIT_BYTES;
    }

    /** Whether a slot may begin at the place. */
    boolean isSlot(long place) {
        if (place < 0 || place >= extentCount * extentUnits) {
            return false;
        }
        int extent = extentOf(place);
        int sizeClass = classOf(extent);
        long within = place - extent * extentUnits;
        if (sizeClass == SizeClasses.RUN) {
            return within == 0;
        }
        return sizes.isClass(sizeClass)
                && within % sizes.units(sizeClass) == 0
                && within / sizes.units(sizeClass) < filled[extent];
    }

    int extentOf(long slot) {
        return (int) (slot / extentUnits);
    }

    /** Whether the slot is a {@link WideSlot}. */
    boolean isWide(long slot) {
        int sizeClass = classOf(extentOf(slot));
        return sizeClass == SizeClasses.RUN || SizeClasses.isOld(sizeClass);
    }

    /** Whether the row, which takes so many bytes in a slot, may stay there. */
    boolean fits(long slot, int bytes, LoggedRow row) {
        int extent = extentOf(slot);
        if (sizes.classOf(bytes) == SizeClasses.RUN) {
            return classOf(extent) == SizeClasses.RUN && extentsOf(extent) == extentsFor(row);
        }
        int slotBytes = slotBytes(slot);
        return !isWide(slot) && bytes <= slotBytes && slotBytes <= 2 * bytes + MOST_SPARE_BYTES;
    }

    private int extentsFor(LoggedRow row) {
        return Math.ceilDiv(WideSlot.HEADER_BYTES + row.imageBytes(), extentBytes);
    }

    /** A free slot for the row, which takes so many bytes in a slot. */
    long allocate(int bytes, LoggedRow row) throws IOException {
        int sizeClass = sizes.classOf(bytes);
        if (sizeClass == SizeClasses.RUN) {
            return allocateRun(extentsFor(row));
        }
        boolean fromHoles = free.count(sizeClass) > rows[sizeClass] / ROWS_FOR_A_HOLE;
        long slot = fromHoles ? free.pop(sizeClass) : nextUnread(sizeClass);
        occupied(slot);
        return slot;
    }

    private long nextUnread(int sizeClass) throws IOException {
        int extent = filling[sizeClass];
        if (extent == NONE || filled[extent] == capacity(extent)) {
            extent = claimUnread();
            slots(extent, sizeClass);
            filling[sizeClass] = extent;
        }
        return extent * extentUnits + (long) filled[extent]++ * sizes.units(sizeClass);
    }

    /** An extent of which no checkpoint reads anything. */
    private int claimUnread() throws IOException {
        int extent = 0;
        while ((extent < extentCount && (classOf(extent) != SizeClasses.UNUSED || named[extent] > 0))
                || idle.isFading(extent)) {
            extent++;
        }
        if (extent >= extentCount) {
            extendFile(extent + 1);
            grow(extent + 1);
        }
        return extent;
    }

    private void slots(int extent, int sizeClass) {
        unused -= classOf(extent) == SizeClasses.UNUSED ? 1 : 0;
        classes[extent] = (byte) sizeClass;
        idle.remove(extent);
    }

    private void noSlots(int extent) {
        unused += classOf(extent) == SizeClasses.UNUSED ? 0 : 1;
        if (filling[classOf(extent)] == extent) {
            filling[classOf(extent)] = NONE;
        }
        classes[extent] = SizeClasses.UNUSED;
        filled[extent] = 0;
    }

    private long allocateRun(int count) throws IOException {
        int first = claim(count);
        for (int i = 0; i < count; i++) {
            slots(first + i, i == 0 ? SizeClasses.RUN : SizeClasses.RUN_TAIL);
            filled[first + i] = 1;
            used[first + i] = 1;
        }
        return first * extentUnits;
    }

    /** So many extents in a row, without slots and filled with zeros: idle ones or new ones. */
    private int claim(int count) throws IOException {
        writeGathered(); // what an idle extent is still to get must come before its zeros
        int found = 0;
        int first = Math.max(extentCount, idle.fadingLimit());
        for (int extent = 0; extent < extentCount; extent++) {
            found = isIdle(extent) && !idle.isFading(extent) ? found + 1 : 0;
            if (found == count) {
                first = extent - count + 1;
                break;
            }
        }
        int known = extentCount;
        if (first + count > known) {
            extendFile(first + count);
        }
        grow(first + count);
        for (int extent = first; extent < first + count; extent++) {
            forget(extent);
            if (extent < known) {
                fillWithZeros(extent);
            }
        }
        // What is left of an idle slot of several extents must not become part of the slot before it.
        for (int rest = first + count; rest < extentCount && classOf(rest) == SizeClasses.RUN_TAIL; rest++) {
            forget(rest);
        }
        return first;
    }

    private void grow(int count) {
        if (count > classes.length) {
            int capacity = Math.max(count, 2 * classes.length);
            classes = Arrays.copyOf(classes, capacity);
            used = Arrays.copyOf(used, capacity);
            pending = Arrays.copyOf(pending, capacity);
            filled = Arrays.copyOf(filled, capacity);
            named = Arrays.copyOf(named, capacity);
        }
        unused += Math.max(0, count - extentCount);
        extentCount = Math.max(extentCount, count);
    }

    private void forget(int extent) {
        if (sizes.isClass(classOf(extent))) {
            free.removeIf(slot -> extentOf(slot) == extent);
        }
        noSlots(extent);
    }

    /** The file is not so long, so there is nothing to overwrite. */
    private void extendFile(int extents) throws IOException {
        if (isLong) {
            cutFile();
        }
        int bytes = Math.min(END_BYTES, extentBytes);
        file.write((long) extents * extentBytes - bytes, ByteBuffer.allocate(bytes));
        zeroBytes += bytes;
        unforced = true;
    }

    /** Cuts off what no checkpoint knows of: a new extent must not have anything in it. */
    void cutFile() throws IOException {
        file.truncate(fileBytes());
        isLong = false;
        idle.cut(extentCount);
    }

    private void fillWithZeros(int extent) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(PIECE_BYTES, extentBytes));
        for (int offset = 0; offset < extentBytes; offset += zeros.capacity()) {
            file.write((long) extent * extentBytes + offset, zeros.clear());
            zeroBytes += zeros.capacity();
        }
        unforced = true;
    }

    /** The row has left the slot. */
    void release(long slot) {
        int extent = extentOf(slot);
        if (classOf(extent) == SizeClasses.RUN) {
            int count = extentsOf(extent);
            for (int i = 0; i < count; i++) {
                used[extent + i] = 0;
            }
            return;
        }
        used[extent]--;
        rows[classOf(extent)]--;
        free.push(classOf(extent), slot);
    }

    /** A row is in the slot. */
    void occupied(long slot) {
        int extent = extentOf(slot);
        rows[classOf(extent)]++;
        int count = extentsOf(extent);
        for (int i = 0; i < count; i++) {
            used[extent + i]++;
        }
    }

    /** While recovering: no row is in the slot. */
    void vacant(long slot) {
        if (classOf(extentOf(slot)) != SizeClasses.RUN) {
            free.push(classOf(extentOf(slot)), slot);
        }
    }

    /** So many more entries of the checkpoint log wait to be written back to the slot. */
    void pending(long slot, int more) {
        int extent = extentOf(slot);
        int count = extentsOf(extent);
        for (int i = 0; i < count; i++) {
            pending[extent + i] += more;
        }
    }

    /**
     * Notes what the slot is to have; it is durable after {@link #force}. Until then it may wait for others that lie
     * beside it.
     */
    void write(long slot, byte[] bytes) {
        byte[] before = gathered.put(slot, bytes);
        gatheredBytes += bytes.length - (before == null ? 0 : before.length);
        unforced = true;
    }

    /** To be called before {@link #write}: makes room for it, if there is none. */
    void makeRoom() throws IOException {
        if (gatheredBytes >= MOST_GATHERED_BYTES) {
            writeGathered();
        }
    }

    /** In the order of the file, and slots that lie one after the other with one call. */
    private void writeGathered() throws IOException {
        while (!gathered.isEmpty()) {
            long first = gathered.firstKey();
            long next = first;
            int end = 0;
            int length = 0;
            byte[] bytes = gathered.get(first);
            while (bytes != null && length + bytes.length <= RUN_BYTES) {
                Arrays.fill(run, end, length, (byte) 0);
                System.arraycopy(bytes, 0, run, length, bytes.length);
                end = length + bytes.length;
                length += slotBytes(next);
                next = first + length / SizeClasses.UNIT_BYTES;
                bytes = gathered.get(next);
            }
            if (end > 0) {
                file.write(first * SizeClasses.UNIT_BYTES, ByteBuffer.wrap(run, 0, end));
            } else if (bytes != null) { // too large for a run
                file.write(first * SizeClasses.UNIT_BYTES, ByteBuffer.wrap(bytes));
                end = bytes.length;
                next = first + 1;
            }
            writtenBytes += end;
            SortedMap<Long, byte[]> written = gathered.subMap(first, next);
            gatheredBytes -=
                    written.values().stream().mapToLong(slot -> slot.length).sum();
            written.clear();
        }
    }

    /** Makes the slot one that is free. */
    void erase(long slot) {
        write(slot, new byte[isWide(slot) ? WideSlot.HEADER_BYTES : MasterSlot.FREE_BYTES]);
    }

    void force() throws IOException {
        if (unforced) {
            writeGathered();
            FailedForce.force(file);
            unforced = false;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
