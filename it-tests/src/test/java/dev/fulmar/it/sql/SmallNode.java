package dev.fulmar.it.sql;

import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.Map;

/** Starts a node of one site within this process, at any port, without durability and with little memory. */
final class SmallNode {
    private SmallNode() {}

    static FulmarNode start(int partitions) {
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "listen",
                "127.0.0.1:0",
                "partitions",
                Integer.toString(partitions),
                "sites",
                "1",
                "memory.limit",
                "128m",
                "jmx",
                "false")));
    }
}
