package dev.fulmar.benchmarks.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.client.FulmarClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SteadyLoadTest {
    private static final double RATE = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The number of requests follows from the time alone, however few may be under way. */
    @Test
    void offersAsManyRequestsAsAreDue() throws InterruptedException {
        try (LocalDatabase database = LocalDatabase.start(Map.of("partitions", "1", "sites", "1"));
                FulmarClient client = database.connect(8);
                SteadyLoad load = SteadyLoad.start(client, sources(2), RATE)) {
            Thread.sleep(500);
            load.turn(PATIENCE);
            Thread.sleep(1_000);
            LoadWindow window = load.turn(PATIENCE);
            assertThat(window.failures()).isEmpty();
            assertThat(window.answered()).isEqualTo(window.offered());
            assertThat((double) window.offered())
                    .isCloseTo(
                            RATE * window.seconds(),
                            Offset.offset(RATE / 2)); // the sender may be late on a busy machine
            assertThat(window.latencies().getTotalCount()).isEqualTo(window.offered());
        }
    }

    private static List<RequestSource> sources(int count) {
        return Stream.<RequestSource>generate(() -> client -> client.callAsync("@Ping"))
                .limit(count)
                .toList();
    }
}
