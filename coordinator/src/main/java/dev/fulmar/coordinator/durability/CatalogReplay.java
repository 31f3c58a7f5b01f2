package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The catalog's stream: each change that another node made becomes known here, and then the partitions that this node leads take it on. */
final class CatalogReplay implements StreamReplay {
    private static final int MOST_PARTS_BYTES = 256 << 20;

    private final CatalogHistory history;
    private final DurableJournal journal;
    private final Adopter adopter;
    private final PayloadParts parts = new PayloadParts();
    private EpochHistory terms;
    private byte @Nullable [] whole;
    private int version;
    private long timestamp;

    /** Takes a version of the catalog on, after those before it. */
    @FunctionalInterface
    interface Adopter {
        void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps);
    }

    CatalogReplay(CatalogHistory history, DurableJournal journal, Adopter adopter) {
        this.history = history;
        this.journal = journal;
        this.adopter = adopter;
        this.terms = history.terms();
        this.timestamp = history.lastTimestamp();
    }

    @Override
    public boolean takes(RecordKind kind) {
        return kind == RecordKind.CATALOG || kind == RecordKind.EPOCH;
    }

    @Override
    public boolean takes(long catalogVersion) {
        return true;
    }

    @Override
    public void begin() {}

    @Override
    public void end() {}

    @Override
    public void next(RecordReader record) {
        byte[] payload = parts.add(record, 0);
        if (record.payloadBytes() > MOST_PARTS_BYTES) {
            throw new FulmarException(ErrorCode.MALFORMED_REQUEST, "a change of the catalog is too large");
        }
        timestamp = Math.max(timestamp, record.commitTimestamp());
        whole = null;
        if (payload == null) {
            return;
        }
        if (record.kind() == RecordKind.EPOCH) {
            terms = TermRecord.read(
                    payload, LogPayload.read(payload, 0, payload.length).begin(), payload.length);
            return;
        }
        version = record.catalogVersion();
        history.add(version, payload);
        whole = payload;
    }

    @Override
    public void logged() {
        byte[] change = whole;
        whole = null;
        if (change == null) {
            return;
        }
        journal.copied(version, history.newest(), timestamp);
        CatalogHistory.Edition edition = history.edition(version);
        if (edition != null) {
            adopter.adopt(edition.catalog(), edition.jars(), history.steps(version));
        }
    }

    @Override
    public @Nullable RecordMemory takeNewest() {
        return null;
    }

    @Override
    public void wentBack() {
        journal.wentBack();
    }

    @Override
    public EpochHistory terms() {
        return terms;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public long catalogVersion() {
        return history.catalog().version();
    }

    @Override
    public long life() {
        return 0;
    }

    @Override
    public boolean isDiscarded() {
        return false;
    }

    @Override
    public void beginAnew(long newVersion) {
        throw Invariants.breach("the catalog is not built from an image");
    }

    @Override
    public void goOnBehind(long sequence, long life, EpochHistory newTerms) {
        throw Invariants.breach("the catalog is not built from an image");
    }

    @Override
    public void promote() {}

    @Override
    public PromotionDoubts.@Nullable Doubt inDoubt() {
        return null;
    }

    @Override
    public void resolve(PartitionLog log, boolean commit, long commitTimestamp) {}
}
