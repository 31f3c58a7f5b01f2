package dev.fulmar.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CollectorLogTest {
    @Test
    void aPauseEndsWhenItsLineIsWritten() {
        List<CollectorLog.Pause> pauses = CollectorLog.pauses(Stream.of(
                "[1000000000ns] GC(3) Pause Young (Normal) (G1 Evacuation Pause)",
                "[1000000001ns] GC(3)   Evacuate Collection Set: 2.59ms",
                "[1003500000ns] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 201M->21M(304M) 3.500ms",
                "[1004000000ns] GC(4) Concurrent Mark Cycle 20.000ms",
                "[1005000000ns] GC(4) Pause Remark 30M->30M(40M) 1.000ms"));

        assertThat(pauses)
                .containsExactly(
                        new CollectorLog.Pause(1_000_000_000, 3_500_000),
                        new CollectorLog.Pause(1_004_000_000, 1_000_000));
    }
}
