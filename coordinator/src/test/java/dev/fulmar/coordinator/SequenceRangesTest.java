package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.DrawingStatement;
import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.time.real.SystemClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a node draws numbers ahead, and hands them out. */
class SequenceRangesTest {
    private static final int SEQUENCE = 9;
    private static final GivenNumbers.Number DENSE = new GivenNumbers.Number(GivenNumbers.Kind.NEXT_DENSE, SEQUENCE);
    private static final GivenNumbers.Number LOCAL = new GivenNumbers.Number(GivenNumbers.Kind.NEXT, SEQUENCE + 1);
    private static final GivenNumbers.Number CURRENT = new GivenNumbers.Number(GivenNumbers.Kind.CURRENT, SEQUENCE);
    private static final GivenNumbers.Number LAST = new GivenNumbers.Number(GivenNumbers.Kind.LAST, 0);

    /** A draw that the partition has not answered yet. */
    private record Sent(TransactionRequest.AdHoc request, Consumer<TransactionResponse> then) {
        long wanted() {
            return new ParameterReader(1)
                    .wrap(request.parameters(), 0, request.parameters().length)
                    .getLong(0);
        }
    }

    /** The answer to a statement. */
    private static final class Told implements SequenceRanges.Listener {
        private long @Nullable [] numbers;
        private @Nullable Failed failure;

        @Override
        public void drawn(long[] drawn) {
            assertThat(numbers).isNull();
            numbers = drawn;
        }

        @Override
        public void failed(Failed why) {
            assertThat(failure).isNull();
            failure = why;
        }
    }

    private final Queue<Sent> sent = new ArrayDeque<>();
    private final SequenceRanges ranges = new SequenceRanges(
            new SystemClock(),
            new SeededRandom(1),
            Catalog::empty,
            incoming -> sent.add(new Sent(
                    (TransactionRequest.AdHoc) incoming.request(),
                    response -> incoming.sink().respond(incoming.request(), response))));

    private Told draw(@Nullable LastNumbers last, GivenNumbers.Number... wanted) {
        return draw(0, last, wanted);
    }

    private Told draw(long requestId, @Nullable LastNumbers last, GivenNumbers.Number... wanted) {
        Told told = new Told();
        long clientId = requestId == 0 ? 0 : 9;
        TransactionRequest.AdHoc request =
                new TransactionRequest.AdHoc(clientId, requestId, 0, "INSERT", new byte[] {0, 0});
        ranges.draw(List.of(wanted), request, last, told);
        return told;
    }

    /** Those that a BIGINT has got may be too large for an INTEGER. */
    @Test
    void numbersOfAnIntegerAreDrawnApart() {
        GivenNumbers.Number integer = new GivenNumbers.Number(GivenNumbers.Kind.NEXT_INTEGER, LOCAL.sequence());
        assertThat(draw(null, LOCAL).numbers).isNull();
        assertThat(draw(null, integer).numbers).isNull();

        assertThat(sent.remove().request().sql())
                .contains("(NEXT VALUE FOR \"#10\")")
                .doesNotContain("CAST");
        assertThat(sent.remove().request().sql()).contains("(CAST(NEXT VALUE FOR \"#10\" AS INTEGER))");
    }

    /** A request that is sent again must go to the partition that remembers it. */
    @ParameterizedTest
    @EnumSource(
            value = GivenNumbers.Kind.class,
            names = {"ROW", "RANDOM"})
    void theIdsOfRowsAndRandomNumbersFollowFromTheHandle(GivenNumbers.Kind kind) {
        GivenNumbers.Number row = new GivenNumbers.Number(kind, 0);
        long[] ids = draw(1, null, row, row, row).numbers;
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(draw(1, null, row, row, row).numbers).isEqualTo(ids);
        assertThat(draw(2, null, row, row, row).numbers).doesNotContain(ids);
        assertThat(draw(null, row).numbers).isNotEqualTo(draw(null, row).numbers);
        assertThat(sent).as("no transaction draws them").isEmpty();
        LastNumbers last = new LastNumbers();
        Told both = draw(3, last, row, DENSE);
        answer(10, 1, 1);
        assertThat(both.numbers).hasSize(2).endsWith(10);
        assertThat(last.last(name -> true)).isEqualTo(10);
    }

    private static Committed rows(List<List<Long>> rows) {
        List<ResultColumn> columns = new ArrayList<>();
        rows.getFirst().forEach(value -> columns.add(new ResultColumn("N", ColumnType.of(TypeKind.BIGINT), false)));
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 20);
        writer.begin(new ResultLayout(columns));
        for (List<Long> row : rows) {
            writer.startRow();
            for (int i = 0; i < row.size(); i++) {
                writer.setLong(i, row.get(i));
            }
            writer.endRow();
        }
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    private void answer(long first, long increment, long cache) {
        sent.remove().then().accept(rows(List.of(List.of(first, increment, cache))));
    }

    @Test
    void oneDrawServesAllThatWait() {
        Told first = draw(null, DENSE);
        Told second = draw(null, DENSE, DENSE);
        Told third = draw(null, DENSE);
        assertThat(sent).hasSize(1);
        assertThat(sent.element().request().sql()).isEqualTo(DrawingStatement.text(SEQUENCE));
        assertThat(sent.element().wanted()).isEqualTo(1);
        answer(10, 5, 2);
        assertThat(first.numbers).containsExactly(10);
        assertThat(second.numbers).isNull();
        assertThat(sent).hasSize(1);
        answer(20, 5, 2);
        assertThat(second.numbers).containsExactly(15, 20);
        assertThat(third.numbers).containsExactly(25);
        assertThat(sent).isEmpty();
    }

    @Test
    void aLongStatementDrawsAsManyAsItNeeds() {
        Told told = draw(null, DENSE, DENSE, DENSE);
        assertThat(sent.element().wanted()).isEqualTo(3);
        answer(1, 1, 2);
        assertThat(told.numbers).containsExactly(1, 2, 3);
        draw(null, DENSE);
        assertThat(sent).as("nothing is left").hasSize(1);
    }

    @Test
    void noNumberIsBehindTheLastOne() {
        Told told = draw(null, DENSE, DENSE);
        answer(Long.MAX_VALUE, 1, 100);
        assertThat(told.numbers).isNull();
        sent.remove().then().accept(new Failed(ErrorCode.VALUE_OUT_OF_RANGE, "no numbers left"));
        assertThat(told.failure).isNotNull();
        assertThat(told.failure.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
    }

    /** The numbers may have been drawn, and are not used then. */
    @Test
    void aDrawOfUnknownOutcomeMeansThatTheStatementWasNotExecuted() {
        Told told = draw(null, DENSE);
        Told other = draw(null, DENSE);
        sent.remove().then().accept(new Failed(ErrorCode.OUTCOME_UNKNOWN, "nobody knows"));
        assertThat(told.failure).isNotNull();
        assertThat(told.failure.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        assertThat(other.failure).isNotNull();
        Told later = draw(null, DENSE);
        answer(7, 1, 1);
        assertThat(later.numbers).containsExactly(7);
    }

    @Test
    void numbersOfPartitionsAreKeptOneByOne() {
        Told told = draw(null, LOCAL, LOCAL);
        assertThat(sent.element().request().sql()).startsWith("VALUES (NEXT VALUE FOR \"#10\")");
        sent.remove().then().accept(rows(List.of(List.of(3L), List.of(1027L), List.of(2051L))));
        assertThat(told.numbers).containsExactly(3, 1027);
        assertThat(draw(null, LOCAL).numbers).containsExactly(2051);
    }

    /** A client that inserts several rows takes the one with the least number for the first. */
    @Test
    void numbersOfAStatementGoUpThoughSeveralPartitionsDrewThem() {
        LastNumbers last = new LastNumbers();
        Told told = draw(last, LOCAL, DENSE, LOCAL, LOCAL);
        sent.remove().then().accept(rows(List.of(List.of(1027L), List.of(2051L))));
        answer(7, 1, 1);
        sent.remove().then().accept(rows(List.of(List.of(4L), List.of(1028L))));

        assertThat(told.numbers).containsExactly(4, 7, 1027, 2051);
        assertThat(last.last(name -> true)).isEqualTo(2051);
        assertThat(last.current(LOCAL.sequence())).isEqualTo(2051);
    }

    @Test
    void numbersOfASequenceThatGoesDownGoDown() {
        Told told = draw(null, LOCAL, LOCAL, LOCAL);
        sent.remove().then().accept(rows(List.of(List.of(-1027L), List.of(-2051L))));
        sent.remove().then().accept(rows(List.of(List.of(-4L), List.of(-1028L))));

        assertThat(told.numbers).containsExactly(-4, -1027, -2051);
    }

    @Test
    void aConnectionRemembersWhatWasDrawnForIt() {
        LastNumbers own = new LastNumbers();
        LastNumbers other = new LastNumbers();
        assertThat(draw(own, CURRENT).failure).isNotNull();
        assertThat(draw(null, LAST).failure).isNotNull();
        Told told = draw(own, DENSE, CURRENT, DENSE, LAST);
        answer(4, 1, 10);
        assertThat(told.numbers).containsExactly(4, 4, 5, 5);
        assertThat(draw(other, DENSE, CURRENT).numbers).containsExactly(6, 6);
        assertThat(draw(own, CURRENT, LAST).numbers).containsExactly(5, 5);
        Failed failure = draw(new LastNumbers(), CURRENT).failure;
        assertThat(failure).isNotNull();
        assertThat(failure.code()).isEqualTo(ErrorCode.SEQUENCE_NOT_DRAWN);
    }
}
