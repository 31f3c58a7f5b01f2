package dev.fulmar.coordinator.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import java.util.List;
import java.util.StringJoiner;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cursor yields the rows that PostgreSQL 15 yields, forward and back. */
class ScrolledRowsTest {
    private static byte[] block(int rows) {
        ResultBlockWriter writer = new ResultBlockWriter(100, 10_000);
        writer.begin(new ResultLayout(List.of(new ResultColumn("N", ColumnType.of(TypeKind.BIGINT), false))));
        for (int row = 1; row <= rows; row++) {
            writer.startRow();
            writer.setLong(0, row);
            writer.endRow();
        }
        writer.end();
        return writer.toByteArray();
    }

    private static ScrolledRows rows(int rows, boolean goesBack) {
        return new ScrolledRows(block(rows), goesBack);
    }

    private static String rows(byte[] block) {
        ResultBlock rows = new ResultBlock().wrap(block, 0, block.length);
        StringJoiner all = new StringJoiner(" ");
        while (rows.next()) {
            all.add(Long.toString(rows.getLong(0)));
        }
        return all.toString();
    }

    private static String run(ScrolledRows rows, String sql) {
        return switch (SessionCommand.of(sql)) {
            case CursorCommand.Fetch fetch -> rows(rows.fetch(fetch.step()));
            case CursorCommand.Move move -> Long.toString(rows.move(move.step()));
            default -> throw new AssertionError(sql);
        };
    }

    private static void cannot(ThrowingCallable step) {
        assertThatThrownBy(step)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CURSOR_GOES_FORWARD));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    NEXT, 4
                    PRIOR, 2
                    FIRST, 1
                    LAST, 5
                    0, 3
                    RELATIVE 0, 3
                    2, 4 5
                    9, 4 5
                    ALL, 4 5
                    FORWARD -2, 2 1
                    -9, 2 1
                    BACKWARD, 2
                    BACKWARD 9, 2 1
                    BACKWARD -1, 4
                    BACKWARD ALL, 2 1
                    ABSOLUTE 0, ''
                    ABSOLUTE 2, 2
                    ABSOLUTE 6, ''
                    ABSOLUTE -2, 4
                    ABSOLUTE -6, ''
                    RELATIVE 2, 5
                    RELATIVE 3, ''
                    RELATIVE -2, 1
                    RELATIVE -3, ''
                    ABSOLUTE 99999999999999999999, ''
                    RELATIVE -99999999999999999999, ''
                    """)
    void aStepFromTheMiddle(String step, String expected) {
        ScrolledRows rows = rows(5, true);
        run(rows, "MOVE 3 FROM c");
        assertThat(run(rows, "FETCH " + step + " FROM c")).isEqualTo(expected);
        ScrolledRows moved = rows(5, true);
        run(moved, "MOVE 3 FROM c");
        long count = expected.isEmpty() ? 0 : expected.split(" ").length;
        assertThat(run(moved, "MOVE " + step + " FROM c")).isEqualTo(Long.toString(count));
        assertThat(run(moved, "FETCH NEXT FROM c"))
                .as("both leave it at one place")
                .isEqualTo(run(rows, "FETCH NEXT FROM c"));
    }

    @Test
    void thePlacesBeforeAndBehindTheRowsAreOneStepAway() {
        ScrolledRows rows = rows(2, true);
        assertThat(run(rows, "FETCH PRIOR c")).isEmpty();
        assertThat(run(rows, "FETCH 3 c")).isEqualTo("1 2");
        assertThat(run(rows, "FETCH 0 c")).isEmpty();
        assertThat(run(rows, "FETCH PRIOR c")).isEqualTo("2");
        assertThat(run(rows, "FETCH c")).isEmpty();
        assertThat(run(rows, "MOVE BACKWARD ALL IN c")).isEqualTo("2");
        assertThat(run(rows, "FETCH NEXT IN c")).isEqualTo("1");
        assertThat(run(rows(0, true), "FETCH LAST c")).isEmpty();
    }

    @Test
    void aCursorWithoutScrollGoesForwardOnly() {
        ScrolledRows rows = rows(9, false);
        assertThat(run(rows, "MOVE BACKWARD ALL IN c")).isEqualTo("0");
        assertThat(run(rows, "FETCH ABSOLUTE 0 c")).isEmpty();
        assertThat(run(rows, "FETCH FIRST c")).isEqualTo("1");
        assertThat(run(rows, "FETCH ABSOLUTE 3 c")).isEqualTo("3");
        assertThat(run(rows, "FETCH RELATIVE 2 c")).isEqualTo("5");
        assertThat(run(rows, "MOVE 0 c")).isEqualTo("1");
        for (String step : List.of("PRIOR", "FIRST", "LAST", "0", "ABSOLUTE 5", "RELATIVE -1", "BACKWARD 2")) {
            ScrolledRows other = rows(9, false);
            run(other, "MOVE 5 c");
            cannot(() -> run(other, "FETCH " + step + " FROM c"));
            cannot(() -> run(other, "FETCH NEXT c"));
        }
    }

    @Test
    void rowsThatAreNotTakenComeAgain() {
        ScrolledRows rows = rows(5, true);
        run(rows, "FETCH 2 c");
        assertThat(run(rows, "FETCH 2 c")).isEqualTo("3 4");
        rows.takeBack();
        assertThat(run(rows, "FETCH 1 c")).isEqualTo("3");
    }

    @Test
    void heldCursorsGiveTheirMemoryBack() {
        ByteBudget memory = new ByteBudget(1_000);
        HeldCursors held = new HeldCursors();
        for (String name : List.of("A", "B", "C")) {
            assertThat(memory.take(100)).isTrue();
            held.keep(name, rows(3, true), memory, 100);
        }
        assertThat(held.has("A")).isTrue();
        assertThat(held.count()).isEqualTo(3);
        assertThat(held.isFor(new CursorCommand.Close("A"))).isTrue();
        held.execute(new CursorCommand.Close("A"), request(), (asked, response) -> {});
        assertThat(memory.underWayBytes()).isEqualTo(200);
        held.leave();
        assertThat(memory.underWayBytes()).isZero();
        assertThat(memory.take(100)).isTrue();
        held.keep("LATE", rows(3, true), memory, 100);
        assertThat(memory.underWayBytes()).isZero();
        assertThat(held.has("LATE")).isFalse();
    }

    private static TransactionRequest request() {
        return new TransactionRequest.AdHoc(0, 0, 0, "", new byte[] {0, 0});
    }
}
