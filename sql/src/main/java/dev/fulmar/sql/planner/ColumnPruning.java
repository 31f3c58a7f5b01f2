package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes columns that fragments would send and the merge does not read. */
final class ColumnPruning {
    private final List<StatementPlan.Fragment> fragments;
    private final BitSet pruned = new BitSet();

    ColumnPruning(List<StatementPlan.Fragment> fragments) {
        this.fragments = new ArrayList<>(fragments);
    }

    /**
     * A relation with fewer columns.
     *
     * @param kept the old columns that are left, ascending
     */
    private record Narrow(Relation relation, BitSet kept) {
        /** Place of an old column. */
        int place(int column) {
            return kept.get(0, column).cardinality();
        }

        Expression moved(Expression expression) {
            return Expressions.renumber(expression, this::place);
        }

        List<Expression> moved(List<Expression> expressions) {
            return expressions.stream().map(this::moved).toList();
        }
    }

    /** The same rows; the fragments yield less. */
    Relation prune(Relation merge) {
        return prune(merge, all(merge)).relation();
    }

    List<StatementPlan.Fragment> fragments() {
        return List.copyOf(fragments);
    }

    private static BitSet all(Relation relation) {
        BitSet all = new BitSet();
        all.set(0, relation.columns().size());
        return all;
    }

    private static BitSet reading(Iterable<Expression> expressions) {
        BitSet columns = new BitSet();
        expressions.forEach(expression -> columns.or(Expressions.columns(expression)));
        return columns;
    }

    private static BitSet with(BitSet needed, BitSet more) {
        BitSet both = (BitSet) needed.clone();
        both.or(more);
        return both;
    }

    private Narrow prune(Relation relation, BitSet needed) {
        return switch (relation) {
            case Relation.Receive receive -> receive(receive, needed);
            case Relation.Filter filter -> {
                Narrow input = prune(filter.input(), with(needed, Expressions.columns(filter.condition())));
                yield new Narrow(new Relation.Filter(input.relation(), input.moved(filter.condition())), input.kept());
            }
            case Relation.Project project -> {
                Narrow input = prune(project.input(), reading(project.expressions()));
                yield whole(new Relation.Project(input.relation(), input.moved(project.expressions())));
            }
            case Relation.Window window -> window(window, needed);
            case Relation.Sort sort -> sort(sort, needed);
            case Relation.Limit limit -> {
                Narrow input = prune(limit.input(), needed);
                yield new Narrow(new Relation.Limit(input.relation(), limit.offset(), limit.fetch()), input.kept());
            }
            case Relation.Aggregate aggregate -> aggregate(aggregate);
            case Relation.HashJoin join -> hashJoin(join, needed);
            case Relation.NestedLoopJoin join -> nestedLoopJoin(join, needed);
            case Relation.Apply apply ->
                whole(new Relation.Apply(
                        prune(apply.left(), all(apply.left())).relation(),
                        prune(apply.right(), all(apply.right())).relation(),
                        apply.kind(),
                        apply.row()));
            case Relation.UnionAll union -> {
                List<Relation> inputs = new ArrayList<>();
                union.inputs()
                        .forEach(input -> inputs.add(prune(input, all(input)).relation()));
                yield whole(new Relation.UnionAll(inputs));
            }
            case Relation.Recursion recursion ->
                whole(new Relation.Recursion(
                        prune(recursion.seed(), all(recursion.seed())).relation(),
                        prune(recursion.step(), all(recursion.step())).relation(),
                        recursion.distinct(),
                        recursion.rows()));
            case Relation.WorkingRows rows -> whole(rows);
            case Relation.Values values -> whole(values);
            case Relation.FunctionRows rows -> whole(rows);
            case Relation.TableScan scan -> throw noTable();
            case Relation.IndexScan scan -> throw noTable();
            case Relation.IndexJoin join -> throw noTable();
            case Relation.Measured measured -> whole(measured);
            case Relation.Annotated annotated -> whole(annotated);
        };
    }

    private static RuntimeException noTable() {
        return Invariants.breach("a merge reads no table");
    }

    private static Narrow whole(Relation relation) {
        return new Narrow(relation, all(relation));
    }

    /** A fragment sends at least one column, for its rows to be counted. */
    private Narrow receive(Relation.Receive receive, BitSet needed) {
        Invariants.check(!pruned.get(receive.fragment()), "a fragment is received once");
        pruned.set(receive.fragment());
        BitSet kept = (BitSet) needed.clone();
        if (kept.isEmpty()) {
            kept.set(0);
        }
        StatementPlan.Fragment fragment = fragments.get(receive.fragment());
        if (!(fragment.operation() instanceof Operation.Query query)) {
            throw Invariants.breach("what is received is a query");
        }
        Relation yielded =
                Relations.select(query.relation(), kept.stream().boxed().toList());
        fragments.set(receive.fragment(), new StatementPlan.Fragment(fragment.scope(), new Operation.Query(yielded)));
        return new Narrow(new Relation.Receive(receive.fragment(), yielded.columns()), kept);
    }

    private Narrow window(Relation.Window window, BitSet needed) {
        int width = window.input().columns().size();
        List<Expression> read = new ArrayList<>(window.partitions());
        window.order().forEach(key -> read.add(key.value()));
        for (Relation.WindowCall call : window.calls()) {
            if (call instanceof Relation.WindowAggregate(Relation.AggregateCall aggregate, var frame)) {
                read.addAll(aggregate.read());
                read.addAll(frame.read());
            } else if (call instanceof Relation.WindowValue value) {
                read.add(value.value());
                read.addAll(value.frame().read());
                addIfPresent(read, value.otherwise());
            }
        }
        Narrow input = prune(window.input(), with(needed.get(0, width), reading(read)));
        Relation narrow = new Relation.Window(
                input.relation(),
                input.moved(window.partitions()),
                moved(window.order(), input),
                window.calls().stream().map(call -> moved(call, input)).toList());
        BitSet kept = (BitSet) input.kept().clone();
        kept.set(width, width + window.calls().size());
        return new Narrow(narrow, kept);
    }

    private static List<Relation.SortKey> moved(List<Relation.SortKey> keys, Narrow input) {
        return keys.stream()
                .map(key -> new Relation.SortKey(input.moved(key.value()), key.descending(), key.nullsFirst()))
                .toList();
    }

    private static Relation.WindowCall moved(Relation.WindowCall call, Narrow input) {
        return switch (call) {
            case Relation.WindowRank rank -> rank;
            case Relation.WindowValue value ->
                new Relation.WindowValue(
                        value.choice(),
                        input.moved(value.value()),
                        value.distance(),
                        value.ignoresNulls(),
                        Expressions.mapNullable(value.otherwise(), input::moved),
                        value.frame().mapped(input::moved),
                        value.type());
            case Relation.WindowAggregate(Relation.AggregateCall aggregate, Relation.WindowFrame frame) ->
                new Relation.WindowAggregate(moved(aggregate, input), frame.mapped(input::moved));
        };
    }

    private static Relation.AggregateCall moved(Relation.AggregateCall call, Narrow input) {
        return call.mapped(input::moved);
    }

    private Narrow sort(Relation.Sort sort, BitSet needed) {
        List<Expression> values =
                sort.keys().stream().map(Relation.SortKey::value).toList();
        Narrow input = prune(sort.input(), with(needed, reading(values)));
        return new Narrow(new Relation.Sort(input.relation(), moved(sort.keys(), input)), input.kept());
    }

    private Narrow aggregate(Relation.Aggregate aggregate) {
        List<Expression> read = new ArrayList<>(aggregate.keys());
        for (Relation.AggregateCall call : aggregate.calls()) {
            read.addAll(call.read());
        }
        Narrow input = prune(aggregate.input(), reading(read));
        List<Relation.AggregateCall> calls =
                aggregate.calls().stream().map(call -> moved(call, input)).toList();
        return whole(new Relation.Aggregate(input.relation(), input.moved(aggregate.keys()), calls));
    }

    private static void addIfPresent(List<Expression> list, @Nullable Expression expression) {
        if (expression != null) {
            list.add(expression);
        }
    }

    private Narrow hashJoin(Relation.HashJoin join, BitSet needed) {
        int leftWidth = join.left().columns().size();
        BitSet read = with(needed, conditionColumns(join.condition()));
        Narrow left = prune(join.left(), with(read.get(0, leftWidth), reading(join.leftKeys())));
        Narrow right = prune(join.right(), with(rightPart(read, leftWidth), reading(join.rightKeys())));
        Narrow both = both(left, right, join.left(), join.kind());
        Relation narrow = new Relation.HashJoin(
                left.relation(),
                right.relation(),
                join.kind(),
                left.moved(join.leftKeys()),
                right.moved(join.rightKeys()),
                condition(join.condition(), left, right, leftWidth));
        return new Narrow(narrow, both.kept());
    }

    private Narrow nestedLoopJoin(Relation.NestedLoopJoin join, BitSet needed) {
        int leftWidth = join.left().columns().size();
        BitSet read = with(needed, conditionColumns(join.condition()));
        Narrow left = prune(join.left(), read.get(0, leftWidth));
        Narrow right = prune(join.right(), rightPart(read, leftWidth));
        Narrow both = both(left, right, join.left(), join.kind());
        Relation narrow = new Relation.NestedLoopJoin(
                left.relation(), right.relation(), join.kind(), condition(join.condition(), left, right, leftWidth));
        return new Narrow(narrow, both.kept());
    }

    private static BitSet conditionColumns(@Nullable Expression condition) {
        return condition == null ? new BitSet() : Expressions.columns(condition);
    }

    private static BitSet rightPart(BitSet columns, int leftWidth) {
        return columns.get(leftWidth, Math.max(leftWidth, columns.length()));
    }

    private static @Nullable Expression condition(
            @Nullable Expression condition, Narrow left, Narrow right, int leftWidth) {
        int narrowWidth = left.kept().cardinality();
        return Expressions.mapNullable(
                condition,
                each -> Expressions.renumber(
                        each,
                        column -> column < leftWidth
                                ? left.place(column)
                                : narrowWidth + right.place(column - leftWidth)));
    }

    /** The kept columns of the join's row. */
    private static Narrow both(Narrow left, Narrow right, Relation wideLeft, JoinKind kind) {
        BitSet kept = (BitSet) left.kept().clone();
        if (kind != JoinKind.SEMI && kind != JoinKind.ANTI) {
            int leftWidth = wideLeft.columns().size();
            right.kept().stream().forEach(column -> kept.set(leftWidth + column));
        }
        return new Narrow(left.relation(), kept);
    }
}
