package dev.fulmar.sql.planner;

import com.google.common.collect.ImmutableList;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the rows of a query from 1, in the query's order. A write that takes a number of a sequence for each row
 * needs that. Rows that the order does not tell apart come in the order of their values. So each run numbers them
 * alike.
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
     */
    static RelNode added(RelNode query, List<Integer> clauses) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        RexNode clause = rexBuilder.makeInputRef(query, 0);
        RelNode numbered = withLast(query, number(query, List.of(clause), List.of()));
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

    /** Null if the query has no order of its own. */
    private static @Nullable RelNode inOrder(RelNode query) {
        return switch (query) {
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
                                Set.of());
            }
            default -> null;
        };
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

    /** The list, and one more behind it. */
    static <T> List<T> with(List<? extends T> some, T last) {
        List<T> all = new ArrayList<>(some);
        all.add(last);
        return all;
    }
}
