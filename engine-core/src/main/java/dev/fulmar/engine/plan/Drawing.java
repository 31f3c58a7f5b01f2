package dev.fulmar.engine.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tests whether an expression or a relation draws numbers from a sequence, for the planner and the check of
 * determinism. The planner allows that in constant rows and in values made of a source's rows as they are stored,
 * nowhere else.
 */
public final class Drawing {
    private Drawing() {}

    /** Whether making the rows draws from a sequence. */
    public static boolean happensIn(Relation relation) {
        return happensIn(relation, Drawing::isDraw);
    }

    /** Whether computing the value draws from a sequence. */
    public static boolean happensIn(Expression expression) {
        return happensIn(expression, Drawing::isDraw);
    }

    /** Whether running the statement draws from a sequence. */
    public static boolean happensIn(StatementPlan plan) {
        return happensIn(plan, Drawing::isDraw);
    }

    private static boolean isDraw(Expression.Call call) {
        return call.function() == ScalarFunction.NEXT_VALUE || call.function() == ScalarFunction.NEXT_RANGE;
    }

    /** Whether making the rows has such a call where draws may be. */
    static boolean happensIn(Relation relation, Predicate<Expression.Call> sought) {
        return switch (relation) {
            case Relation.Values values ->
                values.rows().stream().anyMatch(row -> row.stream().anyMatch(value -> happensIn(value, sought)));
            case Relation.Project project ->
                project.expressions().stream().anyMatch(value -> happensIn(value, sought))
                        || happensIn(project.input(), sought);
            case Relation.FunctionRows rows ->
                rows.functions().stream()
                        .anyMatch(function ->
                                function.arguments().stream().anyMatch(argument -> happensIn(argument, sought)));
            case Relation.Sort sort -> happensIn(sort.input(), sought);
            case Relation.Window window -> happensIn(window.input(), sought);
            case Relation.UnionAll union -> union.inputs().stream().anyMatch(input -> happensIn(input, sought));
            default -> false;
        };
    }

    /** Whether computing the value has such a call. */
    static boolean happensIn(Expression expression, Predicate<Expression.Call> sought) {
        return expression instanceof Expression.Call call
                && (sought.test(call) || call.arguments().stream().anyMatch(argument -> happensIn(argument, sought)));
    }

    /** Whether running the statement has such a call where draws may be. */
    static boolean happensIn(StatementPlan plan, Predicate<Expression.Call> sought) {
        List<Relation> relations = new ArrayList<>();
        plan.merge().ifPresent(relations::add);
        plan.onOnePartition().ifPresent(relations::add);
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            switch (fragment.operation()) {
                case Operation.Insert insert -> relations.add(insert.source());
                case Operation.Query query -> relations.add(query.relation());
                case Operation.Update _, Operation.Delete _ -> {
                    // Their values are none that may be drawn.
                }
            }
        }
        return relations.stream().anyMatch(relation -> happensIn(relation, sought))
                || plan.steps()
                        .filter(steps -> happensIn(steps.source(), sought)
                                || steps.changes().stream().anyMatch(change -> happensIn(change, sought)))
                        .isPresent();
    }
}
