package dev.fulmar.node.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.node.lifecycle.LineRates.Kind;
import dev.fulmar.node.lifecycle.LineRates.LeftOut;
import org.junit.jupiter.api.Test;

class LineRatesTest {
    private static final Kind KIND = new Kind("a logger", "connection of {} is closed");
    private static final Kind OTHER = new Kind("a logger", "something else");
    private static final long SECOND = 1_000_000_000;

    private final LineRates rates = new LineRates();

    private int written(Kind kind, int lines, long beginNanos, long apartNanos) {
        int written = 0;
        for (int i = 0; i < lines; i++) {
            written += rates.admits(kind, beginNanos + i * apartNanos) ? 1 : 0;
        }
        return written;
    }

    @Test
    void theFirstLinesComeThroughAndTheOthersAreCounted() {
        assertThat(written(KIND, 10_000, 0, 1_000)).isEqualTo(LineRates.FIRST_LINES);
        assertThat(written(OTHER, 1, 0, 1)).as("another kind").isOne();
        assertThat(rates.leftOut(30 * SECOND))
                .as("there may be more within the minute")
                .isEmpty();
        assertThat(rates.leftOut(61 * SECOND)).containsExactly(new LeftOut(KIND, 10_000 - LineRates.FIRST_LINES, 60));
        assertThat(rates.leftOut(200 * SECOND)).as("told once").isEmpty();
    }

    @Test
    void anOutageOfAnHourIsALineAMinute() {
        int written = 0;
        int told = 0;
        long leftOut = 0;
        for (long second = 0; second < 3_600; second++) {
            written += rates.admits(KIND, second * SECOND) ? 1 : 0;
            for (LeftOut each : rates.leftOut(second * SECOND)) {
                told++;
                leftOut += each.lines();
            }
        }
        for (LeftOut each : rates.leftOut(4_000 * SECOND)) {
            told++;
            leftOut += each.lines();
        }
        assertThat(written + told).isLessThanOrEqualTo(LineRates.FIRST_LINES + 61);
        assertThat(written + leftOut).as("each line is written or counted").isEqualTo(3_600);
    }

    @Test
    void aKindThatWasSilentForLongIsNew() {
        written(KIND, 100, 0, 1);
        rates.leftOut(2 * LineRates.MINUTE_NANOS);
        long later = LineRates.MEMORY_NANOS + 2 * LineRates.MINUTE_NANOS;
        assertThat(written(KIND, 100, later, 1)).isEqualTo(LineRates.FIRST_LINES);
    }

    @Test
    void seldomLinesAllComeThrough() {
        assertThat(written(KIND, 50, 0, LineRates.MINUTE_NANOS)).isEqualTo(50);
    }

    @Test
    void ofTooManyKindsTheOldestIsForgotten() {
        written(KIND, LineRates.FIRST_LINES, 0, 1);
        for (int i = 0; i < LineRates.MOST_KINDS; i++) {
            assertThat(rates.admits(new Kind("a logger", "text " + i), 10)).isTrue();
        }
        assertThat(rates.admits(KIND, 20)).isTrue();
    }
}
