package dev.fulmar.simulator.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.sql.SqlCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileRunTest {
    private final SqlCompiler sql = new SqlCompiler();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aNodeTakesNoHarm(long seed) {
        HostileRun.Report report = new HostileRun(seed, sql).run();

        assertThat(report.violations()).isEmpty();
        assertThat(report.messages()).isPositive();
    }

    @Test
    void aSeedRepeats() {
        HostileRun.Report first = new HostileRun(17, sql).run();

        assertThat(new HostileRun(17, sql).run()).isEqualTo(first);
        assertThat(new HostileRun(18, sql).run().hash()).isNotEqualTo(first.hash());
    }
}
