package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.checkpoint.DecisionRows;
import dev.fulmar.coordinator.durability.checkpoint.OutcomeRows;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.checkpoint.Companions;
import dev.fulmar.engine.checkpoint.RowNumberRows;
import dev.fulmar.engine.table.ImageScan;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayDeque;
import java.util.List;

/** An image of a partition that one copy pulls. For the partition's thread, between transactions. */
final class RunningImage {
    /** Pieces that a hurried source makes for one pull. */
    private static final int HURRIED_PIECES = 4;

    private final PartitionRuntime runtime;
    private final BuildSettings settings;
    private final LedLogs.Hold hold;
    private final CopyOrigin origin;
    private final VersionReader versions;
    private final Companions companions;
    private final ImageScan rows;
    private final RowBatch batch;
    private final ArrayDeque<Chunk> unconfirmed = new ArrayDeque<>();
    private CopySource.Reader reader;
    private boolean companionsAreDone;
    private boolean isWhole;
    private boolean isQueued;
    private boolean isClosed;
    private long made;
    private long wantedEnd;
    private long heardNanos;

    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    private record Chunk(long number, byte[] rows, boolean last) {}

    /** Fixes the image, at a moment without a transaction. */
    RunningImage(
            PartitionRuntime runtime,
            BuildSettings settings,
            LedLogs.Led led,
            LedLogs.Hold hold,
            CopySource.Reader reader) {
        Invariants.check(
                runtime.partition().isQuiescent(), "a primary fixes an image while no transaction is under way");
        this.runtime = runtime;
        this.settings = settings;
        this.hold = hold;
        this.reader = reader;
        heardNanos = runtime.partition().clock().monotonicNanos();
        long timestamp = runtime.partition().timestamps().last();
        origin = new CopyOrigin(
                led.end(), timestamp, Math.toIntExact(runtime.catalogVersion()), led.epoch(), led.history());
        versions = runtime.storage().openReader(timestamp, heardNanos);
        versions.readAt(timestamp);
        companions = new Companions(List.of(
                new BoundsRow(runtime.storage(), null),
                new OutcomeRows(runtime, 0),
                new RowNumberRows(runtime.storage()),
                new DecisionRows(runtime.decisions(), 0)));
        companions.begin();
        rows = new ImageScan(runtime.storage(), versions);
        batch = new RowBatch(settings.chunkBytes());
    }

    CopyOrigin origin() {
        return origin;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether the copy has said nothing for so long that it is taken for gone. */
    boolean isForgotten(long nowNanos) {
        return nowNanos - heardNanos >= settings.silenceNanos();
    }

    /** The copy is there, and hears what follows in this way. */
    void heard(CopySource.Reader from) {
        reader = from;
        heardNanos = runtime.partition().clock().monotonicNanos();
    }

    void pull(long next, int credit, boolean again) {
        if (hold.isGone()) {
            refuse(CopySource.Refusal.LOG_GONE);
            return;
        }
        while (!unconfirmed.isEmpty() && unconfirmed.getFirst().number < next) {
            unconfirmed.removeFirst();
        }
        if (next < made && (unconfirmed.isEmpty() || unconfirmed.getFirst().number > next)) {
            refuse(CopySource.Refusal.UNKNOWN); // it had that chunk and asks for it again: it is not what it was
            return;
        }
        for (Chunk chunk : unconfirmed) {
            if (again && chunk.number < next + credit) {
                reader.chunk(chunk.number, chunk.rows, chunk.last);
            }
        }
        wantedEnd = Math.max(wantedEnd, next + Math.min(credit, settings.credit()));
        boolean hurries = runtime.storage().undoLog().heldBytes() >= settings.hurryBytes();
        for (int piece = 0; hurries && piece < HURRIED_PIECES && wantsMore(); piece++) {
            step();
        }
        if (wantsMore() && !isQueued) {
            isQueued = true;
            runtime.partition().slices().add(this::slice);
        }
    }

    private boolean wantsMore() {
        return !isClosed && !isWhole && made < wantedEnd;
    }

    private boolean slice() {
        Invariants.check(isQueued, "a partition thread has one slice of an image to make");
        if (wantsMore()) {
            step();
        }
        isQueued = wantsMore();
        return !isQueued;
    }

    private void step() {
        try {
            if (!companionsAreDone) {
                companionsAreDone = companions.fill(batch);
            } else {
                isWhole = rows.fill(batch);
            }
        } catch (FulmarException expired) {
            refuse(CopySource.Refusal.OVERTAKEN);
            return;
        }
        if (isWhole || batch.isFull()) {
            Chunk chunk = new Chunk(made++, ChunkFormat.write(batch), isWhole);
            batch.clear();
            unconfirmed.addLast(chunk);
            reader.chunk(chunk.number, chunk.rows, chunk.last);
        }
        if (isWhole) {
            leave(); // rows are copied; the log behind them is still needed
        }
    }

    void refuse(CopySource.Refusal reason) {
        close();
        reader.refused(reason);
    }

    void close() {
        isClosed = true;
        unconfirmed.clear();
        leave();
        hold.release();
    }

    private void leave() {
        versions.close();
        if (runtime.storage().moves().hasUnread()) {
            runtime.freeSlowly();
        }
    }
}
