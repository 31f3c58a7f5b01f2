package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.RunningCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query that one node passed on to another ends there when its client is gone. */
class DepartedClientIT {
    /** 10 to the power of 9 rows are looked at. */
    private static final String ENDLESS = "SELECT COUNT(*) FROM D A, D B, D C, D E, D F, D G, D H, D I, D J"
            + " WHERE A.N + B.N + C.N + E.N + F.N + G.N + H.N + I.N + J.N < 0";

    private static final String COUNT = "SELECT COUNT(*) FROM D";
    private static final int MOST_SECONDS = 3; // by itself the query ends after 5

    @TempDir
    private Path folder;

    @Test
    @SuppressWarnings("try") // the client who departs closes its connection in the midst
    void aQueryThatWasPassedOnEndsWithItsClient() throws Exception {
        Path schema = Files.writeString(
                folder.resolve("schema.sql"), "CREATE TABLE D (N INTEGER NOT NULL PRIMARY KEY) REPLICATED;");
        try (StartedCluster cluster = StartedCluster.start(folder, 2, 1, List.of(schema), "64m")) {
            int primary = cluster.recordOf(0).primary().node().number();
            int other = 3 - primary;
            try (FulmarClient client = cluster.connectOnlyTo(primary);
                    FulmarClient departing = cluster.connectOnlyTo(other)) {
                for (int digit = 0; digit < 10; digit++) {
                    client.execute("INSERT INTO D VALUES (" + digit + ")");
                }
                client.execute(COUNT);
                departing.execute(COUNT);
                RunningCall query = departing
                        .statement(ENDLESS)
                        .withTimeout(Duration.ofSeconds(30))
                        .start();
                RunningCall waiting = awaitBusy(client);
                assertThat(query.outcome()).isNotDone();
                departing.close();
                assertThat(waiting.outcome()).succeedsWithin(Duration.ofSeconds(MOST_SECONDS));
            }
        }
    }

    /** Asks the partition until it does not answer, as it is busy with the query; returns the call that waits. */
    private static RunningCall awaitBusy(FulmarClient client) throws Exception {
        while (true) {
            RunningCall asked = client.statement(COUNT).start();
            try {
                asked.outcome().get(300, TimeUnit.MILLISECONDS);
            } catch (TimeoutException busy) {
                return asked;
            }
        }
    }
}
