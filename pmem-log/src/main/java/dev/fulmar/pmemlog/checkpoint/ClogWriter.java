package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Appends groups of entries to a partition's checkpoint log. They are durable after {@link #force}. One thread. */
final class ClogWriter implements AutoCloseable {
    private final Storage storage;
    private final CheckpointSettings settings;
    private final long databaseId;
    private final int partition;
    private long segment;
    private int offset;
    private long lastGroup;
    private @Nullable StorageFile file;
    private boolean segmentIsFull;
    private boolean newNames;
    private byte[] group;
    private int groupBytes = ClogGroup.HEADER_BYTES;
    private int entryCount;
    private long writtenBytes;
    private final EntryCodec codec = new EntryCodec();

    ClogWriter(Storage storage, CheckpointSettings settings, long databaseId, int partition, PartitionEntry end) {
        this.storage = storage;
        this.settings = settings;
        this.databaseId = databaseId;
        this.partition = partition;
        this.segment = end.lastSegment();
        this.offset = end.endOffset();
        this.lastGroup = end.lastGroup();
        this.group = new byte[settings.groupBytes()];
    }

    /** Segment, offset, and number of the last group. */
    long segment() {
        return segment;
    }

    int offset() {
        return offset;
    }

    long lastGroup() {
        return lastGroup;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    String segmentName() {
        return CheckpointNames.clog(settings.directory(), partition, segment);
    }

    boolean hasEntries() {
        return entryCount > 0;
    }

    /** Whether the entry may not fit in the group that is being made, which must be written first. */
    boolean needsWriteBefore(LoggedRow entry) {
        return entryCount > 0 && groupBytes + EntryCodec.mostBytes(entry) > settings.groupBytes();
    }

    /**
     * Adds an entry to the group; returns its place, as {@link ClogPlace} has it, once the group is where it will be.
     */
    long append(LoggedRow entry) {
        int most = EntryCodec.mostBytes(entry);
        if (groupBytes + most > group.length) {
            group = Arrays.copyOf(group, groupBytes + most);
        }
        if (entryCount == 0) {
            makeRoom(most);
            codec.restart();
        }
        long place = ClogPlace.of(segment, offset + groupBytes);
        groupBytes = codec.write(entry, group, groupBytes);
        entryCount++;
        return place;
    }

    private void makeRoom(int entryBytes) {
        int least = Math.max(settings.groupBytes(), ClogGroup.HEADER_BYTES + entryBytes);
        if (offset + least > settings.segmentBytes()) {
            beginSegment();
        }
    }

    /** Begins a segment, unless one has just begun. Between groups. */
    void beginSegment() {
        if (offset > 0) {
            segmentIsFull = true;
            segment++;
            offset = 0;
        }
    }

    /** Writes the group, if it has entries. */
    void write(long checkpoint) throws IOException {
        if (entryCount == 0) {
            return;
        }
        StorageFile target = file();
        int body = groupBytes - ClogGroup.HEADER_BYTES;
        new ClogGroup(
                        databaseId,
                        partition,
                        segment,
                        offset,
                        checkpoint,
                        lastGroup + 1,
                        entryCount,
                        body,
                        Checksum.of(group, ClogGroup.HEADER_BYTES, body),
                        ClogGroup.VERSION)
                .writeTo(group);
        int block = settings.blockBytes();
        int whole = (groupBytes + block - 1) & -block;
        group = whole > group.length ? Arrays.copyOf(group, whole) : group;
        Arrays.fill(group, groupBytes, whole, (byte) 0);
        target.write(offset, ByteBuffer.wrap(group, 0, whole));
        writtenBytes += whole;
        offset += whole;
        lastGroup++;
        groupBytes = ClogGroup.HEADER_BYTES;
        entryCount = 0;
    }

    private StorageFile file() throws IOException {
        StorageFile open = file;
        if (open != null && segmentIsFull) {
            FailedForce.force(open);
            file = null;
            open.close();
            open = null;
        }
        segmentIsFull = false;
        if (open == null) {
            open = storage.open(segmentName());
            open.truncate(offset);
            file = open;
            newNames = true;
        }
        return open;
    }

    /** Makes everything that was written durable. */
    void force() throws IOException {
        if (file != null) {
            FailedForce.force(file);
        }
        if (newNames) {
            FailedForce.forceDirectory(storage, settings.directory());
            newNames = false;
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
