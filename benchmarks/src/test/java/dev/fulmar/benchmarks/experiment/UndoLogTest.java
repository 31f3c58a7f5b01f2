package dev.fulmar.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UndoLogTest {
    @Test
    void figuresAreOfOneCommit() {
        UndoLog log = UndoLog.parse(List.of("counted 10 1440 40 50", "counted 10 3280 70 50"), 2);

        assertThat(log.absent()).isEmpty();
        assertThat(log.of(0).bytes()).isEqualTo(144);
        assertThat(log.of(0).lineBytes()).isEqualTo(256);
        assertThat(log.of(1).bytes()).isEqualTo(328);
        assertThat(log.of(1).fences()).isEqualTo(5);
    }

    @Test
    void whatIsNotMeasuredMeetsNoGoal() {
        UndoLog log = UndoLog.parse(List.of("counted 10 1440 40 50", "absent no LLPL"), 2);

        assertThat(log.absent()).isEqualTo("no LLPL");
        assertThat(log.of(0).bytes()).isNaN();
        assertThat(new Goal("any", Goal.Comparison.AT_MOST, 1, "")
                        .isMetBy(1 / log.of(0).bytes()))
                .isFalse();
        assertThat(new Goal("any", Goal.Comparison.AT_LEAST, 1, "")
                        .isMetBy(log.of(0).fences()))
                .isFalse();
    }

    @Test
    void aProcessThatEndedEarlyHasMeasuredNothing() {
        assertThat(UndoLog.parse(List.of("counted 10 1440 40 50"), 2).absent()).isNotEmpty();
    }
}
