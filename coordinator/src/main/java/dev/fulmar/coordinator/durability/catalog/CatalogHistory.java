package dev.fulmar.coordinator.durability.catalog;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.EntryEdit;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.log.CopyRow;
import dev.fulmar.coordinator.durability.log.LogPayload;
import dev.fulmar.coordinator.durability.log.PayloadAssembly;
import dev.fulmar.coordinator.durability.log.TermRecord;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * All changes of the catalog that this node's log and checkpoint hold, with the catalog and storage steps that follow
 * from them. One thread adds; any may read.
 */
public final class CatalogHistory {
    /** A version, with the storage's steps to it from the version before. */
    public record Version(long number, List<StorageStep> steps) {
        public Version {
            steps = List.copyOf(steps);
        }
    }

    /** A version of the catalog, with the jars that its procedures come from. */
    public record Edition(Catalog catalog, ProcedureJars jars) {}

    private final EntryEdit edits;
    private final LoadingLimits limits;
    private final ConcurrentSkipListMap<Long, Edition> editions = new ConcurrentSkipListMap<>();

    /** Replaced as a whole, so that a reader which walks along it is not disturbed. */
    private volatile List<Version> versions = List.of();

    private final List<byte[]> changes = new CopyOnWriteArrayList<>();
    private int checkpointed;
    private boolean isReplaced;
    private long lastTimestamp;
    private CopyRow.@Nullable Content copy;
    private volatile long settled;
    private volatile Catalog catalog = Catalog.empty();
    private volatile ProcedureJars jars = ProcedureJars.NONE;

    private final AppliedChanges made = new AppliedChanges();

    private CatalogHistory(SqlFrontend sql, LoadingLimits limits) {
        this.edits = new EntryEdit(sql, () -> CatalogRecord.unknown("a statement that changes no catalog"));
        this.limits = limits;
    }

    /**
     * Reads the changes, those of the checkpoint first.
     *
     * @param upTo timestamp of the last one that is wanted
     */
    public static CatalogHistory read(
            Checkpoints checkpoints, LogScan scan, SqlFrontend sql, LoadingLimits limits, long upTo) {
        CatalogHistory history = new CatalogHistory(sql, limits);
        SortedMap<Long, byte[]> stored = new TreeMap<>();
        checkpoints.load(CatalogRecord.STREAM, (table, bucket, row, array, offset, length) -> {
            if (table == CopyRow.TABLE) {
                history.copy = CopyRow.read(array, offset, offset + length);
            } else {
                stored.put(row, Arrays.copyOfRange(array, offset, offset + length));
            }
        });
        stored.values().forEach(history::keptChange);
        history.checkpointed = stored.size();
        history.lastTimestamp = checkpoints.position(CatalogRecord.STREAM).commitTimestamp();
        long[] covered = {checkpoints.position(CatalogRecord.STREAM).sequence()};
        PayloadAssembly parts = new PayloadAssembly();
        scan.replay(stream -> stream == CatalogRecord.STREAM, (record, segment, offset) -> {
            if (record.kind() == RecordKind.COPY) {
                // What the log has behind it is complete, whatever a checkpoint says.
                history.copyBegun(record.payload());
                covered[0] = record.sequence();
                parts.clear();
                return;
            }
            byte[] whole = parts.add(record, covered[0]);
            if (whole != null && record.kind() == RecordKind.EPOCH) {
                history.termBegun(whole);
            } else if (whole != null && record.sequence() > covered[0] && record.commitTimestamp() <= upTo) {
                history.change(record, whole);
            }
        });
        history.settled = history.catalog.version();
        return history;
    }

    private void termBegun(byte[] whole) {
        EpochHistory terms =
                TermRecord.read(whole, LogPayload.read(whole, 0, whole.length).begin(), whole.length);
        CopyRow.Content before = copy;
        if (terms.epoch() > terms().epoch()) {
            copy = new CopyRow.Content(before == null ? 0 : before.life(), true, terms);
        }
    }

    private void copyBegun(byte[] payload) {
        int begin = LogPayload.restOffset(payload, 0);
        copy = CopyRow.read(payload, begin, payload.length);
        CatalogImage image = CatalogImage.read(payload, CopyRow.end(payload, begin, payload.length), payload.length);
        cutToCommon(image.changes());
        append(image.changes());
        lastTimestamp = image.timestamp();
        isReplaced = true;
    }

    /**
     * Gives up the changes from the first one on that another list has not. Changes that any client was told of are the
     * same in all lists.
     *
     * @return whether there were any
     */
    public boolean cutToCommon(List<byte[]> others) {
        int common = 0;
        while (common < changes.size()
                && common < others.size()
                && Arrays.equals(changes.get(common), others.get(common))) {
            common++;
        }
        boolean isLonger = common < changes.size();
        if (isLonger) {
            cutBehind(common);
        }
        return isLonger;
    }

    /** Adds what the longer list has behind these. */
    public void append(List<byte[]> longer) {
        Invariants.check(changes.size() <= longer.size(), "a log's changes are cut before longer ones are appended");
        longer.subList(changes.size(), longer.size()).forEach(this::keptChange);
    }

    private void cutBehind(int count) {
        long last = count == 0 ? 0 : LittleEndian.getInt(changes.get(count - 1), 0);
        Edition edition = editions.get(last);
        Invariants.check(last == 0 || edition != null, "a log has the catalog after each of its changes");
        jars = edition == null ? ProcedureJars.NONE : edition.jars();
        catalog = edition == null ? Catalog.empty() : edition.catalog();
        changes.subList(count, changes.size()).clear();
        versions = versions.stream().filter(version -> version.number() <= last).toList();
        editions.tailMap(last, false).clear();
        made.cutBehind(last);
        settled = Math.min(settled, last);
    }

    /** The version that all copies in sync have, so that it will always count: what may be used. Any thread. */
    public long settled() {
        return settled;
    }

    /** Marks the version as settled: it counts from now on, in any term. */
    public void settle(long version) {
        Invariants.check(version <= catalog.version(), "a version of the catalog that counts is in the log");
        settled = Math.max(settled, version);
    }

    /** Nothing is known of what counts. */
    public void unsettle() {
        settled = 0;
    }

    /** Generation and terms of this copy of the catalog by log and checkpoint; null if neither has them. */
    public CopyRow.@Nullable Content copy() {
        return copy;
    }

    /** The history of a database that begins with nothing. */
    public static CatalogHistory begin(SqlFrontend sql, LoadingLimits limits) {
        return new CatalogHistory(sql, limits);
    }

    /** Adds a change that is made while the database runs. Changes come one at a time. */
    public void add(int version, CatalogEntry entry) {
        keptChange(CatalogRecord.of(version, entry));
    }

    /** The same for the payload of a record. */
    public void add(int version, byte[] whole) {
        int begin = LogPayload.read(whole, 0, whole.length).begin();
        change(version, whole[begin], Arrays.copyOfRange(whole, begin + 1, whole.length));
    }

    /** The newest change, as checkpoints keep it. */
    public byte[] newest() {
        return changes.getLast();
    }

    /** The storage's steps from the version before to this one. */
    public List<StorageStep> steps(long number) {
        return versions.stream()
                .filter(version -> version.number() == number)
                .findFirst()
                .map(Version::steps)
                .orElse(List.of());
    }

    /** The terms of the stream, and where each begins. */
    public EpochHistory terms() {
        CopyRow.Content known = copy;
        return known == null ? EpochHistory.EMPTY : known.terms();
    }

    /** The changes that clients asked for under handles. */
    public AppliedChanges made() {
        return made;
    }

    /** The change that led to the version, as checkpoints keep it; null if there is none. */
    public byte @Nullable [] keptOf(long version) {
        for (int i = changes.size() - 1; i >= 0; i--) {
            if (CatalogRecord.version(changes.get(i)) == version) {
                return changes.get(i);
            }
        }
        return null;
    }

    private void keptChange(byte[] kept) {
        change(CatalogRecord.version(kept), CatalogRecord.kind(kept), CatalogRecord.rest(kept));
    }

    /** All changes, as checkpoints keep them. */
    public List<byte[]> changes() {
        return changes;
    }

    /** The jars after them. */
    public ProcedureJars jars() {
        return jars;
    }

    /** When the last of them was made. */
    public long lastTimestamp() {
        return lastTimestamp;
    }

    /** The catalog after them. */
    public Catalog catalog() {
        return catalog;
    }

    /** Whether a checkpoint may have other changes than these. */
    boolean isReplaced() {
        return isReplaced;
    }

    /** Number of changes that are in a checkpoint. */
    int checkpointed() {
        return checkpointed;
    }

    private void change(RecordReader record, byte[] whole) {
        if (record.kind() != RecordKind.CATALOG) {
            throw CatalogRecord.unknown("a record of kind " + record.kind() + " in the catalog's stream");
        }
        lastTimestamp = Math.max(lastTimestamp, record.commitTimestamp());
        int begin = LogPayload.read(whole, 0, whole.length).begin();
        int kind = whole[begin];
        change(record.catalogVersion(), kind, Arrays.copyOfRange(whole, begin + 1, whole.length));
    }

    private void change(int version, int kind, byte[] rest) {
        changes.add(CatalogRecord.of(version, kind, rest));
        Catalog next = next(version, CatalogRecord.entry(kind, rest));
        if ((int) next.version() != version) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a change of the catalog leads to version " + next.version() + " but led to version "
                            + version
                            + " when it was made; start the version of Fulmar that wrote the log");
        }
        editions.put(next.version(), new Edition(next, jars));
        catalog = next; // last: whoever sees the version finds what belongs to it
    }

    private Catalog next(int version, CatalogEntry entry) {
        return switch (entry) {
            case CatalogEntry.Jar(byte[] bytes) -> jar(version, ProcedureJar.of(bytes, limits));
            case CatalogEntry.Asked(CatalogEntry what, ChangeHandle handle) -> {
                Catalog next = next(version, what);
                made.add(handle, version);
                yield next;
            }
            case CatalogEntry.Untold() -> throw Invariants.breach("a change without text is not written down");
            case CatalogEntry.Statement _, CatalogEntry.Access _, CatalogEntry.Joint _ ->
                made(edits.of(entry, catalog, jars));
            case CatalogEntry.Rows _, CatalogEntry.Ran _ -> made(edits.of(entry, catalog, jars));
            case CatalogEntry.Plan _, CatalogEntry.HandOver _, CatalogEntry.Retarget _ ->
                made(edits.of(entry, catalog, jars));
        };
    }

    private Catalog jar(int version, ProcedureJar jar) {
        jars = jars.with(jar);
        Catalog replaced = ProcedureJars.replaced(catalog, jar);
        boolean isCounted = replaced.version() == catalog.version() && replaced.version() < version;
        return isCounted ? replaced.withAccess(replaced.access()) : replaced;
    }

    private Catalog made(CatalogEdit edit) {
        List<Version> more = new ArrayList<>(versions);
        more.add(new Version(edit.catalog().version(), edit.steps()));
        versions = List.copyOf(more);
        return edit.catalog();
    }

    public List<Version> versions() {
        return versions;
    }

    /** Catalog and jars at the version; null if the catalog never stood there between two transactions. */
    public @Nullable Edition edition(long version) {
        return editions.get(version);
    }

    /**
     * The program of the newest version; procedures that are loaded already are taken from there.
     *
     * @param configured the plan that counts until a change names one
     */
    public Program program(LoadedEditions loaded, PartitionPlan configured) {
        return Program.recovered(loaded.load(new Edition(catalog, jars)), jars, configured);
    }

    public boolean isEmpty() {
        return catalog.version() == 0 && jars == ProcedureJars.NONE;
    }
}
