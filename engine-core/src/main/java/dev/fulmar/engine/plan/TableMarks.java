package dev.fulmar.engine.plan;

/**
 * Sets of tables as 64 marks. Two tables may share a mark, so a set may seem to have a table that it has not; it never
 * lacks one that it has.
 */
public final class TableMarks {
    /** The set of no table. */
    public static final long NONE = 0;

    /** The set of all tables. */
    public static final long ALL = -1;

    private TableMarks() {}

    /** The set of one table. */
    public static long of(int table) {
        return 1L << table; // the lowest six bits count
    }

    /** Tables on whose rows the plan's result depends. All where it is a write, or asks a sequence. */
    public static long read(StatementPlan plan) {
        if (!plan.isReadOnly() || plan.steps().isPresent() || asksSequence(plan)) {
            return ALL;
        }
        long marks = 0;
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            marks |= read(fragment.operation());
        }
        if (plan.merge().isPresent()) {
            marks |= read(plan.merge().get());
        }
        if (plan.onOnePartition().isPresent()) {
            marks |= read(plan.onOnePartition().get());
        }
        if (plan.narrowing().isPresent()) {
            StatementPlan.SemiJoin narrowing = plan.narrowing().get();
            marks |= read(narrowing.keys()) | read(narrowing.narrow());
        }
        return marks;
    }

    private static long read(Operation operation) {
        return operation instanceof Operation.Query query ? read(query.relation()) : ALL;
    }

    private static long read(Relation relation) {
        return switch (relation) {
            case Relation.TableScan scan -> of(scan.table());
            case Relation.IndexScan scan -> of(scan.table());
            case Relation.Filter filter -> read(filter.input());
            case Relation.Project project -> read(project.input());
            case Relation.NestedLoopJoin join -> read(join.left()) | read(join.right());
            case Relation.IndexJoin join -> read(join.left()) | read(join.right());
            case Relation.HashJoin join -> read(join.left()) | read(join.right());
            case Relation.Apply apply -> read(apply.left()) | read(apply.right());
            case Relation.Aggregate aggregate -> read(aggregate.input());
            case Relation.Window window -> read(window.input());
            case Relation.Sort sort -> read(sort.input());
            case Relation.Limit limit -> read(limit.input());
            case Relation.UnionAll union -> {
                long marks = 0;
                for (Relation input : union.inputs()) {
                    marks |= read(input);
                }
                yield marks;
            }
            case Relation.Recursion recursion -> read(recursion.seed()) | read(recursion.step());
            // Rows of the last two are read elsewhere in the plan.
            case Relation.Values _, Relation.FunctionRows _, Relation.WorkingRows _, Relation.Receive _ -> 0;
            case Relation.Measured measured -> read(measured.input());
            case Relation.Annotated annotated -> read(annotated.input());
        };
    }

    /** Whether the plan reads or changes a sequence. */
    public static boolean asksSequence(StatementPlan plan) {
        return Drawing.happensIn(plan, TableMarks::asksSequence);
    }

    /** A sequence is a table of its own, which only these functions name. */
    private static boolean asksSequence(Expression.Call call) {
        return call.function() == ScalarFunction.NEXT_VALUE || call.function() == ScalarFunction.CURRENT_VALUE;
    }
}
