package dev.fulmar.engine.execution.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.time.Clock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SlicedSortTest {
    private static final Clock STOPPED = new Clock() {
        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public long wallMicros() {
            return 0;
        }
    };

    /** The order looks at the upper half only, so that the lower one shows whether equal items kept their places. */
    @Test
    void sortsStablyWhateverTheSlices() {
        Random random = new Random(3);
        RowBudget budget = new RowBudget(() -> {});
        SlicedSort sort = new SlicedSort(budget, (one, other) -> one >> 32 > other >> 32);
        for (int size = 0; size < 700; size += 1 + random.nextInt(9)) {
            long[] items = LongStream.range(0, size)
                    .map(i -> (long) random.nextInt(20) << 32 | i)
                    .toArray();
            Long[] expected = Arrays.stream(items).boxed().toArray(Long[]::new);
            Arrays.sort(expected, Comparator.comparing(item -> item >> 32));
            long[] sorted = Arrays.copyOf(items, size + 5);
            sort.begin(sorted, size);
            int slices = 0;
            do {
                budget.beginSlice(STOPPED, 1, 2 + random.nextInt(60));
                slices++;
            } while (!sort.goOn());
            assertThat(Arrays.copyOf(sorted, size))
                    .containsExactly(
                            Arrays.stream(expected).mapToLong(Long::longValue).toArray());
            assertThat(slices).isGreaterThanOrEqualTo(size / 70);
        }
    }
}
