package dev.fulmar.engine.plan;

/**
 * Tests whether a relation hands its rows out as it reads them, and keeps none. A reader of its rows may then wait
 * between two of them for as long as it likes, with no memory but that of its place.
 */
public final class Pipelining {
    private Pipelining() {}

    /** Whether the relation keeps no rows. */
    public static boolean happensIn(Relation relation) {
        return switch (relation) {
            case Relation.TableScan _, Relation.IndexScan _ -> true;
            case Relation.Filter filter -> happensIn(filter.input());
            case Relation.Project project -> happensIn(project.input());
            case Relation.Limit limit -> happensIn(limit.input());
            case Relation.IndexJoin join -> happensIn(join.left());
            case Relation.UnionAll union -> union.inputs().stream().allMatch(Pipelining::happensIn);
            case Relation.NestedLoopJoin _,
                    Relation.HashJoin _,
                    Relation.Apply _,
                    Relation.Aggregate _,
                    Relation.Window _,
                    Relation.Sort _,
                    Relation.Recursion _,
                    Relation.WorkingRows _,
                    Relation.Values _,
                    Relation.FunctionRows _,
                    Relation.Receive _,
                    Relation.Measured _,
                    Relation.Annotated _ -> false;
        };
    }
}
