package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.RowNumbers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The numbers that a statement needs of each of its sequences, one for each row of its query, as a query has counted
 * them. Immutable.
 */
public final class RowNumberDraw {
    /** Numbers that one statement is given at most. */
    static final int MOST = 1_000_000;

    private static final int MORE_ROWS = 16;

    private final List<List<GivenNumbers.Number>> wanted;

    private RowNumberDraw(List<List<GivenNumbers.Number>> wanted) {
        this.wanted = List.copyOf(wanted);
    }

    /** The further parameters of a statement that is only asked how many numbers it needs. */
    public static long[] question() {
        return new long[] {RowNumbers.ASKED};
    }

    /**
     * The draw for the answer to the question.
     *
     * @param sequences of the statement, in their order
     * @param failures how often the statement has found more rows than it had numbers; it gets more to spare each time
     */
    public static RowNumberDraw of(List<GivenNumbers.Number> sequences, Committed answer, int failures) {
        ResultBlock counts = new ResultBlock();
        counts.wrap(answer.results(), 0, answer.results().length);
        List<List<GivenNumbers.Number>> wanted = new ArrayList<>();
        long all = 0;
        Invariants.check(counts.next(), "the question for numbers has a row as its answer");
        for (int place = 0; place < sequences.size(); place++) {
            long rows = counts.isNull(place) ? 0 : counts.getLong(place);
            long count = rows + failures * (MORE_ROWS + rows / MORE_ROWS);
            all += count;
            if (all > MOST) {
                throw new FulmarException(
                        ErrorCode.TRANSACTION_TOO_LARGE,
                        "the rows of the statement's query would draw more than " + MOST
                                + " numbers of sequences; insert fewer rows at once");
            }
            wanted.add(Collections.nCopies((int) count, sequences.get(place)));
        }
        return new RowNumberDraw(wanted);
    }

    /** The numbers to draw. */
    public List<GivenNumbers.Number> wanted() {
        if (wanted.size() == 1) {
            return wanted.getFirst();
        }
        List<GivenNumbers.Number> all = new ArrayList<>();
        wanted.forEach(all::addAll);
        return all;
    }

    /** The further parameters of the statement when the numbers are drawn. */
    public long[] given(long[] drawn) {
        int all = wanted.stream().mapToInt(List::size).sum();
        Invariants.check(drawn.length == all, "a statement is given as many numbers as were drawn for it");
        List<long[]> numbers = new ArrayList<>();
        int begin = 0;
        for (List<GivenNumbers.Number> each : wanted) {
            numbers.add(Arrays.copyOfRange(drawn, begin, begin + each.size()));
            begin += each.size();
        }
        return RowNumbers.parameters(numbers);
    }
}
