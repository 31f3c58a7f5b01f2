package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The superblock: the checkpoints that hold, by partition.
 *
 * @param databaseId identity of the database
 * @param generation grows with every change
 * @param partitions every partition that ever had a checkpoint
 */
record Superblock(long databaseId, long generation, SortedMap<Integer, PartitionEntry> partitions) {
    /** Each of the two copies begins at a multiple of this. */
    static final int SLOT_BYTES = 256 << 10;

    static final int HEADER_BYTES = 48;

    private static final int ENTRY_BYTES = 72;
    private static final long MAGIC = 0x4b4c425350554646L; // FFUPSBLK
    private static final int VERSION = 1;
    private static final int CHECKSUM = 8;
    private static final int CHECKED = 12;

    /** Most partitions that a copy has room for. */
    static final int MOST_PARTITIONS = (SLOT_BYTES - HEADER_BYTES) / ENTRY_BYTES;

    Superblock {
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
    }

    PartitionEntry partition(int partition) {
        return partitions.getOrDefault(partition, PartitionEntry.NONE);
    }

    Superblock with(int partition, PartitionEntry entry) {
        SortedMap<Integer, PartitionEntry> changed = new TreeMap<>(partitions);
        changed.put(partition, entry);
        return new Superblock(databaseId, generation + 1, changed);
    }

    Superblock next() {
        return new Superblock(databaseId, generation + 1, partitions);
    }

    byte[] toBytes() {
        byte[] array = new byte[HEADER_BYTES + partitions.size() * ENTRY_BYTES];
        LittleEndian.putLong(array, 0, MAGIC);
        LittleEndian.putInt(array, 12, VERSION);
        LittleEndian.putLong(array, 16, databaseId);
        LittleEndian.putLong(array, 24, generation);
        LittleEndian.putInt(array, 32, partitions.size());
        int at = HEADER_BYTES;
        for (Map.Entry<Integer, PartitionEntry> partition : partitions.entrySet()) {
            write(array, at, partition.getKey(), partition.getValue());
            at += ENTRY_BYTES;
        }
        LittleEndian.putInt(array, CHECKSUM, Checksum.of(array, CHECKED, array.length - CHECKED));
        return array;
    }

    private static void write(byte[] array, int at, int partition, PartitionEntry entry) {
        LittleEndian.putInt(array, at, partition);
        LittleEndian.putInt(array, at + 4, entry.position().epoch());
        LittleEndian.putLong(array, at + 8, entry.checkpoint());
        LittleEndian.putLong(array, at + 16, entry.position().sequence());
        LittleEndian.putLong(array, at + 24, entry.position().commitTimestamp());
        LittleEndian.putLong(array, at + 32, entry.firstSegment());
        LittleEndian.putLong(array, at + 40, entry.firstGroup());
        LittleEndian.putLong(array, at + 48, entry.lastSegment());
        LittleEndian.putLong(array, at + 56, entry.lastGroup());
        LittleEndian.putInt(array, at + 64, entry.endOffset());
        LittleEndian.putInt(array, at + 68, entry.position().catalogVersion());
    }

    /** The superblock in a copy's bytes; null if there is none. */
    static @Nullable Superblock read(byte[] array, int present) {
        if (present < HEADER_BYTES || LittleEndian.getLong(array, 0) != MAGIC) {
            return null;
        }
        int count = LittleEndian.getInt(array, 32);
        if (count < 0 || count > MOST_PARTITIONS || HEADER_BYTES + count * ENTRY_BYTES > present) {
            return null;
        }
        int bytes = HEADER_BYTES + count * ENTRY_BYTES;
        if (LittleEndian.getInt(array, CHECKSUM) != Checksum.of(array, CHECKED, bytes - CHECKED)
                || LittleEndian.getInt(array, 12) != VERSION) {
            return null;
        }
        SortedMap<Integer, PartitionEntry> partitions = new TreeMap<>();
        for (int at = HEADER_BYTES; at < bytes; at += ENTRY_BYTES) {
            partitions.put(LittleEndian.getInt(array, at), readEntry(array, at));
        }
        return new Superblock(LittleEndian.getLong(array, 16), LittleEndian.getLong(array, 24), partitions);
    }

    private static PartitionEntry readEntry(byte[] array, int at) {
        return new PartitionEntry(
                LittleEndian.getLong(array, at + 8),
                new CheckpointPosition(
                        LittleEndian.getLong(array, at + 16),
                        LittleEndian.getInt(array, at + 4),
                        LittleEndian.getLong(array, at + 24),
                        LittleEndian.getInt(array, at + 68)),
                LittleEndian.getLong(array, at + 32),
                LittleEndian.getLong(array, at + 40),
                LittleEndian.getLong(array, at + 48),
                LittleEndian.getInt(array, at + 64),
                LittleEndian.getLong(array, at + 56));
    }
}
