package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.catalog.DurableJournal;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.LogPayload;
import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.durability.log.PayloadAssembly;
import dev.fulmar.coordinator.durability.log.RecordMemory;
import dev.fulmar.coordinator.durability.log.TermRecord;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replay of the catalog stream: makes known here each change that another node made. Once all copies in sync have it,
 * so that it will always count, the partitions that this node leads take it on. A change that another primary does not
 * have is never used.
 *
 * <p>Nor is what this node's own log does not have on the device: partitions write records of a version, as primaries
 * and as copies, once it is settled here, and a start needs all versions of which it finds records. So what the log is
 * {@linkplain #released released} up to is durable, and the changes of an image are settled when the record that has
 * them is.
 */
public final class CatalogReplay implements StreamReplay {
    private static final int MOST_PARTS_BYTES = 256 << 20;

    private final CatalogHistory history;
    private final DurableJournal journal;
    private final Adopter adopter;
    private final PayloadAssembly parts = new PayloadAssembly();
    private final List<Unsettled> unsettled = new ArrayList<>();
    private EpochHistory terms;
    private byte @Nullable [] whole;
    private boolean isMidway;
    private long sequence;
    private int version;
    private long timestamp;

    /** Hears once that the change counts, or that it does not. */
    public interface Outcome {
        /** @param timestamp of the change's record or a later one */
        void settled(long timestamp);

        void lost();
    }

    /** A change in the log that not all copies in sync are known to have. */
    private record Unsettled(
            long sequence, long version, @Nullable Outcome outcome) {}

    /** Sequence of what an image has until it is known where the log goes on, with a record that has all of it. */
    private static final long NOT_WRITTEN = Long.MAX_VALUE;

    /** Takes a version of the catalog on, after those before it. */
    public interface Adopter {
        void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps);

        /**
         * The change counts that led to the version; before {@link #adopt}.
         *
         * @param timestamp of its record or a later one
         */
        void settled(long version, byte[] kept, long timestamp);

        /** Drops versions above this one, of which no client was told: they do not count after all. */
        void fallBack(Catalog catalog, ProcedureJars jars);
    }

    public CatalogReplay(CatalogHistory history, DurableJournal journal, Adopter adopter) {
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
        isMidway = payload == null;
        if (payload == null) {
            return;
        }
        if (record.kind() == RecordKind.EPOCH) {
            terms = TermRecord.read(
                    payload, LogPayload.read(payload, 0, payload.length).begin(), payload.length);
            return;
        }
        version = record.catalogVersion();
        sequence = record.sequence();
        history.add(version, payload);
        whole = payload;
    }

    @Override
    public void logged() {
        byte[] change = whole;
        whole = null;
        if (change != null) {
            journal.copied(version, history.newest(), timestamp);
            unsettled.add(new Unsettled(sequence, version, null));
            checkLast();
        }
    }

    private void checkLast() {
        Unsettled last = unsettled.getLast();
        Unsettled before = unsettled.get(Math.max(0, unsettled.size() - 2));
        Invariants.check(
                before.sequence <= last.sequence && before.version <= last.version,
                "a log's changes of the catalog come to count in their order");
    }

    /** This node made a change, whose last record is in the log. */
    public void made(long lastSequence, long newVersion, Outcome outcome) {
        timestamp = journal.lastTimestamp();
        unsettled.add(new Unsettled(lastSequence, newVersion, outcome));
        checkLast();
    }

    @Override
    public void released(long to) {
        while (!unsettled.isEmpty() && unsettled.getFirst().sequence <= to) {
            Unsettled change = unsettled.removeFirst();
            history.settle(change.version);
            settled(change);
        }
    }

    private void settled(Unsettled change) {
        Outcome outcome = change.outcome;
        if (outcome != null) {
            outcome.settled(timestamp);
        } else {
            adopt(change.version);
        }
    }

    private void adopt(long number) {
        CatalogHistory.Edition edition = history.edition(number);
        byte[] kept = history.keptOf(number);
        if (kept != null) {
            adopter.settled(number, kept, timestamp);
        }
        if (edition != null) {
            adopter.adopt(edition.catalog(), edition.jars(), history.steps(number));
        }
    }

    @Override
    public void joined(long end) {
        history.unsettle();
        unsettled.add(new Unsettled(end, history.catalog().version(), null));
    }

    @Override
    public void offered() {
        if (!isMidway) {
            journal.grown();
        }
    }

    @Override
    public @Nullable RecordMemory takeNewest() {
        return null;
    }

    @Override
    public void wentBack(long end) {
        // Beginnings of terms went, no changes: what was to count with one of them counts with the log as it is.
        unsettled.replaceAll(
                change -> change.sequence <= end ? change : new Unsettled(end, change.version, change.outcome));
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
        return history.settled();
    }

    @Override
    public long life() {
        CopyRow.Content copy = history.copy();
        return copy == null ? 0 : copy.life();
    }

    @Override
    public boolean isDiscarded() {
        return false;
    }

    @Override
    public void beginAnew(long newVersion) {
        throw Invariants.breach("the catalog has an image instead of rows");
    }

    @Override
    public void load(CatalogImage image) {
        List<Unsettled> open = List.copyOf(unsettled);
        unsettled.clear();
        parts.clear();
        isMidway = false;
        if (history.cutToCommon(image.changes())) {
            adopter.fallBack(history.catalog(), history.jars());
        }
        long common = history.catalog().version();
        history.append(image.changes());
        timestamp = Math.max(image.timestamp(), timestamp);
        long told = history.settled();
        for (Unsettled change : open) {
            Outcome outcome = change.outcome;
            if (change.version <= common) {
                unsettled.add(new Unsettled(NOT_WRITTEN, change.version, outcome));
                told = Math.max(told, change.version);
            } else if (outcome != null) {
                outcome.lost();
            }
        }
        for (long number = told + 1; number <= history.catalog().version(); number++) {
            unsettled.add(new Unsettled(NOT_WRITTEN, number, null));
        }
    }

    @Override
    public byte[] content() {
        return new CatalogImage(timestamp, history.changes()).bytes();
    }

    @Override
    public void goOnBehind(long newEnd, long life, EpochHistory newTerms) {
        terms = newTerms;
        unsettled.replaceAll(change -> new Unsettled(newEnd, change.version, change.outcome));
        journal.replaced(history.changes(), timestamp);
    }

    @Override
    public void promote() {}

    @Override
    public InDoubtResolver.@Nullable Doubt inDoubt() {
        return null;
    }

    @Override
    public void resolve(PartitionLog log, boolean commit, long commitTimestamp) {}
}
