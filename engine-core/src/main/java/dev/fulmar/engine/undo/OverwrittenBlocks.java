package dev.fulmar.engine.undo;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.version.VersionRecord;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Completes the running transaction's before-images when a snapshot reader registers, where the transaction has
 * overwritten bytes of a row in place. Such a version gets a block of its own with the bytes as they were. Undoing
 * works as before. Asks its maps for single rows only.
 */
final class OverwrittenBlocks {
    /** An update that was followed by overwriting, newest overwriting first. */
    private record Overwritten(long update, List<Long> overwritings, long block) {}

    private final UndoLog log;
    private final List<Overwritten> found = new ArrayList<>();
    private final Map<Long, Overwritten> byUpdate = new HashMap<>();

    OverwrittenBlocks(UndoLog log) {
        this.log = log;
    }

    /** Fails with MEMORY_LIMIT and has changed nothing then. */
    void keep() {
        try {
            find();
        } catch (RuntimeException failure) {
            for (Overwritten one : found) {
                target(one.update).freeCopy(VersionRecord.row(one.update), payload(one.update), one.block);
            }
            throw failure;
        }
        if (!found.isEmpty()) {
            change();
        }
    }

    private void find() {
        Map<Long, List<Long>> pending = new HashMap<>();
        for (long record = log.newest(); record != 0; record = OffHeap.getLong(record + VersionRecord.PREVIOUS)) {
            long row = VersionRecord.row(record);
            int kind = VersionRecord.kind(record);
            if (kind == VersionRecord.BYTES) {
                pending.computeIfAbsent(row, first -> new ArrayList<>()).add(record);
            } else if (kind == VersionRecord.UPDATE) {
                List<Long> overwritings = pending.remove(row);
                if (overwritings != null) {
                    long block = target(record).copyBlock(row, payload(record));
                    Overwritten one = new Overwritten(record, overwritings, block);
                    found.add(one);
                    byUpdate.put(record, one);
                }
            }
        }
    }

    private void change() {
        // Per row, the slot of the version after the one that is looked at.
        Map<Long, Long> later = new HashMap<>();
        for (long record = log.newest(); record != 0; record = OffHeap.getLong(record + VersionRecord.PREVIOUS)) {
            if (VersionRecord.kind(record) != VersionRecord.UPDATE) {
                continue;
            }
            long row = VersionRecord.row(record);
            UndoTarget target = target(record);
            long slot = payload(record);
            long slotAfter = later.getOrDefault(row, row);
            Overwritten one = byUpdate.get(record);
            boolean sharesBlock = OffHeap.getInt(record + VersionRecord.DETAIL) != target.ownBlock();
            if (one != null) {
                separate(one, target, slotAfter);
            } else if (sharesBlock && later.containsKey(row)) {
                target.setBlock(slot, target.block(slotAfter));
            }
            later.put(row, slot);
        }
    }

    /** The new block takes what the version after has, and then what was overwritten. */
    private static void separate(Overwritten one, UndoTarget target, long slotAfter) {
        long slot = payload(one.update);
        long shared = target.block(slot);
        OffHeap.copy(target.block(slotAfter), one.block, target.blockBytes(slot));
        for (long overwriting : one.overwritings) {
            long saved = payload(overwriting);
            int length = OffHeap.getInt(saved + UndoLog.BYTES_LENGTH);
            long offset = OffHeap.getLong(saved + UndoLog.BYTES_ADDRESS) - shared;
            Invariants.check(
                    offset >= 0 && offset + length <= target.blockBytes(slot),
                    "a transaction overwrites bytes within the block of the row's version before");
            OffHeap.copy(saved + UndoLog.BYTES_HEADER, one.block + offset, length);
            OffHeap.putInt(saved + UndoLog.BYTES_LENGTH, 0);
        }
        target.setBlock(slot, one.block);
        OffHeap.putInt(one.update + VersionRecord.DETAIL, target.ownBlock());
    }

    private UndoTarget target(long record) {
        return log.target(record);
    }

    private static long payload(long record) {
        return record + VersionRecord.HEADER_BYTES;
    }
}
