package dev.fulmar.benchmarks.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OpenWindowTest {
    private static final long MILLI = 1_000_000;
    private static final long START = -500 * MILLI; // the clock of a machine may be negative

    private final OpenWindow window = new OpenWindow(START);

    @Test
    void endsWhenItsLastRequestHasAnOutcome() {
        window.offer();
        window.offer();
        window.answered(START, 3 * MILLI, null);
        CompletableFuture<LoadWindow> ended = window.end(START + 1_000 * MILLI);
        assertThat(ended).isNotDone();
        window.answered(START + 900 * MILLI, 400 * MILLI, null);
        LoadWindow all = ended.join();
        assertThat(all.seconds()).isEqualTo(1);
        assertThat(all.offered()).isEqualTo(2);
        assertThat(all.answered()).isEqualTo(2);
        assertThat(all.latencies().getTotalCount()).isEqualTo(2);
        assertThat(all.slow()).containsExactly(new LoadWindow.Slow(START + 900 * MILLI, 400 * MILLI));
    }

    @Test
    void anAbortOfTheProcedureIsAnAnswerAndAnyOtherErrorIsNone() {
        window.offer();
        window.offer();
        window.answered(START, MILLI, new FulmarException(ErrorCode.USER_ABORT, "no such item"));
        window.answered(START, 200 * MILLI, new FulmarException(ErrorCode.SERVER_BUSY, "later"));
        LoadWindow all = window.end(START + MILLI).join();
        assertThat(all.answered()).isEqualTo(1);
        assertThat(all.failures()).containsExactly(Map.entry("SERVER_BUSY", new LoadReport.Failure(1, "later")));
        assertThat(all.latencies().getTotalCount()).isEqualTo(1);
        assertThat(all.slow()).as("a request that failed late was late").hasSize(1);
    }

    @Test
    void withoutRequestsItEndsAtOnce() {
        assertThat(window.end(START + MILLI).join().offered()).isZero();
    }
}
