package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A small data directory with everything in it that there can be: as a process leaves it that is killed. */
final class DirectoryImage {
    private static final int FIRST_ROWS = 40;
    private static final int ALL_ROWS = 60;

    private DirectoryImage() {}

    /**
     * Makes it, and returns what its tables hold. A directory whose name begins with cluster is that of a cluster of
     * one with its ZooKeeper.
     */
    static String make(Path image, Path scratch) throws Exception {
        if (isOfCluster(scratch)) {
            found(scratch);
        }
        String contents;
        try (FulmarNode node = FulmarNode.start(configuration(scratch))) {
            DamagedDirectory.run(node, "CREATE TABLE ACCOUNT (ID BIGINT NOT NULL PRIMARY KEY, V BIGINT)");
            insert(node, 0, FIRST_ROWS);
            checkpoint(node);
            DamagedDirectory.run(node, "UPDATE ACCOUNT SET V = V + 1 WHERE ID < 20");
            DamagedDirectory.run(node, "CREATE TABLE T (ID BIGINT NOT NULL PRIMARY KEY)");
            checkpoint(node);
            insert(node, FIRST_ROWS, ALL_ROWS);
            DamagedDirectory.run(node, "INSERT INTO T VALUES (7)");
            contents = DamagedDirectory.contents(node);
            if (!isOfCluster(scratch)) {
                DamagedDirectory.copy(scratch, image);
            }
        }
        if (isOfCluster(scratch)) { // a session that is left behind would make the next start wait for its end
            DamagedDirectory.copy(scratch, image);
        }
        return contents;
    }

    private static boolean isOfCluster(Path directory) {
        return Objects.requireNonNull(directory.getFileName()).toString().startsWith("cluster");
    }

    private static void insert(FulmarNode node, int from, int to) {
        for (int id = from; id < to; id++) {
            DamagedDirectory.run(node, "INSERT INTO ACCOUNT VALUES (" + id + ", " + id * 7 + ")");
        }
    }

    private static void checkpoint(FulmarNode node) throws InterruptedException {
        var durability = Objects.requireNonNull(node.database().durability());
        Checkpoints checkpoints = Objects.requireNonNull(durability.checkpoints());
        long before = checkpoints.counters().rounds();
        durability.requestCheckpoint();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (checkpoints.counters().rounds() == before) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no checkpoint came");
            }
            Thread.sleep(5);
        }
    }

    static NodeConfiguration configuration(Path directory) {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "sites", "1",
                "jmx", "false",
                "memory.limit", "64m",
                "durability", "sync",
                "data", directory.toString()));
        settings.put("partitions", "2");
        if (isOfCluster(directory)) {
            int port = freePort();
            settings.put("cluster", "one");
            settings.put("node", "1");
            settings.put("listen-nodes", "127.0.0.1:0");
            settings.put("zookeeper.embedded", Integer.toString(port));
        }
        return NodeConfiguration.of(settings);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void found(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (ClusterStore store = ClusterStore.open(configuration(directory).cluster(), directory.toString())) {
            store.found(new ClusterRecord(UUID.randomUUID(), "one", 2, 1, 1), List.of(new NodeId(1)));
        }
    }
}
