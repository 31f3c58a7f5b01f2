package dev.fulmar.launcher;

import dev.fulmar.benchmarks.run.BenchmarkReport;
import dev.fulmar.client.FulmarClient;

/** Asks a server what a report must say of it. */
final class ServerDescription {
    private ServerDescription() {}

    static BenchmarkReport.Server of(FulmarClient client) {
        return new BenchmarkReport.Server(rows(client, "PARTITION"), rows(client, "SITE"), "none");
    }

    private static int rows(FulmarClient client, String selector) {
        return client.call("@Statistics", selector).table().rowCount();
    }
}
