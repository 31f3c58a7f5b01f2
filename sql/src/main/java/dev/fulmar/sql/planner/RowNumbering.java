package dev.fulmar.sql.planner;

import com.google.common.collect.ImmutableList;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.Expressions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the rows of a query from 1, in the query's order. A write that takes a number of a sequence for each row
 * needs that, and so does one that leaves out a row because of one before it. Rows that the order does not tell apart
 * come in the order of their values. So each run numbers them alike.
 */
final class RowNumbering {
    private static final String NUMBER = "$number";

    /** @param first position of the first parameter of the statement's numbers */
    private final int first;

    RowNumbering(int first) {
        this.first = first;
    }

    /** The query with the numbers of its rows as the last column. */
    static RelNode added(RelNode query) {
        RelNode ordered = inOrder(query);
        return ordered == null ? withLast(query, number(query, List.of(), List.of())) : ordered;
    }

    /**
     * The query of a MERGE with further columns, each with numbers of the rows of one clause; null in other rows.
     *
     * @param clauses positions of clauses, as the query's first column has them
     * @param byLast whether the query's last column says the order of its rows
     */
    static RelNode added(RelNode query, List<Integer> clauses, boolean byLast) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        RexNode clause = rexBuilder.makeInputRef(query, 0);
        List<RelFieldCollation> order =
                byLast ? List.of(new RelFieldCollation(query.getRowType().getFieldCount() - 1)) : List.of();
        RelNode numbered = withLast(query, number(query, List.of(clause), order));
        int last = numbered.getRowType().getFieldCount() - 1;
        RexNode number = rexBuilder.makeInputRef(numbered, last);
        List<RexNode> values = new ArrayList<>(rexBuilder.identityProjects(query.getRowType()));
        List<String> names = new ArrayList<>(query.getRowType().getFieldNames());
        for (int position : clauses) {
            RexNode isOfClause = rexBuilder.makeCall(
                    SqlStdOperatorTable.EQUALS,
                    rexBuilder.makeInputRef(numbered, 0),
                    rexBuilder.makeLiteral(position, clause.getType(), true));
            values.add(rexBuilder.makeCall(
                    SqlStdOperatorTable.CASE,
                    isOfClause,
                    number,
                    rexBuilder.makeNullLiteral(
                            rexBuilder.getTypeFactory().createTypeWithNullability(number.getType(), true))));
            names.add(NUMBER + values.size());
        }
        return LogicalProject.create(numbered, List.of(), values, names, Set.of());
    }

    /** The query of a MERGE, whose source has ROW_NUMBER() OVER () as its last column: that follows its own order. */
    static RelNode sourceInOrder(RelNode query) {
        if (query instanceof Project project && project.getProjects().getLast() instanceof RexOver) {
            RelNode numbered = added(project.getInput());
            List<RexNode> values = withLastOf(
                    project.getProjects().subList(0, project.getProjects().size() - 1), numbered);
            return LogicalProject.create(
                    numbered,
                    project.getHints(),
                    values,
                    project.getRowType().getFieldNames(),
                    project.getVariablesSet());
        }
        List<RelNode> inputs = new ArrayList<>(query.getInputs());
        inputs.set(0, sourceInOrder(inputs.getFirst()));
        return query.copy(query.getTraitSet(), inputs);
    }

    /** The query with the numbers of its rows as the last column; null if it has no order of its own. */
    static @Nullable RelNode inOrder(RelNode query) {
        return switch (query) {
            case Values values -> placed(values);
            case Union union
            when union.all && union.getInputs().stream().allMatch(RowNumbering::isOneRow) -> {
                List<RelNode> rows = new ArrayList<>();
                for (RelNode row : union.getInputs()) {
                    rows.add(withLast(row, place(row.getCluster().getRexBuilder(), rows.size() + 1)));
                }
                yield LogicalUnion.create(rows, true);
            }
            case Sort sort
            when !sort.getCollation().getFieldCollations().isEmpty() -> {
                boolean isOfSomeRows = sort.fetch != null || sort.offset != null;
                RelNode rows = isOfSomeRows ? sort : sort.getInput();
                yield withLast(rows, number(rows, List.of(), sort.getCollation().getFieldCollations()));
            }
            case Project project
            when !project.containsOver() -> {
                RelNode input = inOrder(project.getInput());
                yield input == null
                        ? null
                        : LogicalProject.create(
                                input,
                                project.getHints(),
                                withLastOf(project.getProjects(), input),
                                withName(project),
                                project.getVariablesSet());
            }
            default -> null;
        };
    }

    private static boolean isOneRow(RelNode query) {
        return switch (query) {
            case Values values -> values.getTuples().size() == 1;
            case Project project -> isOneRow(project.getInput());
            default -> false;
        };
    }

    private static RelNode placed(Values values) {
        RexBuilder rexBuilder = values.getCluster().getRexBuilder();
        RelDataType type = rexBuilder
                .getTypeFactory()
                .builder()
                .addAll(values.getRowType().getFieldList())
                .add(NUMBER, SqlTypeName.BIGINT)
                .build();
        ImmutableList.Builder<ImmutableList<RexLiteral>> rows = ImmutableList.builder();
        long number = 0;
        for (ImmutableList<RexLiteral> row : values.getTuples()) {
            rows.add(ImmutableList.<RexLiteral>builder()
                    .addAll(row)
                    .add(place(rexBuilder, ++number))
                    .build());
        }
        return LogicalValues.create(values.getCluster(), type, rows.build());
    }

    private static RexLiteral place(RexBuilder rexBuilder, long number) {
        return rexBuilder.makeExactLiteral(
                BigDecimal.valueOf(number), rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT));
    }

    private static List<RexNode> withLastOf(List<RexNode> values, RelNode input) {
        List<RexNode> all = new ArrayList<>(values);
        all.add(input.getCluster()
                .getRexBuilder()
                .makeInputRef(input, input.getRowType().getFieldCount() - 1));
        return all;
    }

    private static List<String> withName(RelNode rows) {
        List<String> names = new ArrayList<>(rows.getRowType().getFieldNames());
        names.add(NUMBER);
        return names;
    }

    private static RelNode withLast(RelNode rows, RexNode last) {
        List<RexNode> values = new ArrayList<>(rows.getCluster().getRexBuilder().identityProjects(rows.getRowType()));
        values.add(last);
        return LogicalProject.create(rows, List.of(), values, withName(rows), Set.of());
    }

    /** The number of a row among those that have the same values of these, by the order and then by all columns. */
    private static RexNode number(RelNode rows, List<RexNode> of, List<RelFieldCollation> order) {
        RexBuilder rexBuilder = rows.getCluster().getRexBuilder();
        ImmutableList.Builder<RexFieldCollation> keys = ImmutableList.builder();
        Set<Integer> known = new HashSet<>();
        for (RelFieldCollation collation : order) {
            known.add(collation.getFieldIndex());
            keys.add(new RexFieldCollation(
                    rexBuilder.makeInputRef(rows, collation.getFieldIndex()), direction(collation)));
        }
        for (int column = 0; column < rows.getRowType().getFieldCount(); column++) {
            RexNode value = rexBuilder.makeInputRef(rows, column);
            if (!known.contains(column) && value.getType().getSqlTypeName() != SqlTypeName.NULL) {
                keys.add(new RexFieldCollation(value, Set.of()));
            }
        }
        return rexBuilder.makeOver(
                rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT),
                SqlStdOperatorTable.ROW_NUMBER,
                List.of(),
                of,
                keys.build(),
                RexWindowBounds.UNBOUNDED_PRECEDING,
                RexWindowBounds.CURRENT_ROW,
                RexWindowExclusion.EXCLUDE_NO_OTHER,
                true,
                true,
                false,
                false,
                false);
    }

    private static Set<SqlKind> direction(RelFieldCollation collation) {
        Set<SqlKind> direction = EnumSet.noneOf(SqlKind.class);
        if (collation.getDirection().isDescending()) {
            direction.add(SqlKind.DESCENDING);
        }
        switch (collation.nullDirection) {
            case FIRST -> direction.add(SqlKind.NULLS_FIRST);
            case LAST -> direction.add(SqlKind.NULLS_LAST);
            case UNSPECIFIED -> {
                // Nulls are greater than all values.
            }
        }
        return direction;
    }

    /**
     * The rows with the numbers of sequences that they take, and the numbers of the rows behind all others.
     *
     * @param rows whose last columns are the numbers of rows, one for each sequence, or one for all of them
     * @param places before which the numbers of sequences go, ascending
     */
    Relation placed(Relation rows, List<Integer> places) {
        List<Expression> columns = Expressions.references(rows.columns());
        boolean isOneForAll = places.stream().distinct().count() == 1 && places.getFirst() == columns.size() - 1;
        int own = columns.size() - (isOneForAll ? 1 : places.size());
        List<Expression> values = new ArrayList<>();
        List<Expression> numbers = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < places.size(); i++) {
            values.addAll(columns.subList(next, places.get(i)));
            next = places.get(i);
            Expression number = columns.get(isOneForAll ? own : own + i);
            numbers.add(number);
            values.add(new Expression.Call(
                    ScalarFunction.GIVEN_NUMBER,
                    List.of(constant(first), constant(i), number),
                    Expressions.BIGINT,
                    true));
        }
        values.addAll(columns.subList(next, own));
        values.addAll(numbers);
        return Relations.project(rows, values);
    }

    private static Expression constant(long value) {
        return new Expression.Literal(Expressions.BIGINT, value);
    }

    /** The rows, and the place of each behind its columns. */
    static Relation placed(Relation.Values values) {
        List<List<Expression>> rows = new ArrayList<>();
        for (List<Expression> row : values.rows()) {
            rows.add(with(row, new Expression.Literal(Expressions.BIGINT, (long) rows.size())));
        }
        return new Relation.Values(with(values.columns(), Expressions.BIGINT), rows);
    }

    /** In an order that the rows determine, so that the statement does the same when it is run again. */
    static Relation sorted(Relation relation) {
        if (relation instanceof Relation.Values) {
            return relation; // they have an order, in which RETURNING shows them
        }
        List<Relation.SortKey> keys = Expressions.references(relation.columns()).stream()
                .map(column -> new Relation.SortKey(Conversion.sortable(column), false, false))
                .toList();
        return new Relation.Sort(relation, keys);
    }

    /** In the order of the last columns, which number the rows. */
    static Relation sortedByLast(Relation relation, int last) {
        List<Relation.SortKey> keys = new ArrayList<>();
        List<Expression> columns = Expressions.references(relation.columns());
        for (int i = 0; i < columns.size(); i++) {
            Expression column = columns.get((i + columns.size() - last) % columns.size());
            keys.add(new Relation.SortKey(Conversion.sortable(column), false, false));
        }
        return new Relation.Sort(relation, keys);
    }

    /** The rows without their last column, which has their places. */
    static Relation.Values withoutPlaces(Relation.Values values) {
        int columns = values.columns().size() - 1;
        return new Relation.Values(
                values.columns().subList(0, columns),
                values.rows().stream().map(row -> row.subList(0, columns)).toList());
    }

    /** The list, and one more behind it. */
    static <T> List<T> with(List<? extends T> some, T last) {
        List<T> all = new ArrayList<>(some);
        all.add(last);
        return all;
    }
}
