package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Catalog;
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
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The changes of the catalog that a log holds, and what the storage has to do for each. One thread adds; any may read. */
final class CatalogHistory {
    /** What the storage does to get to a version. */
    record Version(long number, List<StorageStep> steps) {
        Version {
            steps = List.copyOf(steps);
        }
    }

    /** A version of the catalog, with the jars that its procedures come from. */
    record Edition(Catalog catalog, ProcedureJars jars) {}

    private static final int KEPT_HEADER_BYTES = Integer.BYTES + 1;

    private final SqlFrontend sql;
    private final LoadingLimits limits;
    private final ConcurrentSkipListMap<Long, Edition> editions = new ConcurrentSkipListMap<>();
    private final List<Version> versions = new CopyOnWriteArrayList<>();
    private final List<byte[]> changes = new CopyOnWriteArrayList<>();
    private int checkpointed;
    private long lastTimestamp;
    private EpochHistory terms = EpochHistory.EMPTY;
    private volatile Catalog catalog = Catalog.empty();
    private volatile ProcedureJars jars = ProcedureJars.NONE;

    private CatalogHistory(SqlFrontend sql, LoadingLimits limits) {
        this.sql = sql;
        this.limits = limits;
    }

    /**
     * Reads the changes, those of the checkpoint first.
     *
     * @param upTo timestamp of the last one that is wanted
     */
    static CatalogHistory read(
            Checkpoints checkpoints, LogScan scan, SqlFrontend sql, LoadingLimits limits, long upTo) {
        CatalogHistory history = new CatalogHistory(sql, limits);
        SortedMap<Long, byte[]> stored = new TreeMap<>();
        checkpoints.load(
                DurableJournal.STREAM,
                (table, bucket, row, array, offset, length) ->
                        stored.put(row, Arrays.copyOfRange(array, offset, offset + length)));
        stored.values().forEach(history::keptChange);
        history.checkpointed = stored.size();
        history.lastTimestamp = checkpoints.position(DurableJournal.STREAM).commitTimestamp();
        long covered = checkpoints.position(DurableJournal.STREAM).sequence();
        PayloadParts parts = new PayloadParts();
        scan.replay(stream -> stream == DurableJournal.STREAM, (record, segment, offset) -> {
            byte[] whole = parts.add(record, covered);
            if (whole != null && record.sequence() > covered && record.commitTimestamp() <= upTo) {
                history.change(record, whole);
            }
        });
        return history;
    }

    /** Of a database that begins with nothing. */
    static CatalogHistory begin(SqlFrontend sql, LoadingLimits limits) {
        return new CatalogHistory(sql, limits);
    }

    /** A change is made while the database runs. Changes come one at a time. */
    void add(int version, CatalogEntry entry) {
        keptChange(kept(version, entry));
    }

    /** The same for the payload of a record. */
    void add(int version, byte[] whole) {
        int begin = LogPayload.read(whole, 0, whole.length).begin();
        change(version, whole[begin], Arrays.copyOfRange(whole, begin + 1, whole.length));
    }

    /** The newest change, as checkpoints keep it. */
    byte[] newest() {
        return changes.getLast();
    }

    /** What the storage does to get from the version before to this one. */
    List<StorageStep> steps(long number) {
        return versions.stream()
                .filter(version -> version.number() == number)
                .findFirst()
                .map(Version::steps)
                .orElse(List.of());
    }

    /** Which term wrote which part of the stream. */
    EpochHistory terms() {
        return terms;
    }

    /** A change as checkpoints keep it: the version that it leads to, its kind, and what it is. */
    static byte[] kept(int version, CatalogEntry entry) {
        return switch (entry) {
            case CatalogEntry.Statement(String text) ->
                kept(version, DurableJournal.STATEMENT, text.getBytes(StandardCharsets.UTF_8));
            case CatalogEntry.Access(String text) ->
                kept(version, DurableJournal.ACCESS, text.getBytes(StandardCharsets.UTF_8));
            case CatalogEntry.Jar(byte[] bytes) -> kept(version, DurableJournal.JAR, bytes);
            case CatalogEntry.Untold() -> throw Invariants.breach("a change without text is not written down");
        };
    }

    private static byte[] kept(int version, int kind, byte[] rest) {
        byte[] kept = new byte[KEPT_HEADER_BYTES + rest.length];
        LittleEndian.putInt(kept, 0, version);
        kept[Integer.BYTES] = (byte) kind;
        System.arraycopy(rest, 0, kept, KEPT_HEADER_BYTES, rest.length);
        return kept;
    }

    private void keptChange(byte[] kept) {
        byte[] rest = Arrays.copyOfRange(kept, KEPT_HEADER_BYTES, kept.length);
        change(LittleEndian.getInt(kept, 0), kept[Integer.BYTES], rest);
    }

    /** All changes, as checkpoints keep them. */
    List<byte[]> changes() {
        return changes;
    }

    /** When the last of them was made. */
    long lastTimestamp() {
        return lastTimestamp;
    }

    /** The catalog after them. */
    Catalog catalog() {
        return catalog;
    }

    /** How many of them are in a checkpoint. */
    int checkpointed() {
        return checkpointed;
    }

    private void change(RecordReader record, byte[] whole) {
        if (record.kind() == RecordKind.EPOCH) {
            terms = TermRecord.read(
                    whole, LogPayload.read(whole, 0, whole.length).begin(), whole.length);
            return;
        }
        if (record.kind() != RecordKind.CATALOG) {
            throw unknown("a record of kind " + record.kind() + " in the catalog's stream");
        }
        lastTimestamp = Math.max(lastTimestamp, record.commitTimestamp());
        int begin = LogPayload.read(whole, 0, whole.length).begin();
        int kind = whole[begin];
        change(record.catalogVersion(), kind, Arrays.copyOfRange(whole, begin + 1, whole.length));
    }

    private void change(int version, int kind, byte[] rest) {
        changes.add(kept(version, kind, rest));
        Catalog next = switch (kind) {
            case DurableJournal.STATEMENT, DurableJournal.ACCESS -> statement(new String(rest, StandardCharsets.UTF_8));
            case DurableJournal.JAR -> jar(ProcedureJar.of(rest, limits));
            default -> throw unknown("a change of the catalog of kind " + kind);
        };
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

    private Catalog jar(ProcedureJar jar) {
        jars = jars.with(jar);
        return ProcedureJars.replaced(catalog, jar);
    }

    private Catalog statement(String text) {
        if (!(sql.compile(text, catalog) instanceof SqlFrontend.Compiled.Change(var change))) {
            throw unknown("a statement that changes no catalog");
        }
        CatalogEdit edit = CatalogEdit.of(ChangeQueue.resolved(change, jars), catalog);
        versions.add(new Version(edit.catalog().version(), edit.steps()));
        return edit.catalog();
    }

    private static FulmarException unknown(String what) {
        return new FulmarException(
                ErrorCode.VERSION_MISMATCH,
                "the log has " + what
                        + ", which this version of Fulmar does not know; start the version that wrote it");
    }

    List<Version> versions() {
        return versions;
    }

    /** What there was at the version, or null if the catalog never stood there between two transactions. */
    @Nullable Edition edition(long version) {
        return editions.get(version);
    }

    /** What runs under the newest version; what the loaded ones have is taken from there. */
    Program program(LoadedEditions loaded) {
        return Program.empty().next(loaded.load(new Edition(catalog, jars)), jars);
    }

    boolean isEmpty() {
        return catalog.version() == 0 && jars == ProcedureJars.NONE;
    }
}
