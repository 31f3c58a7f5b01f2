package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that a query reads of each of its tables, as far as conditions with constants tell. The planner has
 * copied the conditions on a column to those that are to equal it. For one thread.
 */
final class JoinedAreas {
    /** The origin of a column. */
    private sealed interface Source {
        /** A column of a table. */
        record Column(Leaf leaf, int column) implements Source {}

        /** One of the values. */
        record Constants(List<Expression> values) implements Source {}

        /** Anything else. */
        record Unknown() implements Source {}
    }

    /** A table that is read. */
    private record Leaf(Table table, SoughtArea.Builder builder) {
        void add(int column, ScalarFunction function, List<Expression> values) {
            builder.add(column, function, values, true);
        }
    }

    private static final Source UNKNOWN = new Source.Unknown();

    private final StatementPlan plan;
    private final Catalog catalog;
    private final IntPredicate isWanted;
    private final List<Leaf> leaves = new ArrayList<>();

    private JoinedAreas(StatementPlan plan, Catalog catalog, IntPredicate isWanted) {
        this.plan = plan;
        this.catalog = catalog;
        this.isWanted = isWanted;
    }

    /**
     * The areas of the tables of which conditions tell, by the tables' ids; none for a statement that is no query.
     *
     * @param isWanted whether the table of the id is
     */
    static List<SoughtArea> of(StatementPlan plan, Catalog catalog, IntPredicate isWanted) {
        if (plan.steps().isPresent()
                || !(plan.fragments().getFirst().operation() instanceof Operation.Query(Relation first))) {
            return List.of();
        }
        JoinedAreas found = new JoinedAreas(plan, catalog, isWanted);
        found.read(plan.merge().orElse(first));
        return found.leaves.stream()
                .filter(leaf -> leaf.builder().tells())
                .sorted(Comparator.comparingInt(leaf -> leaf.table().id()))
                .map(leaf -> leaf.builder().build(null))
                .toList();
    }

    /** Notes what the relation reads; the origins of its columns. */
    private List<Source> read(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> {
                List<Source> columns = leaf(scan.table(), scan.columns().size());
                condition(scan.filter(), columns, 0);
                yield columns;
            }
            case Relation.IndexScan scan -> scan(scan, List.of());
            case Relation.Filter filter -> {
                List<Source> columns = read(filter.input());
                condition(filter.condition(), columns, 0);
                yield columns;
            }
            case Relation.Project project -> {
                List<Source> columns = read(project.input());
                yield project.expressions().stream()
                        .map(value -> source(value, columns))
                        .toList();
            }
            case Relation.Sort sort -> read(sort.input());
            case Relation.NestedLoopJoin join ->
                joined(read(join.left()), read(join.right()), join.kind(), join.condition());
            case Relation.HashJoin join -> joined(read(join.left()), read(join.right()), join.kind(), join.condition());
            case Relation.IndexJoin join -> {
                List<Source> left = read(join.left());
                yield joined(left, scan(join.right(), left), join.kind(), join.condition());
            }
            case Relation.Apply apply -> joined(read(apply.left()), read(apply.right()), apply.kind(), null);
            case Relation.Values values -> constants(values);
            case Relation.Receive receive
            when plan.fragments().get(receive.fragment()).operation() instanceof Operation.Query(Relation part) ->
                read(part);
            default -> {
                others(relation);
                yield unknown(relation.columns().size());
            }
        };
    }

    /** Relations whose conditions, and those upon them, say nothing of what they read. */
    private void others(Relation relation) {
        switch (relation) {
            case Relation.Aggregate aggregate -> read(aggregate.input());
            case Relation.Window window -> read(window.input());
            case Relation.Limit limit -> read(limit.input());
            case Relation.UnionAll union -> union.inputs().forEach(this::read);
            case Relation.Recursion recursion -> {
                read(recursion.seed());
                read(recursion.step());
            }
            default -> {
                // It reads no table.
            }
        }
    }

    private static List<Source> constants(Relation.Values values) {
        List<Source> columns = new ArrayList<>();
        for (int i = 0; i < values.columns().size(); i++) {
            int column = i;
            columns.add(new Source.Constants(
                    values.rows().stream().map(row -> row.get(column)).toList()));
        }
        return columns;
    }

    private List<Source> joined(List<Source> left, List<Source> right, JoinKind kind, @Nullable Expression condition) {
        List<Source> both = new ArrayList<>(left);
        both.addAll(right);
        int firstNarrowed = switch (kind) {
            case INNER, SEMI -> 0;
            case LEFT, ANTI -> left.size(); // left rows are there without a match
            case FULL -> both.size();
        };
        condition(condition, both, firstNarrowed);
        return kind == JoinKind.SEMI || kind == JoinKind.ANTI ? left : both;
    }

    private static List<Source> unknown(int columns) {
        return Collections.nCopies(columns, UNKNOWN);
    }

    private List<Source> leaf(int id, int columns) {
        for (Table table : catalog.tables().values()) {
            if (table.id() == id && isWanted.test(id)) {
                Leaf leaf = new Leaf(table, new SoughtArea.Builder(table));
                leaves.add(leaf);
                List<Source> sources = new ArrayList<>();
                for (int i = 0; i < columns; i++) {
                    sources.add(new Source.Column(leaf, i));
                }
                return sources;
            }
        }
        return unknown(columns);
    }

    /** @param left row that the key's expressions read */
    private List<Source> scan(Relation.IndexScan scan, List<Source> left) {
        List<Source> own = leaf(scan.table(), scan.columns().size());
        condition(scan.filter(), own, 0);
        if (own.isEmpty() || !(own.getFirst() instanceof Source.Column(Leaf leaf, int _))) {
            return own;
        }
        for (Index index : leaf.table().indexes()) {
            if (index.id() == scan.key().index()) {
                List<Expression> equal = scan.key().equal();
                for (int i = 0; i < equal.size(); i++) {
                    IndexColumn column = index.columns().get(i);
                    if (!column.isComputed()
                            && source(equal.get(i), left) instanceof Source.Constants(List<Expression> values)) {
                        leaf.add(column.column(), ScalarFunction.EQUAL, values);
                    }
                }
                scan.key()
                        .lower()
                        .ifPresent(bound -> bound(leaf, index.columns().get(equal.size()), bound, true));
                scan.key()
                        .upper()
                        .ifPresent(bound -> bound(leaf, index.columns().get(equal.size()), bound, false));
            }
        }
        return own;
    }

    private static void bound(Leaf leaf, IndexColumn column, Relation.Bound bound, boolean isLower) {
        if (!column.isComputed()) {
            ScalarFunction function =
                    isLower != column.descending() ? ScalarFunction.GREATER_OR_EQUAL : ScalarFunction.LESS_OR_EQUAL;
            leaf.add(column.column(), function, List.of(bound.value()));
        }
    }

    private static Source source(Expression value, List<Source> columns) {
        return switch (value) {
            case Expression.ColumnReference reference
            when reference.index() < columns.size() -> columns.get(reference.index());
            case Expression constant
            when SoughtArea.Builder.isConstant(constant) -> new Source.Constants(List.of(constant));
            default -> UNKNOWN;
        };
    }

    /** @param firstNarrowed columns before it are as they are without the condition */
    private static void condition(@Nullable Expression condition, List<Source> columns, int firstNarrowed) {
        if (!(condition instanceof Expression.Call(var function, List<Expression> arguments, var _, var _))) {
            return;
        }
        switch (function) {
            case AND -> arguments.forEach(each -> condition(each, columns, firstNarrowed));
            case EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                ScalarFunction mirrored = SoughtArea.Builder.mirrored(function);
                compare(arguments.getFirst(), function, arguments.subList(1, 2), columns, firstNarrowed);
                compare(arguments.get(1), mirrored, arguments.subList(0, 1), columns, firstNarrowed);
            }
            case IN -> {
                List<Expression> values = arguments.subList(1, arguments.size());
                compare(arguments.getFirst(), ScalarFunction.EQUAL, values, columns, firstNarrowed);
            }
            default -> {}
        }
    }

    private static void compare(
            Expression subject,
            ScalarFunction function,
            List<Expression> values,
            List<Source> columns,
            int firstNarrowed) {
        if (subject instanceof Expression.ColumnReference reference
                && reference.index() >= firstNarrowed
                && source(subject, columns) instanceof Source.Column(Leaf leaf, int column)) {
            leaf.add(column, function, values);
        }
    }
}
