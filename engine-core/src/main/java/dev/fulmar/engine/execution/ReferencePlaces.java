package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Refuses, in DDL and when a write is compiled, foreign keys whose linked rows could lie on different partitions. Also
 * refuses an UPSERT that could change a key to which other rows refer.
 */
public final class ReferencePlaces {
    private ReferencePlaces() {}

    /** Checks that a table that refers to a partitioned one is partitioned with it. */
    public static void check(Table table, Catalog catalog) {
        String partitioning = partitioning(table);
        for (ForeignKey key : table.foreignKeys()) {
            Table parent = catalog.table(key.parent());
            int place = key.columns().indexOf(partitioning);
            boolean isTogether = parent.isReplicated()
                    || (place >= 0 && key.parentColumns().get(place).equals(partitioning(parent)));
            if (!isTogether) {
                throw refused("the foreign key " + key.name() + " would reach over partitions: " + parent.name()
                        + " is partitioned on " + partitioning(parent) + "; PARTITION TABLE " + table.name()
                        + " on the column that refers to it, or refer to a replicated table");
            }
            boolean changes = key.onDelete().setsColumns()
                    || (key.onUpdate() != ForeignKey.Action.NO_ACTION && parent.isReplicated());
            if (changes && place >= 0) {
                throw refused("the foreign key " + key.name() + " would change " + partitioning
                        + ", the partitioning column of " + table.name()
                        + ", by itself, and rows would have to move; use ON DELETE CASCADE or NO ACTION");
            }
        }
    }

    /**
     * Refuses an upsert where rows refer to another key than the primary one. An upsert keeps the primary key. It may
     * change others, and rows that refer to them would not be changed.
     */
    static void checkUpsert(Table table, Catalog catalog) {
        for (References.Referring each : References.referring(catalog, table)) {
            boolean isPrimary = each.key().parentColumns().stream()
                    .allMatch(column -> table.primaryKey().contains(table.columnIndex(column)));
            if (!isPrimary) {
                throw refused("UPSERT INTO " + table.name() + " might change "
                        + each.key().parentColumns() + ", to which "
                        + each.key().name()
                        + " refers; use UPDATE and INSERT");
            }
        }
    }

    private static FulmarException refused(String message) {
        return new FulmarException(ErrorCode.NOT_SUPPORTED, message);
    }

    /** Name of the partitioning column; empty of a replicated table. */
    private static String partitioning(Table table) {
        return table.isReplicated()
                ? ""
                : table.columns().get(table.partitioningColumn().getAsInt()).name();
    }
}
