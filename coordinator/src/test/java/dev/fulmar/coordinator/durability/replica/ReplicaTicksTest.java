package dev.fulmar.coordinator.durability.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplicaTicksTest {
    private final ReplicaTicks ticks = new ReplicaTicks();

    @Test
    void aReplicaLooksInEachPeriodUntilItIsSettled() {
        for (int period = 0; period < 7; period++) {
            assertThat(ticks.take()).isFalse();
            assertThat(ticks.periodPassed()).isTrue();
            assertThat(ticks.take()).isTrue();
            ticks.looked(false);
        }
    }

    @Test
    void aSettledReplicaLooksInEveryFifthPeriod() {
        ticks.looked(true);
        int looks = 0;
        for (int period = 0; period < 50; period++) {
            boolean isDue = ticks.periodPassed();
            assertThat(ticks.take()).isEqualTo(isDue);
            looks += isDue ? 1 : 0;
            ticks.looked(true);
        }
        assertThat(looks).isEqualTo(10);
    }

    @Test
    void whatCameWhileTheReplicaLookedIsNotForgotten() {
        assertThat(ticks.periodPassed()).isTrue();
        assertThat(ticks.take()).isTrue();
        ticks.disturbed();
        ticks.looked(true);
        assertThat(ticks.periodPassed()).isTrue();
    }

    @Test
    void aReplicaForWhichSomethingCameLooksInTheNextPeriod() {
        ticks.looked(true);
        ticks.disturbed();
        assertThat(ticks.periodPassed()).isTrue();
        assertThat(ticks.take()).isTrue();
        assertThat(ticks.periodPassed()).isTrue();
    }
}
