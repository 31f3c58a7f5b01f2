package dev.fulmar.launcher;

import dev.fulmar.benchmarks.run.BenchmarkReport;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.util.Locale;

/** Asks a server for the description that a report needs. */
final class ServerDescription {
    private ServerDescription() {}

    static BenchmarkReport.Server of(FulmarClient client) {
        ResultTable node = client.call("@Statistics", "NODE").table().first();
        return new BenchmarkReport.Server(
                node.getInt(node.column("PARTITIONS")),
                node.getInt(node.column("SITES")),
                String.valueOf(node.getString(node.column("DURABILITY"))).toLowerCase(Locale.ROOT));
    }
}
