package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import org.jspecify.annotations.Nullable;

/**
 * Names of sequences in statements. A column's own sequence also has the name that PostgreSQL gives it, {@code
 * table_column_seq}, unless another sequence is called so.
 */
final class SequenceNames {
    private static final String FOREIGN_END = "_SEQ";
    private static final String OWN_END = "_SEQUENCE";

    private SequenceNames() {}

    /** The sequence of the name; null if there is none. */
    static @Nullable Table find(String name, Catalog catalog) {
        Table exact = catalog.tables().get(name);
        if (exact != null || !isForeign(name)) {
            return exact != null && exact.sequence().isPresent() ? exact : null;
        }
        Table own = catalog.tables().get(name.substring(0, name.length() - FOREIGN_END.length()) + OWN_END);
        boolean isOwned =
                own != null && own.sequence().filter(SequenceRule::owned).isPresent();
        return isOwned ? own : null;
    }

    private static boolean isForeign(String name) {
        int start = name.length() - FOREIGN_END.length();
        return name.regionMatches(true, start, FOREIGN_END, 0, FOREIGN_END.length());
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
