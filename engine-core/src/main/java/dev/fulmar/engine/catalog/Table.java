package dev.fulmar.engine.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table. A table without partitioning column is replicated: every partition has all of its rows.
 *
 * @param id unique in the database, never reused
 * @param name upper case unless it was quoted
 * @param partitioningColumn position of the partitioning column; empty for a replicated table
 * @param primaryKey positions of the primary key's columns, empty if there is none
 * @param checks conditions that every row meets
 * @param sequence what makes it a sequence; empty for what users know as a table
 * @param foreignKeys of its rows, to those of other tables or of its own
 * @param expiry when its rows go by themselves; empty for never
 * @param aggregation what makes it the rows of a materialized view, which nobody writes but the statements that write
 *     its sources
 * @param successorOf name of the table whose rows it gets, to take its place; empty of all others. That one is not
 *     written meanwhile
 * @param awaitsKey whether nothing was said of the place of its rows, for it has no primary key to say it
 */
public record Table(
        int id,
        String name,
        List<Column> columns,
        OptionalInt partitioningColumn,
        List<Integer> primaryKey,
        List<Index> indexes,
        List<Check> checks,
        Optional<SequenceRule> sequence,
        List<ForeignKey> foreignKeys,
        Optional<Expiry> expiry,
        Optional<Aggregation> aggregation,
        Optional<String> successorOf,
        boolean awaitsKey) {
    /** The name that stands in a query for all columns to which statements give values. */
    public static final String WRITTEN_COLUMNS = "#WRITTEN";

    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        indexes = List.copyOf(indexes);
        checks = List.copyOf(checks);
        foreignKeys = List.copyOf(foreignKeys);
        if (columns.stream().anyMatch(Column::isGenerated)) {
            GeneratedKeys.check(name, columns, indexes, foreignKeys);
        }
    }

    /** A table that users write. */
    public Table(
            int id,
            String name,
            List<Column> columns,
            OptionalInt partitioningColumn,
            List<Integer> primaryKey,
            List<Index> indexes,
            List<Check> checks,
            Optional<SequenceRule> sequence,
            List<ForeignKey> foreignKeys) {
        this(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** A table without conditions. */
    public Table(
            int id,
            String name,
            List<Column> columns,
            OptionalInt partitioningColumn,
            List<Integer> primaryKey,
            List<Index> indexes) {
        this(id, name, columns, partitioningColumn, primaryKey, indexes, List.of(), Optional.empty(), List.of());
    }

    /** The same as a sequence. */
    public Table withSequence(SequenceRule rule) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                Optional.of(rule),
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same as the rows of a materialized view. */
    public Table withAggregation(Aggregation other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                Optional.of(other),
                successorOf,
                awaitsKey);
    }

    /** The same with rows that go by themselves, or not. */
    public Table withExpiry(Optional<Expiry> other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                other,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** Whether it has the rows of a materialized view. */
    public boolean isAggregation() {
        return aggregation.isPresent();
    }

    /** Whether it is a materialized view of the other table, alone or with another. */
    public boolean aggregates(Table other) {
        return aggregation.isPresent() && aggregation.get().number(other.name()) >= 0;
    }

    /** The first index of the primary key, whose name is the key's; empty if there is no key. */
    public Optional<Index> primaryIndex() {
        return indexes.stream().filter(Index::primary).findFirst();
    }

    /** The name of the constraint that a statement calls so, with its schema or without; empty if there is none. */
    public Optional<String> constraintName(String written) {
        List<String> names = Stream.of(
                        checks.stream().map(Check::name),
                        foreignKeys.stream().map(ForeignKey::name),
                        indexes.stream().filter(Index::isConstraint).map(Index::name))
                .flatMap(each -> each)
                .toList();
        return names.contains(written)
                ? Optional.of(written)
                : names.stream()
                        .filter(name -> SchemaName.local(name).equals(written))
                        .findFirst();
    }

    public boolean isSequence() {
        return sequence.isPresent();
    }

    /** The same under other ids. */
    public Table withIds(int tableId, List<Index> renumbered) {
        return new Table(
                tableId,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                renumbered,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same under another name. */
    public Table withName(String other) {
        return new Table(
                id,
                other,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with another primary key, or none; its indexes are not looked at. */
    public Table withPrimaryKey(List<Integer> places) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                places,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with other columns at the same places. */
    public Table withColumns(List<Column> other) {
        return new Table(
                id,
                name,
                other,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with other ways to compute some columns, by their names. */
    public Table withGenerations(Map<String, Generation> other) {
        return withColumns(columns.stream()
                .map(column -> {
                    Generation generation = other.get(column.name());
                    return generation == null ? column : column.withGeneration(generation);
                })
                .toList());
    }

    /** The same with another partitioning column. */
    public Table withPartitioningColumn(int column) {
        return withPartitioning(OptionalInt.of(column));
    }

    /** The same, of which nothing was said where its rows are, or something was. */
    public Table withAwaitsKey(boolean other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                other);
    }

    /** The same partitioned on the column, or replicated. */
    public Table withPartitioning(OptionalInt column) {
        return new Table(
                id,
                name,
                columns,
                column,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                false);
    }

    /** The same with the rows of the other one, whose place it is to take. */
    public Table withSuccessorOf(String other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                Optional.of(other),
                false);
    }

    /** The same with other indexes. */
    public Table withIndexes(List<Index> other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                other,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with other conditions. */
    public Table withChecks(List<Check> other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                other,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with other foreign keys. */
    public Table withForeignKeys(List<ForeignKey> other) {
        return new Table(
                id,
                name,
                columns,
                partitioningColumn,
                primaryKey,
                indexes,
                checks,
                sequence,
                other,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** Whether a hidden last column says where its rows belong. */
    public boolean hasRowId() {
        return !columns.isEmpty() && columns.getLast().isRowId();
    }

    /** The columns that statements know: all but a row id. */
    public List<Column> visibleColumns() {
        return hasRowId() ? columns.subList(0, columns.size() - 1) : columns;
    }

    /** The same with a row id that is read as any column is: an UPDATE keeps it. */
    public Table withShownRowId() {
        if (!hasRowId()) {
            return this;
        }
        List<Column> all = new ArrayList<>(columns);
        all.set(all.size() - 1, columns.getLast().withDefault(null, null));
        return withColumns(all);
    }

    /** The same without its row id, replicated. */
    public Table withoutRowId() {
        return new Table(
                id,
                name,
                visibleColumns(),
                OptionalInt.empty(),
                primaryKey,
                indexes,
                checks,
                sequence,
                foreignKeys,
                expiry,
                aggregation,
                successorOf,
                awaitsKey);
    }

    /** The same with a row id, by which it is partitioned. */
    public Table withRowId() {
        List<Column> all = new ArrayList<>(columns);
        all.add(Column.rowId());
        return withColumns(all).withPartitioningColumn(columns.size());
    }

    public boolean isReplicated() {
        return partitioningColumn.isEmpty();
    }

    /** The place of its rows: {@code REPLICATED}, {@code COLUMN} for that of a column's value, or {@code ROW}. */
    public String placement() {
        return isReplicated() ? "REPLICATED" : hasRowId() ? "ROW" : "COLUMN";
    }

    /** Position of the visible column, or -1; the name is upper case unless it was quoted. */
    public int columnIndex(String columnName) {
        return columnIndex(columns, columnName);
    }

    /** The same of a table that is still being made. */
    public static int columnIndex(List<Column> columns, String columnName) {
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).isRowId() && columns.get(i).name().equals(columnName)) {
                return i;
            }
        }
        return -1;
    }

    /** The column as messages name it: {@code column NAME of TABLE}. */
    public String columnText(int column) {
        if (columns.get(column).isRowId()) {
            return "the row id of " + SimilarNames.written(name);
        }
        return "column " + SimilarNames.written(columns.get(column).name()) + " of " + SimilarNames.written(name);
    }

    /** The message for a name that none of its columns has. */
    public String noColumn(String columnName) {
        return noColumn(name, columns, columnName);
    }

    /** The same of a table that is still being made. */
    public static String noColumn(String table, List<Column> columns, String columnName) {
        List<String> names = columns.stream()
                .filter(column -> !column.isRowId())
                .map(Column::name)
                .toList();
        return "table " + SimilarNames.written(table) + " has no column " + SimilarNames.written(columnName)
                + SimilarNames.hint(columnName, names, "");
    }

    /** Whether a write of some columns changes the column: it is one of them, or computed from one. */
    public boolean isChanged(int column, IntPredicate isWritten) {
        Generation generation = columns.get(column).generation();
        return isWritten.test(column)
                || (generation != null
                        && IntStream.range(0, columns.size())
                                .anyMatch(other -> isWritten.test(other) && generation.reads(other)));
    }

    /** The form in which unquoted names are kept. */
    public static String normalize(String unquotedName) {
        return unquotedName.toUpperCase(Locale.ROOT);
    }
}
