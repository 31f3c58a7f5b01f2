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
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that a query reads of each of its tables, as far as conditions with constants tell. A column that is
 * to equal another one has the conditions of that one too. For one thread.
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

    /**
     * A condition on a column of a table.
     *
     * @param function as those of {@link SoughtArea}
     */
    private record Condition(int column, ScalarFunction function, List<Expression> values) {}

    /** A table that is read. */
    private static final class Leaf {
        final Table table;
        final boolean isWanted;
        final List<Condition> conditions = new ArrayList<>();

        Leaf(Table table, boolean isWanted) {
            this.table = table;
            this.isWanted = isWanted;
        }

        boolean add(Condition condition) {
            return !conditions.contains(condition) && conditions.add(condition);
        }
    }

    /** Rule that the conditions of the first column hold for the second one. */
    private record Equality(Source.Column from, Source.Column to) {}

    private static final Source UNKNOWN = new Source.Unknown();

    private final StatementPlan plan;
    private final Catalog catalog;
    private final IntPredicate isNamed;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Equality> equalities = new ArrayList<>();
    private final TreeMap<Integer, List<Source>> outerRows = new TreeMap<>();

    private JoinedAreas(StatementPlan plan, Catalog catalog, IntPredicate isNamed) {
        this.plan = plan;
        this.catalog = catalog;
        this.isNamed = isNamed;
    }

    /**
     * The areas of the tables of which conditions tell, by the tables' ids; none for a statement that is no query.
     *
     * @param isNamed whether the table of the id is wanted
     */
    static List<SoughtArea> of(StatementPlan plan, Catalog catalog, IntPredicate isNamed) {
        if (plan.steps().isPresent()
                || !(plan.fragments().getFirst().operation() instanceof Operation.Query(Relation first))) {
            return List.of();
        }
        JoinedAreas found = new JoinedAreas(plan, catalog, isNamed);
        found.read(plan.merge().orElse(first), true);
        found.spread();
        List<SoughtArea> areas = new ArrayList<>();
        found.leaves.stream()
                .filter(leaf -> leaf.isWanted && !leaf.conditions.isEmpty())
                .sorted((one, other) -> Integer.compare(one.table.id(), other.table.id()))
                .forEach(leaf -> {
                    SoughtArea.Builder builder = new SoughtArea.Builder(leaf.table);
                    leaf.conditions.forEach(each -> builder.add(each.column(), each.function(), each.values(), true));
                    if (builder.tells()) {
                        areas.add(builder.build(null));
                    }
                });
        return List.copyOf(areas);
    }

    /** Conditions go along equalities, through all tables of a chain. */
    private void spread() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (Equality equality : equalities) {
                Source.Column from = equality.from();
                Source.Column to = equality.to();
                for (Condition known : List.copyOf(from.leaf().conditions)) {
                    if (known.column() == from.column()) {
                        goesOn |= to.leaf().add(new Condition(to.column(), known.function(), known.values()));
                    }
                }
            }
        }
    }

    /**
     * Notes what the relation reads.
     *
     * @param isWanted whether the rows of its tables are, as they are not where a subquery only asks for them
     * @return the origins of its columns
     */
    private List<Source> read(Relation relation, boolean isWanted) {
        return switch (relation) {
            case Relation.TableScan scan -> {
                List<Source> columns = leaf(scan.table(), scan.columns().size(), isWanted);
                condition(scan.filter(), columns, 0);
                yield columns;
            }
            case Relation.IndexScan scan -> {
                List<Source> columns = leaf(scan.table(), scan.columns().size(), isWanted);
                key(scan, columns, List.of(), false);
                yield columns;
            }
            case Relation.Filter filter -> {
                List<Source> columns = read(filter.input(), isWanted);
                condition(filter.condition(), columns, 0);
                yield columns;
            }
            case Relation.Project project -> {
                List<Source> columns = read(project.input(), isWanted);
                yield project.expressions().stream()
                        .map(value -> source(value, columns))
                        .toList();
            }
            case Relation.Sort sort -> read(sort.input(), isWanted);
            case Relation.NestedLoopJoin join -> {
                List<Source> left = read(join.left(), isWanted);
                List<Source> right = read(join.right(), isWanted && yieldsBoth(join.kind()));
                List<Source> both = both(left, right);
                condition(join.condition(), both, firstNarrowed(join.kind(), left, both));
                yield yieldsBoth(join.kind()) ? both : left;
            }
            case Relation.HashJoin join -> hashJoin(join, isWanted);
            case Relation.IndexJoin join -> indexJoin(join, isWanted);
            case Relation.Apply apply -> {
                List<Source> left = read(apply.left(), isWanted);
                outerRows.put(apply.row(), left);
                List<Source> right = read(apply.right(), isWanted && yieldsBoth(apply.kind()));
                yield yieldsBoth(apply.kind()) ? both(left, right) : left;
            }
            case Relation.Values values -> {
                List<Source> columns = new ArrayList<>();
                for (int i = 0; i < values.columns().size(); i++) {
                    int column = i;
                    columns.add(new Source.Constants(
                            values.rows().stream().map(row -> row.get(column)).toList()));
                }
                yield columns;
            }
            case Relation.Receive receive
            when plan.fragments().get(receive.fragment()).operation() instanceof Operation.Query(Relation part) ->
                read(part, isWanted);
            default -> {
                others(relation, isWanted);
                yield unknown(relation.columns().size());
            }
        };
    }

    private void others(Relation relation, boolean isWanted) {
        switch (relation) {
            case Relation.Aggregate aggregate -> read(aggregate.input(), isWanted);
            case Relation.Window window -> read(window.input(), isWanted);
            case Relation.Limit limit -> read(limit.input(), isWanted);
            case Relation.UnionAll union -> union.inputs().forEach(input -> read(input, isWanted));
            case Relation.Recursion recursion -> {
                read(recursion.seed(), isWanted);
                read(recursion.step(), isWanted);
            }
            default -> {
                // It reads no table.
            }
        }
    }

    private static boolean yieldsBoth(JoinKind kind) {
        return kind != JoinKind.SEMI && kind != JoinKind.ANTI;
    }

    /** Whether a join leaves out left rows for which the right side says nothing. */
    private static boolean narrowsLeft(JoinKind kind) {
        return kind == JoinKind.INNER || kind == JoinKind.SEMI;
    }

    private List<Source> hashJoin(Relation.HashJoin join, boolean isWanted) {
        List<Source> left = read(join.left(), isWanted);
        List<Source> right = read(join.right(), isWanted && yieldsBoth(join.kind()));
        for (int i = 0; i < join.leftKeys().size() && join.kind() != JoinKind.FULL; i++) {
            Source one = source(join.leftKeys().get(i), left);
            Source other = source(join.rightKeys().get(i), right);
            equal(one, other);
            if (narrowsLeft(join.kind())) {
                equal(other, one);
            }
        }
        List<Source> both = both(left, right);
        condition(join.condition(), both, firstNarrowed(join.kind(), left, both));
        return yieldsBoth(join.kind()) ? both : left;
    }

    private List<Source> indexJoin(Relation.IndexJoin join, boolean isWanted) {
        List<Source> left = read(join.left(), isWanted);
        Relation.IndexScan scan = join.right();
        List<Source> right = leaf(scan.table(), scan.columns().size(), isWanted && yieldsBoth(join.kind()));
        key(scan, right, left, narrowsLeft(join.kind()));
        List<Source> both = both(left, right);
        condition(join.condition(), both, firstNarrowed(join.kind(), left, both));
        return yieldsBoth(join.kind()) ? both : left;
    }

    /** The first column of those of both sides that a condition of the join says something of. */
    private static int firstNarrowed(JoinKind kind, List<Source> left, List<Source> both) {
        return kind == JoinKind.FULL ? both.size() : narrowsLeft(kind) ? 0 : left.size();
    }

    private static List<Source> both(List<Source> left, List<Source> right) {
        List<Source> both = new ArrayList<>(left);
        both.addAll(right);
        return both;
    }

    private static List<Source> unknown(int columns) {
        return Collections.nCopies(columns, UNKNOWN);
    }

    private List<Source> leaf(int id, int columns, boolean isWanted) {
        for (Table table : catalog.tables().values()) {
            if (table.id() == id) {
                Leaf leaf = new Leaf(table, isWanted && isNamed.test(id));
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
    private void key(Relation.IndexScan scan, List<Source> own, List<Source> left, boolean narrowsLeft) {
        condition(scan.filter(), own, 0);
        if (own.isEmpty() || !(own.getFirst() instanceof Source.Column(Leaf leaf, int _))) {
            return;
        }
        for (Index index : leaf.table.indexes()) {
            if (index.id() == scan.key().index()) {
                List<Expression> equal = scan.key().equal();
                for (int i = 0; i < equal.size(); i++) {
                    IndexColumn column = index.columns().get(i);
                    if (!column.isComputed()) {
                        Source value = source(equal.get(i), left);
                        equal(value, own.get(column.column()));
                        if (narrowsLeft) {
                            equal(own.get(column.column()), value);
                        }
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
    }

    private static void bound(Leaf leaf, IndexColumn column, Relation.Bound bound, boolean isLower) {
        if (!column.isComputed() && SoughtArea.Builder.isConstant(bound.value())) {
            ScalarFunction function =
                    isLower != column.descending() ? ScalarFunction.GREATER_OR_EQUAL : ScalarFunction.LESS_OR_EQUAL;
            leaf.add(new Condition(column.column(), function, List.of(bound.value())));
        }
    }

    private Source source(Expression value, List<Source> columns) {
        return switch (value) {
            case Expression.ColumnReference reference
            when reference.index() < columns.size() -> columns.get(reference.index());
            case Expression.OuterReference reference -> {
                List<Source> outer = outerRows.getOrDefault(reference.row(), List.of());
                yield reference.column() < outer.size() ? outer.get(reference.column()) : UNKNOWN;
            }
            case Expression constant
            when SoughtArea.Builder.isConstant(constant) -> new Source.Constants(List.of(constant));
            default -> UNKNOWN;
        };
    }

    /** Conditions of the one column, or its values, hold for the other one. */
    private void equal(Source from, Source to) {
        if (!(to instanceof Source.Column column)) {
            return;
        }
        switch (from) {
            case Source.Column other -> equalities.add(new Equality(other, column));
            case Source.Constants(List<Expression> values) ->
                column.leaf().add(new Condition(column.column(), ScalarFunction.EQUAL, values));
            case Source.Unknown() -> {}
        }
    }

    /** @param firstNarrowed columns before it are as they are without the condition */
    private void condition(@Nullable Expression condition, List<Source> columns, int firstNarrowed) {
        if (!(condition instanceof Expression.Call(var function, List<Expression> arguments, var _, var _))) {
            return;
        }
        switch (function) {
            case AND -> arguments.forEach(each -> condition(each, columns, firstNarrowed));
            case EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                compare(arguments.getFirst(), function, arguments.subList(1, 2), columns, firstNarrowed);
                compare(
                        arguments.get(1),
                        SoughtArea.Builder.mirrored(function),
                        arguments.subList(0, 1),
                        columns,
                        firstNarrowed);
            }
            case IN ->
                compare(
                        arguments.getFirst(),
                        ScalarFunction.EQUAL,
                        arguments.subList(1, arguments.size()),
                        columns,
                        firstNarrowed);
            default -> {}
        }
    }

    private void compare(
            Expression subject,
            ScalarFunction function,
            List<Expression> values,
            List<Source> columns,
            int firstNarrowed) {
        if (!(subject instanceof Expression.ColumnReference reference)
                || reference.index() < firstNarrowed
                || !(source(subject, columns) instanceof Source.Column column)) {
            return;
        }
        if (values.stream().allMatch(SoughtArea.Builder::isConstant)) {
            column.leaf().add(new Condition(column.column(), function, values));
        } else if (function == ScalarFunction.EQUAL && values.size() == 1) {
            equal(source(values.getFirst(), columns), column);
        }
    }
}
