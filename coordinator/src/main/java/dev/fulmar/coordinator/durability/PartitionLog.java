package dev.fulmar.coordinator.durability;

import dev.fulmar.engine.durability.ChangeEncoder;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.pmemlog.log.LogLane;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import java.util.function.IntSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes the records of one stream. Touched by its owner's thread only. */
final class PartitionLog {
    /** Most bytes of a payload that go into one record, if a record may be so large. */
    private static final int PART_BYTES = 1 << 20;

    /** In front of a payload that waits: client and request id. */
    private static final int HANDLE_BYTES = 2 * Long.BYTES;

    private final LogLane lane;
    private final IntSupplier catalogVersion;
    private final Runnable wakeLog;
    private final int partBytes;
    private final ImageBuffer buffer = new ImageBuffer();
    private final CRC32C digest = new CRC32C();
    private @Nullable ChangeEncoder encoder;

    /**
     * @param catalogVersion of the owner, asked when a record is written
     * @param maxRecordBytes what a record of the log may have
     */
    PartitionLog(LogLane lane, IntSupplier catalogVersion, Runnable wakeLog, int maxRecordBytes) {
        this.partBytes = Math.min(PART_BYTES, maxRecordBytes / 2);
        this.lane = lane;
        this.catalogVersion = catalogVersion;
        this.wakeLog = wakeLog;
    }

    /** For a stream of a partition with rows. */
    PartitionLog withRows(ChangeEncoder rows) {
        encoder = rows;
        return this;
    }

    LogLane lane() {
        return lane;
    }

    private void encodeRows(long begin) {
        ChangeEncoder rows = encoder;
        Invariants.check(rows != null, "only a partition has rows");
        if (rows != null) {
            rows.encode(begin, buffer);
        }
    }

    /** Row images of a commit. */
    long values(@Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        LogPayload.begin(buffer, null, 0, false, outcome);
        encodeRows(begin);
        return write(
                RecordKind.VALUES,
                buffer.array(),
                0,
                buffer.length(),
                outcome == null ? 0 : outcome.clientId(),
                outcome == null ? 0 : outcome.requestId(),
                commitTimestamp);
    }

    /** Keeps the row images with the work until it commits. */
    void note(SinglePartitionWork work, long begin) {
        RequestOutcome outcome = work.outcome();
        LogPayload.begin(buffer, null, 0, false, outcome);
        encodeRows(begin);
        byte[] note = new byte[HANDLE_BYTES + buffer.length()];
        LittleEndian.putLong(note, 0, outcome == null ? 0 : outcome.clientId());
        LittleEndian.putLong(note, Long.BYTES, outcome == null ? 0 : outcome.requestId());
        System.arraycopy(buffer.array(), 0, note, HANDLE_BYTES, buffer.length());
        work.note(note);
    }

    /** Writes what {@link #note} kept. */
    long noted(byte[] note, long commitTimestamp) {
        return write(
                RecordKind.VALUES,
                note,
                HANDLE_BYTES,
                note.length - HANDLE_BYTES,
                LittleEndian.getLong(note, 0),
                LittleEndian.getLong(note, Long.BYTES),
                commitTimestamp);
    }

    long prepare(TransactionId transaction, int attempt, long begin, long proposedTimestamp) {
        LogPayload.begin(buffer, transaction, attempt, false, null);
        encodeRows(begin);
        return write(RecordKind.PREPARE, buffer.array(), 0, buffer.length(), 0, 0, proposedTimestamp);
    }

    long decision(
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            @Nullable RequestOutcome outcome) {
        LogPayload.begin(buffer, transaction, attempt, commit, outcome);
        return write(
                RecordKind.DECISION,
                buffer.array(),
                0,
                buffer.length(),
                outcome == null ? 0 : outcome.clientId(),
                outcome == null ? 0 : outcome.requestId(),
                commitTimestamp);
    }

    /** A record whose payload's rest is the bytes. */
    long bytes(RecordKind kind, int firstByte, byte[] rest) {
        LogPayload.begin(buffer, null, 0, false, null);
        buffer.putByte(firstByte);
        buffer.putBytes(rest);
        return write(kind, buffer.array(), 0, buffer.length(), 0, 0, 0);
    }

    private long write(
            RecordKind kind, byte[] array, int offset, int length, long clientId, long requestId, long timestamp) {
        int rest = LogPayload.restOffset(array, offset);
        digest.reset();
        digest.update(array, rest, offset + length - rest);
        int version = catalogVersion.getAsInt();
        int place = offset;
        int end = offset + length;
        long position = 0;
        boolean first = true;
        while (first || place < end) {
            int header = first ? 0 : LogPayload.HEADER_BYTES;
            int bytes = Math.min(end - place, partBytes);
            boolean more = place + bytes < end;
            RecordWriter record = lane.beginAlways(kind, header + bytes);
            record.catalogVersion(version)
                    .clientHandle(clientId, requestId)
                    .commitTimestamp(timestamp)
                    .digest(digest.getValue());
            byte[] target = record.array();
            int payload = record.payloadOffset();
            System.arraycopy(array, place, target, payload + header, bytes);
            if (!first) {
                target[payload] = LogPayload.VERSION;
                target[payload + 1] = LogPayload.CONTINUED;
            }
            target[payload + 1] |= (byte) (more ? LogPayload.MORE : 0);
            position = lane.commit(header + bytes);
            place += bytes;
            first = false;
        }
        wakeLog.run();
        return position;
    }
}
