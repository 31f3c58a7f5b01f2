package dev.fulmar.engine.catalog;

import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.Optional;

/** The place of a new table's rows, as its CREATE TABLE says. */
public sealed interface TablePartitioning {
    /**
     * Nothing is said, in a text that is logged: the table is replicated until PARTITION TABLE names a column. To what
     * clients send, nodes add that the table is partitioned, unless they are set otherwise.
     */
    record Unsaid() implements TablePartitioning {}

    /** Every partition has all rows. */
    record Replicated() implements TablePartitioning {}

    /** Each row is on the partition of its value in the column. */
    record OnColumn(String column) implements TablePartitioning {}

    /** Each row is on the partition of its {@linkplain #keyColumn key}; without a primary key as of {@link OnRow}. */
    record ByKey() implements TablePartitioning {}

    /** Each row is on the partition of its hidden {@linkplain Column#rowId row id}. */
    record OnRow() implements TablePartitioning {}

    /**
     * The column of the primary key by which the new table is partitioned. Empty for a table without primary key, and
     * for one whose key is led by an approximate column.
     */
    static Optional<String> keyColumn(CreateTable create, Catalog catalog) {
        return keyColumn(create.primaryKey(), create.foreignKeys(), catalog)
                .filter(name -> create.columns().stream()
                        .noneMatch(column -> column.name().equals(name) && isApproximate(column)));
    }

    /** Whether the column's values cannot place rows. */
    static boolean isApproximate(Column column) {
        return column.type().storage() == TypeKind.Storage.DOUBLE;
    }

    /**
     * The same of any table. It is the column that refers to the partitioning column of another table, if a foreign key
     * leads the primary key, so that both rows are together. Else it is the first one. Logged statements depend on the
     * rule, so it stays as it is.
     */
    static Optional<String> keyColumn(List<String> primaryKey, List<ForeignKey> foreignKeys, Catalog catalog) {
        return parentColumn(primaryKey, foreignKeys, catalog)
                .or(() -> primaryKey.stream().findFirst());
    }

    /** The same of a table that is there. */
    static Optional<String> keyColumn(Table table, Catalog catalog) {
        List<String> key = table.primaryKey().stream()
                .map(place -> table.columns().get(place).name())
                .toList();
        List<ForeignKey> others = table.foreignKeys().stream()
                .filter(foreign -> !foreign.parent().equals(table.name()))
                .toList();
        return keyColumn(key, others, catalog);
    }

    private static Optional<String> parentColumn(
            List<String> primaryKey, List<ForeignKey> foreignKeys, Catalog catalog) {
        for (ForeignKey foreign : foreignKeys) {
            int count = foreign.columns().size();
            boolean leads =
                    count <= primaryKey.size() && primaryKey.subList(0, count).containsAll(foreign.columns());
            Table parent = catalog.tables().get(foreign.parent());
            if (leads && parent != null && !parent.isReplicated()) {
                String partitioning = parent.columns()
                        .get(parent.partitioningColumn().getAsInt())
                        .name();
                int place =
                        parent.hasRowId() ? -1 : parentColumns(foreign, parent).indexOf(partitioning);
                if (place >= 0 && place < count) {
                    return Optional.of(foreign.columns().get(place));
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> parentColumns(ForeignKey foreign, Table parent) {
        return foreign.parentColumns().isEmpty()
                ? parent.primaryKey().stream()
                        .map(place -> parent.columns().get(place).name())
                        .toList()
                : foreign.parentColumns();
    }

    /** The place of the new table's rows, and why, for EXPLAIN. */
    static String explained(CreateTable create, Catalog catalog) {
        return switch (create.partitioning()) {
            case Unsaid _ -> "replicated, by the setting tables.partitioned of the node";
            case Replicated _ -> "replicated";
            case OnColumn(String column) -> "partitioned on " + column;
            case OnRow _ -> "partitioned on a hidden row id";
            case ByKey _ ->
                keyColumn(create, catalog)
                        .map(column -> "partitioned on " + column + reason(create, catalog))
                        .orElse("partitioned on a hidden row id, for no column of a primary key can place rows");
        };
    }

    private static String reason(CreateTable create, Catalog catalog) {
        return parentColumn(create.primaryKey(), create.foreignKeys(), catalog).isPresent()
                ? ", by which its rows are with those that they refer to"
                : ", the first column of its primary key";
    }
}
