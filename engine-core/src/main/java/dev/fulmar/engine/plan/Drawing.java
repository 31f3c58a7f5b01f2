package dev.fulmar.engine.plan;

/**
 * Tests whether an expression or a relation draws numbers from a sequence, for the planner and the check of
 * determinism. The planner allows that in constant rows and in values made of a source's rows as they are stored,
 * nowhere else.
 */
public final class Drawing {
    private Drawing() {}

    /** Whether making the rows draws from a sequence. */
    public static boolean happensIn(Relation relation) {
        return switch (relation) {
            case Relation.Values values ->
                values.rows().stream().anyMatch(row -> row.stream().anyMatch(Drawing::happensIn));
            case Relation.Project project ->
                project.expressions().stream().anyMatch(Drawing::happensIn) || happensIn(project.input());
            case Relation.Sort sort -> happensIn(sort.input());
            case Relation.UnionAll union -> union.inputs().stream().anyMatch(Drawing::happensIn);
            default -> false;
        };
    }

    /** Whether computing the value draws from a sequence. */
    public static boolean happensIn(Expression expression) {
        return expression instanceof Expression.Call call
                && (call.function() == ScalarFunction.NEXT_VALUE
                        || call.arguments().stream().anyMatch(Drawing::happensIn));
    }
}
