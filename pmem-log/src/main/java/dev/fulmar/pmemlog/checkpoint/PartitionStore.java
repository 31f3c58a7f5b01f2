package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.storage.StorageNames;
import java.io.IOException;
import java.util.SortedMap;

/** The checkpoint log and the master heap of one partition, after they were loaded. One thread at a time. */
final class PartitionStore implements AutoCloseable {
    private final Storage storage;
    private final CheckpointSettings settings;
    private final SuperblockFile superblock;
    private final int partition;
    private final MasterHeap master;
    private final ClogWriter clog;
    private final ClogReader reader;
    private final RowPlaces places;
    /** Of each slot, the entry that is newest, if the master heap does not have it yet. */
    private final LongTable newest;
    /** Number of the first group in each segment. */
    private final SortedMap<Long, Long> firstGroups;

    private boolean open;
    private boolean rootIsAppended;
    private boolean reclaiming;
    /** Whether all segments before the last one are to be written back, though the log is not long. */
    private boolean writesBackAll;
    /** Of the batch that is being added, what is done: so that one that found no space goes on where it stopped. */
    private int addedBytes;

    private final LoggedRow appended = new LoggedRow();
    private long openEntries;
    private long rowEntries;
    private long slotsFilled;
    private long slotsWritten;
    private long entriesDropped;

    PartitionStore(
            Storage storage,
            CheckpointSettings settings,
            SuperblockFile superblock,
            int partition,
            CheckpointLoader loader,
            MasterHeap master)
            throws IOException {
        this.storage = storage;
        this.settings = settings;
        this.superblock = superblock;
        this.partition = partition;
        this.master = master;
        this.reader = loader.clog();
        this.places = loader.places();
        this.newest = loader.newest();
        this.firstGroups = loader.firstGroups();
        PartitionEntry entry = entry();
        this.clog = new ClogWriter(storage, settings, superblock.current().databaseId(), partition, entry);
        sweep(entry);
    }

    /**
     * Deletes what no checkpoint names: what a crash left unfinished must not be taken for what will be written in its
     * place.
     */
    private void sweep(PartitionEntry entry) throws IOException {
        master.cutFile();
        for (String name : storage.list(settings.directory())) {
            long segment = CheckpointNames.segmentNumber(name, partition);
            boolean unnamed = segment >= 0
                    && (segment < entry.firstSegment() || segment > entry.lastSegment() || entry.lastGroup() == 0);
            if (unnamed) {
                storage.delete(settings.directory() + "/" + name);
            }
        }
        if (entry.lastGroup() > 0) {
            try (StorageFile last = storage.open(clog.segmentName())) {
                last.truncate(entry.endOffset());
                last.force();
            }
        }
        storage.forceDirectory(settings.directory());
        storage.forceDirectory(StorageNames.directoryOf(settings.directory()));
    }

    int partition() {
        return partition;
    }

    PartitionEntry entry() {
        return superblock.current().partition(partition);
    }

    /** Bytes written to the checkpoint log and to the master heap. */
    long clogBytes() {
        return clog.writtenBytes();
    }

    long masterBytes() {
        return master.writtenBytes();
    }

    long masterZeroBytes() {
        return master.zeroBytes();
    }

    /** Bytes of the master heap whose space the file system got back. */
    long givenBackBytes() {
        return master.givenBackBytes();
    }

    /**
     * Rows put into checkpoints. The next methods count those of them that were written straight to the master heap,
     * and the images in the checkpoint log that reached the master heap or were superseded before.
     */
    long rowEntries() {
        return rowEntries;
    }

    long slotsFilled() {
        return slotsFilled;
    }

    long slotsWritten() {
        return slotsWritten;
    }

    long entriesDropped() {
        return entriesDropped;
    }

    /**
     * Adds the batch's rows to the checkpoint that is being made, and begins one if none is. After a failure that was
     * no failed force it may be called again with the same batch.
     */
    void append(RowBatch batch) throws IOException {
        open = true;
        byte[] array = batch.array();
        while (addedBytes < batch.usedBytes()) {
            int bytes = ClogEntry.bytes(array, addedBytes);
            if (ClogEntry.isWholeTable(array, addedBytes)) {
                removeTable(ClogEntry.table(array, addedBytes));
            } else if (ClogEntry.isWholeBucket(array, addedBytes)) {
                removeBucket(ClogEntry.table(array, addedBytes), ClogEntry.bucket(array, addedBytes));
            } else {
                appended.take(array, addedBytes);
                append(appended);
            }
            addedBytes += bytes;
        }
        addedBytes = 0;
    }

    private void append(LoggedRow row) throws IOException {
        long before = places.get(row.table(), row.bucket(), row.row());
        if (row.isRemoval() && before == LoggedRow.NO_SLOT) {
            return;
        }
        // All that may fail comes before anything is noted.
        if (clog.needsWriteBefore(row)) {
            writeGroup();
        }
        master.makeRoom();
        long slot = row.isRemoval() ? LoggedRow.NO_SLOT : slotFor(row, before);
        long erased = slot == before ? LoggedRow.NO_SLOT : before;
        if (slot != before) {
            places.put(row.table(), row.bucket(), row.row(), slot);
            if (before != LoggedRow.NO_SLOT) {
                master.release(before);
            }
        }
        rowEntries++;
        openEntries++;
        if (!row.isRemoval() && master.isUnread(slot) && newest.get(slot) == LongTable.ABSENT) {
            master.write(slot, MasterSlot.of(partition, entry().checkpoint() + 1, row));
            slotsFilled++;
            slot = LoggedRow.NO_SLOT;
            row.removal(row.table(), row.bucket(), row.row());
        }
        if (slot != LoggedRow.NO_SLOT || erased != LoggedRow.NO_SLOT) {
            row.slots(slot, erased);
            long place = clog.append(row);
            setNewest(slot, place);
            setNewest(erased, ClogPlace.erasing(place));
        }
    }

    private void removeTable(int table) throws IOException {
        for (int bucket : places.buckets(table)) {
            removeBucket(table, bucket);
        }
    }

    private void removeBucket(int table, int bucket) throws IOException {
        for (long row = places.rowLimit(table, bucket) - 1; row >= 0; row--) {
            appended.removal(table, bucket, row);
            append(appended);
        }
    }

    private long slotFor(LoggedRow row, long before) throws IOException {
        int bytes = MasterSlot.bytes(partition, entry().checkpoint() + 1, row);
        boolean stays = before != LoggedRow.NO_SLOT && master.fits(before, bytes, row);
        return stays ? before : master.allocate(bytes, row);
    }

    private void setNewest(long slot, long place) {
        if (slot != LoggedRow.NO_SLOT && newest.put(slot, place) == LongTable.ABSENT) {
            master.pending(slot, 1);
        }
    }

    private void writeGroup() throws IOException {
        if (clog.hasEntries()) {
            firstGroups.putIfAbsent(clog.segment(), clog.lastGroup() + 1);
            clog.write(entry().checkpoint() + 1);
        }
    }

    /** Whether a checkpoint at the position would say anything new. */
    boolean isNews(CheckpointPosition position) {
        return openEntries > 0 || !position.equals(entry().position());
    }

    /** Makes the rows that were appended durable, and the checkpoint at the position the one that holds. */
    void publish(CheckpointPosition position) throws IOException {
        if (!rootIsAppended) {
            if (!reclaiming) { // else the checkpoint log has more entries than extents know of
                master.retireIdle();
                if (master.isFadingMuch()) { // the root stays, and all that lies before it can be written back
                    writeGroup();
                    clog.beginSegment();
                    writesBackAll = true;
                }
            }
            appended.root(
                    new CheckpointRoot(master.extentBytes(), places.count(), master.classes(), master.partlyFilled())
                            .toImage());
            if (clog.needsWriteBefore(appended)) {
                writeGroup();
            }
            clog.append(appended);
            rootIsAppended = true;
        }
        writeGroup();
        clog.force();
        master.force();
        long first = firstGroups.firstKey();
        superblock.publish(superblock
                .current()
                .with(
                        partition,
                        new PartitionEntry(
                                entry().checkpoint() + 1,
                                position,
                                first,
                                firstGroups.getOrDefault(first, 1L),
                                clog.segment(),
                                clog.offset(),
                                clog.lastGroup())));
        master.published();
        endCheckpoint();
    }

    /** The checkpoint that was begun is over. */
    void endCheckpoint() {
        open = false;
        rootIsAppended = false;
        openEntries = 0;
    }

    /** Whether the oldest segment of the checkpoint log, which has become long, should be written back. */
    boolean needsReclaim() {
        return !open
                && entry().firstSegment() < entry().lastSegment()
                && (liveBytes() > settings.clogBytes() || writesBackAll);
    }

    /** Whether files have space that can be given back. */
    boolean hasExcess() {
        return !open && master.hasExcess();
    }

    /** Gives space of files back to the system. Only between checkpoints. */
    void giveBack() throws IOException {
        Invariants.check(!open, "space of the master heap is given back between checkpoints");
        master.giveBack();
    }

    /** Bytes that a restart reads. */
    long storedBytes() {
        return entry().checkpoint() == 0 ? 0 : liveBytes() + master.readBytes();
    }

    /** Bytes of the files of the checkpoint log. */
    long liveBytes() {
        PartitionEntry entry = entry();
        return (entry.lastSegment() - entry.firstSegment()) * settings.segmentBytes() + entry.endOffset();
    }

    /**
     * Writes what is newest in the oldest segment to the master heap, and deletes the segment. Only between
     * checkpoints: an entry that no checkpoint holds yet must not make one needless that is held.
     */
    void reclaim() throws IOException {
        Invariants.check(!open, "the checkpoint log is written back between checkpoints");
        PartitionEntry entry = entry();
        long segment = entry.firstSegment();
        Invariants.check(segment < entry.lastSegment(), "the last segment stays, for the root is there");
        reclaiming = true;
        long next = reader.readSegment(segment, entry.firstGroup(), Long.MAX_VALUE, this::writeBack);
        master.force();
        PartitionEntry shorter = new PartitionEntry(
                entry.checkpoint(),
                entry.position(),
                segment + 1,
                next,
                entry.lastSegment(),
                entry.endOffset(),
                entry.lastGroup());
        superblock.publish(superblock.current().with(partition, shorter));
        firstGroups.remove(segment);
        reclaiming = false; // recovery does not read the file any more, even if it cannot be deleted
        master.segmentGone();
        writesBackAll &= segment + 1 < entry.lastSegment();
        storage.delete(CheckpointNames.clog(settings.directory(), partition, segment));
        FailedForce.forceDirectory(storage, settings.directory());
    }

    private void writeBack(long checkpoint, long place, LoggedRow entry) throws IOException {
        master.makeRoom();
        long slot = entry.slot();
        long erased = entry.erased();
        if (slot != LoggedRow.NO_SLOT) {
            if (newest.get(slot) == place) {
                master.write(slot, slotOf(checkpoint, entry));
                written(slot);
                slotsWritten++;
            } else {
                entriesDropped++;
            }
        }
        if (erased != LoggedRow.NO_SLOT && newest.get(erased) == ClogPlace.erasing(place)) {
            if (master.isRetired(erased)) {
                newest.remove(erased);
                master.retiredEntryGone(erased);
            } else {
                master.erase(erased);
                written(erased);
            }
        }
    }

    private byte[] slotOf(long checkpoint, LoggedRow row) {
        if (!master.isWide(row.slot())) {
            return MasterSlot.of(partition, checkpoint, row);
        }
        Invariants.check(row.unpack(), "what was packed can be unpacked");
        return WideSlot.of(partition, checkpoint, row);
    }

    private void written(long slot) {
        newest.remove(slot);
        master.pending(slot, -1);
    }

    @Override
    public void close() throws IOException {
        clog.close();
        master.close();
    }
}
