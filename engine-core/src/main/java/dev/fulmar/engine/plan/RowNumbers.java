package dev.fulmar.engine.plan;

import dev.fulmar.engine.plan.Relation.AggregateCall;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Numbers of dense sequences for a statement that needs one for each row of its query, such as {@code INSERT ...
 * SELECT}. A node first asks how many rows there are. Then it draws the numbers, and runs the statement with them. The
 * first row has the first number, and so on, so each run gives the same rows the same numbers. A run that finds more
 * rows than there are numbers fails, and the node draws anew.
 *
 * <p>The numbers are further parameters of the statement, of type BIGINT: how many sequences there are. Then come, for
 * each of these, how many ranges of numbers it has, and the first number, the increment and the length of each range. A
 * statement whose only further parameter is {@link #ASKED} yields how many numbers it needs of each sequence.
 */
public final class RowNumbers {
    /** Asks how many numbers a statement needs. */
    public static final long ASKED = 0;

    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final int RANGE_VALUES = 3;

    private RowNumbers() {}

    /** The sequences whose numbers the statement is given row by row; empty for any other statement. */
    public static List<Integer> sequences(StatementPlan plan) {
        return plan.steps().map(StatementPlan.Steps::numbered).orElse(List.of());
    }

    /**
     * The further parameters for these numbers.
     *
     * @param numbers of each sequence, in the order of the rows
     */
    public static long[] parameters(List<long[]> numbers) {
        List<Long> values = new ArrayList<>();
        values.add((long) numbers.size());
        for (long[] each : numbers) {
            int ranges = values.size();
            values.add(0L);
            int begin = 0;
            while (begin < each.length) {
                int end = endOfRange(each, begin);
                long increment = end - begin > 1 ? each[begin + 1] - each[begin] : 1;
                values.add(each[begin]);
                values.add(increment);
                values.add((long) end - begin);
                begin = end;
            }
            values.set(ranges, (long) (values.size() - ranges) / RANGE_VALUES);
        }
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private static int endOfRange(long[] numbers, int begin) {
        int end = Math.min(begin + 2, numbers.length);
        while (end < numbers.length && numbers[end] - numbers[end - 1] == numbers[begin + 1] - numbers[begin]) {
            end++;
        }
        return end;
    }

    /** The statement with so many further parameters: with its numbers, or the query that tells how many it needs. */
    static StatementPlan given(StatementPlan plan, int further) {
        StatementPlan.Steps steps = plan.steps().orElseThrow();
        StatementPlan source = withParameters(steps.source(), further);
        if (further == 1) {
            return counting(source, steps.numbered().size());
        }
        StatementPlan.Steps given =
                new StatementPlan.Steps(source, steps.changes(), steps.chosen(), steps.demands(), List.of());
        StatementPlan all = withParameters(plan, further);
        return new StatementPlan(
                all.sql(),
                all.parameters(),
                all.columns(),
                given.fragments(),
                all.merge(),
                all.onOnePartition(),
                Optional.of(given),
                all.narrowing(),
                all.lock(),
                all.lockedTables());
    }

    /** The plan with further parameters of type BIGINT. */
    static StatementPlan withParameters(StatementPlan plan, int further) {
        List<ColumnType> parameters = new ArrayList<>(plan.parameters());
        for (int i = 0; i < further; i++) {
            parameters.add(BIGINT);
        }
        return new StatementPlan(
                plan.sql(),
                parameters,
                plan.columns(),
                plan.fragments(),
                plan.merge(),
                plan.onOnePartition(),
                plan.steps(),
                plan.narrowing(),
                plan.lock(),
                plan.lockedTables());
    }

    /** A query for the greatest of the numbers that the source gives its rows. */
    private static StatementPlan counting(StatementPlan source, int sequences) {
        List<ResultColumn> columns = new ArrayList<>();
        for (int i = 0; i < sequences; i++) {
            columns.add(new ResultColumn("N" + (i + 1), BIGINT, true));
        }
        boolean isMerged = source.merge().isPresent();
        List<StatementPlan.Fragment> fragments = isMerged
                ? source.fragments()
                : source.fragments().stream()
                        .map(fragment -> new StatementPlan.Fragment(
                                fragment.scope(),
                                new Operation.Query(
                                        greatest(((Operation.Query) fragment.operation()).relation(), sequences))))
                        .toList();
        return new StatementPlan(
                source.sql(),
                source.parameters(),
                columns,
                fragments,
                source.merge().map(rows -> greatest(rows, sequences)),
                source.onOnePartition().map(rows -> greatest(rows, sequences)));
    }

    private static Relation greatest(Relation rows, int sequences) {
        List<ColumnType> types = rows.columns();
        int first = types.size() - sequences;
        List<AggregateCall> calls = new ArrayList<>();
        for (int column = first; column < types.size(); column++) {
            Expression number = new Expression.ColumnReference(column, types.get(column), true);
            calls.add(new AggregateCall(AggregateFunction.MAX, number, false, null, BIGINT));
        }
        return new Relation.Aggregate(rows, List.of(), calls);
    }
}
