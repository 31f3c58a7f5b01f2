package dev.fulmar.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ControlStalls.Stall;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlStallsTest {
    private final CollectorLog.Pause pause = new CollectorLog.Pause(100, 50);

    @Test
    void aPauseOfAMachineThatRanCountsWhole() {
        ControlStalls stalls = new ControlStalls(List.of(new Stall(0, 0, 100), new Stall(0, 150, 40)));

        assertThat(stalls.excessNanos(pause)).isEqualTo(50);
    }

    @Test
    void onlyThePartOfAStallWithinThePauseIsTakenOff() {
        ControlStalls stalls = new ControlStalls(List.of(new Stall(0, 90, 20), new Stall(0, 140, 500)));

        assertThat(stalls.excessNanos(pause)).isEqualTo(50 - 10 - 10);
    }

    @Test
    void stallsOfSeveralCoresAtATimeAreNotAddedUp() {
        ControlStalls stalls = new ControlStalls(List.of(new Stall(0, 100, 20), new Stall(1, 100, 30)));

        assertThat(stalls.excessNanos(pause)).isEqualTo(20);
    }

    @Test
    void whatTheRecorderWritesIsReadAgain() {
        Stall stall = new Stall(1, 123_456_789, 2_000_000);

        assertThat(ControlStalls.parse(List.of("noise", stall.line())).stalls()).containsExactly(stall);
    }
}
