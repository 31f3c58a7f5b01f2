package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.it.procedure.UserProject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables and procedures come while a node is down, sent to whichever node; the node knows them when it is back, and a
 * lost disk is no matter.
 */
class ChangingCatalogIT {
    private static final int PARTITIONS = 6;
    private static final int MEMBERS = 24;

    @TempDir
    private Path folder;

    @Test
    void theCatalogChangesWhileANodeIsDown() throws Exception {
        Path jar = UserProject.jar("loyalty-procedures", folder);
        Path schema = Files.writeString(
                folder.resolve("schema.sql"), "CREATE TABLE first (id BIGINT NOT NULL PRIMARY KEY);\n");
        try (StartedCluster cluster = StartedCluster.start(folder, 3, PARTITIONS, List.of(schema), "128m")) {
            int maker = cluster.recordOf(PARTITIONS).primary().node().number();
            int victim = maker % 3 + 1;
            int other = victim % 3 + 1;
            cluster.kill(victim);
            cluster.awaitWithout(victim);
            try (FulmarClient client = cluster.connect(16)) {
                client.execute("CREATE TABLE members (id BIGINT NOT NULL PRIMARY KEY, points BIGINT NOT NULL)");
                client.execute("PARTITION TABLE members ON COLUMN id");
                client.loadClasses(jar);
                client.execute("CREATE PROCEDURE AddPoints PARTITION ON TABLE members COLUMN id"
                        + " FROM CLASS com.example.loyalty.AddPoints");
                for (long id = 0; id < MEMBERS; id++) {
                    client.execute("INSERT INTO members VALUES (?, 0)", id);
                    assertThat(client.call("AddPoints", id, 5L).longValue()).isEqualTo(5);
                }
            }
            deleteFiles(folder.resolve("node" + victim));
            cluster.startNode(victim);
            cluster.awaitInSync();
            cluster.kill(other);
            cluster.awaitWithout(other);
            try (FulmarClient client = cluster.connect(16)) {
                for (long id = 0; id < MEMBERS; id++) {
                    assertThat(client.call("AddPoints", id, 1L).longValue()).isEqualTo(6);
                }
                client.execute("DROP PROCEDURE AddPoints");
                client.execute("DROP TABLE members");
            }
        }
    }

    private static void deleteFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
