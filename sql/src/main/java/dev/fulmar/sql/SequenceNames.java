package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.sql.text.ColumnSequence;
import org.jspecify.annotations.Nullable;

/**
 * Names of sequences in statements. A column's own sequence also has the name that PostgreSQL gives it, {@code
 * table_column_seq}, unless another sequence is called so.
 */
final class SequenceNames {
    private SequenceNames() {}

    /** The sequence of the name; null if there is none. */
    static @Nullable Table find(String name, Catalog catalog) {
        Table exact = catalog.tables().get(name);
        if (exact != null) {
            return exact.isSequence() ? exact : null;
        }
        return ColumnSequence.ofForeign(name)
                .map(catalog.tables()::get)
                .filter(own -> own.sequence().filter(SequenceRule::owned).isPresent())
                .orElse(null);
    }

    /** The change with the name that the catalog has. */
    static CatalogChange named(CatalogChange change, Catalog catalog) {
        if (!(change instanceof CatalogChange.RestartSequence restart)) {
            return change;
        }
        Table sequence = find(restart.name(), catalog);
        return sequence == null
                ? change
                : new CatalogChange.RestartSequence(
                        sequence.name(), restart.value(), restart.isDrawn(), restart.yieldsValue());
    }
}
