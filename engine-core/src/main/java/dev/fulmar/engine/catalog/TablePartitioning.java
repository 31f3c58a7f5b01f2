package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import java.util.List;
import java.util.Optional;

/** The place of a new table's rows, as its CREATE TABLE says. */
public sealed interface TablePartitioning {
    /** Nothing is said: the table is replicated until PARTITION TABLE names a column. */
    record Unsaid() implements TablePartitioning {}

    /** Every partition has all rows. */
    record Replicated() implements TablePartitioning {}

    /** Each row is on the partition of its value in the column. */
    record OnColumn(String column) implements TablePartitioning {}

    /** Each row is on the partition of its {@linkplain #keyColumn key}. */
    record ByKey() implements TablePartitioning {}

    /**
     * The column of the primary key by which a table is partitioned. It is the one that refers to the partitioning
     * column of another table, if a foreign key leads the primary key, so that both rows are together. Else it is the
     * first one. Empty for a table without primary key. Logged statements depend on the rule, so it stays as it is.
     */
    static Optional<String> keyColumn(CreateTable create, Catalog catalog) {
        List<String> key = create.primaryKey();
        for (ForeignKey foreign : create.foreignKeys()) {
            int count = foreign.columns().size();
            boolean leads = count <= key.size() && key.subList(0, count).containsAll(foreign.columns());
            Table parent = catalog.tables().get(foreign.parent());
            if (leads && parent != null && !parent.isReplicated()) {
                String partitioning = parent.columns()
                        .get(parent.partitioningColumn().getAsInt())
                        .name();
                int place = parentColumns(foreign, parent).indexOf(partitioning);
                if (place >= 0 && place < count) {
                    return Optional.of(foreign.columns().get(place));
                }
            }
        }
        return key.stream().findFirst();
    }

    private static List<String> parentColumns(ForeignKey foreign, Table parent) {
        return foreign.parentColumns().isEmpty()
                ? parent.primaryKey().stream()
                        .map(place -> parent.columns().get(place).name())
                        .toList()
                : foreign.parentColumns();
    }
}
