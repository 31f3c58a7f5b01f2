package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.ProcedureDefinition.Partitioning;
import dev.fulmar.engine.catalog.ProcedureDefinition.RowAccess;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Generates the definitions and the SQL of a table's automatic procedures, which select, insert, upsert, update or
 * delete one row by primary key. Of these {@code select} and {@code delete} take the key's columns in the key's order;
 * {@code insert}, {@code upsert} and {@code update} take all columns that are not generated in the table's order, and
 * the last of these finds its row by the key's columns among them.
 */
final class RowAccessText {
    private static final int NONE = -1;

    private RowAccessText() {}

    /**
     * Definitions for the table; none without a primary key. Without update if every column belongs to the key, or rows
     * of other partitions refer to another one, or rows that others refer to would move. Without upsert if the key does
     * not say where its row is.
     */
    static List<ProcedureDefinition> definitions(Table table, Catalog catalog) {
        List<ProcedureDefinition> definitions = new ArrayList<>();
        if (table.primaryKey().isEmpty()) {
            return definitions;
        }
        for (RowAccess.Operation operation : RowAccess.Operation.values()) {
            if (isPossible(operation, table, catalog)) {
                String name = table.name() + "." + operation.name().toLowerCase(Locale.ROOT);
                definitions.add(new ProcedureDefinition(
                        name, partitioning(table, operation), new RowAccess(table.name(), operation)));
            }
        }
        return definitions;
    }

    private static boolean isPossible(RowAccess.Operation operation, Table table, Catalog catalog) {
        return switch (operation) {
            case SELECT, INSERT, DELETE -> true;
            case UPSERT -> GlobalKeys.of(table).stream().noneMatch(Index::primary);
            case UPDATE ->
                !others(table).isEmpty()
                        && given(table).containsAll(table.primaryKey())
                        && (!others(table).contains(table.partitioningColumn().orElse(NONE))
                                || ReferencePlaces.referring(table, catalog).isEmpty())
                        && ReferencePlaces.overPartitions(table, catalog).stream()
                                .flatMapToInt(each -> Arrays.stream(each.key().parentPlaces(table)))
                                .noneMatch(others(table)::contains);
        };
    }

    private static Optional<Partitioning> partitioning(Table table, RowAccess.Operation operation) {
        if (table.isReplicated() || table.hasRowId()) {
            return Optional.empty();
        }
        int column = table.partitioningColumn().getAsInt();
        int parameter = (takesKeyOnly(operation) ? table.primaryKey() : given(table)).indexOf(column);
        return parameter < 0
                ? Optional.empty()
                : Optional.of(new Partitioning(
                        table.name(), table.columns().get(column).name(), parameter));
    }

    private static boolean takesKeyOnly(RowAccess.Operation operation) {
        return operation == RowAccess.Operation.SELECT || operation == RowAccess.Operation.DELETE;
    }

    /** Columns to which a write gives values. */
    static List<Integer> given(Table table) {
        return IntStream.range(0, table.visibleColumns().size())
                .filter(column -> !table.columns().get(column).isGenerated())
                .boxed()
                .toList();
    }

    /** Those outside of the key. */
    private static List<Integer> others(Table table) {
        return given(table).stream()
                .filter(column -> !table.primaryKey().contains(column))
                .toList();
    }

    static String sql(Table table, RowAccess.Operation operation) {
        String name = quote(table.name());
        List<Integer> all =
                IntStream.range(0, table.visibleColumns().size()).boxed().toList();
        List<Integer> given = given(table);
        String values = given.stream().map(column -> "?").collect(Collectors.joining(", ", " VALUES (", ")"));
        return switch (operation) {
            case SELECT -> "SELECT " + names(table, all, "", ", ") + " FROM " + name + key(table);
            case INSERT ->
                "INSERT INTO " + name + " (" + names(table, given, "", ", ") + ")" + overriding(table) + values;
            case UPSERT ->
                "UPSERT INTO " + name + " (" + names(table, given, "", ", ") + ")" + overriding(table) + values;
            case UPDATE ->
                "UPDATE " + name + " SET " + names(table, others(table), " = ?", ", ") + key(table) + overriding(table);
            case DELETE -> "DELETE FROM " + name + key(table);
        };
    }

    /** The clause with which the caller gives the value of every column, drawn ones included. */
    private static String overriding(Table table) {
        return table.columns().stream().anyMatch(Column::isAlwaysDrawn) ? " OVERRIDING SYSTEM VALUE" : "";
    }

    /** For each {@code ?} of the statement, the caller's parameter. */
    static int[] sources(Table table, RowAccess.Operation operation) {
        return switch (operation) {
            case SELECT, DELETE -> IntStream.range(0, table.primaryKey().size()).toArray();
            case INSERT, UPSERT -> IntStream.range(0, given(table).size()).toArray();
            case UPDATE ->
                Stream.concat(others(table).stream(), table.primaryKey().stream())
                        .mapToInt(given(table)::indexOf)
                        .toArray();
        };
    }

    private static String key(Table table) {
        return " WHERE " + names(table, table.primaryKey(), " = ?", " AND ");
    }

    private static String names(Table table, List<Integer> columns, String suffix, String separator) {
        return columns.stream()
                .map(column -> quote(table.columns().get(column).name()) + suffix)
                .collect(Collectors.joining(separator));
    }

    private static String quote(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
