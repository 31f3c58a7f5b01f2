package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.node.backup.Restore;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Starts a node of one site within this process, at any port, with little memory, and clients of it. */
public final class SmallNode {
    private SmallNode() {}

    public static FulmarNode start(int partitions) {
        return start(partitions, Map.of());
    }

    /** The same with files in the folder, which it recovers. */
    public static FulmarNode durable(Path data, int partitions) {
        return start(partitions, Map.of("data", data.toString()));
    }

    /** The same with more settings, which count before those of here. */
    public static FulmarNode start(int partitions, Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "listen",
                "127.0.0.1:0",
                "partitions",
                Integer.toString(partitions),
                "sites",
                "1",
                "memory.limit",
                "128m",
                "jmx",
                "false"));
        settings.putAll(more);
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    /** Takes a backup, and waits until it is complete. */
    public static void backUp(FulmarNode node, FulmarClient client, Path target) throws InterruptedException {
        client.call("@Backup", target.toString());
        BackupFigures figures = Objects.requireNonNull(
                Objects.requireNonNull(node.database().durability()).backup());
        while (!figures.isOver()) {
            Thread.sleep(5);
        }
        assertThat(figures.failure()).isEmpty();
    }

    /** Makes the files of a database of a backup alone. */
    public static void restore(Path backup, Path data, int partitions) {
        new Restore(
                        new Restore.Request(
                                backup,
                                data,
                                partitions,
                                "",
                                List.of(),
                                OptionalLong.empty(),
                                Map.of("memory.limit", "128m")),
                        line -> {})
                .run();
    }

    static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }
}
