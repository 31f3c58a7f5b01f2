package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Simplifies the conditions that Calcite leaves in a query when it turns subqueries into joins. Its own simplification
 * is not used for them: it takes x &lt;= 1 AND x IS NOT NULL for x &lt;= 1 where unknown counts as true, which no row
 * without x survives.
 */
final class PlainConditions {
    private PlainConditions() {}

    /** A condition that is true where this one is. */
    static RexNode of(RexNode condition, RexBuilder rexBuilder) {
        return onlyTrue(condition.accept(expressions(rexBuilder)), rexBuilder);
    }

    private static RexShuttle expressions(RexBuilder rexBuilder) {
        return new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = super.visitCall(call);
                return visited instanceof RexCall inner ? plain(inner, rexBuilder) : visited;
            }
        };
    }

    /** The same query. */
    static RelNode of(RelNode query) {
        RexBuilder rexBuilder = query.getCluster().getRexBuilder();
        RexShuttle expressions = expressions(rexBuilder);
        return query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                RelNode visited = super.visit(other).accept(expressions);
                return switch (visited) {
                    case Filter filter -> filter(filter, rexBuilder);
                    case Join join ->
                        join.copy(
                                join.getTraitSet(),
                                onlyTrue(join.getCondition(), rexBuilder),
                                join.getLeft(),
                                join.getRight(),
                                join.getJoinType(),
                                join.isSemiJoinDone());
                    default -> visited;
                };
            }
        });
    }

    /** An expression that yields the same, unknown where this one does. */
    private static RexNode plain(RexCall call, RexBuilder rexBuilder) {
        List<RexNode> operands = call.getOperands();
        RexNode first = operands.isEmpty() ? call : operands.getFirst();
        return switch (call.getKind()) {
            case NOT -> negated(first, rexBuilder);
            case IS_NULL -> isKnown(first) ? rexBuilder.makeLiteral(false) : call;
            case IS_NOT_NULL -> isKnown(first) ? rexBuilder.makeLiteral(true) : call;
            case IS_TRUE -> isKnown(first) ? first : call;
            case AND -> RexUtil.composeConjunction(rexBuilder, operands);
            case OR -> disjunction(operands, rexBuilder);
            case CASE -> isItsCondition(operands) ? first : isDecided(call) ? operands.get(1) : call;
            case EQUALS -> isOfItself(call) && isKnown(first) ? rexBuilder.makeLiteral(true) : call;
            case NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                RowComparison.isOne(call) ? RowComparison.of(call, rexBuilder) : call;
            default -> call;
        };
    }

    private static boolean isItsCondition(List<RexNode> caseOperands) {
        return caseOperands.size() == 3
                && isKnown(caseOperands.getFirst())
                && caseOperands.get(1).isAlwaysTrue()
                && caseOperands.get(2).isAlwaysFalse();
    }

    /** COALESCE of a value that is there always is a CASE that goes no further than its first condition. */
    private static boolean isDecided(RexCall call) {
        return call.getOperands().getFirst().isAlwaysTrue()
                && call.getOperands().get(1).getType().equals(call.getType());
    }

    private static boolean isKnown(RexNode value) {
        return !value.getType().isNullable();
    }

    private static RexNode negated(RexNode condition, RexBuilder rexBuilder) {
        if (!(condition instanceof RexCall call)) {
            return rexBuilder.makeCall(SqlStdOperatorTable.NOT, condition);
        }
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case NOT -> operands.getFirst();
            case IS_NULL -> rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, operands);
            case IS_NOT_NULL -> rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, operands);
            case EQUALS -> rexBuilder.makeCall(SqlStdOperatorTable.NOT_EQUALS, operands);
            case NOT_EQUALS -> rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, operands);
            case LESS_THAN -> rexBuilder.makeCall(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, operands);
            case LESS_THAN_OR_EQUAL -> rexBuilder.makeCall(SqlStdOperatorTable.GREATER_THAN, operands);
            case GREATER_THAN -> rexBuilder.makeCall(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, operands);
            case GREATER_THAN_OR_EQUAL -> rexBuilder.makeCall(SqlStdOperatorTable.LESS_THAN, operands);
            default -> rexBuilder.makeCall(SqlStdOperatorTable.NOT, condition);
        };
    }

    /** Calcite writes a IS NOT DISTINCT FROM b as (a IS NULL AND b IS NULL) OR (a = b) IS TRUE. */
    private static RexNode disjunction(List<RexNode> conditions, RexBuilder rexBuilder) {
        if (conditions.size() == 2
                && conditions.getFirst() instanceof RexCall both
                && both.getKind() == SqlKind.AND
                && both.getOperands().size() == 2
                && conditions.get(1) instanceof RexCall test
                && test.getKind() == SqlKind.IS_TRUE
                && test.getOperands().getFirst() instanceof RexCall equality
                && equality.getKind() == SqlKind.EQUALS
                && isNullTest(
                        both.getOperands().getFirst(), equality.getOperands().getFirst())
                && isNullTest(both.getOperands().get(1), equality.getOperands().get(1))) {
            return rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, equality.getOperands());
        }
        return RexUtil.composeDisjunction(rexBuilder, conditions);
    }

    private static boolean isNullTest(RexNode condition, RexNode value) {
        return condition instanceof RexCall call
                && call.getKind() == SqlKind.IS_NULL
                && call.getOperands().getFirst().equals(value);
    }

    private static boolean isOfItself(RexNode condition) {
        return condition instanceof RexCall call
                && call.getKind() == SqlKind.EQUALS
                && call.getOperands().getFirst().equals(call.getOperands().get(1))
                && RexUtil.isDeterministic(call);
    }

    private static RelNode filter(Filter filter, RexBuilder rexBuilder) {
        RexNode condition = onlyTrue(filter.getCondition(), rexBuilder);
        if (condition.isAlwaysTrue()) {
            return filter.getInput();
        }
        return condition.isAlwaysFalse()
                ? LogicalValues.createEmpty(filter.getCluster(), filter.getRowType())
                : filter.copy(filter.getTraitSet(), filter.getInput(), condition);
    }

    /** A condition that is true where this one is. */
    private static RexNode onlyTrue(RexNode condition, RexBuilder rexBuilder) {
        List<RexNode> conditions = new ArrayList<>();
        for (RexNode each : RelOptUtil.conjunctions(condition)) {
            RexNode first = each instanceof RexCall call && !call.getOperands().isEmpty()
                    ? call.getOperands().getFirst()
                    : each;
            if (isOfItself(each)) {
                conditions.add(rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, first));
            } else if (each.getKind() == SqlKind.IS_TRUE) {
                conditions.addAll(RelOptUtil.conjunctions(first));
            } else if (each.getKind() == SqlKind.IS_FALSE) {
                conditions.addAll(RelOptUtil.conjunctions(negated(first, rexBuilder)));
            } else {
                conditions.addAll(SharedConditions.of(each, rexBuilder));
            }
        }
        return RexUtil.composeConjunction(rexBuilder, conditions);
    }
}
