package dev.fulmar.benchmarks.portals;

import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.run.CollectedHeap;
import dev.fulmar.benchmarks.run.LocalDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A node in a process of its own that says its figures when it is asked. For one thread. */
final class PortalNode implements AutoCloseable {
    private static final String PORT = "port ";
    private static final String FIGURES = "figures ";
    private static final String ASK = "figures";
    private static final String COLLECT = "collect";
    private static final long POLL_MILLIS = 20;

    private final JavaChild process;
    private final String host;

    private PortalNode(JavaChild process, String host) {
        this.process = process;
        this.host = host;
    }

    /** Arguments are settings, {@code name=value}. Ends with its standard input. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (LocalDatabase database = LocalDatabase.start(settings)) {
            System.out.println(PORT + database.port());
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                long heapBytes = line.equals(COLLECT) ? CollectedHeap.bytes(1) : CollectedHeap.usedBytes();
                System.out.println(
                        FIGURES + PortalNodeFigures.of(database, heapBytes).text());
            }
        }
    }

    static PortalNode start(int heapMegabytes, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of("partitions=2", "sites=1", "listen=127.0.0.1:0", "jmx=false"));
        all.addAll(List.of(settings));
        JavaChild process = JavaChild.start(PortalNode.class, List.of("-Xmx" + heapMegabytes + "m"), all);
        try {
            return new PortalNode(process, "127.0.0.1:" + process.awaitLine(PORT));
        } catch (IOException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    String host() {
        return host;
    }

    PortalNodeFigures figures() throws IOException {
        return ask(ASK);
    }

    /** The same after collections of garbage. */
    PortalNodeFigures collected() throws IOException {
        return ask(COLLECT);
    }

    private PortalNodeFigures ask(String question) throws IOException {
        process.tell(question);
        return PortalNodeFigures.parse(process.awaitLine(FIGURES));
    }

    /** The first figures that are as expected, or the last ones of the time. */
    PortalNodeFigures await(Predicate<PortalNodeFigures> expected, long mostMillis)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + 1_000_000 * mostMillis;
        PortalNodeFigures found = figures();
        while (!expected.test(found) && System.nanoTime() - deadlineNanos < 0) {
            Thread.sleep(POLL_MILLIS);
            found = figures();
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
