package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.checkpoint.CopyKeeper;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.DurableMarks;
import dev.fulmar.coordinator.durability.log.LogPayload;
import dev.fulmar.coordinator.durability.log.LoggedCommand;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.log.RecordMemory;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.durability.recovery.StreamReplay;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.CopyStream;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.replication.ReadableLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordCheck;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a copy: its lane of the operation log, the newest records in memory, and the rows. Records of other copies
 * are applied to the rows as a recovery does it. A position is the sequence of a record, so the end is that of the last
 * one. For the partition's thread.
 */
public final class ReplicaLog implements CopyStream {
    private final PartitionLog log;
    private final PartitionLogBuffer lane;
    private final RecordMemory memory;
    private final StreamReplay replay;
    private final boolean waitsForLog;
    private final Consumer<String> complaints;
    private final CopyKeeper keeper;
    private final RecordReader reader = new RecordReader();
    private final DurableMarks marks = new DurableMarks();
    private EpochHistory history;
    private long epoch;
    private long releasedEnd;
    private boolean releasedMore;
    private long reportedDurable = -1;

    /** The version of the catalog that the last records needed which could not be applied. */
    private long awaitedVersion;

    private boolean isTrusted = true;
    private boolean isAhead;
    private long life;

    /** Whether the copy is given up and another one is being built in its place. */
    private boolean isBuilding;

    /** The recovery found a copy that was not whole. */
    private boolean isUseless;

    private @Nullable CopyToStore copyToStore;

    /** A term whose record is not durable yet. */
    private @Nullable TermToStore waiting;

    private record TermToStore(long epoch, EpochHistory history, boolean isWritten, Runnable stored) {}

    /**
     * @param replay which has done what the log has
     * @param waitsForLog whether only what is durable here counts
     */
    public ReplicaLog(
            PartitionLog log,
            StreamReplay replay,
            boolean waitsForLog,
            long memoryBytes,
            Consumer<String> complaints,
            CopyKeeper keeper) {
        this.keeper = keeper;
        this.log = log;
        this.lane = log.lane();
        RecordMemory newest = replay.takeNewest();
        this.memory = newest != null && newest.end() == lane.lastSequence()
                ? newest
                : new RecordMemory(lane.lastSequence(), memoryBytes);
        memory.safe(0);
        this.replay = replay;
        this.history = replay.terms();
        this.epoch = history.epoch();
        this.waitsForLog = waitsForLog;
        this.complaints = complaints;
        this.life = replay.life();
        log.keepRecords(memory, marks, () -> new CopyRow.Content(life, !isBuilding, history));
        if (replay.isDiscarded()) {
            history = EpochHistory.EMPTY;
            epoch = 0;
            isBuilding = true;
            isUseless = true;
            replay.beginAnew(replay.catalogVersion());
        }
    }

    /** Whether the recovery found a copy that counts. */
    boolean isRecovered() {
        return !isUseless && end() > 0;
    }

    /** Whether the recovery found a copy that was not whole. */
    boolean isUseless() {
        return isUseless;
    }

    /** Life of the copy that was recovered; 0 if nothing that counts was found, or nothing that says it. */
    long recoveredLife() {
        return isUseless ? 0 : replay.life();
    }

    /** A copy whose rows are there. */
    private record CopyToStore(long end, long epoch, EpochHistory terms, Runnable stored) {}

    /** The copy takes part in the cluster from now on. */
    void joined() {
        replay.joined(end());
    }

    /** Epoch of the last term in the log, 0 for none; before the copy takes part. */
    long recoveredEpoch() {
        return history.epoch();
    }

    /** State of the copy when the log was just opened; all of it is durable. */
    CopyState recovered(CopyId copy) {
        long end = end();
        life = copy.life();
        // A log without terms has nothing in common with any other: what did not become whole is built anew.
        return new CopyState(copy, epoch, history, end, end, isUseless ? end : 0);
    }

    @Override
    public long end() {
        return lane.lastSequence();
    }

    @Override
    public boolean maySucceed() {
        return !waitsForLog && !isUseless && !isBuilding && isTrusted;
    }

    @Override
    public boolean mayBePassedOver() {
        return !waitsForLog && isBuilding;
    }

    /**
     * Records of rows stay. Those with which terms began that nobody followed can go: the log lets the record of a
     * later term take their place, and a checkpoint that has them would hide it.
     */
    @Override
    public boolean rollBack(long to, EpochHistory next) {
        if (to == end()) {
            return isTrusted;
        }
        // While a copy is built, a message of an earlier term may still reach the one that was given up.
        Invariants.check(
                isBuilding || (to < end() && to >= releasedEnd),
                "a backup's log never goes back behind what was released");
        boolean isPossible =
                isTrusted && !isBuilding && next.beganAt(to) > history.epoch() && to >= log.checkpointedSequence();
        for (long position = to; position < end(); position++) {
            isPossible &= history.beganAt(position) > 0;
        }
        if (isPossible) {
            lane.goBack(to);
            memory.goBack(to);
            marks.restart();
            reportedDurable = -1;
            replay.wentBack(to);
        }
        // A checkpoint that was begun meanwhile may have what went.
        return isPossible && to >= log.checkpointedSequence();
    }

    @Override
    public void store(long newEpoch, EpochHistory newHistory, boolean leads, Runnable stored) {
        Invariants.check(isBuilding || newEpoch >= epoch, "a copy stores epochs in their order");
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

    /** Gives the copy up: it counts for nothing from now on, and a copy of another life is about to be built. */
    void giveUp(long newLife) {
        Invariants.check(newLife > life, "a copy makes way for one of a later life");
        life = newLife;
        isBuilding = true;
        waiting = null;
        copyToStore = null;
        memory.restart(end());
    }

    /** Whether the copy counts for nothing, because a copy of another life is being built. */
    boolean isGivenUp() {
        return isBuilding;
    }

    /** Marks the rows as not those that the log leads to, and drops what waits for the log. */
    void abandon() {
        isTrusted = false;
        waiting = null;
        copyToStore = null;
    }

    /** Begins anew without rows, with the tables of a version of the catalog. */
    void prepare(int version) {
        replay.beginAnew(version);
    }

    /** The newest version of the catalog that the node has. */
    long catalogVersion() {
        return replay.catalogVersion();
    }

    /** All that the catalog is at the position with which the log is about to go on. */
    void load(CatalogImage image) {
        replay.load(image);
    }

    /** Image with which another node's copy of the catalog goes on behind the log's end. */
    byte[] content() {
        return replay.content();
    }

    /** The rows are those behind a position: the log goes on there. */
    void complete(long position, long newEpoch, EpochHistory terms, Runnable stored) {
        Invariants.check(
                isBuilding && copyToStore == null, "a copy is completed once, in place of one that is given up");
        copyToStore = new CopyToStore(position, newEpoch, terms, stored);
        storeWaiting();
    }

    private void storeCopy(CopyToStore copy) {
        if (isBuilding) {
            keeper.began(lane.stream(), copy.end);
            CopyRow.Content content = new CopyRow.Content(life, true, copy.terms);
            if (!log.copyBegun(content, replay.content(), copy.end, replay.timestamp())) {
                return;
            }
            isBuilding = false;
            isUseless = false;
            history = copy.terms;
            epoch = copy.epoch;
            releasedEnd = copy.end;
            memory.restart(copy.end);
            memory.safe(copy.end);
            marks.restart();
            log.noteKind(RecordKind.COPY); // in every mode it counts when it is durable
            reportedDurable = -1;
            replay.goOnBehind(copy.end, life, copy.terms);
            log.offer();
            offered();
            if (!isSelfContained()) {
                keeper.request();
            }
        }
        if (isSelfContained() ? durableEnd() >= end() : keeper.holds(lane.stream(), life)) {
            copyToStore = null;
            isTrusted = true;
            replay.released(copy.end); // now, not before, a restart would find it
            copy.stored.run();
        } else if (!isSelfContained()) {
            keeper.endIfInVain(lane.stream());
        }
    }

    /** Whether the log's record of a copy has all that the copy is; else a checkpoint must have it. */
    private boolean isSelfContained() {
        return lane.stream() == CatalogRecord.STREAM;
    }

    /** Keeps the records from the position on as long as may be; to be released by running what is returned, once. */
    Runnable keep(long position) {
        log.forgetCeiling();
        memory.hold(position);
        return () -> memory.release(position);
    }

    /** Position of the oldest record that can be sent. */
    long oldestKept() {
        return memory.begin();
    }

    /** Goes on with what waits; nothing of a turn before waits to be sent. */
    void goOn() {
        memory.trim();
        storeWaiting();
    }

    /** Goes on with the term or the copy that waits for the log, if one does. */
    private void storeWaiting() {
        CopyToStore copy = copyToStore;
        if (copy != null) {
            storeCopy(copy);
            return;
        }
        TermToStore term = waiting;
        if (term != null
                && !term.isWritten
                && log.term(Math.toIntExact(term.epoch), term.history, replay.timestamp())) {
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
        if (isReplaced()) {
            return false;
        }
        byte[] array = records.array();
        int place = records.arrayOffset() + records.position();
        int limit = records.arrayOffset() + records.limit();
        long newest = 0;
        for (long position = begin; position < end; position++) {
            RecordCheck check = reader.wrap(array, place, limit - place);
            boolean isNext = check == RecordCheck.VALID
                    && reader.stream() == lane.stream()
                    && reader.sequence() == position + 1
                    && replay.takes(reader.kind());
            if (!isNext || reader.storedBytes() > limit - place) {
                throw malformed("record " + (position + 1) + " of partition " + lane.stream() + " is not right");
            }
            newest = Math.max(newest, reader.catalogVersion());
            place += reader.storedBytes();
        }
        if (place != limit) {
            throw malformed("a group has more bytes than its records");
        }
        boolean isTaken = replay.takes(newest);
        awaitedVersion = isTaken ? awaitedVersion : newest;
        return isTaken;
    }

    @Override
    public boolean isReady() {
        return !isReplaced() && replay.takes(awaitedVersion);
    }

    /**
     * Whether the copy has been given up, and the one that is built in its place does not count yet. A primary that
     * does not know it sends on: the log must not take that, for it is about to go on where the new copy begins.
     */
    private boolean isReplaced() {
        return isBuilding || copyToStore != null;
    }

    private static FulmarException malformed(String what) {
        return new FulmarException(ErrorCode.MALFORMED_REQUEST, "a node sent what no copy has: " + what);
    }

    @Override
    public boolean apply(ByteBuffer records, long begin, long from, long to) {
        Invariants.check(from == end(), "a backup applies records at its log's end");
        replay.begin();
        try {
            return applyEach(records, begin, from, to);
        } finally {
            replay.end();
            log.offer();
            offered();
        }
    }

    private boolean applyEach(ByteBuffer records, long begin, long from, long to) {
        byte[] array = records.array();
        int place = records.arrayOffset() + records.position();
        int limit = records.arrayOffset() + records.limit();
        boolean same = true;
        for (long position = begin; position < to && same; position++) {
            reader.wrapChecked(array, place, limit - place);
            int bytes = reader.storedBytes();
            if (position >= from) {
                isAhead = replay.isAheadOf(reader.kind(), reader.catalogVersion());
                isTrusted &= !isAhead;
                same = !isAhead && replay();
                if (same) {
                    lane.appendCopy(array, place, bytes);
                    log.noteKind(reader.kind());
                    memory.add(array, place, bytes);
                    replay.logged();
                }
            }
            place += bytes;
        }
        return same;
    }

    @Override
    public boolean isAhead() {
        return isAhead;
    }

    /** Does what the record says; false if it came to something else than where it was made. */
    private boolean replay() {
        try {
            replay.next(reader);
            return true;
        } catch (FulmarException different) {
            isTrusted = false;
            complaints.accept("stream " + lane.stream() + ": record " + reader.sequence()
                    + " came to something else here than at the primary: " + different.getMessage()
                    + "; the copy is built anew");
            return false;
        }
    }

    /** Name of the procedure that the record is a call of; null if it is none, or not in memory any more. */
    @Nullable String procedureOf(long sequence) {
        long position = sequence - 1;
        if (position < memory.begin() || position >= end()) {
            return null;
        }
        ByteBuffer kept = memory.records(position, sequence);
        reader.wrapChecked(kept.array(), kept.arrayOffset() + kept.position(), kept.remaining());
        if (reader.kind() != RecordKind.COMMAND) {
            return null;
        }
        byte[] payload = reader.payload();
        boolean isBeginning = (LogPayload.flags(payload, 0, payload.length) & LogPayload.CONTINUED) == 0;
        return isBeginning ? LoggedCommand.read(payload, 0, payload.length).procedure() : null;
    }

    @Override
    public void release(long to) {
        Invariants.check(to <= end(), "a copy releases what its log has");
        releasedMore |= to > releasedEnd;
        releasedEnd = to;
        memory.safe(to);
        replay.released(to);
    }

    /** Whether more is known to be on all copies in sync than the last time. */
    boolean takeReleased() {
        boolean more = releasedMore;
        releasedMore = false;
        return more;
    }

    /** Marks the end of a turn: the records that were appended so far are the log's. */
    void offered() {
        if (Invariants.EXPENSIVE) {
            Invariants.check(memory.end() == lane.lastSequence(), "a log ends where its records in memory end");
        }
        marks.offered(lane.position(), lane.lastSequence());
        replay.offered();
    }

    private long durableEnd() {
        return waitsForLog ? marks.durable(lane.durablePosition()) : marks.durableUnlessForced(lane.durablePosition());
    }

    /** Up to where the log is durable, if that is news; else -1. */
    long newlyDurable() {
        if (isBuilding || copyToStore != null) {
            return -1;
        }
        long durable = durableEnd();
        if (durable == reportedDurable || durable < 0) {
            return -1;
        }
        reportedDurable = durable;
        return durable;
    }

    /** The copy does not lead any more. */
    void beganToFollow() {
        replay.beganToFollow();
    }

    /** A timestamp that no row of the copy that follows is above. */
    long newestCommit() {
        return replay.newestCommit();
    }

    /** Whether its rows are those that its log leads to. */
    boolean isWhole() {
        return isTrusted && !isBuilding && copyToStore == null;
    }

    boolean isCrowded() {
        return lane.isCrowded();
    }

    /** Whether what is not safe yet fills the memory for it. */
    boolean isTight() {
        return memory.isTight(releasedEnd);
    }

    /**
     * Restores the last part that this node voted for while it led, whose changes were undone with its role. It waits
     * for its decision again, as at every other copy that has its record.
     */
    void recallVote() {
        long position = log.voteBegin();
        long voteEnd = log.voteEnd();
        while (position < voteEnd) {
            long reached = memory.reach(position, voteEnd);
            if (reached == ReadableLog.GONE) {
                // Whoever led with this copy would not know of the part, which may be committed.
                throw new IllegalStateException("the record of a part that waits for its decision is gone");
            }
            ByteBuffer kept = memory.records(position, reached);
            int place = kept.arrayOffset() + kept.position();
            for (; position < reached; position++) {
                reader.wrapChecked(kept.array(), place, kept.arrayOffset() + kept.limit() - place);
                replay.next(reader);
                place += reader.storedBytes();
            }
        }
    }

    /** All that the log has is applied and final; transactions may begin. */
    void promote() {
        replay.promote();
    }

    /** The part that waits for its decision, or null. */
    InDoubtResolver.@Nullable Doubt inDoubt() {
        return replay.inDoubt();
    }

    /** The part that waited is decided. */
    void resolve(boolean commit, long commitTimestamp) {
        replay.resolve(log, commit, commitTimestamp);
    }
}
