package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.jspecify.annotations.Nullable;

/** Plans LEFT, RIGHT, FULL, semi and anti joins, whose sides keep their order. */
final class OuterJoins {
    private final RelationPlanner planner;

    OuterJoins(RelationPlanner planner) {
        this.planner = planner;
    }

    PlannedRelation plan(Join join, List<OrderKey> wanted) {
        Expression condition = planner.converter().convert(join.getCondition());
        int leftWidth = join.getLeft().getRowType().getFieldCount();
        int rightWidth = join.getRight().getRowType().getFieldCount();
        List<Expression> conditions = Expressions.conjuncts(condition);
        if (join.getJoinType() != JoinRelType.RIGHT) {
            return plan(join.getLeft(), join.getRight(), kind(join), conditions, wanted);
        }
        List<Expression> mirrored = conditions.stream()
                .map(each -> Expressions.renumber(
                        each, column -> column < leftWidth ? column + rightWidth : column - leftWidth))
                .toList();
        PlannedRelation plannedRelation = plan(join.getRight(), join.getLeft(), JoinKind.LEFT, mirrored, List.of());
        List<Integer> columns = new ArrayList<>(
                IntStream.range(rightWidth, rightWidth + leftWidth).boxed().toList());
        IntStream.range(0, rightWidth).forEach(columns::add);
        return PlannedRelation.unordered(
                Relations.select(plannedRelation.relation(), columns),
                plannedRelation.distribution().withColumns(column -> List.of(columns.indexOf(column))));
    }

    private static JoinKind kind(Join join) {
        return switch (join.getJoinType()) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case FULL -> JoinKind.FULL;
            case SEMI -> JoinKind.SEMI;
            case ANTI -> JoinKind.ANTI;
            default -> throw SqlErrors.notSupported("a " + join.getJoinType() + " join is not supported");
        };
    }

    private PlannedRelation plan(
            RelNode left, RelNode right, JoinKind kind, List<Expression> conditions, List<OrderKey> wanted) {
        int leftWidth = left.getRowType().getFieldCount();
        boolean isOfLeft = wanted.stream().allMatch(key -> key.columns().length() <= leftWidth);
        List<OrderKey> wantedLeft = isOfLeft ? wanted : List.of();
        PlannedRelation leftPart = planner.plan(left, wantedLeft);
        JoinInput input = JoinInput.of(right, planner.converter());
        List<Expression> open = new ArrayList<>();
        List<Expression> ofRight = new ArrayList<>();
        for (Expression condition : conditions) {
            BitSet columns = Expressions.columns(condition);
            if (kind != JoinKind.FULL && !columns.isEmpty() && columns.nextSetBit(0) >= leftWidth) {
                ofRight.add(Expressions.renumber(condition, column -> column - leftWidth));
            } else {
                open.add(condition);
            }
        }
        JoinInput rightInput = input.with(ofRight);
        PlannedRelation rightPart = planner.planInput(rightInput, List.of());
        Distribution distribution = JoinDistribution.of(
                leftPart.distribution(),
                rightPart.distribution(),
                leftWidth,
                kind,
                (a, b) -> areEqual(open, a, leftWidth, rightInput, b));
        if (distribution == null) {
            return inMerge(leftPart, rightInput, rightPart, kind, open);
        }
        Relation relation = JoinPlanner.join(
                leftPart.relation(), planner.rightSide(rightInput), kind, produced(open, leftWidth, rightInput));
        // Rows of the right side alone come last, wherever the order has their nulls.
        boolean ordered = leftPart.ordered() && kind != JoinKind.FULL && JoinPlanner.keepsOrder(relation);
        return chosen(relation, leftWidth, rightInput, kind, distribution, ordered);
    }

    /** The conditions over the left row and the row that the right side produces. */
    private static List<Expression> produced(List<Expression> conditions, int leftWidth, JoinInput right) {
        return conditions.stream()
                .map(condition -> Expressions.renumber(
                        condition,
                        column -> column < leftWidth
                                ? column
                                : leftWidth + right.columns().get(column - leftWidth)))
                .toList();
    }

    private static boolean areEqual(
            List<Expression> conditions, int left, int leftWidth, JoinInput right, int rightProduced) {
        for (Expression condition : conditions) {
            Expression @Nullable [] sides = JoinPlanner.sides(condition, leftWidth);
            if (sides != null
                    && sides[0] instanceof Expression.ColumnReference a
                    && sides[1] instanceof Expression.ColumnReference b
                    && a.index() == left
                    && right.columns().get(b.index() - leftWidth) == rightProduced) {
                return true;
            }
        }
        return false;
    }

    private static PlannedRelation chosen(
            Relation joined,
            int leftWidth,
            JoinInput right,
            JoinKind kind,
            Distribution distribution,
            boolean ordered) {
        if (kind == JoinKind.SEMI || kind == JoinKind.ANTI) {
            return new PlannedRelation(joined, distribution, ordered);
        }
        List<Integer> columns =
                new ArrayList<>(IntStream.range(0, leftWidth).boxed().toList());
        right.columns().forEach(column -> columns.add(leftWidth + column));
        Distribution ofLeft = distribution.withColumns(column -> column < leftWidth ? List.of(column) : List.of());
        return new PlannedRelation(Relations.select(joined, columns), ofLeft, ordered);
    }

    private PlannedRelation inMerge(
            PlannedRelation left,
            JoinInput rightInput,
            PlannedRelation right,
            JoinKind kind,
            List<Expression> conditions) {
        PlannedRelation leftShipped = planner.ship(left);
        Relation chosenRight = Relations.select(right.relation(), rightInput.columns());
        PlannedRelation rightShipped = planner.ship(
                PlannedRelation.unordered(chosenRight, right.distribution().withColumns(column -> List.of())));
        Relation relation = JoinPlanner.join(
                leftShipped.relation(), JoinPlanner.RightSide.of(rightShipped.relation()), kind, conditions);
        return PlannedRelation.unordered(relation, new Distribution.Merged());
    }
}
