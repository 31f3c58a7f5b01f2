package dev.fulmar.sql.estimate;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operators;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the rows that an operator yields and its cost, by which the planner compares plans. A cost is the time that
 * a row of a scan takes, summed over all partitions; what the other operators cost in terms of that was measured with
 * EXPLAIN ANALYZE, and rounded. Asked of the same objects again and again while a plan is made, so they are remembered.
 */
public final class Estimates {
    private static final double LOOK_UP = 10;

    /** Rows that a scan meets lie one behind the other; those of an index do not. */
    private static final double ROW_BY_INDEX = 4;

    /**
     * The cost of a look-up in all buckets. An ordered index is a tree for each bucket of the partition; without the
     * partitioning key a look-up is one in each, whose rows are merged.
     */
    private static final double LOOK_UP_IN_ALL = 100;

    private static final double ROW_OF_ALL = 20;

    private static final double KEEP = 8;
    private static final double PROBE = 4;
    private static final double PAIR = 1;
    private static final double COMPUTE = 1;
    private static final double COMPARE = 1;

    /** A row on its way to the merge, which one thread takes in. */
    private static final double SHIP = 10;

    private static final double GROUP = 5;
    private static final double UNKNOWN_VALUES = 200;
    private static final double UNKNOWN_ROWS = 1_000;

    private final StatisticsUse statisticsUse;
    private final IntFunction<Relation> fragments;

    /** Relations are compared by what they are, which takes as long as they are large. */
    private final Map<Relation, Size> sizes = new IdentityHashMap<>();

    /** Rows that an operator yields, and what it takes to get them. */
    private record Size(double rows, double cost) {}

    /** The source of a column. */
    private record Source(int table, int column) {}

    /** @param fragments those of the plan, by their numbers */
    public Estimates(StatisticsUse statisticsUse, IntFunction<Relation> fragments) {
        this.statisticsUse = statisticsUse;
        this.fragments = fragments;
    }

    /** Whether there is anything to go by; the plan depends on the answer. */
    public boolean ask() {
        return statisticsUse.ask();
    }

    public double rows(Relation relation) {
        return size(relation).rows();
    }

    public double cost(Relation relation) {
        return size(relation).cost();
    }

    private Size size(Relation relation) {
        Size known = sizes.get(relation);
        if (known == null) {
            known = compute(relation);
            sizes.put(relation, known);
        }
        return known;
    }

    private Size compute(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> {
                double all = tableRows(scan.table());
                yield new Size(all * selectivity(scan).of(scan.filter()), all);
            }
            case Relation.IndexScan scan -> {
                double found = matches(scan.table(), scan.key());
                yield new Size(found * selectivity(scan).of(scan.filter()), lookUp(scan, found));
            }
            case Relation.Values values ->
                new Size(values.rows().size(), values.rows().size() * COMPUTE);
            case Relation.Receive receive -> {
                Size sent = size(fragments.apply(receive.fragment()));
                yield new Size(sent.rows(), sent.cost() + sent.rows() * SHIP);
            }
            case Relation.WorkingRows _, Relation.FunctionRows _ -> new Size(UNKNOWN_ROWS, UNKNOWN_ROWS * COMPUTE);
            case Relation.NestedLoopJoin join -> nestedLoop(join);
            case Relation.IndexJoin join -> index(join);
            case Relation.HashJoin join -> hash(join);
            case Relation.Apply apply -> {
                Size left = size(apply.left());
                Size right = size(apply.right());
                double pairs = left.rows() * right.rows();
                yield new Size(joined(apply.kind(), left.rows(), pairs), left.cost() + left.rows() * right.cost());
            }
            case Relation.Aggregate aggregate -> {
                Size input = size(aggregate.input());
                yield new Size(groups(aggregate, input.rows()), input.cost() + input.rows() * GROUP);
            }
            case Relation.UnionAll _, Relation.Recursion _ -> ofAll(relation);
            case Relation.Limit limit -> limited(limit);
            case Relation.Filter filter -> {
                Size input = size(filter.input());
                double share = selectivity(filter.input()).of(filter.condition());
                yield new Size(input.rows() * share, input.cost() + input.rows() * COMPARE);
            }
            case Relation.Sort sort -> {
                Size input = size(sort.input());
                double steps = Math.log(Math.max(2, input.rows())) / Math.log(2);
                yield new Size(input.rows(), input.cost() + input.rows() * (KEEP + COMPARE * steps));
            }
            case Relation.Project _, Relation.Window _, Relation.Measured _, Relation.Annotated _ -> {
                Size input = size(Operators.inputs(relation).getFirst());
                yield new Size(input.rows(), input.cost() + input.rows() * COMPUTE);
            }
        };
    }

    private Size ofAll(Relation relation) {
        double rows = 0;
        double cost = 0;
        for (Relation input : Operators.inputs(relation)) {
            rows += rows(input);
            cost += cost(input);
        }
        return new Size(rows, cost);
    }

    private Size limited(Relation.Limit limit) {
        Size input = size(limit.input());
        double most = limit.fetch() instanceof Expression.Literal literal && literal.value() instanceof Long number
                ? number
                : input.rows();
        return new Size(Math.min(most, input.rows()), input.cost());
    }

    private Size nestedLoop(Relation.NestedLoopJoin join) {
        Size left = size(join.left());
        Size right = size(join.right());
        double pairs = left.rows() * right.rows();
        double matching = pairs * both(join.left(), join.right()).of(join.condition());
        return new Size(
                joined(join.kind(), left.rows(), matching),
                left.cost() + right.cost() + right.rows() * KEEP + pairs * PAIR);
    }

    private Size index(Relation.IndexJoin join) {
        Size left = size(join.left());
        double found = matches(join.right().table(), join.right().key());
        double pairs = left.rows()
                * found
                * selectivity(join.right()).of(join.right().filter())
                * both(join.left(), join.right()).of(join.condition());
        return new Size(
                joined(join.kind(), left.rows(), pairs), left.cost() + left.rows() * lookUp(join.right(), found));
    }

    private double lookUp(Relation.IndexScan scan, double found) {
        Table table = statisticsUse.table(scan.table());
        Index index = table == null ? null : indexOf(table, scan.key().index());
        boolean isInOne = table != null
                && index != null
                && (index.kind() == IndexKind.HASH
                        || table.isReplicated()
                        || index.columns().subList(0, scan.key().equal().size()).stream()
                                .anyMatch(column -> column.column()
                                        == table.partitioningColumn().getAsInt()));
        return isInOne ? LOOK_UP + found * ROW_BY_INDEX : LOOK_UP_IN_ALL + found * ROW_OF_ALL;
    }

    private Size hash(Relation.HashJoin join) {
        Size left = size(join.left());
        Size right = size(join.right());
        double pairs = left.rows() * right.rows();
        double share = 1;
        for (int i = 0; i < join.leftKeys().size(); i++) {
            double ofLeft = values(join.left(), join.leftKeys().get(i));
            double ofRight = values(join.right(), join.rightKeys().get(i));
            double fewest = Math.min(left.rows(), right.rows());
            double values = Math.max(1, ofLeft == 0 && ofRight == 0 ? fewest : Math.max(ofLeft, ofRight));
            // Further keys are seldom independent of the first.
            share /= i == 0 ? values : Math.sqrt(values);
        }
        double found = pairs * share;
        double matching = found * both(join.left(), join.right()).of(join.condition());
        return new Size(
                joined(join.kind(), left.rows(), matching),
                left.cost() + right.cost() + right.rows() * KEEP + left.rows() * PROBE + found * COMPARE);
    }

    private static double joined(JoinKind kind, double left, double pairs) {
        return switch (kind) {
            case INNER -> pairs;
            case LEFT, FULL -> Math.max(left, pairs);
            case SEMI -> Math.min(left, pairs);
            case ANTI -> left - Math.min(left, pairs) / 2;
        };
    }

    private double groups(Relation.Aggregate aggregate, double rows) {
        double groups = 1;
        for (Expression key : aggregate.keys()) {
            double values = values(aggregate.input(), key);
            groups *= values == 0 ? UNKNOWN_VALUES : values;
        }
        return Math.min(groups, Math.max(1, rows));
    }

    /** Rows that one look-up finds. */
    public double matches(int table, Relation.IndexKey key) {
        double found = tableRows(table);
        Table known = statisticsUse.table(table);
        Index index = known == null ? null : indexOf(known, key.index());
        if (index != null && !key.equal().isEmpty()) {
            boolean isUnique =
                    index.unique() && key.equal().size() == index.columns().size();
            List<Integer> columns = new ArrayList<>();
            for (int i = 0; i < key.equal().size(); i++) {
                columns.add(index.columns().get(i).column());
            }
            found = isUnique ? 1 : found / Math.max(1, values(table, columns));
        }
        found *= key.lower().isPresent() ? Selectivity.RANGE : 1;
        found *= key.upper().isPresent() ? Selectivity.RANGE : 1;
        return found;
    }

    private static @Nullable Index indexOf(Table table, int id) {
        return table.indexes().stream()
                .filter(index -> index.id() == id)
                .findFirst()
                .orElse(null);
    }

    /** At least one: a plan for no rows is soon one for some. */
    private double tableRows(int table) {
        TableFigures figures = statisticsUse.figures(table);
        return figures == null ? UNKNOWN_ROWS : Math.max(1, figures.rows());
    }

    /** Values that the columns have together; where only those of each are known, as many as they could make. */
    private double values(int table, List<Integer> columns) {
        TableFigures figures = statisticsUse.figures(table);
        double rows = tableRows(table);
        if (figures == null) {
            return Math.min(rows, UNKNOWN_VALUES);
        }
        long together = figures.values(columns);
        if (together > 0) {
            return together;
        }
        double product = 1;
        for (int column : columns) {
            long values = figures.values(List.of(column));
            product *= values == 0 ? UNKNOWN_VALUES : values;
        }
        return Math.min(rows, product);
    }

    private Selectivity selectivity(Relation relation) {
        return new Selectivity(expression -> values(relation, expression));
    }

    private Selectivity both(Relation left, Relation right) {
        int width = left.columns().size();
        return new Selectivity(expression -> {
            int first = Expressions.columns(expression).nextSetBit(0);
            return first < width
                    ? values(left, expression)
                    : values(right, Expressions.renumber(expression, column -> column - width));
        });
    }

    /** Values that the expression has in the relation's rows; 0 if that is not known. */
    private double values(Relation relation, Expression expression) {
        if (!(Expressions.withoutWidening(expression) instanceof Expression.ColumnReference reference)) {
            return 0;
        }
        Source source = source(relation, reference.index());
        if (source == null) {
            return 0;
        }
        double values = values(source.table(), List.of(source.column()));
        boolean isOwn = relation instanceof Relation.TableScan || relation instanceof Relation.IndexScan;
        return isOwn ? values : Math.min(values, Math.max(1, rows(relation)));
    }

    /** The table's column that the relation's column is. */
    private @Nullable Source source(Relation relation, int column) {
        return switch (relation) {
            case Relation.TableScan scan -> new Source(scan.table(), column);
            case Relation.IndexScan scan -> new Source(scan.table(), column);
            case Relation.Filter filter -> source(filter.input(), column);
            case Relation.Sort sort -> source(sort.input(), column);
            case Relation.Limit limit -> source(limit.input(), column);
            case Relation.Project project -> through(project.input(), project.expressions(), column);
            case Relation.Aggregate aggregate -> through(aggregate.input(), aggregate.keys(), column);
            case Relation.Window window -> ofFirst(window.input(), null, column);
            case Relation.NestedLoopJoin join -> ofFirst(join.left(), join.right(), column);
            case Relation.IndexJoin join -> ofFirst(join.left(), join.right(), column);
            case Relation.HashJoin join -> ofFirst(join.left(), join.right(), column);
            case Relation.Apply apply -> ofFirst(apply.left(), apply.right(), column);
            case Relation.Receive receive -> source(fragments.apply(receive.fragment()), column);
            case Relation.Measured measured -> ofFirst(measured.input(), null, column);
            case Relation.UnionAll _,
                    Relation.Recursion _,
                    Relation.WorkingRows _,
                    Relation.Values _,
                    Relation.FunctionRows _,
                    Relation.Annotated _ -> null;
        };
    }

    private @Nullable Source through(Relation input, List<Expression> expressions, int column) {
        return column < expressions.size()
                        && Expressions.withoutWidening(expressions.get(column))
                                instanceof Expression.ColumnReference reference
                ? source(input, reference.index())
                : null;
    }

    private @Nullable Source ofFirst(Relation first, @Nullable Relation second, int column) {
        int width = first.columns().size();
        if (column < width) {
            return source(first, column);
        }
        return second == null ? null : source(second, column - width);
    }
}
