package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Aggregate;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.Annotated;
import dev.fulmar.engine.plan.Relation.Apply;
import dev.fulmar.engine.plan.Relation.Bound;
import dev.fulmar.engine.plan.Relation.Filter;
import dev.fulmar.engine.plan.Relation.FunctionRows;
import dev.fulmar.engine.plan.Relation.HashJoin;
import dev.fulmar.engine.plan.Relation.IndexJoin;
import dev.fulmar.engine.plan.Relation.IndexKey;
import dev.fulmar.engine.plan.Relation.IndexScan;
import dev.fulmar.engine.plan.Relation.Limit;
import dev.fulmar.engine.plan.Relation.Measured;
import dev.fulmar.engine.plan.Relation.NestedLoopJoin;
import dev.fulmar.engine.plan.Relation.Project;
import dev.fulmar.engine.plan.Relation.Receive;
import dev.fulmar.engine.plan.Relation.Recursion;
import dev.fulmar.engine.plan.Relation.Sort;
import dev.fulmar.engine.plan.Relation.SortKey;
import dev.fulmar.engine.plan.Relation.TableScan;
import dev.fulmar.engine.plan.Relation.UnionAll;
import dev.fulmar.engine.plan.Relation.Values;
import dev.fulmar.engine.plan.Relation.Window;
import dev.fulmar.engine.plan.Relation.WorkingRows;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns relations into producers for one partition. A relation is compiled with a function that, given the evaluators
 * of its output columns, makes the consumer of its rows.
 */
public final class RelationCompiler {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private final OperatorContext context;
    private final ReceivedRows received;
    private final JoinCompiler joins = new JoinCompiler(this);
    private final Map<Evaluator, TableColumn> tableColumns;
    private final Sources sources;
    private final Map<Integer, List<Evaluator>> outerRows;
    private final Map<Integer, RecursionProducer> recursions;

    /** The figures of the operators that are measured; null where none is. */
    private final @Nullable PartFigures figures;

    /** A column of a table's row as it lies in the row. */
    public record TableColumn(RowLayout layout, int column, int source) {}

    /** Counts the places in the frame's rows. */
    private static final class Sources {
        private int count;
    }

    public RelationCompiler(OperatorContext context, ReceivedRows received) {
        this(context, received, new IdentityHashMap<>(), new Sources(), Map.of(), new HashMap<>(), null);
    }

    private RelationCompiler(
            OperatorContext context,
            ReceivedRows received,
            Map<Evaluator, TableColumn> tableColumns,
            Sources sources,
            Map<Integer, List<Evaluator>> outerRows,
            Map<Integer, RecursionProducer> recursions,
            @Nullable PartFigures figures) {
        this.context = context;
        this.received = received;
        this.tableColumns = tableColumns;
        this.sources = sources;
        this.outerRows = outerRows;
        this.recursions = recursions;
        this.figures = figures;
    }

    /** A compiler of the same statement that measures what it compiles. */
    RelationCompiler measuring(PartFigures part) {
        return new RelationCompiler(context, received, tableColumns, sources, outerRows, recursions, part);
    }

    /** A compiler of what is run for each row of a relation around it, with memory of its own. */
    RelationCompiler within(int row, List<Evaluator> columns, ScratchMemory memory) {
        Map<Integer, List<Evaluator>> rows = new HashMap<>(outerRows);
        rows.put(row, columns);
        OperatorContext inner = new OperatorContext(
                context.catalog(), context.storage(), memory, context.budget(), context.snapshot(), context.place());
        return new RelationCompiler(inner, received, tableColumns, sources, rows, recursions, figures);
    }

    OperatorContext context() {
        return context;
    }

    /** A place in the frame's rows. */
    public int newSource() {
        return sources.count++;
    }

    /** The number of places that the frame needs; known when everything is compiled. */
    public int sourceCount() {
        return sources.count;
    }

    /** The table column that the evaluator reads, or null if it does anything else. */
    public @Nullable TableColumn tableColumn(Evaluator evaluator) {
        return tableColumns.get(evaluator);
    }

    /** Compiles the relation and what takes its rows. */
    public Producer compile(Relation relation, Function<List<Evaluator>, Consumer> next) {
        return measured(relation, each -> unmeasured(relation, each), next);
    }

    /** Compiles the relation for a consumer with the function, and measures it where that is wanted. */
    Producer measured(
            Relation relation,
            Function<Function<List<Evaluator>, Consumer>, Producer> compiled,
            Function<List<Evaluator>, Consumer> next) {
        PartFigures part = figures;
        if (part == null) {
            return compiled.apply(next);
        }
        OperatorFigures own = part.of(relation);
        return own.within(compiled.apply(columns -> own.beyond(next.apply(columns))));
    }

    private Producer unmeasured(Relation relation, Function<List<Evaluator>, Consumer> next) {
        return switch (relation) {
            case TableScan scan -> {
                TableStore store = context.requiredStorage().table(scan.table());
                int source = newSource();
                List<Evaluator> columns = columns(
                        scan.table(), store.layout(), source, scan.columns().size());
                LongEvaluator filter = condition(columns, scan.filter());
                yield context.snapshot() == null
                        ? new Scans.OfTable(store, source, filter, context.budget(), next.apply(columns))
                        : new SnapshotScans.OfTable(context, store, source, filter, next.apply(columns));
            }
            case IndexScan scan -> {
                int source = newSource();
                List<Evaluator> columns = columns(scan, source);
                yield indexScan(scan, source, List.of(), condition(columns, scan.filter()), next.apply(columns));
            }
            case Filter filter ->
                compile(filter.input(), columns -> {
                    LongEvaluator condition = expressions(columns).condition(filter.condition());
                    return new FilterConsumer(condition, next.apply(columns));
                });
            case Project project ->
                compile(project.input(), columns -> {
                    ExpressionCompiler expressions = expressions(columns);
                    return next.apply(project.expressions().stream()
                            .map(expressions::compile)
                            .toList());
                });
            case NestedLoopJoin join -> joins.nestedLoop(join, next);
            case IndexJoin join -> joins.index(join, next);
            case HashJoin join -> joins.hash(join, next);
            case Apply apply -> joins.apply(apply, next);
            case Aggregate aggregate -> aggregate(aggregate, next);
            case Window window -> WindowCompiler.compile(this, window, next);
            case Sort sort -> sort(sort, null, next);
            case Limit limit -> limit(limit, next);
            case UnionAll union -> union(union, next);
            case Recursion recursion -> recursion(recursion, next);
            case WorkingRows rows -> working(rows, next);
            case Values values -> values(values, next);
            case FunctionRows rows -> FunctionRowsProducer.compile(this, rows, next);
            case Receive receive -> receive(receive, next);
            case Measured measured -> MeasuredProducer.compile(this, measured, next);
            case Annotated annotated -> AnnotatedProducer.compile(this, annotated, next);
        };
    }

    /** Compiles expressions over the columns, and over the rows around. */
    ExpressionCompiler expressions(List<Evaluator> columns) {
        return new ExpressionCompiler(columns, outerRows);
    }

    @Nullable LongEvaluator condition(List<Evaluator> columns, @Nullable Expression condition) {
        return condition == null ? null : expressions(columns).condition(condition);
    }

    /** Evaluators of the columns of the index's table. */
    List<Evaluator> columns(IndexScan scan, int source) {
        return columns(
                scan.table(),
                context.requiredStorage().table(scan.table()).layout(),
                source,
                scan.columns().size());
    }

    /** @param count of the first columns: a scan leaves a row id out, unless it is for a write */
    private List<Evaluator> columns(int tableId, RowLayout layout, int source, int count) {
        Table table = context.table(tableId);
        List<Evaluator> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Evaluator column =
                    RowColumns.of(layout, i, source, table.columns().get(i).nullable());
            tableColumns.put(column, new TableColumn(layout, i, source));
            columns.add(column);
        }
        return columns;
    }

    /** @param keyColumns what the key's expressions refer to */
    Producer indexScan(
            IndexScan scan, int source, List<Evaluator> keyColumns, @Nullable LongEvaluator filter, Consumer next) {
        TableIndex index =
                context.requiredStorage().table(scan.table()).index(scan.key().index());
        Table table = context.table(scan.table());
        IndexKey key = scan.key();
        IndexKeyWriter equal = keyWriter(table, index.definition(), key.equal(), 0, keyColumns);
        if (isPoint(index.definition(), key)) {
            return context.snapshot() == null
                    ? new Scans.OfKey(index, equal, source, filter, context.budget(), next)
                    : new SnapshotScans.OfKey(context, index, equal, source, filter, next);
        }
        int nextColumn = key.equal().size();
        IndexKeyWriter lower = bound(table, index.definition(), key.lower(), nextColumn, keyColumns);
        IndexKeyWriter upper = bound(table, index.definition(), key.upper(), nextColumn, keyColumns);
        Scans.IndexRange range = new Scans.IndexRange(
                equal,
                lower,
                key.lower().map(Bound::inclusive).orElse(false),
                upper,
                key.upper().map(Bound::inclusive).orElse(false));
        return context.snapshot() == null
                ? new Scans.OfRange(index, range, scan.backwards(), source, filter, context.budget(), next)
                : new SnapshotScans.OfRange(context, index, range, scan.backwards(), source, filter, next);
    }

    /** Whether the key names at most one row. */
    public static boolean isPoint(Index index, IndexKey key) {
        boolean complete = key.equal().size() == index.columns().size();
        Invariants.check(index.kind() == IndexKind.ORDERED || complete, "a look-up in a hash index has all columns");
        return index.unique() && complete;
    }

    private @Nullable IndexKeyWriter bound(
            Table table, Index index, Optional<Bound> bound, int column, List<Evaluator> keyColumns) {
        return bound.isEmpty()
                ? null
                : keyWriter(table, index, List.of(bound.get().value()), column, keyColumns);
    }

    private IndexKeyWriter keyWriter(
            Table table, Index index, List<Expression> values, int firstColumn, List<Evaluator> keyColumns) {
        ExpressionCompiler expressions = expressions(keyColumns);
        List<Evaluator> evaluators = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            ColumnType type = index.columns().get(firstColumn + i).type(table);
            // A sought number keeps its digits: rounded, it would find another one.
            ColumnType sought = type.kind() == TypeKind.NUMERIC ? ColumnType.of(TypeKind.NUMERIC) : type;
            evaluators.add(expressions.as(values.get(i), sought));
        }
        return new IndexKeyWriter(evaluators);
    }

    private Producer aggregate(Aggregate aggregate, Function<List<Evaluator>, Consumer> next) {
        int keySource = newSource();
        int stateSource = newSource();
        List<ColumnType> keyTypes =
                aggregate.keys().stream().map(Expression::type).toList();
        TupleLayout keyLayout = keyTypes.isEmpty() ? null : new TupleLayout(keyTypes);
        AggregateProducer[] made = new AggregateProducer[1];
        Producer input = compile(aggregate.input(), columns -> {
            ExpressionCompiler expressions = expressions(columns);
            List<AggregateProducer.Call> calls = aggregate.calls().stream()
                    .map(call -> aggregateCall(call, expressions))
                    .toList();
            List<Evaluator> results = new ArrayList<>();
            if (keyLayout != null) {
                results.addAll(keyLayout.columns(keySource));
            }
            for (int i = 0; i < calls.size(); i++) {
                results.add(calls.get(i).accumulator().result(stateSource, AggregateProducer.stateOffset(i)));
            }
            List<Evaluator> keys =
                    aggregate.keys().stream().map(expressions::compile).toList();
            List<@Nullable Evaluator> arguments = new ArrayList<>();
            for (AggregateCall call : aggregate.calls()) {
                Expression argument = call.argument();
                arguments.add(argument == null ? null : expressions.compile(argument));
            }
            NumberAggregates numbers = NumberAggregates.of(aggregate.calls(), arguments);
            made[0] = new AggregateProducer(
                    context, calls, keys, keyLayout, numbers, keySource, stateSource, next.apply(results));
            return made[0].collector();
        });
        made[0].setInput(input);
        return made[0];
    }

    private AggregateProducer.Call aggregateCall(AggregateCall call, ExpressionCompiler expressions) {
        Expression filter = call.filter();
        return new AggregateProducer.Call(
                AccumulatorCompiler.of(call, expressions, context),
                filter == null ? null : expressions.condition(filter),
                AccumulatorCompiler.distinct(call, expressions));
    }

    private Producer sort(Sort sort, @Nullable RowLimit limit, Function<List<Evaluator>, Consumer> next) {
        int source = newSource();
        TupleLayout layout = new TupleLayout(sort.columns());
        SortProducer[] made = new SortProducer[1];
        Producer input = compile(sort.input(), columns -> {
            ExpressionCompiler expressions = expressions(columns);
            List<KeyEncoder.Part> parts = new ArrayList<>();
            for (SortKey key : sort.keys()) {
                parts.add(KeyEncoder.sortPart(
                        expressions.compile(key.value()), key.value().type(), key.descending(), key.nullsFirst()));
            }
            Consumer consumer = next.apply(layout.columns(source));
            made[0] = new SortProducer(context, new KeyEncoder(parts), layout, columns, source, limit, consumer);
            return made[0]::collect;
        });
        made[0].setInput(input);
        return made[0];
    }

    private Producer limit(Limit limit, Function<List<Evaluator>, Consumer> next) {
        ExpressionCompiler expressions = expressions(List.of());
        Expression offset = limit.offset();
        Expression fetch = limit.fetch();
        RowLimit rows = new RowLimit(
                offset == null ? null : (LongEvaluator) expressions.as(offset, BIGINT),
                fetch == null ? null : (LongEvaluator) expressions.as(fetch, BIGINT));
        LimitProducer[] made = new LimitProducer[1];
        Function<List<Evaluator>, Consumer> limited = columns -> {
            made[0] = new LimitProducer(rows, context.budget(), next.apply(columns));
            return made[0].limiter();
        };
        Producer input = limit.input() instanceof Sort sort
                ? measured(sort, each -> sort(sort, rows, each), limited)
                : compile(limit.input(), limited);
        made[0].setInput(input);
        return made[0];
    }

    /** Every input writes the same tuple, which the one consumer reads. */
    private Producer union(UnionAll union, Function<List<Evaluator>, Consumer> next) {
        int source = newSource();
        TupleLayout layout = new TupleLayout(union.columns());
        Consumer consumer = next.apply(layout.columns(source));
        List<Producer> inputs = new ArrayList<>();
        for (Relation input : union.inputs()) {
            inputs.add(compile(input, columns -> tupleConsumer(layout, columns, source, consumer)));
        }
        return new SequenceProducer(inputs);
    }

    private static Consumer tupleConsumer(TupleLayout layout, List<Evaluator> columns, int source, Consumer next) {
        return new TupleConsumer(new TupleWriter(layout, columns), source, next);
    }

    private Producer recursion(Recursion recursion, Function<List<Evaluator>, Consumer> next) {
        int source = newSource();
        TupleLayout layout = new TupleLayout(recursion.columns());
        List<Evaluator> row = layout.columns(source);
        KeyEncoder key = recursion.distinct() ? KeyEncoder.ofEquality(row, layout.types()) : null;
        RecursionProducer producer = new RecursionProducer(context, source, key, next.apply(row));
        recursions.put(recursion.rows(), producer);
        producer.setInputs(
                compile(recursion.seed(), columns -> producer.collector(new TupleWriter(layout, columns))),
                compile(recursion.step(), columns -> producer.collector(new TupleWriter(layout, columns))));
        return producer;
    }

    private Producer working(WorkingRows rows, Function<List<Evaluator>, Consumer> next) {
        RecursionProducer recursion = recursions.get(rows.rows());
        if (recursion == null) {
            throw Invariants.breach("rows of a recursion are read within it only");
        }
        int source = newSource();
        return recursion.reader(source, next.apply(new TupleLayout(rows.columns()).columns(source)));
    }

    private Producer values(Values values, Function<List<Evaluator>, Consumer> next) {
        ExpressionCompiler expressions = expressions(List.of());
        List<ColumnType> types = values.columns();
        if (values.rows().size() == 1) {
            return new RowsProducer(List.of(next.apply(row(values, 0, expressions))));
        }
        int source = newSource();
        TupleLayout layout = new TupleLayout(types);
        Consumer consumer = next.apply(layout.columns(source));
        List<Consumer> rows = new ArrayList<>();
        for (int i = 0; i < values.rows().size(); i++) {
            rows.add(tupleConsumer(layout, row(values, i, expressions), source, consumer));
        }
        return new RowsProducer(rows);
    }

    private static List<Evaluator> row(Values values, int row, ExpressionCompiler expressions) {
        List<Evaluator> columns = new ArrayList<>();
        for (int i = 0; i < values.columns().size(); i++) {
            columns.add(expressions.as(
                    values.rows().get(row).get(i), values.columns().get(i)));
        }
        return columns;
    }

    private Producer receive(Receive receive, Function<List<Evaluator>, Consumer> next) {
        if (figures != null) {
            return receiveWithoutFigures(receive, next);
        }
        int source = newSource();
        return receive(receive, source, next.apply(new TupleLayout(receive.columns()).columns(source)));
    }

    /** The rows of a fragment that is measured. */
    private Producer receiveWithoutFigures(Receive receive, Function<List<Evaluator>, Consumer> next) {
        int source = newSource();
        int width = receive.columns().size();
        TupleLayout layout = new TupleLayout(Measured.withFigures(receive.columns()));
        Consumer consumer = next.apply(layout.columns(source).subList(0, width));
        return receive(
                receive, source, frame -> !TupleLayout.isNull(frame.rows[source], width) || consumer.accept(frame));
    }

    private Producer receive(Receive receive, int source, Consumer consumer) {
        return frame -> {
            long mark = frame.temporary.position();
            for (ReceivedRows.Block block : received.blocks(receive.fragment())) {
                long row = block.firstRow();
                for (int i = 0; i < block.rowCount(); i++) {
                    context.budget().spendRow();
                    frame.rows[source] = row;
                    if (!consumer.accept(frame)) {
                        return false;
                    }
                    frame.temporary.reset(mark);
                    row += TupleLayout.rowBytes(row);
                }
            }
            return true;
        };
    }
}
