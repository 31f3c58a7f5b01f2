package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a campaign leaves behind that somebody ends, as a service that runs it does. */
final class BrokenOffCampaignIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String CAMPAIGN = "campaign ";
    private static final String NODE = "node ";

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @Test
    void itsNodesEndWithIt() throws Exception {
        try (JavaChild campaign = JavaChild.start(
                Campaign.class, List.of(), List.of(folder.resolve("data").toString()))) {
            ProcessHandle itself = processOf(campaign.awaitLine(CAMPAIGN));
            ProcessHandle node = processOf(campaign.awaitLine(NODE));
            assertThat(node.isAlive()).isTrue();

            assertThat(itself.destroy()).isTrue();

            node.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static ProcessHandle processOf(String number) {
        return ProcessHandle.of(Long.parseLong(number)).orElseThrow();
    }

    /** Starts a node and waits for its own end. */
    static final class Campaign {
        private Campaign() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println(CAMPAIGN + ProcessHandle.current().pid());
            ServerProcess node = ServerProcess.start(Path.of(arguments[0]), "--partitions", "2", "--memory", "64m");
            System.out.println(NODE + node.processNumber());
            Thread.currentThread().join();
        }
    }
}
