package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.DraftedRows;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Queries that yield the rows of tables which a transaction has made or altered, from the tables of before. A table
 * whose rows no query yields is not read before COMMIT. Not thread-safe.
 */
final class RowQueries {
    /**
     * A query of a table's rows.
     *
     * @param query empty if there is none
     * @param isOfOthers whether rows of other tables are in it
     */
    private record Rows(Optional<String> query, boolean isOfOthers) {
        private static final Rows UNKNOWN = new Rows(Optional.empty(), true);
    }

    private final Catalog before;

    /** By the ids of tables. */
    private final Map<Integer, Rows> rows = new TreeMap<>();

    RowQueries(Catalog before) {
        this.before = before;
    }

    /** The query of the table's rows; empty if there is none. */
    Optional<String> of(Table table) {
        return known(table).query();
    }

    private Rows known(Table table) {
        Rows known = rows.get(table.id());
        if (known != null) {
            return known;
        }
        return before.tables().values().stream()
                .filter(other -> other.id() == table.id())
                .findFirst()
                .map(stored -> new Rows(DraftedRows.stored(stored, table), false))
                .orElse(Rows.UNKNOWN);
    }

    /** Follows a change of tables. */
    void changed(CatalogEdit edit) {
        for (StorageStep step : edit.steps()) {
            switch (step) {
                case StorageStep.CreateTable create ->
                    rows.put(create.table().id(), new Rows(Optional.of(DraftedRows.none(create.table())), false));
                case StorageStep.ConvertTable(Table from, Table to, var sources, var _) -> {
                    Rows old = known(from);
                    rows.put(
                            to.id(),
                            new Rows(
                                    old.query().flatMap(query -> DraftedRows.converted(query, from, to, sources)),
                                    old.isOfOthers()));
                }
                default -> {}
            }
        }
    }

    /**
     * Notes the rows of a table behind a statement.
     *
     * @param query empty if there is none
     */
    void filled(Table table, Optional<String> query, boolean isOfOthers) {
        boolean wasOfOthers = known(table).isOfOthers();
        rows.put(table.id(), new Rows(query, isOfOthers || wasOfOthers));
    }

    /** Rows of tables of before change from now on: what was made of them stays as it was made. */
    void storedRowsChange() {
        UnaryOperator<Rows> without = known -> known.isOfOthers() ? Rows.UNKNOWN : known;
        rows.replaceAll((_, known) -> without.apply(known));
    }
}
