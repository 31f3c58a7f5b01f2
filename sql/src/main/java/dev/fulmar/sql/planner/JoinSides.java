package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.sql.estimate.Estimates;
import dev.fulmar.sql.expression.Expressions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two relations joined, perhaps the other way round. A hash or nested loop join keeps its right side, which had better
 * be the smaller one.
 *
 * @param swapped how many columns come first that were the right side's; 0 if the sides are as they were
 */
record JoinSides(Relation relation, int swapped) {
    /**
     * The inner join, in the way that is estimated to be the cheapest.
     *
     * @param conditions over the left columns and then the right ones
     * @param estimates null for the usual way
     */
    static JoinSides of(
            Relation left, JoinPlanner.RightSide right, List<Expression> conditions, @Nullable Estimates estimates) {
        JoinSides usual = new JoinSides(JoinPlanner.join(left, right, JoinKind.INNER, conditions), 0);
        if (estimates == null) {
            return usual;
        }
        JoinSides kept = new JoinSides(JoinPlanner.hashOrLoop(left, right.relation(), JoinKind.INNER, conditions), 0);
        JoinSides swapped = swapped(left, right.relation(), conditions);
        JoinSides best = usual;
        for (JoinSides other : List.of(kept, swapped)) {
            if (estimates.cost(other.relation()) < estimates.cost(best.relation())) {
                best = other;
            }
        }
        return best;
    }

    private static JoinSides swapped(Relation left, Relation right, List<Expression> conditions) {
        int leftWidth = left.columns().size();
        int rightWidth = right.columns().size();
        List<Expression> mirrored = conditions.stream()
                .map(condition -> Expressions.renumber(
                        condition, column -> column < leftWidth ? column + rightWidth : column - leftWidth))
                .toList();
        return new JoinSides(JoinPlanner.hashOrLoop(right, left, JoinKind.INNER, mirrored), rightWidth);
    }

    /** The positions of the columns that would be there if the sides were as they were; -1 is nowhere. */
    int[] positions(int[] unswapped) {
        if (swapped == 0) {
            return unswapped;
        }
        int leftWidth = leftWidth();
        int[] positions = unswapped.clone();
        for (int i = 0; i < positions.length; i++) {
            positions[i] = positions[i] < 0 ? -1 : position(positions[i], leftWidth);
        }
        return positions;
    }

    /** To be asked once and not for each column: a relation puts its columns together each time. */
    private int leftWidth() {
        return relation.columns().size() - swapped;
    }

    private int position(int unswapped, int leftWidth) {
        return unswapped < leftWidth ? unswapped + swapped : unswapped - leftWidth;
    }

    /** The distribution of the rows, given what it would be if the sides were as they were. */
    Distribution distribution(Distribution unswapped) {
        if (swapped == 0) {
            return unswapped;
        }
        int leftWidth = leftWidth();
        return unswapped.withColumns(column -> List.of(position(column, leftWidth)));
    }
}
