package dev.fulmar.it.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.Kill;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node, killed with SIGKILL. */
final class NodeKillIT {
    private static final int KILLS = 4;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        List<String> output = new ArrayList<>();
        Findings findings = new Kill().run(new Experiment.Settings(true, 7, output::add), KILLS, folder);
        assertThat(findings.passed()).as("%s %s", findings.checks(), output).isTrue();
    }

    @Test
    void whoeverComesSecondIsRefused() throws Exception {
        try (ServerProcess first = ServerProcess.start(folder, "--partitions", "2", "--memory", "64m")) {
            assertThatThrownBy(() ->
                            ServerProcess.start(folder, "--partitions", "2").close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use by another process");
            try (FulmarClient client = first.connect(4)) {
                client.execute("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
            }
        }
        assertThatThrownBy(
                        () -> ServerProcess.start(folder, "--partitions", "3").close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--set partitions=2");
    }
}
