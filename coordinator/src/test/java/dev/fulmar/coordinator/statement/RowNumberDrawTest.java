package dev.fulmar.coordinator.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A statement gets as many numbers of each sequence as its rows take. */
class RowNumberDrawTest {
    private static final GivenNumbers.Number FIRST = new GivenNumbers.Number(GivenNumbers.Kind.NEXT_DENSE, 7);
    private static final GivenNumbers.Number SECOND = new GivenNumbers.Number(GivenNumbers.Kind.NEXT_DENSE, 9);
    private static final ResultColumn COLUMN = new ResultColumn("N", ColumnType.of(TypeKind.BIGINT), true);

    private static Committed counts(long first, long second) {
        ResultBlockWriter writer = new ResultBlockWriter(100, 1000);
        writer.begin(new ResultLayout(List.of(COLUMN, COLUMN)));
        writer.startRow();
        if (first == 0) {
            writer.setNull(0);
        } else {
            writer.setLong(0, first);
        }
        writer.setLong(1, second);
        writer.endRow();
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    private static RowNumberDraw draw(Committed counts, int failures) {
        return RowNumberDraw.of(List.of(FIRST, SECOND), counts, failures);
    }

    @Test
    void eachSequenceDrawsForItsRows() {
        RowNumberDraw draw = draw(counts(2, 3), 0);
        assertThat(draw.wanted()).containsExactly(FIRST, FIRST, SECOND, SECOND, SECOND);
        assertThat(draw.given(new long[] {5, 6, 10, 12, 99})).containsExactly(2, 1, 5, 1, 2, 2, 10, 2, 2, 99, 1, 1);
        assertThat(draw(counts(0, 1), 0).wanted()).containsExactly(SECOND);
    }

    @Test
    void aStatementThatFoundMoreRowsGetsNumbersToSpare() {
        assertThat(draw(counts(2, 3), 1).wanted()).hasSizeBetween(20, 60);
        assertThat(draw(counts(2, 3), 4).wanted()).hasSizeGreaterThan(100);
    }

    @Test
    void oneStatementDrawsSoManyAtMost() {
        assertThat(draw(counts(1, RowNumberDraw.MOST - 1), 0).wanted()).hasSize(RowNumberDraw.MOST);
        assertThatThrownBy(() -> draw(counts(1, RowNumberDraw.MOST), 0))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE));
        assertThatThrownBy(() -> draw(counts(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4), 0))
                .isInstanceOf(FulmarException.class);
    }
}
