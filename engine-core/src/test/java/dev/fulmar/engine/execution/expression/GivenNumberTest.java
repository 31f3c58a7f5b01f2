package dev.fulmar.engine.execution.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.RowNumbers;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each row finds the number that is given to it, whichever ranges the numbers come from. */
class GivenNumberTest {
    /** Parameters of the statement itself. */
    private static final int OWN = 2;

    private static Frame frame(long[] further) {
        ParameterSlots slots = new ParameterSlots();
        slots.reset(OWN + further.length);
        for (int i = 0; i < further.length; i++) {
            slots.setLong(OWN + i, further[i]);
        }
        return new Frame(0, new ScratchMemory(0), slots);
    }

    private static long number(Frame frame, int place, long row) {
        return new GivenNumber(OWN, place, of -> row).evaluate(frame);
    }

    private static List<Long> numbers(List<long[]> given, int place) {
        Frame frame = frame(RowNumbers.parameters(given));
        List<Long> found = new ArrayList<>();
        for (int row = 1; row <= given.get(place).length; row++) {
            found.add(number(frame, place, row));
        }
        return found;
    }

    @Test
    void rowsHaveTheNumbersInTheirOrder() {
        List<long[]> given = List.of(
                new long[] {5, 6, 7, 20, 21, 3}, new long[] {}, new long[] {100, 98, 96}, new long[] {Long.MAX_VALUE});
        assertThat(numbers(given, 0)).containsExactly(5L, 6L, 7L, 20L, 21L, 3L);
        assertThat(numbers(given, 1)).isEmpty();
        assertThat(numbers(given, 2)).containsExactly(100L, 98L, 96L);
        assertThat(numbers(given, 3)).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void aRunOfNumbersIsOneRange() {
        assertThat(RowNumbers.parameters(List.of(new long[] {1, 2, 3, 4}))).containsExactly(1, 1, 1, 1, 4);
        assertThat(RowNumbers.parameters(List.of(new long[] {}))).containsExactly(1, 0);
    }

    @Test
    void aRowBeyondTheNumbersFails() {
        Frame frame = frame(RowNumbers.parameters(List.of(new long[] {4, 5}, new long[] {9})));
        assertThat(number(frame, 1, 1)).isEqualTo(9);
        for (int place = 0; place < 2; place++) {
            int of = place;
            assertThatThrownBy(() -> number(frame, of, 3 - of))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMBERS_USED_UP));
        }
    }

    @Test
    void theQuestionYieldsTheNumbersOfTheRows() {
        Frame frame = frame(new long[] {RowNumbers.ASKED});
        assertThat(number(frame, 0, 17)).isEqualTo(17);
    }

    @Test
    void aRowWithoutNumberStaysNull() {
        Frame frame = frame(RowNumbers.parameters(List.of(new long[] {4})));
        new GivenNumber(OWN, 0, of -> {
                    of.isNull = true;
                    return 0;
                })
                .evaluate(frame);
        assertThat(frame.isNull).isTrue();
    }
}
