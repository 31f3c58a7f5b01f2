package dev.fulmar.it.sql;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.Map;
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

    static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }
}
