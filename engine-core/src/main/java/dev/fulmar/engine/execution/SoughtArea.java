package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one table that a query reads, or that a write changes, as far as its conditions on single columns
 * tell. Sessions take turns by it, and nothing else depends on it. One thread.
 */
public final class SoughtArea {
    private static final int TEMPORARY_BYTES = 1 << 20;

    /**
     * Values of a column.
     *
     * @param function EQUAL for one of the values, LESS_OR_EQUAL or GREATER_OR_EQUAL for those up to it, or from it on
     * @param isFilter whether no row has them if all values are null; else they are any then
     */
    private record Condition(int column, ScalarFunction function, List<Evaluator> values, boolean isFilter) {}

    private final Table table;
    private final @Nullable SoughtRow row;
    private final List<Condition> conditions;
    private final Frame frame = new Frame(0, new ScratchMemory(TEMPORARY_BYTES), new ParameterSlots());

    private SoughtArea(Table table, @Nullable SoughtRow row, List<Condition> conditions) {
        this.table = table;
        this.row = row;
        this.conditions = conditions;
    }

    /**
     * The areas of all tables of which the statement's conditions tell, by the tables' ids. Of a query that wants only
     * some of its tables, those of them.
     */
    static List<SoughtArea> all(StatementPlan plan, Catalog catalog) {
        List<Integer> wanted = plan.lockedTables();
        SoughtArea only = of(plan, catalog);
        if (only != null) {
            return wanted.isEmpty() || wanted.contains(only.table.id()) ? List.of(only) : List.of();
        }
        return JoinedAreas.of(plan, catalog, id -> wanted.isEmpty() || wanted.contains(id));
    }

    /** Null if the statement is about several tables, or is a query whose conditions tell of no column. */
    static @Nullable SoughtArea of(StatementPlan plan, Catalog catalog) {
        if (plan.steps().isPresent()) {
            return ofSteps(plan.steps().get(), catalog);
        }
        if (plan.fragments().size() != 1) {
            return null;
        }
        return switch (plan.fragments().getFirst().operation()) {
            case Operation.Query(Relation relation) -> ofQuery(plan, relation, catalog);
            case Operation.Insert insert -> {
                Builder builder = builder(insert.table(), catalog);
                yield builder == null ? null : builder.insert(insert).build(null);
            }
            case Operation.Update update -> {
                Builder builder = builder(update.table(), catalog);
                TreeSet<Integer> changed = new TreeSet<>();
                update.assignments().forEach(assignment -> changed.add(assignment.column()));
                yield builder == null
                        ? null
                        : builder.read(update.target()).without(changed).build(null);
            }
            case Operation.Delete delete -> {
                Builder builder = builder(delete.table(), catalog);
                yield builder == null ? null : builder.read(delete.target()).build(null);
            }
        };
    }

    /** A write in steps tells little of the rows that it will find. */
    private static @Nullable SoughtArea ofSteps(StatementPlan.Steps steps, Catalog catalog) {
        if (steps.isUpkeep()) {
            return of(steps.written(), catalog);
        }
        return switch (steps.changes().getFirst().fragments().getFirst().operation()) {
            case Operation.Insert insert -> all(insert.table(), catalog);
            case Operation.Update update -> all(update.table(), catalog);
            case Operation.Delete delete -> all(delete.table(), catalog);
            case Operation.Query _ -> null;
        };
    }

    private static @Nullable SoughtArea all(int table, Catalog catalog) {
        Builder builder = builder(table, catalog);
        return builder == null ? null : builder.build(null);
    }

    private static @Nullable SoughtArea ofQuery(StatementPlan plan, Relation relation, Catalog catalog) {
        Relation source = SoughtRow.source(relation);
        SoughtRow row = SoughtRow.of(plan, catalog);
        int read = switch (source) {
            case Relation.TableScan scan -> scan.table();
            case Relation.IndexScan scan -> scan.table();
            case Relation.IndexJoin join
            when list(join.left()) != null -> join.right().table();
            default -> -1;
        };
        Builder builder = builder(read, catalog);
        if (builder == null) {
            return null;
        }
        if (row != null && source instanceof Relation.IndexScan scan) {
            return builder.read(scan.key(), null).build(row); // all of the row, whatever else is asked of it
        }
        builder.read(relation);
        return builder.isVague() ? null : builder.build(null);
    }

    /** The constants by which a join looks rows up; null if it is another join. */
    private static Relation.@Nullable Values list(Relation left) {
        return switch (left) {
            case Relation.Values values -> values;
            case Relation.Aggregate(Relation input, List<Expression> keys, var calls)
            when calls.isEmpty()
                    && keys.size() == 1
                    && keys.getFirst() instanceof Expression.ColumnReference key
                    && key.index() == 0 -> list(input);
            default -> null;
        };
    }

    private static @Nullable Builder builder(int table, Catalog catalog) {
        for (Table each : catalog.tables().values()) {
            if (each.id() == table) {
                return new Builder(each);
            }
        }
        return null;
    }

    static final class Builder {
        private final Table table;
        private final List<Condition> conditions = new ArrayList<>();
        private final ExpressionCompiler expressions = new ExpressionCompiler(List.of());
        private boolean isConditional;

        Builder(Table table) {
            this.table = table;
        }

        /** Whether a condition tells of a column. */
        boolean tells() {
            return !conditions.isEmpty();
        }

        /** Whether there are conditions, of which none tells of a column. */
        boolean isVague() {
            return isConditional && conditions.isEmpty();
        }

        SoughtArea build(@Nullable SoughtRow row) {
            return new SoughtArea(table, row, List.copyOf(conditions));
        }

        Builder without(TreeSet<Integer> assigned) {
            conditions.removeIf(condition -> table.isChanged(condition.column(), assigned::contains));
            return this;
        }

        Builder insert(Operation.Insert insert) {
            if (insert.source() instanceof Relation.Values values) {
                for (int column : given(sought(insert.onConflict()))) {
                    List<Expression> all = new ArrayList<>();
                    for (List<Expression> each : values.rows()) {
                        all.add(each.get(column));
                    }
                    add(column, ScalarFunction.EQUAL, all, false);
                }
            }
            return this;
        }

        /** Those of the columns that the insert has the values of. */
        private int[] given(int[] columns) {
            return IntStream.of(columns)
                    .filter(column -> !table.columns().get(column).isGenerated())
                    .toArray();
        }

        /** Columns that a row which the insert writes has as it gives them: of a row that is there those of the key. */
        private int[] sought(ConflictAction onConflict) {
            return switch (onConflict) {
                case ConflictAction.Fail _ ->
                    IntStream.range(0, table.columns().size()).toArray();
                case ConflictAction.Replace _ ->
                    table.primaryKey().stream().mapToInt(Integer::intValue).toArray();
                case ConflictAction.Skip skip -> keyOf(skip.index());
                case ConflictAction.Change change -> keyOf(change.index());
            };
        }

        private int[] keyOf(int index) {
            return table.indexes().stream()
                    .filter(each -> each.id() == index)
                    .flatMapToInt(each -> each.columns().stream().mapToInt(IndexColumn::column))
                    .toArray();
        }

        Builder read(Relation relation) {
            switch (relation) {
                case Relation.Filter filter -> {
                    read(filter.input());
                    if (readsTable(filter.input())) {
                        read(filter.condition());
                    }
                }
                case Relation.Project project -> read(project.input());
                case Relation.Sort sort -> read(sort.input());
                case Relation.Limit limit -> read(limit.input());
                case Relation.Aggregate aggregate -> read(aggregate.input());
                case Relation.Window window -> read(window.input());
                case Relation.TableScan scan -> read(scan.filter());
                case Relation.IndexScan scan -> {
                    read(scan.key(), null);
                    read(scan.filter());
                }
                case Relation.IndexJoin join -> {
                    isConditional = true;
                    read(join.right().key(), list(join.left()));
                }
                default -> isConditional = true;
            }
            return this;
        }

        /** Whether the relation's columns are those of the table, and its rows are not limited. */
        private static boolean readsTable(Relation relation) {
            return switch (relation) {
                case Relation.Filter filter -> readsTable(filter.input());
                case Relation.TableScan scan -> true;
                case Relation.IndexScan scan -> true;
                default -> false;
            };
        }

        /** @param list whose rows the key's expressions read; null for none */
        Builder read(Relation.IndexKey key, Relation.@Nullable Values list) {
            for (Index index : table.indexes()) {
                if (index.id() == key.index()) {
                    List<Expression> equal = key.equal();
                    for (int i = 0; i < equal.size(); i++) {
                        add(index.columns().get(i), ScalarFunction.EQUAL, values(equal.get(i), list));
                    }
                    key.lower().ifPresent(bound -> add(bound, index.columns().get(equal.size()), true));
                    key.upper().ifPresent(bound -> add(bound, index.columns().get(equal.size()), false));
                }
            }
            return this;
        }

        private static List<Expression> values(Expression value, Relation.@Nullable Values list) {
            return list != null && value instanceof Expression.ColumnReference column
                    ? list.rows().stream().map(row -> row.get(column.index())).toList()
                    : List.of(value);
        }

        private void add(Relation.Bound bound, IndexColumn column, boolean isLower) {
            boolean isLeast = isLower != column.descending();
            add(
                    column,
                    isLeast ? ScalarFunction.GREATER_OR_EQUAL : ScalarFunction.LESS_OR_EQUAL,
                    List.of(bound.value()));
        }

        private void add(IndexColumn column, ScalarFunction function, List<Expression> values) {
            isConditional = true;
            if (!column.isComputed()) {
                add(column.column(), function, values, true);
            }
        }

        private void read(@Nullable Expression condition) {
            if (condition == null) {
                return;
            }
            isConditional = true;
            if (!(condition instanceof Expression.Call(var function, List<Expression> arguments, var _, var _))) {
                return;
            }
            switch (function) {
                case AND -> arguments.forEach(this::read);
                case EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                    compare(arguments.getFirst(), function, arguments.get(1));
                    compare(arguments.get(1), mirrored(function), arguments.getFirst());
                }
                case IN -> {
                    if (arguments.getFirst() instanceof Expression.ColumnReference column) {
                        add(column.index(), ScalarFunction.EQUAL, arguments.subList(1, arguments.size()), true);
                    }
                }
                default -> {}
            }
        }

        private void compare(Expression subject, ScalarFunction function, Expression value) {
            if (subject instanceof Expression.ColumnReference column) {
                add(column.index(), function, List.of(value), true);
            }
        }

        static ScalarFunction mirrored(ScalarFunction function) {
            return switch (function) {
                case LESS -> ScalarFunction.GREATER;
                case LESS_OR_EQUAL -> ScalarFunction.GREATER_OR_EQUAL;
                case GREATER -> ScalarFunction.LESS;
                case GREATER_OR_EQUAL -> ScalarFunction.LESS_OR_EQUAL;
                default -> function;
            };
        }

        void add(int column, ScalarFunction function, List<Expression> values, boolean isFilter) {
            ColumnType type = table.columns().get(column).type();
            if (type.kind().hasEqualForms()) {
                return; // values that are equal may differ in their bytes
            }
            try {
                List<Evaluator> compiled = new ArrayList<>();
                for (Expression value : values) {
                    if (!isConstant(value)) {
                        return;
                    }
                    compiled.add(expressions.storedIn(value, type));
                }
                ScalarFunction closed = switch (function) {
                    case LESS -> ScalarFunction.LESS_OR_EQUAL;
                    case GREATER -> ScalarFunction.GREATER_OR_EQUAL;
                    default -> function;
                };
                conditions.add(new Condition(column, closed, List.copyOf(compiled), isFilter));
            } catch (FulmarException notOfThisType) {
                return; // the area is larger without it
            }
        }

        static boolean isConstant(Expression value) {
            return switch (value) {
                case Expression.Literal _, Expression.Parameter _ -> true;
                case Expression.Call(var function, List<Expression> arguments, var _, var _) ->
                    switch (function) {
                        case CAST, PLUS, MINUS, TIMES, NEGATE ->
                            arguments.stream().allMatch(Builder::isConstant);
                        default -> false;
                    };
                case Expression.ColumnReference _, Expression.OuterReference _ -> false;
            };
        }
    }

    /** The rows with these parameters; null if there can be none. */
    public @Nullable RowArea area(Bindings bindings) {
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        TreeMap<Integer, RowArea.Extent> extents = new TreeMap<>();
        for (Condition condition : conditions) {
            Values values = new Values();
            try {
                TypeKind kind = table.columns().get(condition.column()).type().kind();
                condition.values().forEach(value -> values.add(value, kind, frame));
            } catch (FulmarException noValue) {
                continue; // the statement will say so; the area is larger without it
            }
            if (values.isEmpty() && condition.isFilter()) {
                return null;
            }
            if (values.isEmpty() || (values.hasNull && !condition.isFilter())) {
                continue;
            }
            RowArea.Extent extent = values.extent(condition.column(), condition.function());
            RowArea.Extent before = extents.get(condition.column());
            extents.put(condition.column(), before == null ? extent : before.and(extent));
        }
        long number = row == null ? 0 : row.number(bindings);
        boolean isNone = extents.values().stream().anyMatch(extent -> extent.from() > extent.to());
        return isNone ? null : new RowArea(table.id(), number, List.copyOf(extents.values()));
    }

    /** Values of one condition. */
    private static final class Values {
        private long least = Long.MAX_VALUE;
        private long greatest = Long.MIN_VALUE;
        private long only;
        private int count;
        private boolean hasNull;

        boolean isEmpty() {
            return count == 0;
        }

        void add(Evaluator value, TypeKind kind, Frame frame) {
            long image = OrderedImage.of(value, kind, frame);
            if (frame.isNull) {
                hasNull = true;
                return;
            }
            long hash = SoughtRow.hash(value, frame);
            least = Math.min(least, image);
            greatest = Math.max(greatest, image);
            only = count == 0 || only == hash ? hash : 0;
            count++;
        }

        RowArea.Extent extent(int column, ScalarFunction function) {
            return switch (function) {
                case LESS_OR_EQUAL -> new RowArea.Extent(column, Long.MIN_VALUE, greatest, 0);
                case GREATER_OR_EQUAL -> new RowArea.Extent(column, least, Long.MAX_VALUE, 0);
                default -> new RowArea.Extent(column, least, greatest, only);
            };
        }
    }
}
