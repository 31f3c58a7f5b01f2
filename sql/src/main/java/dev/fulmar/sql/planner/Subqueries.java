package dev.fulmar.sql.planner;

import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Turns each subquery, as it is written, into an aggregation of one row that runs for each row of the query around it.
 * Slow, and right whatever the subquery is.
 */
final class Subqueries {
    private Subqueries() {}

    /** The same query without subqueries in expressions. */
    static RelNode applied(RelNode query) {
        RelNode rel = query.copy(
                query.getTraitSet(),
                query.getInputs().stream().map(Subqueries::applied).toList());
        return switch (rel) {
            case Filter filter when RexUtil.SubQueryFinder.find(filter.getCondition()) != null -> filter(filter);
            case Project project when RexUtil.SubQueryFinder.containsSubQuery(project) -> project(project);
            case Join join when RexUtil.SubQueryFinder.find(join.getCondition()) != null -> join(join);
            default -> rel;
        };
    }

    private static RelNode filter(Filter filter) {
        Widening widening = new Widening(filter.getInput(), filter.getVariablesSet());
        RexNode condition = filter.getCondition().accept(widening);
        return narrowed(LogicalFilter.create(widening.input, condition), filter);
    }

    private static RelNode project(Project project) {
        Widening widening = new Widening(project.getInput(), project.getVariablesSet());
        List<RexNode> values = project.getProjects().stream()
                .map(value -> value.accept(widening))
                .toList();
        return LogicalProject.create(
                widening.input, List.of(), values, project.getRowType().getFieldNames(), Set.of());
    }

    private static RelNode join(Join join) {
        if (join.getJoinType() != JoinRelType.INNER) {
            throw SqlErrors.notSupported(
                    "a subquery in the ON of an outer join is not supported in this form; join with"
                            + " a query in FROM that has computed it");
        }
        RelNode product = LogicalJoin.create(
                join.getLeft(),
                join.getRight(),
                List.of(),
                join.getCluster().getRexBuilder().makeLiteral(true),
                Set.of(),
                JoinRelType.INNER);
        Widening widening = new Widening(product, join.getVariablesSet());
        RexNode condition = join.getCondition().accept(widening);
        return narrowed(LogicalFilter.create(widening.input, condition), join);
    }

    /** The first columns, as the other has them. */
    private static RelNode narrowed(RelNode wide, RelNode other) {
        RexBuilder rexBuilder = wide.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < other.getRowType().getFieldCount(); i++) {
            columns.add(rexBuilder.makeInputRef(wide, i));
        }
        return LogicalProject.create(
                wide, List.of(), columns, other.getRowType().getFieldNames(), Set.of());
    }

    /** Adds a column to the input for each subquery, and puts a reference to it in the subquery's place. */
    private static final class Widening extends RexShuttle {
        private final Set<CorrelationId> variables;
        private final RexBuilder rexBuilder;
        private RelNode input;

        /** @param variables by which the subqueries call the input's row */
        Widening(RelNode input, Set<CorrelationId> variables) {
            this.input = input;
            this.variables = variables;
            this.rexBuilder = input.getCluster().getRexBuilder();
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subquery) {
            List<RexNode> operands = subquery.getOperands().stream()
                    .map(operand -> operand.accept(this))
                    .toList();
            CorrelationId row = input.getCluster().createCorrel();
            RelNode rows = renamed(applied(subquery.rel), row);
            RexNode value = switch (subquery.getKind()) {
                case SCALAR_QUERY -> scalar(rows, row);
                case EXISTS -> exists(rows, row);
                case IN -> comparison(rows, row, subquery, operands, SqlStdOperatorTable.EQUALS);
                case SOME ->
                    comparison(
                            rows,
                            row,
                            subquery,
                            operands,
                            Objects.requireNonNull(
                                    RelOptUtil.op(((SqlQuantifyOperator) subquery.op).comparisonKind, null)));
                default -> throw SqlErrors.notSupported("a subquery with " + subquery.getKind() + " is not supported");
            };
            return rexBuilder.ensureType(subquery.getType(), value, true);
        }

        private RelNode renamed(RelNode rel, CorrelationId row) {
            RexShuttle names = new RexShuttle() {
                @Override
                public RexNode visitCorrelVariable(RexCorrelVariable variable) {
                    return variables.contains(variable.id) ? rexBuilder.makeCorrel(variable.getType(), row) : variable;
                }
            };
            return rel.accept(new RelHomogeneousShuttle() {
                @Override
                public RelNode visit(RelNode other) {
                    return super.visit(other).accept(names);
                }
            });
        }

        private RexNode scalar(RelNode rows, CorrelationId row) {
            RelNode one = isOneRow(rows)
                    ? rows
                    : aggregate(rows, call(SqlStdOperatorTable.SINGLE_VALUE, List.of(0), -1, rows));
            int column = widened(one, row);
            return rexBuilder.makeInputRef(input, column);
        }

        private static boolean isOneRow(RelNode rel) {
            return switch (rel) {
                case Project project -> isOneRow(project.getInput());
                case Values values -> values.getTuples().size() == 1;
                case Aggregate aggregate ->
                    aggregate.getGroupSet().isEmpty() && aggregate.getGroupType() == Aggregate.Group.SIMPLE;
                default -> false;
            };
        }

        private RexNode exists(RelNode rows, CorrelationId row) {
            return isPositive(widened(aggregate(rows, call(SqlStdOperatorTable.COUNT, List.of(), -1, rows)), row));
        }

        /** True if it is true for a row, otherwise unknown if it is unknown for a row. */
        private RexNode comparison(
                RelNode rows, CorrelationId row, RexSubQuery subquery, List<RexNode> operands, SqlOperator operator) {
            RexNode outerRow = rexBuilder.makeCorrel(input.getRowType(), row);
            RexShuttle outward = new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef reference) {
                    return rexBuilder.makeFieldAccess(outerRow, reference.getIndex());
                }
            };
            List<RexNode> comparisons = new ArrayList<>();
            for (int i = 0; i < operands.size(); i++) {
                comparisons.add(rexBuilder.makeCall(
                        operator, operands.get(i).accept(outward), rexBuilder.makeInputRef(rows, i)));
            }
            RexNode all = RexUtil.composeConjunction(rexBuilder, comparisons);
            RelNode compared = LogicalProject.create(
                    rows,
                    List.of(),
                    List.of(
                            rexBuilder.makeCall(SqlStdOperatorTable.IS_TRUE, all),
                            rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, all)),
                    List.of("HOLDS", "UNKNOWN"),
                    Set.of());
            int counts = widened(
                    aggregate(
                            compared,
                            call(SqlStdOperatorTable.COUNT, List.of(), 0, compared),
                            call(SqlStdOperatorTable.COUNT, List.of(), 1, compared)),
                    row);
            if (!subquery.getType().isNullable()) {
                return isPositive(counts);
            }
            RexNode unknown =
                    rexBuilder.makeNullLiteral(rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN));
            return rexBuilder.makeCall(
                    SqlStdOperatorTable.CASE,
                    isPositive(counts),
                    rexBuilder.makeLiteral(true),
                    isPositive(counts + 1),
                    unknown,
                    rexBuilder.makeLiteral(false));
        }

        private RexNode isPositive(int column) {
            return rexBuilder.makeCall(
                    SqlStdOperatorTable.GREATER_THAN,
                    rexBuilder.makeInputRef(input, column),
                    rexBuilder.makeExactLiteral(BigDecimal.ZERO));
        }

        /** The input with the columns of the relation's one row; returns the first of them. */
        private int widened(RelNode oneRow, CorrelationId row) {
            int width = input.getRowType().getFieldCount();
            input = LogicalCorrelate.create(
                    input, oneRow, List.of(), row, ImmutableBitSet.range(width), JoinRelType.INNER);
            return width;
        }

        private static RelNode aggregate(RelNode rows, AggregateCall... calls) {
            return LogicalAggregate.create(
                    rows,
                    List.of(),
                    ImmutableBitSet.of(),
                    null,
                    Stream.of(calls).toList());
        }

        private static AggregateCall call(SqlAggFunction function, List<Integer> arguments, int filter, RelNode rows) {
            return AggregateCall.create(
                    function,
                    false,
                    false,
                    false,
                    List.of(),
                    arguments,
                    filter,
                    null,
                    RelCollations.EMPTY,
                    true,
                    rows,
                    null,
                    null);
        }
    }
}
