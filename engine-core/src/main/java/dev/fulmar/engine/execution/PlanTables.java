package dev.fulmar.engine.execution;

import dev.fulmar.engine.plan.Relation;

/** Finds the tables that a relation reads. */
final class PlanTables {
    private PlanTables() {}

    static boolean reads(Relation relation, int table) {
        return switch (relation) {
            case Relation.TableScan scan -> scan.table() == table;
            case Relation.IndexScan scan -> scan.table() == table;
            case Relation.Filter filter -> reads(filter.input(), table);
            case Relation.Project project -> reads(project.input(), table);
            case Relation.NestedLoopJoin join -> reads(join.left(), table) || reads(join.right(), table);
            case Relation.IndexJoin join -> reads(join.left(), table) || reads(join.right(), table);
            case Relation.HashJoin join -> reads(join.left(), table) || reads(join.right(), table);
            case Relation.Apply apply -> reads(apply.left(), table) || reads(apply.right(), table);
            case Relation.Aggregate aggregate -> reads(aggregate.input(), table);
            case Relation.Window window -> reads(window.input(), table);
            case Relation.Sort sort -> reads(sort.input(), table);
            case Relation.Limit limit -> reads(limit.input(), table);
            case Relation.UnionAll union -> union.inputs().stream().anyMatch(input -> reads(input, table));
            case Relation.Recursion recursion -> reads(recursion.seed(), table) || reads(recursion.step(), table);
            case Relation.WorkingRows rows -> false;
            case Relation.Values values -> false;
            case Relation.FunctionRows rows -> false;
            case Relation.Receive receive -> false;
            case Relation.Measured measured -> reads(measured.input(), table);
            case Relation.Annotated annotated -> reads(annotated.input(), table);
        };
    }
}
