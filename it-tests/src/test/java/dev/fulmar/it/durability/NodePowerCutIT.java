package dev.fulmar.it.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.PowerCut;
import dev.fulmar.benchmarks.powercut.FuseMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node on files that lose what was not forced. Skipped where files cannot be mounted. */
final class NodePowerCutIT {
    private static final int CUTS = 3;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        String obstacle = FuseMount.obstacle().orElse("");
        assumeTrue(obstacle.isEmpty(), obstacle);
        List<String> output = new ArrayList<>();
        Findings findings = new PowerCut().cut(new Experiment.Settings(true, 7, output::add), CUTS, folder);
        assertThat(findings.passed()).as("%s %s", findings.checks(), output).isTrue();
    }
}
