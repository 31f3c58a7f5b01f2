package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.CopyStream;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.log.LogLane;
import dev.fulmar.pmemlog.record.RecordCheck;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a copy: its lane of the operation log, the newest records in memory, and the rows, to which records of other copies are applied as a recovery
 * does it. A position is the sequence of a record, so the end is that of the last one. For the partition's thread.
 */
final class HostedStream implements CopyStream {
    private final PartitionRuntime runtime;
    private final PartitionLog log;
    private final LogLane lane;
    private final RecordMemory memory;
    private final PartitionReplay replay;
    private final LongSupplier catalogVersion;
    private final boolean waitsForLog;
    private final Consumer<String> complaints;
    private final RecordReader reader = new RecordReader();
    private final DurableMarks marks = new DurableMarks();
    private EpochHistory history;
    private long epoch;
    private long releasedEnd;
    private long reportedDurable = -1;
    private boolean isTrusted = true;

    /** A term whose record is not durable yet. */
    private @Nullable TermToStore waiting;

    private record TermToStore(long epoch, EpochHistory history, boolean isWritten, Runnable stored) {}

    /**
     * @param replay which has done what the log has
     * @param catalogVersion the newest that this node has
     * @param waitsForLog whether only what is durable here counts
     */
    HostedStream(
            PartitionRuntime runtime,
            PartitionLog log,
            PartitionReplay replay,
            LongSupplier catalogVersion,
            boolean waitsForLog,
            long memoryBytes,
            Consumer<String> complaints) {
        this.runtime = runtime;
        this.log = log;
        this.lane = log.lane();
        this.memory = new RecordMemory(lane.lastSequence(), memoryBytes);
        this.replay = replay;
        this.history = replay.terms();
        this.epoch = history.epoch();
        this.catalogVersion = catalogVersion;
        this.waitsForLog = waitsForLog;
        this.complaints = complaints;
        log.keepRecords(memory, marks);
    }

    /** What the copy holds, all of it durable, when the log was just opened. */
    CopyState recovered(CopyId copy) {
        long end = end();
        return new CopyState(copy, epoch, history, end, end, 0);
    }

    @Override
    public long end() {
        return lane.lastSequence();
    }

    @Override
    public boolean rollBack(long to) {
        return to == end() && isTrusted;
    }

    @Override
    public void store(long newEpoch, EpochHistory newHistory, boolean leads, Runnable stored) {
        epoch = newEpoch;
        history = newHistory;
        waiting = null;
        if (leads) {
            waiting = new TermToStore(newEpoch, newHistory, false, stored);
            storeWaiting();
        } else {
            stored.run();
        }
    }

    /** Goes on with the term that waits for the log, if one does. */
    void storeWaiting() {
        TermToStore term = waiting;
        if (term != null && !term.isWritten && log.term(Math.toIntExact(term.epoch), term.history, clock())) {
            log.offer();
            offered();
            term = new TermToStore(term.epoch, term.history, true, term.stored);
            waiting = term;
        }
        if (term != null && term.isWritten && durableEnd() >= end()) {
            waiting = null;
            term.stored.run();
        }
    }

    private long clock() {
        return runtime.partition().timestamps().last();
    }

    @Override
    public long reach(long begin, long end) {
        return memory.reach(begin, end);
    }

    @Override
    public ByteBuffer records(long begin, long end) {
        return memory.records(begin, end);
    }

    @Override
    public boolean isApplicable(ByteBuffer records, long begin, long end) {
        byte[] array = records.array();
        int place = records.arrayOffset() + records.position();
        int limit = records.arrayOffset() + records.limit();
        long newest = 0;
        for (long position = begin; position < end; position++) {
            RecordCheck check = reader.wrap(array, place, limit - place);
            boolean isNext = check == RecordCheck.VALID
                    && reader.stream() == lane.stream()
                    && reader.sequence() == position + 1
                    && isOfPartition(reader.kind());
            if (!isNext || reader.storedBytes() > limit - place) {
                throw malformed("record " + (position + 1) + " of partition " + lane.stream() + " is not right");
            }
            newest = Math.max(newest, reader.catalogVersion());
            place += reader.storedBytes();
        }
        if (place != limit) {
            throw malformed("a group has more bytes than its records");
        }
        return newest <= catalogVersion.getAsLong();
    }

    private static FulmarException malformed(String what) {
        return new FulmarException(ErrorCode.MALFORMED_REQUEST, "a node sent what no copy has: " + what);
    }

    private static boolean isOfPartition(RecordKind kind) {
        return switch (kind) {
            case COMMAND, VALUES, PREPARE, DECISION, EPOCH -> true;
            case FRAGMENTS, RECONFIGURATION, CATALOG, SEAL -> false;
        };
    }

    @Override
    public boolean apply(ByteBuffer records, long begin, long from, long to) {
        byte[] array = records.array();
        int place = records.arrayOffset() + records.position();
        int limit = records.arrayOffset() + records.limit();
        boolean same = true;
        for (long position = begin; position < to && same; position++) {
            reader.wrapChecked(array, place, limit - place);
            int bytes = reader.storedBytes();
            if (position >= from) {
                same = replay();
                if (same) {
                    lane.appendCopy(array, place, bytes);
                    log.noteKind(reader.kind());
                    memory.add(array, place, bytes);
                }
            }
            place += bytes;
        }
        log.offer();
        offered();
        return same;
    }

    /** Does what the record says; false if it came to something else than where it was made. */
    private boolean replay() {
        try {
            replay.record(reader, 0, 0);
            return true;
        } catch (FulmarException different) {
            isTrusted = false;
            complaints.accept("partition " + lane.stream() + ": record " + reader.sequence()
                    + " came to something else here than at the primary: " + different.getMessage()
                    + "; the copy is built anew");
            return false;
        }
    }

    @Override
    public void release(long to) {
        releasedEnd = to;
    }

    /** What was appended so far is the log's. */
    void offered() {
        marks.offered(lane.position(), lane.lastSequence());
    }

    private long durableEnd() {
        return waitsForLog ? marks.durable(lane.durablePosition()) : marks.durableUnlessForced(lane.durablePosition());
    }

    /** Up to where the log is durable, if that is news; else -1. */
    long newlyDurable() {
        long durable = durableEnd();
        if (durable == reportedDurable || durable < 0) {
            return -1;
        }
        reportedDurable = durable;
        return durable;
    }

    boolean isCrowded() {
        return lane.isCrowded();
    }

    /** Whether what is not safe yet fills the memory for it. */
    boolean isTight() {
        return memory.isTight(releasedEnd);
    }

    /** What was done to the rows is not what the log says: the copy must not go on. */
    void distrust() {
        isTrusted = false;
    }

    /** All that the log has is applied and final; transactions may begin. */
    void promote() {
        replay.finish();
    }

    /** The part that waits for its decision, or null. */
    PromotionDoubts.@Nullable Doubt inDoubt() {
        PartitionReplay.Prepared prepared = replay.inDoubt();
        return prepared == null
                ? null
                : new PromotionDoubts.Doubt(prepared.transaction(), prepared.attempt(), prepared.base());
    }

    /** The part that waited is decided. */
    void resolve(boolean commit, long commitTimestamp) {
        PartitionReplay.Prepared prepared = replay.inDoubt();
        if (prepared != null) {
            log.decision(prepared.transaction(), prepared.attempt(), commit, commitTimestamp, null, List.of());
            if (commit) {
                replay.commitInDoubt(commitTimestamp);
                replay.finish();
            } else {
                replay.undoInDoubt();
            }
        }
    }
}
