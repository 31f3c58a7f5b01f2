package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.durability.checkpoint.DecisionRows;
import dev.fulmar.coordinator.durability.checkpoint.OutcomeRows;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.checkpoint.RowNumberRows;
import dev.fulmar.engine.table.ImageLoad;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Builds copies of one partition. For the partition's thread. */
public final class PartitionCopyTarget implements CopyTarget {
    /** Rows that go into the indexes in one slice. */
    private static final int INDEXED_ROWS = 500;

    private final PartitionRuntime runtime;
    private final BuildSettings settings;
    private final CopyPlace place;
    private final BuildOutbox outbox;
    private final Listener listener;
    private volatile @Nullable Build build;

    private enum Stage {
        BEGINNING,
        GIVING_UP,
        LOADING,
        INDEXING,
        STORING,
        BUILT
    }

    public PartitionCopyTarget(
            PartitionRuntime runtime, BuildSettings settings, CopyPlace place, BuildOutbox outbox, Listener listener) {
        this.runtime = runtime;
        this.settings = settings;
        this.place = place;
        this.outbox = outbox;
        this.listener = listener;
    }

    @Override
    public void build(CopyId copy, NodeId source) {
        giveUp();
        Build begun = new Build(copy, source);
        build = begun;
        begun.begin();
    }

    @Override
    public void giveUp() {
        Build given = build;
        build = null;
        if (given != null) {
            given.end();
        }
    }

    @Override
    public void follows() {
        giveUp();
    }

    @Override
    public boolean isBuilding() {
        Build current = build;
        return current != null && current.stage != Stage.BUILT;
    }

    /** Whether there is a copy, of whatever stage, that has not come to its end here. For any thread. */
    boolean isAtWork() {
        return build != null;
    }

    /** Takes a message of a source. */
    void received(NodeId from, BuildMessage message, byte[] rows) {
        Build current = build;
        if (current == null || !current.source.equals(from) || !current.copy.equals(message.copy())) {
            return; // of a copy that was given up
        }
        current.heardNanos = nowNanos();
        try {
            current.received(message, rows);
        } catch (FulmarException e) {
            fail(current, String.valueOf(e.getMessage()));
            if (e.code() == ErrorCode.MALFORMED_REQUEST || e.code() == ErrorCode.VERSION_MISMATCH) {
                outbox.endLink(from, String.valueOf(e.getMessage()));
            }
        }
    }

    /** Asks again for what does not come, and gives up a source that is silent. To be called now and then. */
    public void timePassed() {
        Build current = build;
        if (current != null) {
            current.timePassed();
        }
    }

    private void fail(Build failed, String reason) {
        if (build == failed) {
            build = null;
            failed.end();
            listener.failed(failed.copy, reason);
        }
    }

    private long nowNanos() {
        return runtime.partition().clock().monotonicNanos();
    }

    /** One copy. */
    private final class Build {
        private final CopyId copy;
        private final NodeId source;
        private final ImageLoad rows = new ImageLoad(runtime.storage());
        private final RowNumberRows numbers = new RowNumberRows(runtime.storage());
        private Stage stage = Stage.BEGINNING;
        private @Nullable CopyOrigin origin;
        private long shapeChanges;
        private boolean isPrepared;
        private long next;
        private long heardNanos;
        private long askedNanos;

        Build(CopyId copy, NodeId source) {
            this.copy = copy;
            this.source = source;
        }

        void begin() {
            heardNanos = nowNanos();
            ask(false);
        }

        private void become(Stage next) {
            Invariants.check(next.compareTo(stage) == 1, "a copy that is built goes from stage to stage");
            stage = next;
        }

        /** Says what is wanted, perhaps once more. */
        private void ask(boolean again) {
            askedNanos = nowNanos();
            switch (stage) {
                case BEGINNING ->
                    send(new BuildMessage.Begin(runtime.partition().id(), copy));
                case LOADING -> pull(isCatalogHere() ? settings.credit() : 0, again);
                case GIVING_UP, INDEXING, STORING, BUILT -> pull(0, false);
            }
        }

        private void pull(int credit, boolean again) {
            send(new BuildMessage.Pull(runtime.partition().id(), copy, next, credit, again));
        }

        private void send(BuildMessage message) {
            outbox.send(source, BuildFormat.bytes(message));
        }

        void end() {
            send(new BuildMessage.End(runtime.partition().id(), copy));
        }

        void received(BuildMessage message, byte[] chunk) {
            switch (message) {
                case BuildMessage.Begun begun -> begun(begun.origin());
                case BuildMessage.Chunk part -> {
                    if (stage == Stage.LOADING && part.number() == next && isCatalogHere()) {
                        load(chunk, part.last());
                    }
                }
                case BuildMessage.Refused refused -> {
                    if (stage.compareTo(Stage.STORING)
                            < 0) { // else all rows are here, and the log says the copy is there
                        fail(this, "the source refuses: " + refused.reason());
                    }
                }
                case BuildMessage.Begin _, BuildMessage.Pull _, BuildMessage.End _ -> {}
            }
        }

        private void begun(CopyOrigin found) {
            if (stage != Stage.BEGINNING) {
                return;
            }
            if (found.epoch() < place.heardEpoch()) {
                fail(this, "the source has been deposed");
                return;
            }
            origin = found;
            become(Stage.GIVING_UP);
            place.giveUp(copy, () -> {
                if (build == this) {
                    become(Stage.LOADING);
                    ask(false);
                }
            });
        }

        private CopyOrigin origin() {
            CopyOrigin known = origin;
            if (known == null) {
                throw new IllegalStateException("a copy that is loaded has an origin");
            }
            return known;
        }

        /** Whether the node knows all tables that the image may have rows of. */
        private boolean isCatalogHere() {
            return place.catalogVersion() >= origin().catalogVersion();
        }

        private void load(byte[] chunk, boolean last) {
            if (!isPrepared) {
                isPrepared = true;
                place.prepare(origin());
                shapeChanges = runtime.storage().shapeChanges();
            }
            if (hasOtherTables()) {
                return;
            }
            // Another node has these rows within its limits: this one's do not count.
            runtime.storage().beginRecovery();
            try {
                ChunkFormat.read(chunk, this::take);
            } finally {
                runtime.storage().endRecovery();
            }
            next++;
            if (last) {
                become(Stage.INDEXING);
                runtime.partition().slices().add(this::index);
            }
            ask(false);
        }

        /**
         * Whether tables or indexes came or went, and the copy is given up: rows that are there are in new indexes,
         * others are not.
         */
        private boolean hasOtherTables() {
            boolean changed = shapeChanges != runtime.storage().shapeChanges();
            if (changed && rows.rows() > 0) {
                fail(this, "the catalog changed while the copy was built");
                return true;
            }
            shapeChanges = runtime.storage().shapeChanges();
            return false;
        }

        private void take(int table, int bucket, long row, byte[] array, int offset, int length) {
            if (table == BoundsRow.TABLE && rows.rows() == 0) {
                bounds(array, offset, length);
            } else if (table == OutcomeRows.TABLE) {
                OutcomeRows.restore(runtime, Arrays.copyOfRange(array, offset, offset + length));
            } else if (table == RowNumberRows.TABLE && length == Long.BYTES && bucket >= 0 && row == (int) row) {
                numbers.restore(bucket, row, array, offset);
            } else if (table == DecisionRows.TABLE) {
                DecisionRows.restore(runtime.decisions(), Arrays.copyOfRange(array, offset, offset + length));
            } else if (table < 0) {
                throw BuildFormat.malformed("a row of table " + table + " with " + length + " bytes");
            } else if (runtime.storage().hasTable(table)) { // else it was dropped since
                rows.row(table, bucket, row, array, offset, length);
            }
        }

        private void bounds(byte[] array, int offset, int length) {
            try {
                BoundsRow.restore(runtime.storage(), array, offset, length);
            } catch (FulmarException malformed) {
                throw BuildFormat.malformed("bounds of buckets: " + malformed.getMessage());
            }
        }

        private boolean index() {
            if (build != this || hasOtherTables()) {
                return true;
            }
            runtime.storage().beginRecovery();
            try {
                if (!rows.index(INDEXED_ROWS)) {
                    return false;
                }
                become(Stage.STORING);
                numbers.finishRestore();
                runtime.partition().timestamps().observe(origin().commitTimestamp());
                place.complete(copy, origin(), this::stored);
            } catch (FulmarException e) {
                fail(this, String.valueOf(e.getMessage()));
            } finally {
                runtime.storage().endRecovery();
            }
            return true;
        }

        private void stored() {
            if (build != this) {
                return;
            }
            become(Stage.BUILT);
            CopyOrigin from = origin();
            // The image shows rows as they are, whether all copies in sync have them or not.
            listener.built(new CopyState(copy, from.epoch(), from.history(), from.end(), from.end(), 0, from.end()));
        }

        void timePassed() {
            long nowNanos = nowNanos();
            if (nowNanos - heardNanos >= settings.silenceNanos() && stage != Stage.BUILT && stage != Stage.STORING) {
                fail(this, "the source is silent");
            } else if (nowNanos - askedNanos >= settings.retryNanos()) {
                ask(true);
            }
        }
    }
}
