package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.LoadedEditions;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.LogPayload;
import dev.fulmar.coordinator.durability.log.LoggedCommand;
import dev.fulmar.coordinator.durability.log.PayloadAssembly;
import dev.fulmar.coordinator.durability.log.RecordMemory;
import dev.fulmar.coordinator.durability.log.TermRecord;
import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.transaction.HistoryTransfer;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.durability.ChangeReplay;
import dev.fulmar.engine.execution.ViewFilling;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.LoadReport;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Replays the commits of one partition's stream, in a recovery and on a copy that follows. One thread. */
public final class PartitionReplay {
    /** Most bytes of outcomes for the memories of other partitions until they are handed over; the oldest make way. */
    private static final long FOREIGN_OUTCOME_BYTES = 16 << 20;

    private static final String COPY_CHANGED = "the copy's tables change; send the request again";

    /**
     * A participant's part that waits for its decision.
     *
     * @param base partition that knows the decision; null if any participant's stream may have it
     * @param proposal the earliest timestamp that it may commit with
     * @param segment segment of the log that the record is in
     * @param offset where in the segment
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Prepared(
            TransactionId transaction,
            int attempt,
            @Nullable PartitionId base,
            long proposal,
            long catalogVersion,
            byte[] payload,
            int begin,
            long segment,
            int offset) {
        /**
         * Whether a record at the place was written after the vote. Only such a one can be the decision, whatever it
         * says.
         */
        boolean isBefore(long otherSegment, int otherOffset) {
            return segment < otherSegment || (segment == otherSegment && offset < otherOffset);
        }
    }

    private final PartitionRuntime runtime;
    private final PartitionStorage storage;
    private final CatalogHistory history;
    private final long upTo;
    private final ChangeReplay changes;
    private final CommandReplay commands;
    private final PayloadAssembly parts = new PayloadAssembly();
    private final CRC32C digest = new CRC32C();
    private final ArrayDeque<RequestOutcome> foreignOutcomes = new ArrayDeque<>();
    private long foreignBytes;
    private int nextVersion;
    private long covered;
    private @Nullable Prepared prepared;
    private EpochHistory terms = EpochHistory.EMPTY;
    private @Nullable RecordMemory newest;

    /** Life of the copy that log and checkpoint have, 0 if they do not say. */
    private long life;

    /** Whether the copy was not whole when the process ended, so that it counts for nothing. */
    private boolean isDiscarded;

    /** Whether the tables have the rows of a position in the log; else a checkpoint or an image brings them. */
    private boolean hasRows = true;

    private long lastTimestamp;

    /**
     * Bound on the timestamps of the rows, at first the clock when the copy began to follow. Promises, which only move
     * the clock, do not count.
     */
    private long newestCommit;

    private long transactions;
    private long rows;
    private long logBytes;

    /**
     * @param history versions of the catalog, which may become more
     * @param upTo timestamp of the last commit that is wanted
     */
    public PartitionReplay(PartitionRuntime runtime, CatalogHistory history, LoadedEditions editions, long upTo) {
        this.upTo = upTo;
        this.history = history;
        this.runtime = runtime;
        this.storage = runtime.storage();
        this.changes = new ChangeReplay(storage);
        this.commands = new CommandReplay(runtime, editions, changes);
    }

    PartitionRuntime runtime() {
        return runtime;
    }

    /** Begins with the partition's checkpoint; returns what was read of it. */
    LoadReport load(Checkpoints checkpoints) {
        CheckpointPosition position =
                checkpoints.position(runtime.partition().id().number());
        makeTables(position.catalogVersion());
        LoadReport report = checkpoints.load(runtime);
        covered = position.sequence();
        passed(position.commitTimestamp());
        CopyRow.Content copy = checkpoints.copy(runtime.partition().id().number());
        if (copy != null) {
            terms = copy.terms();
            life = copy.life();
            isDiscarded = !copy.isWhole();
        }
        return report;
    }

    /**
     * A copy was begun here that another node had: what was before is gone, and what it holds is in a checkpoint or
     * nowhere. Lives of copies only grow, and this is the last one that was begun: so a checkpoint of an earlier life
     * is of what is gone, and one of a later life is of what became of this copy, which began another life with a
     * process because it does not keep what it confirms.
     */
    private void copyBegun(RecordReader record) {
        byte[] payload = record.payload();
        CopyRow.Content copy = CopyRow.read(payload, LogPayload.restOffset(payload, 0), payload.length);
        isDiscarded |= copy.life() > life || covered < record.sequence();
        life = Math.max(life, copy.life());
        if (covered <= record.sequence()) {
            terms = copy.terms();
        }
        prepared = null;
        foreignOutcomes.clear();
        foreignBytes = 0;
    }

    /** Begins anew, without rows, with the tables of a version of the catalog. */
    void beginAnew(long catalogVersion) {
        storage.expireReaders(COPY_CHANGED);
        runtime.forgetTables();
        runtime.storageStands(0);
        commands.tablesReplaced();
        nextVersion = 0;
        prepared = null;
        parts.clear();
        foreignOutcomes.clear();
        foreignBytes = 0;
        makeTables(catalogVersion);
        changes.tablesChanged();
    }

    /** The rows are those behind a record of a log with these terms, and that log goes on. */
    void goOnBehind(long sequence, long copyLife, EpochHistory newTerms) {
        covered = sequence;
        terms = newTerms;
        life = copyLife;
        isDiscarded = false;
        lastTimestamp = runtime.partition().timestamps().last();
        beganToFollow();
    }

    /** Takes the clock as bound of the rows' timestamps: no row came without the clock, in whatever way it came. */
    void beganToFollow() {
        newestCommit = runtime.partition().timestamps().last();
    }

    /** A timestamp that no row of the copy is above. */
    long newestCommit() {
        return newestCommit;
    }

    /** Whether the copy that was found is not whole, so that it counts for nothing. */
    boolean isDiscarded() {
        return isDiscarded;
    }

    /** Life of the copy that was found, 0 if nothing says it. */
    long life() {
        return life;
    }

    /** Keeps the newest records that are read from the log, for copies that lag behind. */
    void keepNewest(long bytes) {
        newest = new RecordMemory(0, bytes);
    }

    /** Hands over the newest records of the log, to be kept from now on; null if none were to be kept. */
    @Nullable RecordMemory takeNewest() {
        RecordMemory kept = newest;
        newest = null;
        return kept;
    }

    private void keep(RecordReader record) {
        RecordMemory kept = newest;
        if (kept == null) {
            return;
        }
        if (record.kind() == RecordKind.COPY) {
            kept.restart(record.sequence());
            return;
        }
        if (record.sequence() != kept.end() + 1) {
            kept.restart(record.sequence() - 1);
        }
        kept.add(record.array(), record.payloadOffset() - RecordFormat.HEADER_BYTES, record.storedBytes());
    }

    /** The next record of the stream. If it fails nothing of it was done. */
    void record(RecordReader record, long segment, int offset) {
        keep(record);
        if (record.kind() == RecordKind.COPY) {
            copyBegun(record);
            return;
        }
        if (isDiscarded) {
            return;
        }
        byte[] whole = parts.add(record, covered);
        if (whole == null) {
            return;
        }
        if (record.commitTimestamp() > upTo && record.kind() != RecordKind.PREPARE) {
            if (record.kind() != RecordKind.DECISION || isOurs(LogPayload.read(whole, 0, whole.length))) {
                prepared = null; // its part has the same timestamp, or was undone
            }
            return;
        }
        Prepared before = prepared;
        try {
            whole(record, whole, segment, offset);
        } catch (FulmarException failed) {
            prepared = before;
            throw failed;
        }
    }

    private void whole(RecordReader record, byte[] whole, long segment, int offset) {
        if (record.kind() == RecordKind.COMMAND) {
            command(record, whole);
            return;
        }
        LogPayload payload = LogPayload.read(whole, 0, whole.length);
        if (record.sequence() <= covered) {
            // The checkpoint has the rows. The outcome may belong to a partition whose checkpoint is older.
            remember(record, payload);
            return;
        }
        logBytes += whole.length;
        switch (record.kind()) {
            case VALUES -> {
                prepared = null; // whatever waited for a decision was undone, or its decision would stand before this
                checkDigest(record, whole, payload.begin());
                apply(record.catalogVersion(), whole, payload.begin(), record.commitTimestamp());
                remember(record, payload);
            }
            case PREPARE -> {
                checkDigest(record, whole, payload.begin());
                prepared = new Prepared(
                        transactionOf(payload),
                        payload.attempt(),
                        payload.partitions().isEmpty()
                                ? null
                                : payload.partitions().getFirst(),
                        record.commitTimestamp(),
                        record.catalogVersion(),
                        whole,
                        payload.begin(),
                        segment,
                        offset);
            }
            case DECISION -> decide(record, payload);
            case EPOCH -> terms = TermRecord.read(whole, payload.begin(), whole.length);
            case RECONFIGURATION -> {
                checkDigest(record, whole, payload.begin());
                takeStep(record, Arrays.copyOfRange(whole, payload.begin(), whole.length));
            }
            case COMMAND, FRAGMENTS, CATALOG, SEAL, COPY ->
                throw new FulmarException(
                        ErrorCode.VERSION_MISMATCH,
                        "a record of kind " + record.kind()
                                + " is in a partition's stream, which this version of Fulmar"
                                + " does not know; start the version that wrote it");
        }
    }

    /** Replays a call. Its request's outcome belongs to this partition, whose checkpoint has it if it has the rows. */
    private void command(RecordReader record, byte[] whole) {
        if (record.sequence() <= covered) {
            return;
        }
        prepared = null;
        logBytes += whole.length;
        checkVersion(record.catalogVersion());
        changeCatalog(record.catalogVersion());
        rows += commands.run(record, LoggedCommand.read(whole, 0, whole.length));
        done(record.commitTimestamp());
    }

    /** Takes a step of a reconfiguration, with the tables that the primary had. */
    private void takeStep(RecordReader record, byte[] step) {
        prepared = null;
        checkVersion(record.catalogVersion());
        changeCatalog(record.catalogVersion());
        PartitionData data = new PartitionData(
                new BucketTransfer(storage),
                new HistoryTransfer(runtime),
                planOf(record.catalogVersion()),
                record.commitTimestamp());
        runtime.steps().replay(runtime.partition().id(), data, step);
        runtime.freeSlowly();
        changes.tablesChanged();
        done(record.commitTimestamp());
    }

    private PartitionPlan nextPlan() {
        return planOf(history.versions().get(nextVersion).number());
    }

    private PartitionPlan planOf(long catalogVersion) {
        CatalogHistory.Edition edition = history.edition(catalogVersion);
        return runtime.program().planOf(edition == null ? Catalog.empty() : edition.catalog());
    }

    private void checkVersion(long catalogVersion) {
        long newestVersion = history.catalog().version();
        if (catalogVersion > newestVersion) {
            throw new FulmarException(
                    upTo == Long.MAX_VALUE ? ErrorCode.CORRUPTION : ErrorCode.INVALID_CONFIGURATION,
                    "a transaction ran with version " + catalogVersion + " of the catalog, but "
                            + (upTo == Long.MAX_VALUE
                                    ? "the log has only those up to " + newestVersion
                                    : "that was being made at the timestamp " + upTo
                                            + "; choose one a moment earlier or later"));
        }
    }

    private void done(long commitTimestamp) {
        newestCommit = Math.max(newestCommit, commitTimestamp);
        passed(commitTimestamp);
        transactions++;
    }

    /**
     * Moves the clock, which is never behind a row. So a checkpoint or an image, which is fixed at a moment of the
     * partition, shows all rows that are there.
     */
    private void passed(long commitTimestamp) {
        lastTimestamp = Math.max(lastTimestamp, commitTimestamp);
        runtime.partition().timestamps().observe(commitTimestamp);
    }

    private static TransactionId transactionOf(LogPayload payload) {
        TransactionId transaction = payload.transaction();
        if (transaction == null) {
            throw new FulmarException(ErrorCode.CORRUPTION, "a record does not name the transaction that it is about");
        }
        return transaction;
    }

    private void checkDigest(RecordReader record, byte[] whole, int begin) {
        digest.reset();
        digest.update(whole, begin, whole.length - begin);
        if (digest.getValue() != record.digest()) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the digest of a transaction's changes is " + digest.getValue() + " but was " + record.digest());
        }
    }

    /** Whether it is the decision on the part that waits for one. */
    private boolean isOurs(LogPayload payload) {
        Prepared waiting = prepared;
        return waiting != null
                && waiting.transaction().equals(payload.transaction())
                && waiting.attempt() == payload.attempt();
    }

    private void decide(RecordReader record, LogPayload payload) {
        Prepared waiting = prepared;
        boolean ours = isOurs(payload);
        boolean asBase = !payload.partitions().isEmpty();
        if (asBase) {
            runtime.decisions()
                    .put(new KeptDecision(
                            transactionOf(payload),
                            payload.attempt(),
                            record.commitTimestamp(),
                            runtime.partition().id(),
                            payload.partitions()));
            payload.settled().forEach(runtime.decisions()::remove);
            remember(record, payload);
            passed(record.commitTimestamp());
        }
        if (asBase && !ours) { // it has no part here
            return;
        }
        prepared = null;
        if (!payload.commit()) {
            return;
        }
        if (waiting == null || !ours) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the decision on transaction " + payload.transaction() + " has no part before it");
        }
        apply(waiting, record.commitTimestamp());
        if (!asBase) {
            remember(record, payload);
        }
    }

    /** Decisions whose base partition this is. */
    List<KeptDecision> decisions() {
        return runtime.decisions().all();
    }

    /** The work that applies the part in doubt if it is committed. */
    FragmentWork partInDoubt(Prepared part) {
        return new InheritedPart(storage, part.payload(), part.begin());
    }

    private void apply(Prepared part, long commitTimestamp) {
        apply(part.catalogVersion(), part.payload(), part.begin(), commitTimestamp);
    }

    private void apply(long catalogVersion, byte[] array, int begin, long commitTimestamp) {
        checkVersion(catalogVersion);
        changeCatalog(catalogVersion);
        rows += changes.apply(array, begin, array.length, commitTimestamp);
        done(commitTimestamp);
    }

    /** Does the storage's steps up to the version. */
    void changeCatalog(long version) {
        List<CatalogHistory.Version> versions = history.versions();
        boolean changed = skipVersions(versions);
        Invariants.check(nextVersion <= versions.size(), "a copy's tables have no version that the catalog lost");
        if (nextVersion < versions.size() && versions.get(nextVersion).number() <= version) {
            storage.expireReaders(COPY_CHANGED);
        }
        while (nextVersion < versions.size() && versions.get(nextVersion).number() <= version) {
            versions.get(nextVersion).steps().forEach(this::step);
            nextVersion++;
            changed = true;
        }
        if (changed) {
            runtime.storageStands(versions.get(nextVersion - 1).number());
            changes.tablesChanged();
        }
    }

    /** Brings the tables, which have no rows yet, to a version of the catalog. Buckets will be those of the rows. */
    private void makeTables(long version) {
        hasRows = false;
        changeCatalog(version);
        hasRows = true;
    }

    private void step(StorageStep step) {
        switch (step) {
            case StorageStep.HandOver handOver -> {
                if (hasRows) {
                    handOver.replay(storage, runtime.partition().id().number());
                    runtime.freeSlowly();
                }
            }
            case StorageStep.CreateTable create -> storage.createTable(create.table());
            case StorageStep.DropTable drop -> storage.dropTable(drop.table().id());
            case StorageStep.RebuildEmptyTable rebuild -> storage.replaceEmptyTable(rebuild.after());
            case StorageStep.CreateIndex create -> storage.createIndex(create.table(), create.index());
            case StorageStep.DropIndex drop ->
                storage.dropIndex(drop.table(), drop.index().id());
            case StorageStep.RedefineTable redefine -> storage.redefineTable(redefine.after());
            case StorageStep.ConvertTable convert -> {
                convert.convert(storage);
                storage.dropTable(convert.before().id());
            }
            case StorageStep.FillView fill -> ViewFilling.fill(storage, fill.sources(), fill.view());
            case StorageStep.SpreadSequence spread -> {
                spread.make(storage, nextPlan(), runtime.partition().id().number());
                storage.dropTable(spread.before().id());
            }
            case StorageStep.ChangeRows change when hasRows -> change.change(storage, nextPlan(), runtime.partition());
            case StorageStep.AddRows add when hasRows -> add.replay(storage, nextPlan(), runtime.partition());
            case StorageStep.ChangeRows _, StorageStep.AddRows _ -> {} // they come with the others
            case StorageStep.VerifyEmpty _, StorageStep.VerifyCheck _, StorageStep.VerifyNotNull _ -> {}
            case StorageStep.VerifyReference _, StorageStep.VerifyAlike _, StorageStep.CompareSeen _ -> {} // met then
        }
    }

    private void remember(RecordReader record, LogPayload payload) {
        byte[] outcome = payload.outcome();
        if (outcome == null) {
            return;
        }
        if (payload.home() == runtime.partition().id().number()) {
            runtime.remember(record.clientId(), record.requestId(), OutcomeBytes.read(outcome));
            return;
        }
        foreignOutcomes.add(new RequestOutcome(record.clientId(), record.requestId(), payload.home(), outcome));
        foreignBytes += outcome.length;
        while (foreignBytes > FOREIGN_OUTCOME_BYTES) {
            foreignBytes -= foreignOutcomes.remove().outcome().length;
        }
    }

    /** Outcomes that belong to other partitions' memories. */
    ArrayDeque<RequestOutcome> foreignOutcomes() {
        return foreignOutcomes;
    }

    /** The terms of the log, and where each begins. */
    EpochHistory terms() {
        return terms;
    }

    /** The part that waits for its decision at the end of the stream, or null. */
    @Nullable Prepared inDoubt() {
        return prepared;
    }

    /** The transaction in doubt is committed. */
    void commitInDoubt(long commitTimestamp) {
        Prepared waiting = prepared;
        if (waiting != null) {
            apply(waiting, commitTimestamp);
            prepared = null;
        }
    }

    /** The transaction in doubt is undone. */
    void undoInDoubt() {
        prepared = null;
    }

    /** Skips the versions to which transactions brought the storage while the copy led. */
    private boolean skipVersions(List<CatalogHistory.Version> versions) {
        int before = nextVersion;
        while (nextVersion < versions.size() && versions.get(nextVersion).number() <= runtime.storageVersion()) {
            nextVersion++;
        }
        return nextVersion != before;
    }

    /** Brings the storage to the newest version that counts and the clock beyond everything replayed. */
    void finish() {
        changeCatalog(history.settled());
        runtime.partition().timestamps().observe(lastTimestamp);
        changes.tablesChanged(); // what it knows of rows will be old when others have changed them
    }

    long transactions() {
        return transactions;
    }

    long rows() {
        return rows;
    }

    /** Bytes of records that the checkpoint does not cover. */
    long logBytes() {
        return logBytes;
    }
}
