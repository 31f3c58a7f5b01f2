package dev.fulmar.benchmarks.cluster;

import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A ZooKeeper in a process of its own. */
final class StoreProcess {
    static final String SERVERS = "servers ";

    private StoreProcess() {}

    /** The argument is the directory of its files. Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Path.of(arguments[0]), 0)) {
            System.out.println(SERVERS + server.servers());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
