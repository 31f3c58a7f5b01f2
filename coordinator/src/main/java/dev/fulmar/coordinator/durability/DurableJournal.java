package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import dev.fulmar.pmemlog.log.LogLane;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.record.RecordKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The changes of the catalog, in a stream of their own. Changes come one at a time, each after the one before is durable. */
final class DurableJournal implements CatalogJournal, CheckpointSource {
    /** The stream of the catalog. */
    static final int STREAM = -2;

    static final int STATEMENT = 1;
    static final int JAR = 2;

    /** A statement about users, roles or rights. */
    static final int ACCESS = 3;

    private record Waiting(long position, Runnable durable) {}

    private final Supplier<@Nullable FulmarException> shortage;
    private final LogLane lane;
    private final PartitionLog records;
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    private final AtomicReference<State> state;
    private final Clock clock;
    private volatile int version;
    /** When the last change was made; later than every change before it. */
    private volatile long lastTimestamp;

    /** Changes that checkpoints have. For the checkpointer's thread. */
    private int checkpointed;

    private volatile long cutPosition;

    /**
     * The changes so far, and where the stream stands after them.
     *
     * @param changes each as {@link CatalogHistory} keeps it; only the first so many of a list that grows
     */
    private record State(List<byte[]> changes, int count, CheckpointPosition position, long lanePosition) {}

    /**
     * @param changes all changes of earlier lives
     * @param checkpointed how many of them are in a checkpoint
     * @param lastTimestamp when the last of them was made
     */
    DurableJournal(
            OperationLog log,
            Runnable wakeLog,
            List<byte[]> changes,
            int checkpointed,
            long lastTimestamp,
            Clock clock) {
        this(
                log.openLane(STREAM),
                log::shortage,
                log.settings().maxRecordBytes(),
                wakeLog,
                changes,
                checkpointed,
                lastTimestamp,
                clock);
    }

    /** Of a database that keeps nothing on disk. */
    static DurableJournal unwritten(LogLane lane, int maxRecordBytes, Clock clock) {
        return new DurableJournal(lane, () -> null, maxRecordBytes, () -> {}, List.of(), 0, 0, clock);
    }

    private DurableJournal(
            LogLane lane,
            Supplier<@Nullable FulmarException> shortage,
            int maxRecordBytes,
            Runnable wakeLog,
            List<byte[]> changes,
            int checkpointed,
            long lastTimestamp,
            Clock clock) {
        this.shortage = shortage;
        this.clock = clock;
        this.lastTimestamp = lastTimestamp;
        this.checkpointed = checkpointed;
        this.lane = lane;
        this.records = new PartitionLog(lane, () -> version, wakeLog, maxRecordBytes);
        this.state = new AtomicReference<>(
                new State(new CopyOnWriteArrayList<>(changes), changes.size(), position(), lane.position()));
    }

    @Override
    public void append(long newVersion, CatalogEntry entry, Runnable durable) {
        FulmarException none = shortage.get();
        if (none != null) {
            throw new FulmarException(none.code(), String.valueOf(none.getMessage()), none);
        }
        Invariants.check(waiting.get() == null, "catalog changes come one at a time");
        long position = write(newVersion, entry);
        waiting.set(new Waiting(position, durable));
        durable();
    }

    /** The stream's records. */
    PartitionLog records() {
        return records;
    }

    /** A change that another node made is in the log. */
    void copied(int newVersion, byte[] kept, long timestamp) {
        version = newVersion;
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        noteChange(kept);
    }

    /** Writes the change down; returns the position that must be durable before it counts. */
    long write(long newVersion, CatalogEntry entry) {
        version = Math.toIntExact(newVersion);
        lastTimestamp = Math.max(lastTimestamp + 1, HybridLogicalClock.ofMicros(clock.wallMicros()));
        long position = switch (entry) {
            case CatalogEntry.Statement(String text) ->
                records.bytes(RecordKind.CATALOG, STATEMENT, text.getBytes(StandardCharsets.UTF_8), lastTimestamp);
            case CatalogEntry.Access(String text) ->
                records.bytes(RecordKind.CATALOG, ACCESS, text.getBytes(StandardCharsets.UTF_8), lastTimestamp);
            case CatalogEntry.Jar(byte[] bytes) -> records.bytes(RecordKind.CATALOG, JAR, bytes, lastTimestamp);
            case CatalogEntry.Untold() ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "a durable database takes changes of the catalog as statements only");
        };
        noteChange(CatalogHistory.kept(Math.toIntExact(newVersion), entry));
        return position;
    }

    private CheckpointPosition position() {
        return new CheckpointPosition(lane.lastSequence(), lane.epoch(), lastTimestamp, 0);
    }

    /** When the last change was made; 0 if there is none. For any thread. */
    long lastTimestamp() {
        return lastTimestamp;
    }

    private void noteChange(byte[] kept) {
        State before = state.get();
        before.changes.add(kept);
        state.set(new State(before.changes, before.count + 1, position(), lane.position()));
    }

    /** The stream ends earlier, behind the last change or later. */
    void wentBack() {
        State before = state.get();
        state.set(new State(before.changes, before.count, position(), lane.position()));
    }

    @Override
    public int partition() {
        return STREAM;
    }

    @Override
    public void request(RowBatch batch) {
        State now = state.get();
        cutPosition = now.lanePosition;
        records.checkpointed(now.position.sequence());
        batch.at(now.position);
        for (; checkpointed < now.count; checkpointed++) {
            byte[] change = now.changes.get(checkpointed);
            batch.add(0, 0, checkpointed, change, 0, change.length);
        }
        batch.complete(true);
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return lane.durablePosition() >= cutPosition;
    }

    /** The lane's durable position moved. Any thread. */
    void durable() {
        Waiting change = waiting.get();
        if (change != null && change.position() <= lane.durablePosition() && waiting.compareAndSet(change, null)) {
            change.durable().run();
        }
    }
}
