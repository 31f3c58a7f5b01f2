package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every procedure of one version of the catalog, ready to be called. Immutable. */
public final class ProcedureRegistry {
    private final Catalog catalog;
    private final SortedMap<String, Entry> byName;

    /** The names as they were defined and in upper case, so that the usual ways to write a name need no conversion. */
    private final Map<String, LoadedProcedure> spellings = new HashMap<>();

    /** A procedure with what it was made from. */
    record Entry(LoadedProcedure procedure, TableUse tables) {}

    ProcedureRegistry(Catalog catalog, SortedMap<String, Entry> byName) {
        this.catalog = catalog;
        this.byName = Collections.unmodifiableSortedMap(byName);
        byName.forEach((name, entry) -> {
            spellings.put(name, entry.procedure());
            spellings.put(entry.procedure().name(), entry.procedure());
        });
    }

    /** The registry of an empty catalog. */
    public static ProcedureRegistry empty() {
        return new ProcedureRegistry(Catalog.empty(), Collections.emptySortedMap());
    }

    public Catalog catalog() {
        return catalog;
    }

    /** The procedure, or null; case does not matter. */
    public @Nullable LoadedProcedure find(String name) {
        LoadedProcedure procedure = spellings.get(name);
        return procedure != null ? procedure : spellings.get(name.toUpperCase(Locale.ROOT));
    }

    /** The procedure, or an {@link ErrorCode#UNKNOWN_PROCEDURE} error. */
    public LoadedProcedure require(String name) {
        LoadedProcedure procedure = find(name);
        if (procedure == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE, "there is no procedure " + name + "; CREATE PROCEDURE makes one");
        }
        return procedure;
    }

    /** Procedures by name in upper case, in that order, the automatic ones of tables included. */
    public SortedMap<String, LoadedProcedure> procedures() {
        SortedMap<String, LoadedProcedure> procedures = new TreeMap<>();
        byName.forEach((name, entry) -> procedures.put(name, entry.procedure()));
        return procedures;
    }

    @Nullable Entry entry(String name) {
        return byName.get(name);
    }
}
