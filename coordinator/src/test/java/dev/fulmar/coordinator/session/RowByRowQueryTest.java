package dev.fulmar.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.RowSearch;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A query of several rows asks for keys, then for rows until it has enough. */
class RowByRowQueryTest {
    private static final RowByRow QUERIES = new RowByRow("keys", 2, 1, "row", 1, 2);
    private static final TransactionRequest.AdHoc REQUEST =
            new TransactionRequest.AdHoc(1, 2, 3, "query", list("wine", 5L, "order"));

    private final List<String> asked = new ArrayList<>();
    private final List<TransactionResponse> answers = new ArrayList<>();
    private final List<ResponseSink> queries = new ArrayList<>();

    private static byte[] list(Object... values) {
        ParameterWriter writer = new ParameterWriter(64, 1 << 10).begin();
        Arrays.stream(values).forEach(writer::addObject);
        writer.end();
        return writer.toByteArray();
    }

    /** Rows of so many columns, each of which has the number of its row. */
    private static Committed table(int columns, long... rows) {
        ResultBlockWriter writer = new ResultBlockWriter(64, 1 << 10);
        writer.begin(new ResultLayout(IntStream.range(0, columns)
                .mapToObj(i -> new ResultColumn("C" + i, ColumnType.of(TypeKind.BIGINT), true))
                .toList()));
        for (long row : rows) {
            writer.startRow();
            for (int column = 0; column < columns; column++) {
                writer.setLong(column, row);
            }
            writer.endRow();
        }
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    private void begin(RowByRow found) {
        RowSearch search =
                RowSearch.read(RowSearch.of(found, REQUEST.parameters()).toAnswer());
        RowByRowQuery.begin(REQUEST, (request, response) -> answers.add(response), search, (next, query) -> {
            ParameterReader parameters = new ParameterReader(9).wrap(next.parameters(), 0, next.parameters().length);
            asked.add(next.sql()
                    + IntStream.range(0, parameters.count())
                            .mapToObj(parameters::object)
                            .toList());
            queries.add(query);
        });
    }

    private void answer(TransactionResponse response) {
        queries.getLast().respond(REQUEST, response);
    }

    private boolean keeps(Committed answer) {
        return ((RowByRowQuery) queries.getLast()).keeps(answer);
    }

    private static List<Long> rows(TransactionResponse response) {
        byte[] results = ((Committed) response).results();
        ResultBlock block = new ResultBlock().wrap(results, 0, results.length).validate();
        assertThat(block.columnCount()).isEqualTo(2);
        List<Long> rows = new ArrayList<>();
        while (block.next()) {
            rows.add(block.getLong(1));
        }
        return rows;
    }

    @Test
    void itAsksUntilItHasEnough() {
        begin(QUERIES);
        assertThat(asked).containsExactly("keys[wine, 5]");
        assertThat(keeps(table(3, 7))).as("keys need not come again").isFalse();
        answer(table(3, 7, 8, 9, 10));
        assertThat(asked).last().isEqualTo("row[wine, 7]");
        answer(table(2, 7));
        assertThat(keeps(table(2, 7))).as("a row must come again").isTrue();
        assertThat(keeps(table(2))).as("what was left out need not").isFalse();
        answer(table(2));
        assertThat(answers).isEmpty();
        answer(table(2, 9));
        assertThat(asked).hasSize(4).last().isEqualTo("row[wine, 9]");
        assertThat(answers).hasSize(1);
        assertThat(rows(answers.getFirst())).containsExactly(7L, 9L);
    }

    @Test
    void itEndsWhereThereAreNoMoreRows() {
        begin(QUERIES);
        answer(table(3, 7));
        answer(table(2));
        assertThat(rows(answers.getFirst())).isEmpty();
    }

    @Test
    void itWantsAsManyRowsAsAParameterSays() {
        begin(new RowByRow("keys", 1, 1, "row", 0, -1));
        answer(table(3, 1, 2, 3, 4, 5, 6, 7));
        for (int row = 1; row <= 5; row++) {
            assertThat(asked).last().isEqualTo("row[" + row + "]");
            answer(table(2, row));
        }
        assertThat(rows(answers.getFirst())).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void itFailsAsOneOfItsQueriesDoes() {
        begin(QUERIES);
        answer(table(3, 7, 8));
        answer(table(2, 7));
        answer(new Failed(ErrorCode.SERIALIZATION_FAILURE, "changed"));
        assertThat(answers).hasSize(1);
        assertThat(((Failed) answers.getFirst()).code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
        assertThat(asked).hasSize(3);
    }
}
