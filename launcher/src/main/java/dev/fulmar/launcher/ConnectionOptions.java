package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import java.util.List;
import picocli.CommandLine.Option;

/** Where the server is. */
final class ConnectionOptions {
    private static final String DEFAULT_HOST = "127.0.0.1";

    @Option(
            names = "--host",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Servers to connect to, with commas between; default: 127.0.0.1 at the default port.")
    private List<String> hosts = List.of();

    boolean isGiven() {
        return !hosts.isEmpty();
    }

    FulmarClient connect(int maxOutstanding) {
        return FulmarClient.builder()
                .hosts(hosts.isEmpty() ? List.of(DEFAULT_HOST) : hosts)
                .maxOutstanding(maxOutstanding)
                .connect();
    }
}
