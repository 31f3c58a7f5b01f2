package dev.fulmar.coordinator.durability.catalog;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordKind;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Journal of the catalog's changes, in a stream of their own. Changes come one at a time, each after the one before is
 * durable.
 */
public final class DurableJournal implements CatalogJournal, CheckpointSource {
    /** In the place of a table's id. */
    private static final int CHANGES = 0;

    private record Waiting(long position, long timestamp, LongConsumer durable) {}

    private final Supplier<@Nullable FulmarException> shortage;
    /** Bytes of a record beside the image of the catalog that is in it: terms of the copy, and headers. */
    private static final int BESIDE_IMAGE_BYTES = 4 << 10;

    private final PartitionLogBuffer lane;
    private final int maxRecordBytes;
    private final PartitionLog records;
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    private final AtomicReference<State> state;
    private final Clock clock;
    private final AppliedChanges made;
    private volatile int version;
    /** When the last change was made; later than every change before it. */
    private volatile long lastTimestamp;

    /** Changes that checkpoints have, and of which list. For the checkpointer's thread. */
    private int checkpointed;

    private int checkpointedList;
    private CopyRow.@Nullable Content checkpointedCopy;

    private volatile long cutPosition;

    /**
     * The changes so far, and where the stream stands after them.
     *
     * @param changes each as a {@link CatalogRecord}; only the first so many of a list that grows
     * @param list grows with each list that takes the place of another
     * @param copy what is so of this node's copy; null in a database without copies
     */
    private record State(
            List<byte[]> changes,
            int count,
            int list,
            CheckpointPosition position,
            long lanePosition,
            CopyRow.@Nullable Content copy) {}

    /** @param history all changes of earlier lives */
    public DurableJournal(OperationLog log, Runnable wakeLog, CatalogHistory history, Clock clock) {
        this(
                log.openLane(CatalogRecord.STREAM),
                log::shortage,
                log.settings().maxRecordBytes(),
                wakeLog,
                history,
                clock);
    }

    /** Of a database that keeps nothing on disk. */
    public static DurableJournal unwritten(
            PartitionLogBuffer lane, int maxRecordBytes, CatalogHistory history, Clock clock) {
        return new DurableJournal(lane, () -> null, maxRecordBytes, () -> {}, history, clock);
    }

    private DurableJournal(
            PartitionLogBuffer lane,
            Supplier<@Nullable FulmarException> shortage,
            int maxRecordBytes,
            Runnable wakeLog,
            CatalogHistory history,
            Clock clock) {
        this.shortage = shortage;
        this.clock = clock;
        this.made = history.made();
        this.lastTimestamp = history.lastTimestamp();
        this.checkpointed = history.checkpointed();
        this.lane = lane;
        this.maxRecordBytes = maxRecordBytes;
        this.records = new PartitionLog(lane, () -> version, wakeLog, maxRecordBytes);
        List<byte[]> changes = new CopyOnWriteArrayList<>(history.changes());
        // A list that checkpoints do not have the beginning of is written anew.
        int list = history.isReplaced() ? 1 : 0;
        this.state = new AtomicReference<>(
                new State(changes, changes.size(), list, position(), lane.position(), history.copy()));
    }

    @Override
    public void append(
            long newVersion, CatalogEntry entry, long promised, LongConsumer durable, Consumer<FulmarException> lost) {
        FulmarException none = shortage.get();
        if (none != null) {
            throw new FulmarException(none.code(), String.valueOf(none.getMessage()), none);
        }
        Invariants.check(waiting.get() == null, "catalog changes come one at a time");
        long position = write(newVersion, entry, promised);
        if (entry instanceof CatalogEntry.Asked asked) {
            made.add(asked.handle(), newVersion);
        }
        waiting.set(new Waiting(position, lastTimestamp, durable));
        durable();
    }

    @Override
    public long versionMadeUnder(ChangeHandle handle) {
        return made.version(handle);
    }

    /** Most bytes of an image of the catalog that a copy can write down in one record. */
    public int mostImageBytes() {
        return maxRecordBytes - BESIDE_IMAGE_BYTES;
    }

    /** The reason for which the log takes no more now; null while it has space. For any thread. */
    public @Nullable FulmarException shortage() {
        return shortage.get();
    }

    /** The stream's records. */
    public PartitionLog records() {
        return records;
    }

    /** A change that another node made is in the log. */
    public void copied(int newVersion, byte[] kept, long timestamp) {
        version = newVersion;
        lastTimestamp = Math.max(lastTimestamp, timestamp);
        noteChange(kept);
    }

    /**
     * Writes the change down; returns the position that must be durable before it counts.
     *
     * @param promised its timestamp is above this one
     */
    public long write(long newVersion, CatalogEntry entry, long promised) {
        Invariants.check(newVersion >= version, "a log's changes of the catalog lead to later versions");
        version = Math.toIntExact(newVersion);
        lastTimestamp =
                Math.max(Math.max(lastTimestamp, promised) + 1, HybridLogicalClock.ofMicros(clock.wallMicros()));
        if (entry instanceof CatalogEntry.Untold) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "a durable database takes changes of the catalog as statements only");
        }
        byte[] kept = CatalogRecord.of(version, entry);
        long position =
                records.bytes(RecordKind.CATALOG, CatalogRecord.kind(kept), CatalogRecord.rest(kept), lastTimestamp);
        noteChange(kept);
        return position;
    }

    private CheckpointPosition position() {
        return new CheckpointPosition(lane.lastSequence(), lane.epoch(), lastTimestamp, 0);
    }

    /** When the last change was made; 0 if there is none. For any thread. */
    public long lastTimestamp() {
        return lastTimestamp;
    }

    private void noteChange(byte[] kept) {
        State before = state.get();
        Invariants.check(before.changes.size() == before.count, "a log counts the changes of the catalog that it has");
        before.changes.add(kept);
        state.set(
                new State(before.changes, before.count + 1, before.list, position(), lane.position(), records.copy()));
    }

    /** The changes are these instead. */
    public void replaced(List<byte[]> changes, long timestamp) {
        lastTimestamp = timestamp;
        version = changes.isEmpty() ? 0 : CatalogRecord.version(changes.getLast());
        state.set(new State(
                new CopyOnWriteArrayList<>(changes),
                changes.size(),
                state.get().list + 1,
                position(),
                lane.position(),
                records.copy()));
    }

    /** The log has become longer, not in the midst of a change: checkpoints may go so far. */
    public void grown() {
        State before = state.get();
        if (before.lanePosition != lane.position()) {
            state.set(
                    new State(before.changes, before.count, before.list, position(), lane.position(), records.copy()));
        }
    }

    /** The stream ends earlier, behind the last change or later. */
    public void wentBack() {
        State before = state.get();
        state.set(new State(before.changes, before.count, before.list, position(), lane.position(), records.copy()));
    }

    @Override
    public int partition() {
        return CatalogRecord.STREAM;
    }

    @Override
    public void request(RowBatch batch) {
        State now = state.get();
        cutPosition = now.lanePosition;
        records.checkpointed(now.position.sequence());
        batch.at(now.position);
        if (now.list != checkpointedList) {
            batch.removeTable(CHANGES);
            checkpointed = 0;
            checkpointedList = now.list;
        }
        Invariants.check(checkpointed <= now.count, "a checkpoint has no change of the catalog that the log lacks");
        CopyRow.Content copy = now.copy;
        if (copy != null && !copy.equals(checkpointedCopy)) {
            byte[] row = CopyRow.bytes(copy);
            batch.add(CopyRow.TABLE, 0, 0, row, 0, row.length);
            checkpointedCopy = copy;
        }
        for (; checkpointed < now.count; checkpointed++) {
            byte[] change = now.changes.get(checkpointed);
            batch.add(CHANGES, 0, checkpointed, change, 0, change.length);
        }
        batch.complete(true);
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return lane.durablePosition() >= cutPosition;
    }

    /** The lane's durable position moved. Any thread. */
    public void durable() {
        Waiting change = waiting.get();
        if (change != null && change.position() <= lane.durablePosition() && waiting.compareAndSet(change, null)) {
            change.durable().accept(change.timestamp());
        }
    }
}
