package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads groups of a partition's checkpoint log, all of which the superblock names. So whatever is not there is
 * corruption.
 */
final class ClogReader {
    private final Storage storage;
    private final CheckpointSettings settings;
    private final long databaseId;
    private final int partition;
    private byte[] header = new byte[ClogGroup.HEADER_BYTES];
    private byte[] body = new byte[0];
    private final LoggedRow entry = new LoggedRow();
    private final EntryCodec codec = new EntryCodec();
    private int ends;
    private long currentGroup;

    /** Takes entries. */
    @FunctionalInterface
    interface EntryHandler {
        /**
         * An entry that is whole, valid during the call.
         *
         * @param place as {@link ClogPlace} has it
         */
        void entry(long checkpoint, long place, LoggedRow entry) throws IOException;
    }

    ClogReader(Storage storage, CheckpointSettings settings, long databaseId, int partition) {
        this.storage = storage;
        this.settings = settings;
        this.databaseId = databaseId;
        this.partition = partition;
    }

    /** Gives the handler every entry that the superblock names, in order. */
    void read(PartitionEntry range, EntryHandler handler) throws IOException {
        long group = range.firstGroup();
        for (long segment = range.firstSegment(); segment <= range.lastSegment() && range.lastGroup() > 0; segment++) {
            boolean isLast = segment == range.lastSegment();
            group = readSegment(segment, group, isLast ? range.lastGroup() : Long.MAX_VALUE, handler);
        }
        if (group <= range.lastGroup()) {
            throw missing(range.lastSegment(), range.endOffset(), group);
        }
    }

    /** Gives the handler the segment's entries; returns the number of the group that follows. */
    long readSegment(long segment, long firstGroup, long lastGroup, EntryHandler handler) throws IOException {
        String name = CheckpointNames.clog(settings.directory(), partition, segment);
        if (!storage.exists(name)) {
            throw CheckpointFailures.corruption(name, 0, "the file is missing");
        }
        long group = firstGroup;
        int offset = 0;
        boolean skipped = false;
        try (StorageFile file = storage.open(name)) {
            while (group <= lastGroup) {
                ClogGroup found = groupAt(file, segment, offset, group);
                if (found == null) {
                    ClogGroup other = ClogGroup.read(header);
                    skipped = other != null && other.segment() == segment && other.number() > group;
                    break;
                }
                currentGroup = group;
                readEntries(file, name, found, handler);
                int block = settings.blockBytes();
                offset += (ClogGroup.HEADER_BYTES + found.bodyBytes() + block - 1) & -block;
                group++;
            }
        }
        if (group == firstGroup || (lastGroup != Long.MAX_VALUE && group <= lastGroup)) {
            throw group == firstGroup && skipped ? missing(segment - 1, ends, group) : missing(segment, offset, group);
        }
        ends = offset;
        return group;
    }

    /** Number of the group that is being read. */
    long currentGroup() {
        return currentGroup;
    }

    private @Nullable ClogGroup groupAt(StorageFile file, long segment, int offset, long number) throws IOException {
        Arrays.fill(header, (byte) 0);
        file.read(offset, ByteBuffer.wrap(header));
        ClogGroup found = ClogGroup.read(header);
        boolean belongs = found != null
                && found.databaseId() == databaseId
                && found.partition() == partition
                && found.segment() == segment
                && found.offset() == offset
                && found.number() == number;
        return belongs ? found : null;
    }

    private void readEntries(StorageFile file, String name, ClogGroup group, EntryHandler handler) throws IOException {
        int start = group.offset() + ClogGroup.HEADER_BYTES;
        if (group.bodyBytes() < 0 || group.bodyBytes() > file.size() - start) {
            throw CheckpointFailures.corruption(name, group.offset(), "the file ends within a group");
        }
        if (body.length < group.bodyBytes()) {
            body = new byte[group.bodyBytes()];
        }
        file.read(start, ByteBuffer.wrap(body, 0, group.bodyBytes()));
        if (Checksum.of(body, 0, group.bodyBytes()) != group.bodyChecksum()) {
            throw CheckpointFailures.corruption(name, group.offset(), "there is a group with a wrong checksum");
        }
        codec.restart();
        int at = 0;
        int count = 0;
        while (at < group.bodyBytes()) {
            int end = readEntry(group, at);
            if (end < 0) {
                throw CheckpointFailures.corruption(name, start + at, "there is an entry that cannot be one");
            }
            handler.entry(group.checkpoint(), ClogPlace.of(group.segment(), start + at), entry);
            at = end;
            count++;
        }
        if (count != group.entryCount()) {
            throw CheckpointFailures.corruption(
                    name, group.offset(), count + " entries are there, but the group has " + group.entryCount());
        }
    }

    /** Returns the entry's end, -1 if there is none. */
    private int readEntry(ClogGroup group, int at) {
        if (group.version() == ClogGroup.VERSION) {
            return codec.read(entry, body, at, group.bodyBytes());
        }
        if (ClogEntry.defect(body, at, group.bodyBytes() - at) != null) {
            return -1;
        }
        ClogEntry.read(entry, body, at);
        return at + ClogEntry.bytes(body, at);
    }

    private RuntimeException missing(long segment, int offset, long group) {
        return CheckpointFailures.corruption(
                CheckpointNames.clog(settings.directory(), partition, segment),
                offset,
                "group " + group + " of the checkpoint log is not there");
    }
}
