package dev.fulmar.engine.version;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.row.RowLayout;

/**
 * The state of a partition at a timestamp. Everything that decides what a reader of a snapshot sees is here: a row is
 * visible in the version that was in force at the timestamp. What is not committed is never visible. One thread; may be
 * moved to another timestamp.
 */
public final class Snapshot {
    private long timestamp;

    public Snapshot(long timestamp) {
        this.timestamp = timestamp;
    }

    public long timestamp() {
        return timestamp;
    }

    public void setTimestamp(long newTimestamp) {
        timestamp = newTimestamp;
    }

    /**
     * Address of the version of the row that the snapshot shows, 0 if it shows none. It has the form of a slot. What it
     * names does not change as long as the snapshot's reader is registered, but the address may: ask again after others
     * had their turn.
     */
    public long versionOf(long row) {
        int flags = RowLayout.flags(row);
        if ((flags & RowLayout.USED) == 0) {
            return 0;
        }
        long record = RowLayout.versionLink(row);
        return record == 0 ? inForce(row, flags, timestamp) : olderVersion(row, flags, record);
    }

    private static long inForce(long slot, int flags, long timestamp) {
        long since = RowLayout.commitTimestamp(slot);
        boolean visible = since != 0 && since <= timestamp && (flags & RowLayout.DELETED) == 0;
        return visible ? slot : 0;
    }

    /** @param newest the record of the change that made the row what it is */
    private long olderVersion(long row, int flags, long newest) {
        long state = row;
        boolean exists = (flags & RowLayout.DELETED) == 0;
        long record = newest;
        while (true) {
            long since = VersionRecord.commitTimestamp(record);
            if (since != 0 && since <= timestamp) {
                return exists ? state : 0;
            }
            state = VersionRecord.slotBefore(record);
            exists = true;
            record = VersionRecord.older(record);
            if (record == 0) {
                return inForce(state, RowLayout.USED, timestamp);
            }
        }
    }

    /**
     * Whether the row has had one version only, as far as any reader is concerned: its entries in indexes are those of
     * its slot.
     */
    public static boolean isUnchanged(long row) {
        return OffHeap.getLong(row + RowLayout.VERSION_LINK_OFFSET) == 0
                && (RowLayout.flags(row) & RowLayout.STALE_ENTRIES) == 0;
    }
}
