package dev.fulmar.engine.execution.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressSetTest {
    private static final int ROW_BYTES = 48;

    @Test
    void hasWhatWasAdded() {
        AddressSet rows = new AddressSet();
        for (long i = 1; i <= 10_000; i++) {
            rows.add(i * ROW_BYTES);
            rows.add(i * ROW_BYTES);
        }
        for (long i = 1; i <= 10_000; i++) {
            assertThat(rows.contains(i * ROW_BYTES)).isTrue();
            assertThat(rows.contains(i * ROW_BYTES + 1)).isFalse();
        }
        rows.clear();
        assertThat(rows.contains(ROW_BYTES)).isFalse();
    }

    @Test
    void aSmallMemoryIsKeptAndALargeOneGivenBack() {
        AddressSet rows = new AddressSet();
        for (long i = 1; i <= 1_000; i++) {
            rows.add(i * ROW_BYTES);
        }
        rows.shrink();
        assertThat(rows.capacity()).isEqualTo(2_048);
        for (long i = 1; i <= 100_000; i++) {
            rows.add(i * ROW_BYTES);
        }
        rows.shrink();
        assertThat(rows.capacity()).isEqualTo(64);
        assertThat(rows.contains(ROW_BYTES)).isFalse();
    }
}
