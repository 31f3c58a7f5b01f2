package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.replication.ReadableLog;
import org.junit.jupiter.api.Test;

/** Records are kept for copies that are being built, within a bound. */
class RecordMemoryHoldTest {
    private static final int BYTES = 1_000;
    private final RecordMemory memory = new RecordMemory(0, 8 * BYTES);

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            memory.add(new byte[BYTES], 0, BYTES);
        }
    }

    @Test
    void whatIsHeldStaysUntilItIsReleased() {
        add(20);
        assertThat(memory.begin()).isEqualTo(12);
        memory.hold(15);
        memory.hold(30);
        add(20);
        assertThat(memory.begin()).isEqualTo(15);
        assertThat(memory.reach(15, 40)).isGreaterThan(15);
        memory.release(15);
        add(1);
        assertThat(memory.begin()).isEqualTo(30);
        memory.release(30);
        add(1);
        assertThat(memory.begin()).isEqualTo(34);
    }

    @Test
    void whatIsHeldForTooLongGoes() {
        memory.hold(0);
        add(64);
        assertThat(memory.begin()).isZero();
        add(30);
        assertThat(memory.begin()).isEqualTo(30);
        assertThat(memory.reach(0, 94)).isEqualTo(ReadableLog.GONE);
    }

    /** Even if it takes more than all others may. */
    @Test
    void whatIsNotSafeStays() {
        memory.safe(0);
        memory.hold(5);
        add(94);
        assertThat(memory.begin()).isZero();
        assertThat(memory.isTight(0)).isTrue();
        memory.safe(30);
        assertThat(memory.begin()).as("what is about to be sent stays").isZero();
        memory.trim();
        assertThat(memory.begin()).isEqualTo(30);
        memory.release(5);
        memory.safe(94);
        memory.trim();
        assertThat(memory.begin()).isEqualTo(86);
    }

    @Test
    void whatIsHeldAndSafeHoldsNobodyUp() {
        memory.hold(0);
        add(40);
        assertThat(memory.isTight(40)).isFalse();
        assertThat(memory.isTight(36)).isFalse();
        assertThat(memory.isTight(20)).isTrue();
    }
}
