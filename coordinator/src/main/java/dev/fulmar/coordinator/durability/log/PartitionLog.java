package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.transaction.DecisionBook;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.durability.ChangeDigest;
import dev.fulmar.engine.durability.ChangeEncoder;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.RepeatableCall;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of one partition, or of the catalog, into their lane of the operation log. The log takes them when
 * they are {@linkplain #offer() offered}. Touched by its owner's thread only.
 */
public final class PartitionLog {
    /** Most bytes of a payload that go into one record, if a record may be so large. */
    private static final int PART_BYTES = 1 << 20;

    /** How far above a promise its ceiling is, so that it is not raised for each reader. */
    private static final long CEILING_STEP = HybridLogicalClock.ofMicros(100_000);

    /** The same while the device has hardly any space, for the record is written all the same. */
    private static final long CEILING_STEP_IN_SHORTAGE = HybridLogicalClock.ofMicros(10_000_000);

    /** Transactions that one decision says are settled: more than one each, so that none waits for ever. */
    private static final int MOST_SETTLED = 16;

    /** In front of a payload that waits: client and request id, procedure time, digest, 1 for a COMMAND. */
    private static final int NOTE_HEADER_BYTES = 4 * Long.BYTES + 1;

    private final PartitionLogBuffer lane;
    private final IntSupplier catalogVersion;
    private final Runnable wakeLog;
    private final int partBytes;
    private final ImageBuffer buffer = new ImageBuffer();
    private final CRC32C checksum = new CRC32C();
    private @Nullable PartitionId partition;
    private @Nullable DecisionBook book;
    private Consumer<RequestOutcome> outcomes = outcome -> {};
    private @Nullable ChangeEncoder encoder;
    private @Nullable ChangeDigest changeDigest;
    private @Nullable RecordMemory memory;
    private @Nullable DurableMarks marks;
    private Supplier<CopyRow.@Nullable Content> copy = () -> null;
    private volatile long checkpointedSequence;
    private long voteBegin;
    private long voteEnd;

    /**
     * Clock ceiling: the timestamp below which no primary that goes on with the partition commits. Its record counts as
     * long as neither a checkpoint nor an image has made it superfluous.
     */
    private long ceiling;

    private long ceilingSequence;

    /** The transaction and attempt whose part a PREPARE is. */
    private record PartOf(TransactionId transaction, int attempt, List<PartitionId> base) {}

    /** Fields of a record's header beside its position. */
    private record Header(
            RecordKind kind, long clientId, long requestId, long procedureTimeMicros, long timestamp, long digest) {}

    /**
     * @param catalogVersion of the owner, asked when a record is written
     * @param maxRecordBytes what a record of the log may have
     */
    public PartitionLog(PartitionLogBuffer lane, IntSupplier catalogVersion, Runnable wakeLog, int maxRecordBytes) {
        this.partBytes = Math.min(PART_BYTES, maxRecordBytes / 2);
        this.lane = lane;
        this.catalogVersion = catalogVersion;
        this.wakeLog = wakeLog;
    }

    /** For a stream of a partition that may be the base of transactions. */
    public PartitionLog withDecisions(PartitionRuntime runtime) {
        partition = runtime.partition().id();
        book = runtime.decisions();
        outcomes = runtime::decided;
        return this;
    }

    /** For a stream of a partition with rows. */
    public PartitionLog withRows(PartitionStorage storage) {
        encoder = new ChangeEncoder(storage);
        changeDigest = new ChangeDigest(storage);
        return this;
    }

    /** From now on the records are kept for copies on other nodes too. */
    public void keepRecords(
            RecordMemory newMemory, DurableMarks newMarks, Supplier<CopyRow.@Nullable Content> newCopy) {
        memory = newMemory;
        marks = newMarks;
        copy = newCopy;
    }

    /** The row of this log's copy that a checkpoint must have; null without copies. For the owner. */
    public CopyRow.@Nullable Content copy() {
        return copy.get();
    }

    public PartitionLogBuffer lane() {
        return lane;
    }

    private void encodeRows(long begin) {
        ChangeEncoder rows = encoder;
        Invariants.check(rows != null, "only a partition has rows");
        if (rows != null) {
            rows.encode(begin, buffer);
        }
    }

    private long digestRows(long begin) {
        ChangeDigest rows = changeDigest;
        if (rows == null) {
            throw Invariants.breach("only a partition has rows");
        }
        return rows.since(begin);
    }

    /** Checksum of what follows the outcome. */
    private long checksum(byte[] array, int offset, int length) {
        int rest = LogPayload.restOffset(array, offset);
        checksum.reset();
        checksum.update(array, rest, offset + length - rest);
        return checksum.getValue();
    }

    /** A commit: the call, if it can be repeated, else the row images. */
    long committed(SinglePartitionWork work, long begin, long commitTimestamp) {
        return write(encode(work, begin, commitTimestamp));
    }

    private Header encode(SinglePartitionWork work, long begin, long commitTimestamp) {
        RepeatableCall call = work.repeatable();
        if (call == null) {
            return encode(RecordKind.VALUES, null, work.outcome(), begin, commitTimestamp);
        }
        LoggedCommand.write(call, buffer);
        return new Header(
                RecordKind.COMMAND,
                call.clientId(),
                call.requestId(),
                call.procedureTimeMicros(),
                commitTimestamp,
                digestRows(begin));
    }

    private Header encode(
            RecordKind kind, @Nullable PartOf part, @Nullable RequestOutcome outcome, long begin, long timestamp) {
        if (part == null) {
            LogPayload.begin(buffer, null, 0, false, outcome);
        } else {
            LogPayload.begin(buffer, part.transaction(), part.attempt(), false, outcome, part.base());
        }
        encodeRows(begin);
        return header(kind, outcome, timestamp);
    }

    /** Of the payload in the buffer. */
    private Header header(RecordKind kind, @Nullable RequestOutcome outcome, long timestamp) {
        return new Header(
                kind,
                outcome == null ? 0 : outcome.clientId(),
                outcome == null ? 0 : outcome.requestId(),
                0,
                timestamp,
                checksum(buffer.array(), 0, buffer.length()));
    }

    private long write(Header header) {
        return write(header, buffer.array(), 0, buffer.length());
    }

    /** Row images of a commit. */
    long values(@Nullable RequestOutcome outcome, long begin, long commitTimestamp) {
        note(outcome);
        return write(encode(RecordKind.VALUES, null, outcome, begin, commitTimestamp));
    }

    /** Keeps the record's content with the work until it commits. */
    void note(SinglePartitionWork work, long begin) {
        Header header = encode(work, begin, 0);
        byte[] note = new byte[NOTE_HEADER_BYTES + buffer.length()];
        LittleEndian.putLong(note, 0, header.clientId());
        LittleEndian.putLong(note, Long.BYTES, header.requestId());
        LittleEndian.putLong(note, 2 * Long.BYTES, header.procedureTimeMicros());
        LittleEndian.putLong(note, 3 * Long.BYTES, header.digest());
        note[4 * Long.BYTES] = (byte) (header.kind() == RecordKind.COMMAND ? 1 : 0);
        System.arraycopy(buffer.array(), 0, note, NOTE_HEADER_BYTES, buffer.length());
        work.note(note);
    }

    /** Writes what {@link #note} kept. */
    long noted(byte[] note, long commitTimestamp) {
        Header header = new Header(
                note[4 * Long.BYTES] == 0 ? RecordKind.VALUES : RecordKind.COMMAND,
                LittleEndian.getLong(note, 0),
                LittleEndian.getLong(note, Long.BYTES),
                LittleEndian.getLong(note, 2 * Long.BYTES),
                commitTimestamp,
                LittleEndian.getLong(note, 3 * Long.BYTES));
        return write(header, note, NOTE_HEADER_BYTES, note.length - NOTE_HEADER_BYTES);
    }

    long prepare(
            TransactionId transaction, int attempt, long begin, long proposedTimestamp, @Nullable PartitionId base) {
        PartOf part = new PartOf(transaction, attempt, base == null ? List.of() : List.of(base));
        Header header = encode(RecordKind.PREPARE, part, null, begin, proposedTimestamp);
        voteBegin = lane.lastSequence();
        long position = write(header);
        voteEnd = lane.lastSequence();
        return position;
    }

    /** A checkpoint has, or is about to have, what the log has up to the record. For any thread. */
    public void checkpointed(long sequence) {
        checkpointedSequence = Math.max(checkpointedSequence, sequence);
    }

    /** Sequence of the last record that a checkpoint has or is about to have. */
    public long checkpointedSequence() {
        return checkpointedSequence;
    }

    /** Position of the last PREPARE's first record. */
    public long voteBegin() {
        return voteBegin;
    }

    /** Position behind the last PREPARE. */
    public long voteEnd() {
        return voteEnd;
    }

    public long decision(
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            @Nullable RequestOutcome outcome,
            List<PartitionId> participants) {
        DecisionBook decisions = book;
        PartitionId base = partition;
        List<TransactionId> settled = List.of();
        if (decisions != null && base != null && !participants.isEmpty()) {
            if (Invariants.EXPENSIVE) {
                Invariants.check(!participants.contains(base), "a base partition's decision is for other participants");
            }
            decisions.put(new KeptDecision(transaction, attempt, commitTimestamp, base, participants));
            settled = decisions.takeSettled(MOST_SETTLED);
        }
        note(outcome);
        LogPayload.begin(buffer, transaction, attempt, commit, outcome, participants, settled);
        return write(header(RecordKind.DECISION, outcome, commitTimestamp));
    }

    /** Whether a record that can be read stands for the timestamp. */
    boolean hasPromised(long timestamp) {
        return timestamp <= ceiling && ceilingSequence > checkpointedSequence;
    }

    /**
     * Promises that all later commits are above the timestamp, also those of later primaries: their clocks pass that of
     * every decision in the log. So a decision is written on a transaction that nobody has, and which it says is
     * settled. It takes the clock somewhat further, and stands for all promises up to there, as long as it is read: a
     * checkpoint that covers it has the clock of its moment only.
     */
    void promise(long timestamp, boolean isShort) {
        PartitionId own = partition;
        if (own == null) {
            return;
        }
        ceiling = timestamp + (isShort ? CEILING_STEP_IN_SHORTAGE : CEILING_STEP);
        TransactionId nobody = new TransactionId(ceiling, -1);
        LogPayload.begin(buffer, nobody, 0, true, null, List.of(own), List.of(nobody));
        write(header(RecordKind.DECISION, null, ceiling));
        ceilingSequence = lane.lastSequence();
    }

    /**
     * A copy begins behind the log's end, here or elsewhere, and has the clock of this moment only: the next promise is
     * written down again.
     */
    public void forgetCeiling() {
        ceiling = 0;
    }

    /** Notes the outcome, which checkpoints and images from now on must have, for their log is read from here on. */
    private void note(@Nullable RequestOutcome outcome) {
        PartitionId own = partition;
        if (outcome != null && own != null && outcome.home() == own.number()) {
            outcomes.accept(outcome);
        }
    }

    /** A step of a reconfiguration. */
    void reconfigured(byte[] step, long timestamp) {
        LogPayload.begin(buffer, null, 0, false, null);
        buffer.putBytes(step);
        write(header(RecordKind.RECONFIGURATION, null, timestamp));
    }

    /** A record whose payload's rest is the bytes, for the log to take at once. */
    public long bytes(RecordKind kind, int firstByte, byte[] rest, long timestamp) {
        LogPayload.begin(buffer, null, 0, false, null);
        buffer.putByte(firstByte);
        buffer.putBytes(rest);
        long position = write(header(kind, null, timestamp));
        offer();
        return position;
    }

    private long write(Header content, byte[] array, int offset, int length) {
        int version = catalogVersion.getAsInt();
        int place = offset;
        int end = offset + length;
        long position = 0;
        boolean first = true;
        while (first || place < end) {
            int header = first ? 0 : LogPayload.HEADER_BYTES;
            int bytes = Math.min(end - place, partBytes);
            boolean more = place + bytes < end;
            RecordWriter record = lane.beginAlways(content.kind(), header + bytes);
            record.catalogVersion(version)
                    .clientHandle(content.clientId(), content.requestId())
                    .procedureTimeMicros(content.procedureTimeMicros())
                    .commitTimestamp(content.timestamp())
                    .digest(content.digest());
            byte[] target = record.array();
            int payload = record.payloadOffset();
            System.arraycopy(array, place, target, payload + header, bytes);
            if (!first) {
                target[payload] = array[offset];
                target[payload + 1] = LogPayload.CONTINUED;
            }
            target[payload + 1] |= (byte) (more ? LogPayload.MORE : 0);
            position = lane.append(header + bytes);
            keep(content.kind(), target, payload - RecordFormat.HEADER_BYTES, header + bytes);
            place += bytes;
            first = false;
        }
        return position;
    }

    private void keep(RecordKind kind, byte[] array, int offset, int payloadBytes) {
        RecordMemory kept = memory;
        if (kept != null) {
            kept.add(array, offset, RecordFormat.storedBytes(payloadBytes));
            noteKind(kind);
        }
    }

    /**
     * Notes of the last record whether it must be durable before it counts, even in a mode in which others need not be.
     */
    public void noteKind(RecordKind kind) {
        DurableMarks noted = marks;
        if (noted != null && isForced(kind)) {
            noted.force(lane.lastSequence());
        }
    }

    private static boolean isForced(RecordKind kind) {
        return switch (kind) {
            case PREPARE, DECISION, RECONFIGURATION, EPOCH, COPY, CATALOG -> true;
            case COMMAND, FRAGMENTS, VALUES, SEAL -> false;
        };
    }

    /**
     * Begins a term, by a record with all terms of the log.
     *
     * @return false while the log has no room
     */
    public boolean term(int epoch, EpochHistory history, long timestamp) {
        Invariants.check(history.epoch() == epoch, "a primary's term is the last one of its log");
        Invariants.check(
                history.terms().getLast().start() == lane.lastSequence(), "a primary's term begins at its log's end");
        LogPayload.begin(buffer, null, 0, false, null);
        TermRecord.write(history, buffer);
        RecordWriter record = lane.beginEpoch(epoch, lane.lastSequence() + 1, buffer.length());
        if (record == null) {
            return false;
        }
        record.catalogVersion(catalogVersion.getAsInt())
                .commitTimestamp(timestamp)
                .digest(checksum(buffer.array(), 0, buffer.length()))
                .payload(buffer.array(), 0, buffer.length());
        byte[] array = record.array();
        int offset = record.payloadOffset() - RecordFormat.HEADER_BYTES;
        lane.append(buffer.length());
        keep(RecordKind.EPOCH, array, offset, buffer.length());
        return true;
    }

    /**
     * The stream goes on behind the record at the sequence, of which the copy that begins here has the effects.
     *
     * @param content what the copy is, if its checkpoint does not say it
     * @return false while the log has no room
     */
    public boolean copyBegun(CopyRow.Content copy, byte[] content, long sequence, long timestamp) {
        int lastEpoch = Math.toIntExact(copy.terms().epoch());
        forgetCeiling(); // what stood for it was in the log that is gone
        if (lane.restart(lastEpoch, sequence)) {
            return true;
        }
        LogPayload.begin(buffer, null, 0, false, null);
        CopyRow.write(copy, buffer);
        buffer.putBytes(content);
        RecordWriter record = lane.beginCopy(lastEpoch, sequence, buffer.length());
        if (record == null) {
            return false;
        }
        record.catalogVersion(catalogVersion.getAsInt())
                .commitTimestamp(timestamp)
                .digest(checksum(buffer.array(), 0, buffer.length()))
                .payload(buffer.array(), 0, buffer.length());
        lane.append(buffer.length());
        return true;
    }

    /** Lets the log take what was written since the last time. */
    public void offer() {
        if (lane.offer()) {
            wakeLog.run();
        }
    }
}
