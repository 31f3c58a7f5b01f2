package dev.fulmar.sql.planner;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Moves subqueries from expressions into columns of a projection beneath, where Calcite would treat unknown results of
 * a comparison wrongly. It may matter that the comparison is true, that it is true or unknown, or all three. Below NOT
 * Calcite decides so for the operands of any function, though NOT (TRUE &lt;&gt; (x IN (...))) must tell unknown from
 * true. For NOT (NOT (x IN (...)) AND y) it drops the rows that the subquery does not have. For IS TRUE and its kind it
 * forgets that x IN (1, NULL) may be unknown, and what a constant IN a subquery is then. Of a column it wants to know
 * all three.
 */
final class HoistedSubqueries {
    private boolean isMistakenInJoin;
    private boolean isMistakenInRow;

    /** The same query. */
    RelNode hoist(RelNode query) {
        RexShuttle within = new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery subquery) {
                RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subquery);
                return visited.clone(hoist(visited.rel));
            }
        };
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode visited = super.visit(other).accept(within);
                return switch (visited) {
                    case Filter filter -> filter(filter);
                    case Project project -> project(project);
                    case Join join -> join(join);
                    default -> visited;
                };
            }
        });
    }

    /** Whether the condition of a join is mistaken, beneath which there is no place for a column. */
    boolean isMistakenInJoin() {
        return isMistakenInJoin;
    }

    /**
     * Whether it matters that a comparison of several values with a subquery's is unknown. Calcite takes it for unknown
     * as soon as a value is, though others differ.
     */
    boolean isMistakenInRow() {
        return isMistakenInRow;
    }

    private RelNode filter(Filter filter) {
        if (!hasSubquery(filter.getCondition())) {
            return filter;
        }
        RexBuilder rexBuilder = filter.getCluster().getRexBuilder();
        List<RexNode> mistaken = new ArrayList<>();
        List<RexNode> others = new ArrayList<>();
        RexNode condition = positive(filter.getCondition(), rexBuilder);
        isMistakenInRow |= isMistakenInRow(condition);
        for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
            (isMistaken(conjunct) ? mistaken : others).add(conjunct);
        }
        if (mistaken.isEmpty()) {
            return filter.copy(filter.getTraitSet(), filter.getInput(), condition);
        }
        Set<CorrelationId> variables = filter.getVariablesSet();
        RelNode input = others.isEmpty()
                ? filter.getInput()
                : LogicalFilter.create(
                        filter.getInput(),
                        RexUtil.composeConjunction(rexBuilder, others),
                        ImmutableSet.copyOf(variables));
        Columns columns = new Columns(input);
        RexNode left = columns.replaced(RexUtil.composeConjunction(rexBuilder, mistaken));
        RelNode filtered = LogicalFilter.create(columns.beneath(variables), left);
        List<RexNode> own = new ArrayList<>(rexBuilder.identityProjects(filter.getRowType()));
        return LogicalProject.create(
                filtered, List.of(), own, filter.getRowType().getFieldNames(), Set.of());
    }

    private RelNode project(Project project) {
        isMistakenInRow |= project.getProjects().stream().anyMatch(HoistedSubqueries::comparesUnknownRows);
        if (project.getProjects().stream().noneMatch(HoistedSubqueries::testsUnknown)) {
            return project;
        }
        Columns columns = new Columns(project.getInput());
        List<RexNode> values =
                project.getProjects().stream().map(columns::replaced).toList();
        return LogicalProject.create(
                columns.beneath(project.getVariablesSet()),
                project.getHints(),
                values,
                project.getRowType().getFieldNames(),
                Set.of());
    }

    private RelNode join(Join join) {
        if (!hasSubquery(join.getCondition())) {
            return join;
        }
        RexNode condition = positive(join.getCondition(), join.getCluster().getRexBuilder());
        isMistakenInRow |= isMistakenInRow(condition);
        isMistakenInJoin |= RelOptUtil.conjunctions(condition).stream().anyMatch(HoistedSubqueries::isMistaken);
        return join.copy(
                join.getTraitSet(),
                condition,
                join.getLeft(),
                join.getRight(),
                join.getJoinType(),
                join.isSemiJoinDone());
    }

    private static boolean hasSubquery(RexNode expression) {
        return RexUtil.SubQueryFinder.find(expression) != null;
    }

    /** The same condition, in which no NOT is above AND, OR and NOT around a subquery. */
    private static RexNode positive(RexNode condition, RexBuilder rexBuilder) {
        if (!(condition instanceof RexCall call) || !hasSubquery(condition)) {
            return condition;
        }
        return switch (call.getKind()) {
            case AND ->
                RexUtil.composeConjunction(
                        rexBuilder,
                        call.getOperands().stream()
                                .map(each -> positive(each, rexBuilder))
                                .toList());
            case NOT -> negative(call.getOperands().getFirst(), rexBuilder);
            default -> condition;
        };
    }

    private static RexNode negative(RexNode condition, RexBuilder rexBuilder) {
        if (condition instanceof RexCall call) {
            List<RexNode> operands = call.getOperands();
            switch (call.getKind()) {
                case NOT -> {
                    return positive(operands.getFirst(), rexBuilder);
                }
                case AND -> {
                    return RexUtil.composeDisjunction(
                            rexBuilder,
                            operands.stream().map(each -> not(each, rexBuilder)).toList());
                }
                case OR -> {
                    return RexUtil.composeConjunction(
                            rexBuilder,
                            operands.stream()
                                    .map(each -> negative(each, rexBuilder))
                                    .toList());
                }
                default -> {}
            }
        }
        return not(condition, rexBuilder);
    }

    private static RexNode not(RexNode condition, RexBuilder rexBuilder) {
        return rexBuilder.makeCall(SqlStdOperatorTable.NOT, condition);
    }

    private static boolean isMistaken(RexNode conjunct) {
        boolean negates = conjunct instanceof RexCall call
                && call.getKind() == SqlKind.NOT
                && !(call.getOperands().getFirst() instanceof RexSubQuery);
        return negates ? mayBeUnknown(conjunct) : testsUnknown(conjunct);
    }

    /** Whether there is an IS TRUE, or one of its kind, above a comparison with a subquery. */
    private static boolean testsUnknown(RexNode expression) {
        return any(expression, each -> switch (each.getKind()) {
            case IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> mayBeUnknown(each);
            default -> false;
        });
    }

    private static boolean mayBeUnknown(RexNode expression) {
        return any(
                expression,
                each -> each instanceof RexSubQuery subquery
                        && (subquery.getKind() == SqlKind.IN || subquery.getKind() == SqlKind.SOME)
                        && subquery.getType().isNullable());
    }

    /** Of a condition for which unknown is as good as false. */
    private static boolean isMistakenInRow(RexNode condition) {
        if (condition instanceof RexSubQuery) {
            return false;
        }
        boolean isOfConditions = condition.isA(SqlKind.AND) || condition.isA(SqlKind.OR);
        return isOfConditions
                ? ((RexCall) condition).getOperands().stream().anyMatch(HoistedSubqueries::isMistakenInRow)
                : comparesUnknownRows(condition);
    }

    private static boolean comparesUnknownRows(RexNode expression) {
        return any(
                expression,
                each -> each instanceof RexSubQuery subquery
                        && subquery.getOperands().size() > 1
                        && subquery.getType().isNullable());
    }

    private static boolean any(RexNode expression, Predicate<RexCall> test) {
        return expression instanceof RexCall call
                && (test.test(call) || call.getOperands().stream().anyMatch(operand -> any(operand, test)));
    }

    /** Puts references to columns, which are yet to be made, in the places of subqueries. */
    private static final class Columns extends RexShuttle {
        private final RelNode input;
        private final List<RexNode> columns;

        Columns(RelNode input) {
            this.input = input;
            this.columns = new ArrayList<>(input.getCluster().getRexBuilder().identityProjects(input.getRowType()));
        }

        RexNode replaced(RexNode expression) {
            return expression.accept(this);
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subquery) {
            int known = columns.indexOf(subquery);
            if (known < 0) {
                known = columns.size();
                columns.add(subquery);
            }
            return input.getCluster().getRexBuilder().makeInputRef(subquery.getType(), known);
        }

        /** The input with the columns. */
        RelNode beneath(Set<CorrelationId> variables) {
            List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
            for (int i = names.size(); i < columns.size(); i++) {
                names.add("SUBQUERY" + i);
            }
            return LogicalProject.create(input, List.of(), columns, names, variables);
        }
    }
}
