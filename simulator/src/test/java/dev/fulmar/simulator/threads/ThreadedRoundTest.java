package dev.fulmar.simulator.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.random.real.SystemSeed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadedRoundTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 0})
    void aDatabaseOnRealThreadsIsStrictlySerializable(long given) throws Exception {
        long seed = given == 0 ? SystemSeed.draw() : given;

        ThreadedRound.Outcomes outcomes = new ThreadedRound(seed).run();

        assertThat(outcomes.violations())
                .as("seed %d: %s", seed, outcomes.setup())
                .isEmpty();
        assertThat(outcomes.committed()).isPositive();
    }
}
