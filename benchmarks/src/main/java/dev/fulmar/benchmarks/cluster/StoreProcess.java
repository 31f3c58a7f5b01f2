package dev.fulmar.benchmarks.cluster;

import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A ZooKeeper in a process of its own. */
final class StoreProcess {
    static final String SERVERS = "servers ";

    private StoreProcess() {}

    /** Arguments are the directory of its files and its port, 0 for a free one. Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedZooKeeper server =
                EmbeddedZooKeeper.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
            System.out.println(SERVERS + server.servers());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
