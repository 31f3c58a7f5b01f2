package dev.fulmar.benchmarks.sessions;

import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A node in a process of its own, and a client of it. For one thread. */
final class MeasuredNode implements AutoCloseable {
    private static final int MOST_OUTSTANDING = 4_096;
    private static final long POLL_MILLIS = 20;

    private final JavaChild process;
    private final String host;
    private final FulmarClient client;

    private MeasuredNode(JavaChild process, String host) {
        this.process = process;
        this.host = host;
        client = FulmarClient.builder()
                .hosts(host)
                .maxOutstanding(MOST_OUTSTANDING)
                .connect();
    }

    static MeasuredNode start(String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("partitions=2", "sites=1", "listen=127.0.0.1:0"));
        all.addAll(List.of(settings));
        JavaChild process = JavaChild.start(SessionNode.class, List.of("-Xmx1g"), all);
        try {
            return new MeasuredNode(process, "127.0.0.1:" + process.awaitLine(SessionNode.PORT));
        } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    FulmarClient client() {
        return client;
    }

    String host() {
        return host;
    }

    NodeFigures figures() throws IOException {
        return ask(SessionNode.ASK);
    }

    /** The same after a collection of all garbage. */
    NodeFigures collected() throws IOException {
        return ask(SessionNode.COLLECT);
    }

    private NodeFigures ask(String question) throws IOException {
        process.tell(question);
        return NodeFigures.parse(process.awaitLine(SessionNode.FIGURES));
    }

    /** The first figures that are as expected, or the last ones of the time. */
    NodeFigures await(Predicate<NodeFigures> expected, long mostMillis) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + 1_000_000 * mostMillis;
        NodeFigures found = figures();
        while (!expected.test(found) && System.nanoTime() - deadlineNanos < 0) {
            Thread.sleep(POLL_MILLIS);
            found = figures();
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.close();
    }
}
