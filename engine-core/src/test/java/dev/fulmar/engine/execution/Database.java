package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One partition with tables, for tests: runs plans with boxed values. */
final class Database implements AutoCloseable {
    static final long MEMORY_BYTES = 1L << 32;
    static final long INTERMEDIATE_BYTES = 64 << 20;
    /** 2024-02-29T13:14:15.000016. */
    static final long NOW = 1_709_212_455_000_016L;

    private final PartitionStorage storage;
    private final ExecutionContext context;
    private final ResultBlockWriter writer = new ResultBlockWriter(1 << 10, 1 << 28);
    private Catalog catalog = Catalog.empty();
    private int budgetChecks;

    Database() {
        this(PartitionPlan.hash(1), 0, INTERMEDIATE_BYTES);
    }

    Database(PartitionPlan plan, int partition, long intermediateBytes) {
        storage = new PartitionStorage(
                new ChunkSource(new MemoryBudget(MEMORY_BYTES, "memory")), plan.bucketsOf(partition, 2), 1 << 30);
        context = new ExecutionContext(storage, plan, partition, intermediateBytes, () -> budgetChecks++);
        context.setTransactionMicros(NOW);
    }

    int budgetChecks() {
        return budgetChecks;
    }

    PartitionStorage storage() {
        return storage;
    }

    ExecutionContext context() {
        return context;
    }

    Catalog catalog() {
        return catalog;
    }

    /** A table that the storage has already. */
    void know(Table table) {
        catalog = catalog.withTable(table);
    }

    /** Starts a table; its id is the name's position among the tables, from 1. */
    Builder table(String name) {
        return new Builder(name, catalog.nextId());
    }

    /** Defines a table; index ids follow the table's. */
    final class Builder {
        private final String name;
        private final int id;
        private final List<Column> columns = new ArrayList<>();
        private final List<Index> indexes = new ArrayList<>();
        private List<Integer> primaryKey = List.of();
        private OptionalInt partitioning = OptionalInt.empty();

        Builder(String name, int id) {
            this.name = name;
            this.id = id;
        }

        Builder column(String column, ColumnType type) {
            columns.add(new Column(column, type, false, null));
            return this;
        }

        Builder nullable(String column, ColumnType type) {
            columns.add(new Column(column, type, true, null));
            return this;
        }

        Builder partitionedOn(int column) {
            partitioning = OptionalInt.of(column);
            return this;
        }

        Builder primaryKey(Integer... key) {
            primaryKey = Arrays.asList(key);
            index(IndexKind.HASH, true, true, key);
            return index(IndexKind.ORDERED, true, true, key);
        }

        /** A column given as its complement is descending. */
        Builder index(IndexKind kind, boolean unique, boolean primary, Integer... key) {
            List<IndexColumn> parts = Arrays.stream(key)
                    .map(column -> column < 0 ? new IndexColumn(~column, true) : new IndexColumn(column, false))
                    .toList();
            int indexId = id + 1 + indexes.size();
            indexes.add(new Index(indexId, name + "_" + indexId, kind, unique, primary, parts));
            return this;
        }

        Table create() {
            Table table = new Table(id, name, columns, partitioning, primaryKey, indexes);
            storage.createTable(table);
            catalog = catalog.withTable(table);
            return table;
        }
    }

    static List<ColumnType> types(Table table) {
        return table.columns().stream().map(Column::type).toList();
    }

    static Relation.TableScan scan(Table table) {
        return new Relation.TableScan(table.id(), types(table), null);
    }

    PartitionStatement statement(StatementPlan plan) {
        return StatementCompiler.compile(catalog, plan).on(context);
    }

    /** Inserts rows one by one; returns how many. */
    long insert(Table table, @Nullable Object[]... rows) {
        StatementPlan plan = Plans.write(
                new Operation.Insert(table.id(), Plans.parameters(types(table)), false),
                types(table).toArray(ColumnType[]::new));
        PartitionStatement statement = statement(plan);
        long count = 0;
        for (@Nullable Object[] row : rows) {
            count += run(statement, row);
        }
        return count;
    }

    long run(StatementPlan plan, @Nullable Object... arguments) {
        return run(statement(plan), arguments);
    }

    long run(PartitionStatement statement, @Nullable Object... arguments) {
        writer.clear();
        return statement.run(bind(statement.compiled(), arguments), writer);
    }

    List<List<@Nullable Object>> query(StatementPlan plan, @Nullable Object... arguments) {
        return query(statement(plan), arguments);
    }

    List<List<@Nullable Object>> query(PartitionStatement statement, @Nullable Object... arguments) {
        run(statement, arguments);
        return rows(writer);
    }

    List<List<@Nullable Object>> all(Table table) {
        return query(Plans.query(scan(table)));
    }

    /** The rows of the first block. */
    static List<List<@Nullable Object>> rows(ResultBlockWriter writer) {
        ResultBlock block =
                new ResultBlock().wrap(writer.array(), 0, writer.size()).validate();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        while (block.next()) {
            rows.add(new ArrayList<>(IntStream.range(0, block.columnCount())
                    .mapToObj(block::object)
                    .toList()));
        }
        return rows;
    }

    static Bindings bind(CompiledStatement statement, @Nullable Object... arguments) {
        Bindings bindings = statement.newBindings();
        for (int i = 0; i < arguments.length; i++) {
            bind(bindings, i, arguments[i]);
        }
        return bindings;
    }

    private static void bind(Bindings bindings, int parameter, @Nullable Object value) {
        switch (value) {
            case null -> bindings.setNull(parameter);
            case Long number -> bindings.setLong(parameter, number);
            case Integer number -> bindings.setLong(parameter, number);
            case Double number -> bindings.setDouble(parameter, number);
            case Boolean truth -> bindings.setBoolean(parameter, truth);
            case String text -> bindings.setString(parameter, text);
            case byte[] bytes -> bindings.setBytes(parameter, bytes, 0, bytes.length);
            case BigDecimal number -> bindings.setDecimal(parameter, number);
            case LocalDate date -> bindings.setDate(parameter, date.toEpochDay());
            case LocalTime time -> bindings.setTime(parameter, time.toNanoOfDay() / 1000);
            case LocalDateTime timestamp -> bindings.setTimestamp(parameter, Temporals.micros(timestamp));
            case UUID uuid ->
                bindings.setUuid(parameter, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            default -> throw new IllegalArgumentException("no parameter: " + value.getClass());
        }
    }

    @Override
    public void close() {
        storage.close();
    }
}
