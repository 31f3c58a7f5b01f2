package dev.fulmar.engine.procedure.repeat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what is certain about the rows of relations. An ORDERED index gives its rows in an order that the rows
 * alone determine; a table's rows come as they lie in memory. Joins, groups and sorts keep the order of what they read.
 */
final class RelationScan {
    /** Functions that never fail. */
    private static final Set<ScalarFunction> SAFE = EnumSet.of(
            ScalarFunction.EQUAL,
            ScalarFunction.NOT_EQUAL,
            ScalarFunction.LESS,
            ScalarFunction.LESS_OR_EQUAL,
            ScalarFunction.GREATER,
            ScalarFunction.GREATER_OR_EQUAL,
            ScalarFunction.IS_NOT_DISTINCT_FROM,
            ScalarFunction.AND,
            ScalarFunction.OR,
            ScalarFunction.NOT,
            ScalarFunction.IS_NULL,
            ScalarFunction.IS_NOT_NULL,
            ScalarFunction.IS_TRUE,
            ScalarFunction.IS_NOT_TRUE,
            ScalarFunction.IS_FALSE,
            ScalarFunction.IS_NOT_FALSE,
            ScalarFunction.IN);

    private final Catalog catalog;
    private final List<Fragment> fragments;

    /** Whether it is about copies of replicated tables, rather than about one partition at two times. */
    private final boolean isOfCopies;

    /** @param fragments of the statement, whose rows its merge receives */
    RelationScan(Catalog catalog, List<Fragment> fragments) {
        this(catalog, fragments, false);
    }

    private RelationScan(Catalog catalog, List<Fragment> fragments, boolean isOfCopies) {
        this.catalog = catalog;
        this.fragments = fragments;
        this.isOfCopies = isOfCopies;
    }

    /** A scan of what copies of replicated tables read, which fail together. */
    static RelationScan ofCopies(Catalog catalog) {
        return new RelationScan(catalog, List.of(), true);
    }

    Table table(int id) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == id)
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a planned statement's tables are in the catalog"));
    }

    RowsFacts facts(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> tableScan(table(scan.table()));
            case Relation.IndexScan scan -> indexScan(scan);
            case Relation.Filter filter -> facts(filter.input());
            case Relation.Project project -> project(project);
            case Relation.NestedLoopJoin join -> join(join.left(), join.right(), join.kind(), join.condition());
            case Relation.IndexJoin join -> join(join.left(), join.right(), join.kind(), join.condition());
            case Relation.HashJoin join -> join(join.left(), join.right(), join.kind(), join.condition());
            case Relation.Apply apply -> join(apply.left(), apply.right(), apply.kind(), null);
            case Relation.Aggregate aggregate -> aggregate(aggregate);
            case Relation.Window window -> window(window);
            case Relation.Sort sort -> sort(sort);
            case Relation.Limit limit -> limit(limit);
            case Relation.UnionAll union -> union(union);
            case Relation.Recursion recursion ->
                union(new Relation.UnionAll(List.of(recursion.seed(), recursion.step())));
            case Relation.WorkingRows rows -> RowsFacts.determined(false);
            case Relation.Values values -> RowsFacts.determined(values.rows().size() <= 1);
            case Relation.FunctionRows rows -> RowsFacts.determined(false);
            case Relation.Receive receive -> received(receive);
            case Relation.Measured measured -> RowsFacts.undetermined("tells how long it took");
            case Relation.Annotated annotated -> RowsFacts.undetermined("tells how long it took");
        };
    }

    private static RowsFacts tableScan(Table table) {
        return new RowsFacts(
                RowOrder.UNORDERED, false, keys(table), "reads " + table.name() + " in no particular order");
    }

    private RowsFacts indexScan(Relation.IndexScan scan) {
        Table table = table(scan.table());
        Index index = table.indexes().stream()
                .filter(candidate -> candidate.id() == scan.key().index())
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a planned statement's indexes are in the catalog"));
        boolean one =
                index.unique() && scan.key().equal().size() == index.columns().size();
        boolean isOfRowNumbers = isOfCopies && table.primaryKey().isEmpty(); // equal keys are in their order
        RowOrder order =
                index.kind() == IndexKind.ORDERED && !isOfRowNumbers ? RowOrder.DETERMINED : RowOrder.UNORDERED;
        return new RowsFacts(order, one, keys(table), "reads " + index.name() + " in no particular order");
    }

    /** Columns that tell the table's rows apart. */
    private static List<Set<Integer>> keys(Table table) {
        List<Set<Integer>> keys = new ArrayList<>();
        if (!table.primaryKey().isEmpty()) {
            keys.add(Set.copyOf(table.primaryKey()));
        }
        for (Index index : table.indexes()) {
            if (!index.isConstraint()) {
                continue;
            }
            Set<Integer> columns =
                    index.columns().stream().map(IndexColumn::column).collect(Collectors.toSet());
            boolean nullable = columns.stream()
                    .anyMatch(column -> table.columns().get(column).nullable());
            if (!nullable) {
                keys.add(columns);
            }
        }
        return keys;
    }

    private RowsFacts project(Relation.Project project) {
        RowsFacts input = facts(project.input());
        Map<Integer, Integer> places = new HashMap<>();
        for (int place = 0; place < project.expressions().size(); place++) {
            if (project.expressions().get(place) instanceof Expression.ColumnReference(int column, var type, var nul)) {
                places.putIfAbsent(column, place);
            }
        }
        List<Set<Integer>> kept = input.keys().stream()
                .filter(key -> places.keySet().containsAll(key))
                .map(key -> key.stream().map(places::get).collect(Collectors.toSet()))
                .toList();
        return input.withKeys(kept);
    }

    private RowsFacts join(Relation leftRelation, Relation rightRelation, JoinKind kind, @Nullable Expression when) {
        RowsFacts left = facts(leftRelation);
        RowsFacts right = facts(rightRelation);
        return switch (kind) {
            case INNER, LEFT -> left.with(right, leftRelation.columns().size());
            case FULL -> left.with(right, leftRelation.columns().size()).withKeys(List.of());
            case SEMI, ANTI -> {
                // Only the first match is looked at: whether another one would fail must not matter.
                boolean certain =
                        right.order() == RowOrder.DETERMINED || (right.order() == RowOrder.UNORDERED && isSafe(when));
                yield certain ? left : RowsFacts.undetermined(right.cause());
            }
        };
    }

    private boolean isSafe(@Nullable Expression condition) {
        return isOfCopies || neverFails(condition);
    }

    private static boolean neverFails(@Nullable Expression condition) {
        return switch (condition) {
            case null -> true;
            case Expression.ColumnReference column -> true;
            case Expression.OuterReference outer -> true;
            case Expression.Parameter parameter -> true;
            case Expression.Literal literal -> true;
            case Expression.Call call ->
                SAFE.contains(call.function()) && call.arguments().stream().allMatch(RelationScan::neverFails);
        };
    }

    private RowsFacts aggregate(Relation.Aggregate aggregate) {
        RowsFacts input = facts(aggregate.input());
        int width = aggregate.keys().size();
        boolean one = width == 0 || input.atMostOne();
        List<Set<Integer>> keys = width == 0
                ? List.of()
                : List.of(IntStream.range(0, width).boxed().collect(Collectors.toSet()));
        return switch (input.order()) {
            case DETERMINED -> RowsFacts.determined(one).withKeys(keys);
            case UNDETERMINED -> input;
            case UNORDERED -> {
                boolean floating = aggregate.keys().stream().anyMatch(key -> hasEqualForms(key.type()))
                        || aggregate.calls().stream().anyMatch(RelationScan::dependsOnOrder);
                yield floating
                        ? RowsFacts.undetermined(
                                input.cause() + ", on which a result with floating-point numbers depends")
                        : new RowsFacts(RowOrder.UNORDERED, one, keys, input.cause());
            }
        };
    }

    /**
     * Sums of floating-point numbers do; so does which of two equal ones, 0 and -0, is the least. A list has an order
     * of its own, whatever that of the rows is.
     */
    private static boolean dependsOnOrder(AggregateCall call) {
        boolean takesFloating =
                call.argument() != null && isFloating(call.argument().type());
        boolean keepsOne = switch (call.function()) {
            case MIN, MAX, SINGLE_VALUE -> true;
            default -> call.function().family() == AggregateFunction.Family.LIST;
        };
        if (keepsOne && call.argument() != null && hasEqualForms(call.argument().type())) {
            return true; // which of equal values it is
        }
        return switch (call.function().family()) {
            case PLAIN, BITS, LIST -> takesFloating && call.function() != AggregateFunction.COUNT;
            // The total of bytes is that of floating-point numbers if the result is one.
            case SPREAD, PAIRS -> takesFloating || isFloating(call.type());
        };
    }

    /** Whether equal values may differ: 0 and -0, 1 and 1.0 in a document, a month and 30 days. */
    private static boolean hasEqualForms(ColumnType type) {
        return isFloating(type) || type.kind().hasEqualForms();
    }

    private static boolean isFloating(ColumnType type) {
        return type.kind() == TypeKind.REAL || type.kind() == TypeKind.DOUBLE;
    }

    /**
     * The facts of a window's rows: values depend on the order of peers, which the order by the window's keys may leave
     * open.
     */
    private RowsFacts window(Relation.Window window) {
        RowsFacts input = facts(window.input());
        return input.order() == RowOrder.UNORDERED
                ? RowsFacts.undetermined(input.cause() + ", and a window function depends on it")
                : input;
    }

    private RowsFacts sort(Relation.Sort sort) {
        RowsFacts input = facts(sort.input());
        if (input.order() != RowOrder.UNORDERED) {
            return input;
        }
        Set<Integer> sorted = new HashSet<>();
        for (Relation.SortKey key : sort.keys()) {
            if (key.value() instanceof Expression.ColumnReference column && !hasEqualForms(column.type())) {
                sorted.add(column.index());
            }
        }
        boolean total =
                sorted.size() == sort.columns().size() || input.keys().stream().anyMatch(sorted::containsAll);
        return total
                ? input.ordered()
                : new RowsFacts(
                        RowOrder.UNORDERED,
                        false,
                        input.keys(),
                        input.cause() + ", and ORDER BY leaves the order of some rows open");
    }

    private RowsFacts limit(Relation.Limit limit) {
        RowsFacts input = facts(limit.input());
        if (input.order() == RowOrder.UNORDERED) {
            return RowsFacts.undetermined(input.cause() + ", and LIMIT or OFFSET chooses among the rows");
        }
        boolean first = limit.fetch() instanceof Expression.Literal literal
                && literal.value() instanceof Long count
                && count <= 1;
        return first && input.order() == RowOrder.DETERMINED ? input.single() : input;
    }

    private RowsFacts union(Relation.UnionAll union) {
        RowsFacts all = facts(union.inputs().getFirst());
        for (Relation input : union.inputs().subList(1, union.inputs().size())) {
            all = all.with(facts(input), 0);
        }
        return union.inputs().size() == 1 ? all : new RowsFacts(all.order(), false, List.of(), all.cause());
    }

    private RowsFacts received(Relation.Receive receive) {
        return fragments.get(receive.fragment()).operation() instanceof Operation.Query(Relation relation)
                ? facts(relation)
                : RowsFacts.undetermined("receives rows from a fragment that yields none");
    }
}
