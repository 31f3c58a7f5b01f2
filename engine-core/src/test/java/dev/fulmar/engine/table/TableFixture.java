package dev.fulmar.engine.table;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** Builds table definitions for tests. */
final class TableFixture {
    private final int id;
    private final String name;
    private final List<Column> columns = new ArrayList<>();
    private final List<Index> indexes = new ArrayList<>();
    private List<Integer> primaryKey = List.of();
    private OptionalInt partitioning = OptionalInt.empty();
    private int nextIndex = 1;

    TableFixture(int id, String name) {
        this.id = id;
        this.name = name;
    }

    TableFixture column(String column, TypeKind kind) {
        columns.add(new Column(column, ColumnType.of(kind), false, null));
        return this;
    }

    TableFixture nullable(String column, ColumnType type) {
        columns.add(new Column(column, type, true, null));
        return this;
    }

    TableFixture column(String column, ColumnType type) {
        columns.add(new Column(column, type, false, null));
        return this;
    }

    TableFixture partitionedOn(int column) {
        partitioning = OptionalInt.of(column);
        return this;
    }

    TableFixture primaryKey(Integer... key) {
        primaryKey = Arrays.asList(key);
        index("PK_HASH", IndexKind.HASH, true, true, key);
        index("PK_TREE", IndexKind.ORDERED, true, true, key);
        return this;
    }

    /** A column position given as its complement is descending. */
    TableFixture index(String index, IndexKind kind, boolean unique, boolean primary, Integer... key) {
        indexes.add(newIndex(nextIndex++, index, kind, unique, primary, key));
        return this;
    }

    static Index newIndex(int id, String name, IndexKind kind, boolean unique, boolean primary, Integer... key) {
        List<IndexColumn> columns = Arrays.stream(key)
                .map(column -> column < 0 ? new IndexColumn(~column, true) : new IndexColumn(column, false))
                .toList();
        return new Index(id, name, kind, unique, primary, columns);
    }

    Table build() {
        return new Table(id, name, columns, partitioning, primaryKey, indexes);
    }
}
