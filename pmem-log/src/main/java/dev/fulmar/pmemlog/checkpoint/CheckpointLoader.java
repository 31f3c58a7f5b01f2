package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a partition's checkpoint in three steps. First it finds the slots for which the checkpoint log has something
 * newer, then it reads the other slots of the master heap, then the images of the checkpoint log. A bad slot that the
 * checkpoint log does not replace is corruption.
 */
final class CheckpointLoader {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int MOST_REPAIRS_NAMED = 16;

    private final Storage storage;
    private final CheckpointSettings settings;
    private final int partition;
    private final PartitionEntry entry;
    private final RowConsumer consumer;
    private final ClogReader clog;
    private final LongTable newest = new LongTable();
    /** Extents with a slot that the checkpoint log has something newer for: few, where most rows are cold. */
    private final BitSet renewed = new BitSet();

    private final RowPlaces places = new RowPlaces();
    private final SortedMap<Long, Long> firstGroups = new TreeMap<>();
    private final List<String> repaired = new ArrayList<>();
    private byte[] window = new byte[WINDOW_BYTES];
    private final LoggedRow stored = new LoggedRow();
    private @Nullable CheckpointRoot root;
    private long rows;
    private long imageBytes;
    private long fromClog;

    CheckpointLoader(
            Storage storage,
            CheckpointSettings settings,
            long databaseId,
            int partition,
            PartitionEntry entry,
            RowConsumer consumer) {
        this.storage = storage;
        this.settings = settings;
        this.partition = partition;
        this.entry = entry;
        this.consumer = consumer;
        this.clog = new ClogReader(storage, settings, databaseId, partition);
    }

    LongTable newest() {
        return newest;
    }

    RowPlaces places() {
        return places;
    }

    ClogReader clog() {
        return clog;
    }

    /** Number of the first group in each segment. */
    SortedMap<Long, Long> firstGroups() {
        return firstGroups;
    }

    LoadReport report() {
        return new LoadReport(entry.position(), rows, imageBytes, fromClog, List.copyOf(repaired));
    }

    /** Reads everything and returns the master heap, which knows its free slots. */
    MasterHeap load() throws IOException {
        String name = CheckpointNames.master(settings.directory(), partition);
        if (entry.checkpoint() == 0) {
            return new MasterHeap(storage, name, CheckpointRoot.none(settings.extentBytes()));
        }
        clog.read(entry, this::note);
        CheckpointRoot found = root;
        if (found == null) {
            throw CheckpointFailures.corruption(
                    CheckpointNames.clog(settings.directory(), partition, entry.lastSegment()),
                    entry.endOffset(),
                    "the checkpoint has no root");
        }
        MasterHeap master = openMaster(name, found);
        newest.eachKey(slot -> {
            if (master.isSlot(slot)) {
                renewed.set(master.extentOf(slot));
            }
        });
        for (int extent = 0; extent < master.extentCount(); extent++) {
            readExtent(master, extent);
        }
        clog.read(entry, (checkpoint, place, each) -> takeEntry(master, place, each));
        if (places.count() != found.rowCount()) {
            throw CheckpointFailures.corruption(
                    name, 0, places.count() + " rows are there, but the checkpoint has " + found.rowCount());
        }
        return master;
    }

    private MasterHeap openMaster(String name, CheckpointRoot found) throws IOException {
        if (!storage.exists(name) && found.classes().length > 0) {
            throw CheckpointFailures.corruption(name, 0, "the file is missing");
        }
        MasterHeap master = new MasterHeap(storage, name, found);
        if (master.file().size() < master.fileBytes()) {
            throw CheckpointFailures.corruption(
                    name, master.file().size(), "the file ends, but should have " + master.fileBytes() + " bytes");
        }
        return master;
    }

    private void note(long checkpoint, long place, LoggedRow found) {
        firstGroups.putIfAbsent(ClogPlace.segment(place), clog.currentGroup());
        if (found.isRoot()) {
            root = CheckpointRoot.read(found);
            return;
        }
        if (found.slot() != LoggedRow.NO_SLOT) {
            newest.put(found.slot(), place);
        }
        if (found.erased() != LoggedRow.NO_SLOT) {
            newest.put(found.erased(), ClogPlace.erasing(place));
        }
    }

    private void readExtent(MasterHeap master, int extent) throws IOException {
        int sizeClass = master.classOf(extent);
        long base = (long) extent * master.extentBytes();
        if (sizeClass == SizeClasses.RUN) {
            int bytes = master.extentsOf(extent) * master.extentBytes();
            readWindow(master, base, bytes);
            takeSlot(master, base / SizeClasses.UNIT_BYTES, 0, bytes);
        } else if (master.sizes().isClass(sizeClass)) {
            readWindow(master, base, master.extentBytes());
            int slotBytes = master.sizes().units(sizeClass) * SizeClasses.UNIT_BYTES;
            for (int at = (master.filledSlots(extent) - 1) * slotBytes; at >= 0; at -= slotBytes) {
                takeSlot(master, (base + at) / SizeClasses.UNIT_BYTES, at, slotBytes);
            }
        } else if (sizeClass != SizeClasses.UNUSED && sizeClass != SizeClasses.RUN_TAIL) {
            throw CheckpointFailures.corruption(master.name(), base, "an extent of class " + sizeClass);
        }
    }

    private void readWindow(MasterHeap master, long offset, int bytes) throws IOException {
        if (bytes > window.length) {
            window = new byte[bytes];
        }
        if (master.file().read(offset, ByteBuffer.wrap(window, 0, bytes)) < bytes) {
            throw CheckpointFailures.corruption(master.name(), offset, "the file ends");
        }
    }

    private void takeSlot(MasterHeap master, long slot, int at, int slotBytes) {
        long newer = renewed.get(master.extentOf(slot)) ? newest.get(slot) : LongTable.ABSENT;
        boolean wide = master.isWide(slot);
        boolean free = wide ? WideSlot.isFree(window, at) : MasterSlot.isFree(window, at);
        String defect = free ? null : readSlot(wide, at, slotBytes);
        long offset = slot * SizeClasses.UNIT_BYTES;
        if (newer != LongTable.ABSENT) {
            if (defect != null && repaired.size() < MOST_REPAIRS_NAMED) {
                repaired.add(master.name() + " at offset " + offset + ": " + defect);
            }
            if (ClogPlace.isErasing(newer)) {
                master.vacant(slot);
            }
        } else if (free) {
            master.vacant(slot);
        } else if (defect != null) {
            throw CheckpointFailures.corruption(master.name(), offset, "there is " + defect);
        } else {
            give(master, slot, stored);
        }
    }

    private @Nullable String readSlot(boolean wide, int at, int slotBytes) {
        return wide
                ? WideSlot.read(stored, window, at, slotBytes, partition, entry.checkpoint())
                : MasterSlot.read(stored, window, at, slotBytes, partition, entry.checkpoint());
    }

    private void takeEntry(MasterHeap master, long place, LoggedRow found) {
        long slot = found.slot();
        long erased = found.erased();
        if (slot != LoggedRow.NO_SLOT && newest.get(slot) == place) {
            checkSlot(master, slot, place);
            master.pending(slot, 1);
            fromClog++;
            give(master, slot, found);
        }
        if (erased != LoggedRow.NO_SLOT && newest.get(erased) == ClogPlace.erasing(place)) {
            if (master.isRetired(erased)) {
                master.retiredEntry(erased);
                return;
            }
            checkSlot(master, erased, place);
            master.pending(erased, 1);
        }
    }

    private void checkSlot(MasterHeap master, long slot, long place) {
        if (!master.isSlot(slot)) {
            throw CheckpointFailures.corruption(
                    CheckpointNames.clog(settings.directory(), partition, ClogPlace.segment(place)),
                    ClogPlace.offset(place),
                    "an entry for slot " + slot + ", which the master heap does not have");
        }
    }

    private void give(MasterHeap master, long slot, LoggedRow row) {
        long offset = slot * SizeClasses.UNIT_BYTES;
        if (row.row() < 0 || places.put(row.table(), row.bucket(), row.row(), slot) != LoggedRow.NO_SLOT) {
            throw CheckpointFailures.corruption(
                    master.name(), offset, "row " + row.row() + " of table " + row.table() + " is there twice");
        }
        if (!row.unpack()) {
            throw CheckpointFailures.corruption(
                    master.name(),
                    offset,
                    "row " + row.row() + " of table " + row.table() + " is not packed as it says");
        }
        master.occupied(slot);
        rows++;
        imageBytes += row.imageBytes();
        consumer.row(row.table(), row.bucket(), row.row(), row.image(), row.imageOffset(), row.imageBytes());
    }
}
