package dev.fulmar.benchmarks.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MachineUseTest {
    @Test
    void whatIsNotIdleIsUsed() {
        MachineUse before = MachineUse.parse("cpu  100 10 50 800 40 0 0 0 7 7");
        MachineUse after = MachineUse.parse("cpu  150 10 60 820 50 5 5 0 9 9");

        assertThat(after.since(before)).isCloseTo(0.7, within(1e-9));
        assertThat(after.since(after)).isZero();
    }

    @Test
    void thisMachineTellsIt() throws IOException {
        MachineUse now = MachineUse.now();

        assertThat(now.ticks()).isGreaterThan(now.idleTicks()).isPositive();
    }
}
