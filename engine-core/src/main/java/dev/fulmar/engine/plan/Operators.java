package dev.fulmar.engine.plan;

import java.util.ArrayList;
import java.util.List;

/** The operators of a relation in the order in which they are shown: each before those that yield rows to it. */
public final class Operators {
    private Operators() {}

    /** All of them, the relation itself first. */
    public static List<Relation> of(Relation relation) {
        List<Relation> operators = new ArrayList<>();
        collect(relation, operators);
        return operators;
    }

    private static void collect(Relation relation, List<Relation> operators) {
        operators.add(relation);
        inputs(relation).forEach(input -> collect(input, operators));
    }

    /** The relations that yield rows to the operator. */
    public static List<Relation> inputs(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> List.of();
            case Relation.IndexScan scan -> List.of();
            case Relation.Values values -> List.of();
            case Relation.FunctionRows rows -> List.of();
            case Relation.WorkingRows rows -> List.of();
            case Relation.Receive receive -> List.of();
            case Relation.Filter filter -> List.of(filter.input());
            case Relation.Project project -> List.of(project.input());
            case Relation.Aggregate aggregate -> List.of(aggregate.input());
            case Relation.Window window -> List.of(window.input());
            case Relation.Sort sort -> List.of(sort.input());
            case Relation.Limit limit -> List.of(limit.input());
            case Relation.UnionAll union -> union.inputs();
            case Relation.Recursion recursion -> List.of(recursion.seed(), recursion.step());
            case Relation.NestedLoopJoin join -> List.of(join.left(), join.right());
            case Relation.IndexJoin join -> List.of(join.left(), join.right());
            case Relation.HashJoin join -> List.of(join.left(), join.right());
            case Relation.Apply apply -> List.of(apply.left(), apply.right());
            case Relation.Measured measured -> List.of(measured.input());
            case Relation.Annotated annotated -> List.of(annotated.input());
        };
    }
}
