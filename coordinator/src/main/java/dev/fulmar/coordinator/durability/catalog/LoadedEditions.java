package dev.fulmar.coordinator.durability.catalog;

import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The procedures of those versions of the catalog under which a replay has commands to run. Thread-safe. */
public final class LoadedEditions {
    private final CatalogHistory history;
    private final ProcedureLoader loader;
    private final ConcurrentHashMap<Long, Loaded> loaded = new ConcurrentHashMap<>();

    /**
     * The one of the newest catalog, whose procedures are those that will be called, and the one loaded last, which has
     * what was changed since.
     */
    private volatile ProcedureRegistry newest = ProcedureRegistry.empty();

    private volatile ProcedureRegistry latest = ProcedureRegistry.empty();

    /** Of an edition, which another one may come to replace. */
    private record Loaded(CatalogHistory.@Nullable Edition edition, ProcedureRegistry registry) {
        @SuppressWarnings("ReferenceEquality") // another edition of the same number is another object
        boolean isOf(CatalogHistory.@Nullable Edition other) {
            return edition == other;
        }
    }

    public LoadedEditions(CatalogHistory history, ProcedureLoader loader) {
        this.history = history;
        this.loader = loader;
    }

    /** All procedures as they were at the version. */
    public ProcedureRegistry at(long version) {
        Loaded known = loaded.get(version);
        CatalogHistory.Edition edition = history.edition(version);
        if (known == null || !known.isOf(edition)) {
            known = loaded.compute(
                    version,
                    (wanted, other) ->
                            other != null && other.isOf(edition) ? other : new Loaded(edition, load(edition, wanted)));
        }
        return known.registry;
    }

    /**
     * Loads the procedures of the version, if there are any, so that they are there when the first record asks for
     * them.
     */
    public void prepare(long version) {
        if (history.edition(version) != null) {
            at(version);
        }
    }

    private ProcedureRegistry load(CatalogHistory.@Nullable Edition edition, long version) {
        if (edition == null) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "a record was made under version " + version + " of the catalog, of which the log knows nothing");
        }
        return load(edition);
    }

    /** Loads the edition's procedures; those that are the same in another one are taken from there. */
    ProcedureRegistry load(CatalogHistory.Edition edition) {
        ProcedureRegistry registry = loader.loadAgain(edition.catalog(), edition.jars(), List.of(newest, latest));
        if (registry.catalog().version() >= newest.catalog().version()) {
            newest = registry;
        }
        latest = registry;
        return registry;
    }
}
