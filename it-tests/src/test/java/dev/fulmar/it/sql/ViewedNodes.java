package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nodes with materialized views, and the queries that these must agree with. */
record ViewedNodes(Path folder, Map<String, String> queries) {
    ViewedNodes {
        queries = new TreeMap<>(queries);
    }

    FulmarNode start(String data, int partitions) {
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "data",
                folder.resolve(data).toString(),
                "listen",
                "127.0.0.1:0",
                "jmx",
                "false",
                "memory.limit",
                "128m",
                "sites",
                "1",
                "partitions",
                Integer.toString(partitions))));
    }

    static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }

    void createViews(FulmarClient client) {
        queries.forEach(
                (name, query) -> client.execute("CREATE MATERIALIZED VIEW " + name + columns(query) + " AS " + query));
    }

    void check(FulmarClient client) {
        queries.forEach((name, query) ->
                assertThat(rows(client, "SELECT * FROM " + name)).as(name).isEqualTo(rows(client, query)));
    }

    private static List<String> rows(FulmarClient client, String query) {
        List<String> rows = ResultRows.of(client, query, " ");
        rows.sort(null);
        return rows;
    }

    /** Names for as many columns as the query has. */
    private static String columns(String query) {
        List<String> names = new ArrayList<>();
        String list = query.substring(0, query.indexOf(" FROM "));
        for (int i = 0; i < list.split(",").length; i++) {
            names.add("c" + i);
        }
        return " (" + String.join(", ", names) + ")";
    }

    void backup(FulmarNode node, FulmarClient client) throws InterruptedException {
        SmallNode.backUp(node, client, folder.resolve("backup"));
    }

    void restore(String data, int partitions) {
        SmallNode.restore(folder.resolve("backup"), folder.resolve(data), partitions);
    }
}
