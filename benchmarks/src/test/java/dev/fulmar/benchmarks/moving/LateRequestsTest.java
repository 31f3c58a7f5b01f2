package dev.fulmar.benchmarks.moving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.drive.LoadWindow.Slow;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LateRequestsTest {
    private static final long BEGIN_NANOS = 5_000;
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static Slow slow(double dueSeconds, int latencyMillis) {
        return new Slow(BEGIN_NANOS + (long) (dueSeconds * 1e9), TimeUnit.MILLISECONDS.toNanos(latencyMillis));
    }

    @Test
    void requestsCountInTheSecondInWhichTheyWereDue() {
        assertThat(LateRequests.text(
                        List.of(slow(12.5, 300), slow(0.1, 251), slow(12.99, 400), slow(12.1, 250), slow(3, 20)),
                        LIMIT_NANOS,
                        BEGIN_NANOS))
                .isEqualTo("late requests by the second of the move: 0: 1, 12: 2");
    }

    @Test
    void nothingIsSaidOfAMoveWithoutLateRequests() {
        assertThat(LateRequests.text(List.of(slow(1, 250)), LIMIT_NANOS, BEGIN_NANOS))
                .isEmpty();
    }
}
