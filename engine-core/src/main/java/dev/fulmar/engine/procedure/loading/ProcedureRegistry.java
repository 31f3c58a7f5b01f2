package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every procedure of one version of the catalog, ready to be called. Immutable. */
public final class ProcedureRegistry {
    private final Catalog catalog;
    private final SortedMap<String, Entry> byName;

    /** Automatic procedures by the name of their table; asked for single names only. */
    private final Map<String, List<ProcedureDefinition>> automatic;

    /** The names as they were defined and in upper case, so that the usual ways to write a name need no conversion. */
    private final Map<String, LoadedProcedure> spellings = new HashMap<>();

    /** A procedure with what it was made from. */
    record Entry(LoadedProcedure procedure, TableUse tables) {}

    ProcedureRegistry(
            Catalog catalog, SortedMap<String, Entry> byName, Map<String, List<ProcedureDefinition>> automatic) {
        this.catalog = catalog;
        this.automatic = automatic;
        this.byName = Collections.unmodifiableSortedMap(byName);
        byName.forEach((name, entry) -> {
            Invariants.check(
                    name.equals(entry.procedure().name().toUpperCase(Locale.ROOT)),
                    "a registry has each procedure under its name in upper case");
            spellings.put(name, entry.procedure());
            spellings.put(entry.procedure().name(), entry.procedure());
        });
    }

    /** The registry of an empty catalog. */
    public static ProcedureRegistry empty() {
        return new ProcedureRegistry(Catalog.empty(), Collections.emptySortedMap(), Map.of());
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

    /**
     * The automatic procedures of the very table. Null if the catalog has it not, or another one of its name, or one
     * that others are connected with.
     */
    @SuppressWarnings("ReferenceEquality") // catalogs share the tables that did not change
    @Nullable List<ProcedureDefinition> automatic(Table table) {
        return catalog.tables().get(table.name()) == table ? automatic.get(table.name()) : null;
    }

    @Nullable Entry entry(String name) {
        return byName.get(name);
    }
}
