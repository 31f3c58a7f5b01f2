package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.Seal;
import dev.fulmar.pmemlog.segment.SealReason;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The agent that makes records durable. A step takes what all lanes hold, writes it in one synchronous write, and
 * publishes it. So a record that comes while the log is idle is written at once, and those that come during a write
 * make the next group together: the group's size follows the load, and no record ever waits for a timer.
 *
 * <p>Once nothing has come for a while, a seal attests the last group. Its {@link SegmentPreparer} must run beside it.
 */
public final class OperationLog implements Agent {
    private final LogSettings settings;
    private final Clock clock;
    private final LogHealth health;
    private final SegmentSupply supply;
    private final SegmentPreparer preparer;
    private final LiveSegments live;
    private final DurabilityListener listener;
    private final AtomicReference<StreamTable> table;
    private final LogCounters counters;
    private final GroupBuffer group;
    private final RecordWriter sealWriter = new RecordWriter();
    private final int life;
    private @Nullable Current current;
    private SortedMap<Integer, Long> recoveredSequences = new TreeMap<>();
    private long lastGroup;
    private boolean lastGroupNeedsSeal;
    private boolean segmentNeedsSeal;
    private long lastWriteNanos;
    private int firstLane;
    private boolean endsClosed;
    private boolean closed;
    private boolean failureTold;
    private volatile boolean holding;
    private volatile @Nullable DurableEnd heldEnd;

    /** The segment that is being written. */
    private static final class Current {
        private final String name;
        private final SegmentHeader header;
        private final StorageFile file;
        private int offset;

        Current(PreparedSegment segment, int offset) {
            this.name = segment.name();
            this.header = segment.header();
            this.file = segment.file();
            this.offset = offset;
        }

        /** Bytes that records may take in the next group, if so many are left free after it. */
        int room(int reservedBytes) {
            return header.segmentBytes() - offset - GroupHeader.BYTES - reservedBytes;
        }
    }

    OperationLog(LogOpening opening, DurabilityListener listener) {
        this.settings = opening.settings();
        this.clock = opening.clock();
        this.health = opening.health();
        this.supply = opening.supply();
        this.preparer = opening.preparer();
        this.counters = new LogCounters(preparer.writtenBytes(), preparer.reusedSegments());
        this.live = opening.live();
        this.listener = listener;
        this.table = new AtomicReference<>(new StreamTable(new PartitionLogBuffer[0], opening.streamEnds()));
        this.group = new GroupBuffer(settings.maxGroupBytes() + settings.blockBytes());
        this.life = opening.life();
        this.lastGroup = opening.lastGroup();
        this.endsClosed = opening.endsClosed();
        this.lastWriteNanos = clock.monotonicNanos();
    }

    /** The agent that must run beside this one. It is closed after this one. */
    public SegmentPreparer preparer() {
        return preparer;
    }

    @Override
    public String roleName() {
        return "log " + settings.directory();
    }

    /** Gives the stream an owner's lane, where it goes on after its last record. For any thread. */
    public PartitionLogBuffer openLane(int stream) {
        if (stream == RecordFormat.LOG_STREAM) {
            throw new IllegalArgumentException("stream " + stream + " is the log's own");
        }
        while (true) {
            StreamTable before = table.get();
            if (before.hasLane(stream)) {
                throw new IllegalStateException("stream " + stream + " has a lane already");
            }
            checkStreams(before.streamCount() + 1);
            StreamEnd end = before.others().getOrDefault(stream, new StreamEnd(0, 0));
            PartitionLogBuffer lane = new PartitionLogBuffer(stream, end, settings, health);
            if (table.compareAndSet(before, before.with(lane))) {
                return lane;
            }
        }
    }

    private void checkStreams(int count) {
        int most = settings.maxSealBytes();
        if (RecordFormat.storedBytes(Seal.payloadBytes(count)) > most) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a log with segments of " + settings.segmentBytes() + " bytes cannot have " + count
                            + " streams; make the segments larger");
        }
    }

    /**
     * No recovery will need the stream's records up to the sequence, for a checkpoint has their effects. For any
     * thread.
     */
    public void release(int stream, long sequence) {
        live.release(stream, sequence);
    }

    /**
     * A copy of the stream begins behind the sequence: what was released of the stream before says nothing of it. For
     * any thread.
     */
    public void restart(int stream, long sequence) {
        live.restart(stream, sequence);
    }

    /** The failure that stopped the log for good; null while it works. For any thread. */
    public @Nullable FulmarException failure() {
        return health.failure();
    }

    /** The reason for which the log waits for space and takes no more; null while it has some. For any thread. */
    public @Nullable FulmarException shortage() {
        return health.shortage();
    }

    /**
     * The reason for which the log gets no more space than it has; null while it gets some. It will take no more soon:
     * the rest is for work that cannot be put off. For any thread.
     */
    public @Nullable FulmarException scarcity() {
        FulmarException shortage = health.shortage();
        return shortage != null ? shortage : supply.shortage();
    }

    /** Counters of the log so far. For any thread. */
    public LogCounters counters() {
        return counters;
    }

    /** Gives up no segment until {@link #resume}, so that the log can be copied. For any thread. */
    public void hold() {
        holding = true;
    }

    /**
     * The durable part of the log while it is held; null until it is. The part that it names does not change any more.
     * For any thread.
     */
    public @Nullable DurableEnd heldEnd() {
        return holding ? heldEnd : null;
    }

    /** Ends a {@link #hold}. For any thread. */
    public void resume() {
        holding = false;
    }

    /** Settings of the log. */
    public LogSettings settings() {
        return settings;
    }

    @Override
    public int doWork() {
        if (closed || stopped()) {
            return 0;
        }
        try {
            int work = 0;
            if (!holding) {
                heldEnd = null;
                work = live.freeTo(supply);
            }
            int records = commitGroup();
            if (records == 0) {
                work += sealIfIdle();
                endShortage();
            }
            return work + records;
        } finally {
            counters.liveSegments(live.count() + 1);
            noteEnd();
        }
    }

    /** Only what is noted while it is held counts: segments that were given up before are not in it. */
    private void noteEnd() {
        Current home = current;
        if (holding && home != null && (heldEnd == null || isLonger(heldEnd, home))) {
            heldEnd = new DurableEnd(live.first(home.header.number()), home.header.number(), home.offset);
        }
    }

    private static boolean isLonger(DurableEnd noted, Current home) {
        return noted.lastSegment() != home.header.number() || noted.offset() != home.offset;
    }

    private boolean stopped() {
        FulmarException failure = health.failure();
        if (failure != null && !failureTold) {
            failureTold = true;
            listener.failed(failure);
        }
        return failure != null;
    }

    private void endShortage() {
        if (health.shortage() != null && supply.readyCount() > 0) {
            health.shortage(null);
        }
    }

    private int commitGroup() {
        StreamTable streams = table.get();
        PartitionLogBuffer[] lanes = streams.lanes();
        int first = nextWithRecords(lanes);
        if (first < 0) {
            return 0;
        }
        int needed = lanes[first].pendingBytes();
        Current home = findRoom(streams, needed, 1);
        if (home == null) {
            return 0;
        }
        int sealBytes = segmentNeedsSeal ? sealBytes(streams) : 0;
        int most = Math.max(needed + sealBytes, settings.maxGroupBytes() - GroupHeader.BYTES);
        group.begin(Math.min(most, home.room(reserve(home.header, streams))));
        if (segmentNeedsSeal) {
            appendSeal(SealReason.SEGMENT, streams);
        }
        int sealed = group.bodyBytes();
        int records = 0;
        for (int i = 0; i < lanes.length; i++) {
            records += lanes[(first + i) % lanes.length].drainTo(group, home.header.number());
        }
        firstLane = (first + 1) % lanes.length;
        int recordBytes = group.bodyBytes() - sealed;
        if (write(home)) {
            counters.group(records, recordBytes);
            lastGroupNeedsSeal = true;
            publish(lanes);
        }
        return records;
    }

    private int nextWithRecords(PartitionLogBuffer[] lanes) {
        for (int i = 0; i < lanes.length; i++) {
            int index = (firstLane + i) % lanes.length;
            if (lanes[index].pendingBytes() > 0) {
                return index;
            }
        }
        return -1;
    }

    private void publish(PartitionLogBuffer[] lanes) {
        for (PartitionLogBuffer lane : lanes) {
            if (lane.publish()) {
                listener.durable(lane);
            }
        }
    }

    /**
     * The segment, perhaps a new one, with room for the record bytes and so many seals after them; null if there is
     * none yet.
     */
    private @Nullable Current findRoom(StreamTable streams, int bytes, int seals) {
        Current home = current;
        if (home != null) {
            int sealed = segmentNeedsSeal ? sealBytes(streams) : 0;
            if (bytes + sealed <= home.room(seals * reserve(home.header, streams))) {
                return home;
            }
        }
        PreparedSegment next = supply.take();
        if (next == null) {
            health.shortage(supply.shortage());
            return null;
        }
        health.shortage(null);
        if (home != null) {
            live.add(home.header, sequencesIn(home, streams));
            counters.rotation();
            close(home);
        }
        home = new Current(next, next.header().blockBytes());
        current = home;
        segmentNeedsSeal = true;
        return home;
    }

    private SortedMap<Integer, Long> sequencesIn(Current segment, StreamTable streams) {
        SortedMap<Integer, Long> sequences = recoveredSequences;
        recoveredSequences = new TreeMap<>();
        for (PartitionLogBuffer lane : streams.lanes()) {
            if (lane.drainedSegment() == segment.header.number()) {
                sequences.put(lane.stream(), lane.drainedEnd().sequence());
            }
        }
        return sequences;
    }

    /** Bytes that must stay free in a segment so that the log can always be closed. */
    private static int reserve(SegmentHeader home, StreamTable streams) {
        return home.wholeBlocks(GroupHeader.BYTES + sealBytes(streams)) + home.blockBytes();
    }

    private static int sealBytes(StreamTable streams) {
        return RecordFormat.storedBytes(Seal.payloadBytes(streams.streamCount()));
    }

    private void appendSeal(SealReason reason, StreamTable streams) {
        Seal seal = new Seal(reason, streams.ends());
        byte[] record = new byte
                [RecordFormat.storedBytes(Seal.payloadBytes(seal.streams().size()))];
        sealWriter
                .wrap(record, 0, record.length, RecordKind.SEAL)
                .position(RecordFormat.LOG_STREAM, lastGroup + 1, life);
        int bytes = sealWriter.finish(seal.writeTo(record, sealWriter.payloadOffset()));
        group.append(record, 0, bytes);
        segmentNeedsSeal = false;
    }

    private int sealIfIdle() {
        boolean idle = clock.monotonicNanos() - lastWriteNanos >= settings.sealAfterIdleNanos();
        return lastGroupNeedsSeal && idle && seal(SealReason.IDLE, 2) ? 1 : 0;
    }

    /** Writes a seal and nothing else, if there is room for it and so many seals more. */
    private boolean seal(SealReason reason, int seals) {
        StreamTable streams = table.get();
        Current home = findRoom(streams, sealBytes(streams), seals);
        if (home == null) {
            return false;
        }
        group.begin(sealBytes(streams));
        appendSeal(segmentNeedsSeal && reason != SealReason.CLOSED ? SealReason.SEGMENT : reason, streams);
        if (!write(home)) {
            return false;
        }
        counters.group(0, 0);
        lastGroupNeedsSeal = false;
        return true;
    }

    /** The one fence of a group. */
    private boolean write(Current home) {
        ByteBuffer bytes = group.finish(home.header, home.offset, life, lastGroup + 1, lastGroup);
        int whole = bytes.remaining();
        long begin = clock.monotonicNanos();
        try {
            home.file.write(home.offset, bytes);
        } catch (IOException e) {
            health.fail(LogHealth.ofDevice("a synchronous write of " + whole + " bytes", home.name, home.offset, e));
            stopped();
            return false;
        }
        lastWriteNanos = clock.monotonicNanos();
        counters.fence(whole, lastWriteNanos - begin);
        lastGroup++;
        endsClosed = false;
        home.offset += whole;
        noteEnd();
        return true;
    }

    /**
     * Begins where a recovered log ends, or a new log, and attests all that was recovered. A log that has no space for
     * that begins without, for it must be open to learn what it may forget.
     */
    void begin(@Nullable PreparedSegment segment, int offset, SortedMap<Integer, Long> sequencesInSegment) {
        if (segment != null) {
            current = new Current(segment, offset);
            recoveredSequences = new TreeMap<>(sequencesInSegment);
            segmentNeedsSeal = offset == segment.header().blockBytes();
        }
        counters.liveSegments(live.count() + 1);
        while (!seal(SealReason.OPENED, 2)) {
            int work = health.failure() == null ? preparer.doWork() : 0;
            if (work == 0 && current == null && health.failure() == null) {
                health.fail(shortageAtBegin());
            }
            FulmarException failure = health.failure();
            if (failure != null) {
                throw failure;
            }
            if (work == 0) {
                health.shortage(supply.shortage());
                return;
            }
        }
    }

    private FulmarException shortageAtBegin() {
        FulmarException shortage = supply.shortage();
        return shortage != null
                ? shortage
                : new FulmarException(ErrorCode.INTERNAL, "no segment for the log and no reason; please report this");
    }

    /** Writes what is there and a last seal. */
    @Override
    public void onClose() {
        boolean wrote = true;
        while (wrote && !stopped()) {
            wrote = commitGroup() > 0;
        }
        if (!stopped() && !endsClosed) {
            seal(SealReason.CLOSED, 0);
        }
        closed = true;
        health.fail(new FulmarException(
                ErrorCode.NODE_STOPPING, "the log in " + settings.directory() + " is closed; open it again"));
        if (current != null) {
            close(current);
        }
    }

    private void close(Current segment) {
        try {
            segment.file.close();
        } catch (IOException e) {
            health.fail(LogHealth.ofDevice("closing", segment.name, segment.offset, e));
        }
    }
}
