package dev.fulmar.benchmarks.cluster;

import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.management.JMException;

/**
 * Main class of the child process that runs the ZooKeeper of a benchmark's cluster. It answers questions about
 * ZooKeeper's sessions, a line each.
 */
final class StoreProcess {
    static final String SERVERS = "servers ";
    static final String SESSION = "session ";

    private StoreProcess() {}

    /** Arguments are the directory of its files and its port, 0 for a free one. Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException, JMException {
        try (EmbeddedZooKeeper server =
                EmbeddedZooKeeper.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
            System.out.println(SERVERS + server.servers());
            StoreSessions sessions = new StoreSessions();
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                System.out.println(SESSION + sessions.answer(question));
            }
        }
    }
}
