package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The lane of a stream, to which its owner appends records: a ring of memory between one writing thread and the log's
 * reading thread. The owner may change if the old one's last call happens before the new one's first. A position is a
 * count of the lane's bytes; it means something only until the log is closed.
 *
 * <p>Records are in the ring as they will be in the file. A record that is large for the ring travels beside it, in an
 * array of its own.
 */
public final class PartitionLogBuffer {
    private static final VarHandle OFFERED;
    private static final VarHandle HEAD;
    private static final VarHandle DURABLE;

    /** In the place of a length: the ring goes on at its beginning. */
    private static final int SKIP = -1;

    /** In the place of a length: the next record is beside the ring. */
    private static final int BESIDE = -2;

    private static final int MARK_BYTES = 8;
    private static final int MARK_OFFSET = 4;

    /** A record of more than this part of the ring travels beside it. */
    private static final int LARGE_PART = 4;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OFFERED = lookup.findVarHandle(PartitionLogBuffer.class, "offered", long.class);
            HEAD = lookup.findVarHandle(PartitionLogBuffer.class, "head", long.class);
            DURABLE = lookup.findVarHandle(PartitionLogBuffer.class, "durable", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int stream;
    private final LogHealth health;
    private final byte[] ring;
    private final int maxRecordBytes;
    private final ConcurrentLinkedQueue<LargeRecord> beside = new ConcurrentLinkedQueue<>();
    private final AtomicLong besideBytes = new AtomicLong();

    private final RecordWriter writer = new RecordWriter();
    private long tail;
    /** Position up to which the log may take records; written by the owner. */
    private long offered;

    private long claimed = -1;
    private byte @Nullable [] claimedBeside;
    private long claimedSequence;
    private int claimedEpoch;
    private long lastSequence;
    private int epoch;
    private long knownHead;

    private long head;
    private long knownTail;
    private long drainedSequence;
    private int drainedEpoch;
    private long drainedSegment;

    private long durable;

    /** No log takes the records: they are only numbered here, and count as durable once they are offered. */
    private final boolean isUnwritten;

    private record LargeRecord(byte[] bytes, int length) {}

    PartitionLogBuffer(int stream, StreamEnd end, LogSettings settings, LogHealth health) {
        this(stream, end, settings.laneBytes(), settings.maxRecordBytes(), health, false);
    }

    private PartitionLogBuffer(
            int stream, StreamEnd end, int ringBytes, int maxRecordBytes, LogHealth health, boolean isUnwritten) {
        this.stream = stream;
        this.health = health;
        this.ring = new byte[ringBytes];
        this.maxRecordBytes = maxRecordBytes;
        this.isUnwritten = isUnwritten;
        this.lastSequence = end.sequence();
        this.epoch = end.epoch();
        this.drainedSequence = end.sequence();
        this.drainedEpoch = end.epoch();
    }

    /**
     * A lane without a log, for a stream whose records only copies have.
     *
     * @param ringBytes a power of two
     */
    public static PartitionLogBuffer unwritten(int stream, StreamEnd end, int ringBytes, int maxRecordBytes) {
        return new PartitionLogBuffer(stream, end, ringBytes, maxRecordBytes, new LogHealth(), true);
    }

    /** The stream. */
    public int stream() {
        return stream;
    }

    /**
     * Begins the stream's next record with a payload of at most so many bytes; null while the lane is full. Stream,
     * sequence and epoch are set. It is appended by {@link #commit}, and forgotten if another one is begun instead.
     * Fails if the log stopped or has no space, and if the record is too large; a decision is taken even without space,
     * for its transaction waits for it.
     */
    public @Nullable RecordWriter begin(RecordKind kind, int maxPayloadBytes) {
        Invariants.check(
                kind != RecordKind.EPOCH && kind != RecordKind.SEAL && kind != RecordKind.COPY,
                "an epoch, a copy and a seal begin in their own ways");
        return claim(kind, maxPayloadBytes, lastSequence + 1, epoch);
    }

    /**
     * As {@link #begin}, for a record that cannot wait: it travels beside a ring without room, and a shortage of space
     * does not count. The owner must not begin new work while the lane {@link #isCrowded}; work under way then always
     * finds its place.
     */
    public RecordWriter beginAlways(RecordKind kind, int maxPayloadBytes) {
        checkFailure();
        checkSize(maxPayloadBytes);
        claimed = -1;
        claimedSequence = lastSequence + 1;
        claimedEpoch = epoch;
        int bytes = RecordFormat.storedBytes(maxPayloadBytes);
        RecordWriter record = null;
        if (bytes <= ring.length / LARGE_PART && hasRoomUntil(tail + 2L * bytes + reservedBytes())) {
            record = claimInRing(kind, bytes);
        }
        if (record == null) {
            Invariants.check(hasRoomUntil(tail + MARK_BYTES), "a crowded lane has room for marks");
            byte[] array = new byte[bytes];
            claimed = tail;
            claimedBeside = array;
            record = writer.wrap(array, 0, bytes, kind);
        }
        return record.position(stream, claimedSequence, claimedEpoch);
    }

    /** Whether so much waits for the device that the owner should take nothing on. For the owner. */
    public boolean isCrowded() {
        return !hasRoomUntil(tail + ring.length / 2) || besideBytes.get() > maxRecordBytes;
    }

    /**
     * Whether the owner should defer even small records, such as decisions: the last quarter of the ring is for work
     * under way. For the owner.
     */
    public boolean isTight() {
        return !hasRoomUntil(tail + ring.length / 4);
    }

    /** Bytes kept free for the marks of records beside the ring. */
    private int reservedBytes() {
        return ring.length / LARGE_PART;
    }

    /**
     * As {@link #begin}, for the record of a new epoch, which makes void what is in the stream from its sequence on.
     */
    public @Nullable RecordWriter beginEpoch(int newEpoch, long sequence, int maxPayloadBytes) {
        boolean isNew = lastSequence == 0;
        if (newEpoch <= epoch || sequence <= 0 || (!isNew && sequence > lastSequence + 1)) {
            throw new IllegalArgumentException("epoch " + newEpoch + " cannot begin at record " + sequence
                    + " of stream " + stream + ", which stands at record " + lastSequence + " of epoch " + epoch);
        }
        return claim(RecordKind.EPOCH, maxPayloadBytes, sequence, newEpoch);
    }

    /**
     * As {@link #begin}, for the record that begins a copy of the stream from another node. The stream goes on behind
     * the sequence, in the epoch, whatever it had before.
     */
    public @Nullable RecordWriter beginCopy(int newEpoch, long sequence, int maxPayloadBytes) {
        Invariants.check(sequence > 0 && newEpoch >= 0, "a copy has at least one record");
        return claim(RecordKind.COPY, maxPayloadBytes, sequence, newEpoch);
    }

    /**
     * The stream goes on behind an earlier record, with the record of a later epoch. Until that is in the log, a
     * restart finds what is void then.
     */
    public void goBack(long sequence) {
        Invariants.check(claimed < 0 && sequence >= 0 && sequence <= lastSequence, "a stream goes back to what it had");
        lastSequence = sequence;
    }

    /** The same for a lane without a log, which needs no record; false if there is a log, and nothing was done. */
    public boolean restart(int newEpoch, long sequence) {
        if (isUnwritten) {
            claimed = -1;
            lastSequence = sequence;
            epoch = newEpoch;
        }
        return isUnwritten;
    }

    private @Nullable RecordWriter claim(RecordKind kind, int maxPayloadBytes, long sequence, int recordEpoch) {
        checkHealth(kind);
        checkSize(maxPayloadBytes);
        claimed = -1;
        claimedSequence = sequence;
        claimedEpoch = recordEpoch;
        int bytes = RecordFormat.storedBytes(maxPayloadBytes);
        RecordWriter record = bytes > ring.length / LARGE_PART ? claimBeside(kind, bytes) : claimInRing(kind, bytes);
        return record == null ? null : record.position(stream, sequence, recordEpoch);
    }

    private void checkSize(int maxPayloadBytes) {
        if (maxPayloadBytes < 0 || maxPayloadBytes > maxRecordBytes - RecordFormat.HEADER_BYTES) {
            throw new FulmarException(
                    ErrorCode.UNDO_LIMIT,
                    "a transaction needs " + maxPayloadBytes + " bytes in the log, more than a record of "
                            + maxRecordBytes + " bytes holds; do the work in smaller transactions");
        }
    }

    private void checkHealth(RecordKind kind) {
        checkFailure();
        FulmarException shortage = health.shortage();
        if (shortage != null && kind != RecordKind.DECISION && kind != RecordKind.EPOCH && kind != RecordKind.COPY) {
            throw new FulmarException(shortage.code(), String.valueOf(shortage.getMessage()), shortage);
        }
    }

    private void checkFailure() {
        FulmarException failure = health.failure();
        if (failure != null) {
            throw new FulmarException(failure.code(), String.valueOf(failure.getMessage()), failure);
        }
    }

    private @Nullable RecordWriter claimInRing(RecordKind kind, int bytes) {
        long begin = tail;
        int contiguous = ring.length - index(begin);
        if (bytes > contiguous) {
            begin += contiguous;
        }
        if (!hasRoomUntil(begin + bytes)) {
            return null;
        }
        if (begin != tail) {
            LittleEndian.putInt(ring, index(tail) + MARK_OFFSET, SKIP);
        }
        claimed = begin;
        claimedBeside = null;
        return writer.wrap(ring, index(begin), bytes, kind);
    }

    private @Nullable RecordWriter claimBeside(RecordKind kind, int bytes) {
        boolean tooMuch = besideBytes.get() > 0 && besideBytes.get() + bytes > maxRecordBytes;
        if (tooMuch || !hasRoomUntil(tail + MARK_BYTES)) {
            return null;
        }
        byte[] array = new byte[bytes];
        claimed = tail;
        claimedBeside = array;
        return writer.wrap(array, 0, bytes, kind);
    }

    private boolean hasRoomUntil(long end) {
        if (end - knownHead > ring.length) {
            knownHead = (long) HEAD.getAcquire(this);
        }
        return end - knownHead <= ring.length;
    }

    /**
     * Appends the record that was begun and offers it; returns the position that must be durable before the record may
     * be known.
     */
    public long commit(int payloadBytes) {
        long position = append(payloadBytes);
        offer();
        return position;
    }

    /**
     * Offers all appended records to the log; returns whether there were new ones. For the owner. Records that an owner
     * appends in one go are offered at once, so that they become durable with one write, not each with one of its own.
     */
    public boolean offer() {
        if (offered == tail) {
            return false;
        }
        OFFERED.setRelease(this, tail);
        if (isUnwritten) {
            beside.clear();
            besideBytes.set(0);
            HEAD.setRelease(this, tail);
            DURABLE.setRelease(this, tail);
        }
        return true;
    }

    /**
     * Appends a record that another copy of the stream wrote, with the same bytes, padding included; it must be the
     * next of this stream. The log takes it after {@link #offer}. As with {@link #beginAlways} the owner must not
     * append while the lane {@link #isCrowded}.
     *
     * @return the position that must be durable before anybody may know of it
     */
    public long appendCopy(byte[] array, int offset, int bytes) {
        checkFailure();
        long sequence = RecordFormat.sequenceAt(array, offset);
        int newEpoch = RecordFormat.epochAt(array, offset);
        Invariants.check(
                sequence == lastSequence + 1 && newEpoch >= epoch, "a copy of a record comes where the record was");
        long end;
        if (bytes <= ring.length / LARGE_PART && hasRoomUntil(tail + 2L * bytes + reservedBytes())) {
            long begin = tail;
            int contiguous = ring.length - index(begin);
            if (bytes > contiguous) {
                LittleEndian.putInt(ring, index(begin) + MARK_OFFSET, SKIP);
                begin += contiguous;
            }
            System.arraycopy(array, offset, ring, index(begin), bytes);
            end = begin + bytes;
        } else {
            Invariants.check(hasRoomUntil(tail + MARK_BYTES), "a crowded lane has room for marks");
            besideBytes.addAndGet(bytes);
            beside.add(new LargeRecord(Arrays.copyOfRange(array, offset, offset + bytes), bytes));
            LittleEndian.putInt(ring, index(tail) + MARK_OFFSET, BESIDE);
            end = tail + MARK_BYTES;
        }
        claimed = -1;
        lastSequence = sequence;
        epoch = newEpoch;
        tail = end;
        return end;
    }

    /** As {@link #commit}, but the log takes the record only after {@link #offer}. */
    public long append(int payloadBytes) {
        Invariants.check(claimed >= 0, "a record is begun before it is committed");
        int bytes = writer.finish(payloadBytes);
        byte[] large = claimedBeside;
        long end = claimed + bytes;
        if (large != null) {
            besideBytes.addAndGet(bytes);
            beside.add(new LargeRecord(large, bytes));
            LittleEndian.putInt(ring, index(claimed) + MARK_OFFSET, BESIDE);
            end = claimed + MARK_BYTES;
            claimedBeside = null;
        }
        claimed = -1;
        lastSequence = claimedSequence;
        epoch = claimedEpoch;
        tail = end;
        return end;
    }

    /** Position of the last record: what waits for everything that was appended waits for this. For the owner. */
    public long position() {
        return tail;
    }

    /** Sequence of the last record. For the owner. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Epoch of the stream. For the owner. */
    public int epoch() {
        return epoch;
    }

    /** Position up to which all records are durable. For any thread. */
    public long durablePosition() {
        return (long) DURABLE.getAcquire(this);
    }

    /** Bytes of the next record; 0 if there is none. For the log's thread, as everything below. */
    int pendingBytes() {
        if (!hasPending()) {
            return 0;
        }
        int length = LittleEndian.getInt(ring, index(head) + MARK_OFFSET);
        if (length == SKIP) {
            head += ring.length - index(head);
            length = LittleEndian.getInt(ring, index(head) + MARK_OFFSET);
        }
        LargeRecord large = length == BESIDE ? beside.peek() : null;
        return large != null ? large.length : RecordFormat.align(length);
    }

    private boolean hasPending() {
        if (head == knownTail) {
            knownTail = (long) OFFERED.getAcquire(this);
        }
        return head != knownTail;
    }

    /** Moves records to the group as long as they fit; returns how many. */
    int drainTo(GroupBuffer group, long segment) {
        int count = 0;
        int bytes = pendingBytes();
        while (bytes > 0 && bytes <= group.remaining()) {
            boolean isLarge = LittleEndian.getInt(ring, index(head) + MARK_OFFSET) == BESIDE;
            LargeRecord large = isLarge ? beside.poll() : null;
            if (large != null) {
                take(group, large.bytes, 0, bytes);
                besideBytes.addAndGet(-bytes);
                head += MARK_BYTES;
            } else {
                take(group, ring, index(head), bytes);
                head += bytes;
            }
            count++;
            bytes = pendingBytes();
        }
        if (count > 0) {
            drainedSegment = segment;
            HEAD.setRelease(this, head);
        }
        return count;
    }

    private void take(GroupBuffer group, byte[] array, int offset, int bytes) {
        drainedSequence = RecordFormat.sequenceAt(array, offset);
        drainedEpoch = RecordFormat.epochAt(array, offset);
        group.append(array, offset, bytes);
    }

    /** Publishes the records in written groups as durable; returns whether there were new ones. */
    boolean publish() {
        if (head == durable) {
            return false;
        }
        DURABLE.setRelease(this, head);
        return true;
    }

    /** End of the stream in the groups. */
    StreamEnd drainedEnd() {
        return new StreamEnd(drainedEpoch, drainedSequence);
    }

    /** Number of the segment that has the last record of this lane, 0 if none has. */
    long drainedSegment() {
        return drainedSegment;
    }

    private int index(long position) {
        return (int) position & (ring.length - 1);
    }
}
