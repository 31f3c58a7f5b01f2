package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The changes of the catalog that a log holds, and what the storage has to do for each. */
final class CatalogHistory {
    /** What the storage does to get to a version. */
    record Version(long number, List<StorageStep> steps) {
        Version {
            steps = List.copyOf(steps);
        }
    }

    private final SqlFrontend sql;
    private final LoadingLimits limits;
    private final List<Version> versions = new ArrayList<>();
    private Catalog catalog = Catalog.empty();
    private ProcedureJars jars = ProcedureJars.NONE;

    private CatalogHistory(SqlFrontend sql, LoadingLimits limits) {
        this.sql = sql;
        this.limits = limits;
    }

    /** Reads all changes. */
    static CatalogHistory read(LogScan scan, SqlFrontend sql, LoadingLimits limits) {
        CatalogHistory history = new CatalogHistory(sql, limits);
        PayloadParts parts = new PayloadParts();
        scan.replay(stream -> stream == DurableJournal.STREAM, (record, segment, offset) -> {
            byte[] whole = parts.add(record);
            if (whole != null) {
                history.change(record, whole);
            }
        });
        return history;
    }

    private void change(RecordReader record, byte[] whole) {
        if (record.kind() != RecordKind.CATALOG) {
            throw unknown("a record of kind " + record.kind() + " in the catalog's stream");
        }
        int begin = LogPayload.read(whole, 0, whole.length).begin();
        int kind = whole[begin];
        byte[] rest = Arrays.copyOfRange(whole, begin + 1, whole.length);
        switch (kind) {
            case DurableJournal.STATEMENT -> statement(new String(rest, StandardCharsets.UTF_8));
            case DurableJournal.JAR -> {
                ProcedureJar jar = ProcedureJar.of(rest, limits);
                catalog = ProcedureJars.replaced(catalog, jar);
                jars = jars.with(jar);
            }
            default -> throw unknown("a change of the catalog of kind " + kind);
        }
        if ((int) catalog.version() != record.catalogVersion()) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a change of the catalog leads to version " + catalog.version() + " but led to version "
                            + record.catalogVersion()
                            + " when it was made; start the version of Fulmar that wrote the log");
        }
    }

    private void statement(String text) {
        if (!(sql.compile(text, catalog) instanceof SqlFrontend.Compiled.Change(var change))) {
            throw unknown("a statement that changes no catalog: " + text);
        }
        CatalogEdit edit = CatalogEdit.of(ChangeQueue.resolved(change, jars), catalog);
        catalog = edit.catalog();
        versions.add(new Version(catalog.version(), edit.steps()));
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

    /** What runs under the newest version. */
    Program program(ProcedureLoader loader) {
        ProcedureRegistry registry = loader.load(catalog, jars, ProcedureRegistry.empty());
        return Program.empty().next(registry, jars);
    }

    boolean isEmpty() {
        return catalog.version() == 0 && jars == ProcedureJars.NONE;
    }
}
