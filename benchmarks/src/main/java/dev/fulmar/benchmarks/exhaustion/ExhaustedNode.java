package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.benchmarks.cluster.CounterLoad;
import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster under load in which one node, which leads partitions, runs out of something for a while. For one thread.
 */
final class ExhaustedNode implements AutoCloseable {
    private static final int NODE = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);
    private static final long CALL_INTERVAL_NANOS = 20_000_000;
    private static final long POLL_MILLIS = 100;

    /** Time within which the node must have used up its resource. */
    private static final Duration REACHED = Duration.ofSeconds(180);

    private static final String LAST_WORDS = "the process ends with status";

    private final Path directory;
    private final RunningCluster cluster;
    private final CounterLoad load;
    private final BulkWriter writer;
    private final FulmarClient bulkClient;

    /** @param isReached whether the node ran out of it indeed */
    record Course(Judge.Outcome outcome, boolean isReached) {}

    private ExhaustedNode(Path directory, RunningCluster cluster, BulkWriter writer) {
        this.directory = directory;
        this.cluster = cluster;
        this.writer = writer;
        load = new CounterLoad(cluster, CALL_INTERVAL_NANOS);
        bulkClient = cluster.connect(NODE, 16, CALL_TIMEOUT);
    }

    static ExhaustedNode start(Path directory, int nodes, Shortage shortage, BulkWriter writer)
            throws IOException, InterruptedException {
        Path schema = Files.writeString(directory.resolve("schema.sql"), CounterLoad.SCHEMA + BulkWriter.SCHEMA);
        List<String> javaOptions = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        javaOptions.addAll(shortage.javaOptions());
        Map<String, String> settings = new HashMap<>(
                Map.of("schema", schema.toString(), "metrics.listen", "127.0.0.1:0", "memory.limit", "256m"));
        settings.putAll(shortage.settings());
        ExhaustedNode started = new ExhaustedNode(
                directory,
                RunningCluster.start(
                        directory,
                        new RunningCluster.Plan(
                                nodes, Math.max(2, nodes), Math.min(2, nodes), javaOptions, settings, false)),
                writer);
        started.load.start();
        writer.start(started.bulkClient);
        return started;
    }

    /**
     * Takes it from the node, gives it back so long after the node has run out of it, and watches what becomes of the
     * node.
     */
    Course run(Shortage shortage, Duration held) throws IOException, InterruptedException {
        Victim victim = Victim.of(cluster, NODE);
        Judge judge = new Judge(
                cluster.plan().partitions(), cluster.plan().nodes() == 1, victim.led(), shortage.statuses(), now());
        load.takeServed();
        shortage.begin(victim);
        Optional<Judge.Outcome> outcome = Optional.empty();
        boolean isReached = false;
        try {
            long endMillis = now() + held.toMillis() + REACHED.toMillis();
            while (outcome.isEmpty() && now() < endMillis) {
                if (victim.exitStatus().isEmpty()) {
                    shortage.press(victim);
                    if (!isReached && shortage.isReached(victim)) {
                        isReached = true;
                        endMillis = now() + held.toMillis();
                    }
                }
                outcome = look(judge, victim);
            }
        } finally {
            shortage.end(victim);
        }
        judge.released(now());
        while (outcome.isEmpty()) {
            outcome = look(judge, victim);
        }
        return new Course(outcome.get(), isReached || outcome.get().kind() == Judge.Kind.ENDED);
    }

    private Optional<Judge.Outcome> look(Judge judge, Victim victim) throws InterruptedException {
        Thread.sleep(POLL_MILLIS);
        boolean isReady = victim.isReady();
        for (CounterLoad.Served served : load.takeServed()) {
            judge.committed(served.partition(), served.sentNanos() / 1_000_000);
        }
        return judge.look(
                now(), victim.exitStatus(), isReady, () -> CounterLoad.isAnswered(victim.cluster(), victim.node()));
    }

    /** The errors that clients met, with the first message of each. */
    Map<ErrorCode, String> failures() {
        return load.failures();
    }

    /** The node's own words about its end; empty if it said none. */
    String lastWords() throws IOException {
        return Files.readAllLines(directory.resolve("node" + NODE + ".log")).stream()
                .filter(line -> line.contains(LAST_WORDS))
                .findFirst()
                .orElse("");
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    /**
     * Kills the node if it lives, starts it on what it left, and compares what is there with what was acknowledged;
     * returns what is wrong.
     */
    List<String> verify() throws IOException, InterruptedException {
        cluster.kill(NODE);
        cluster.startNode(NODE);
        cluster.awaitAllInSync(PATIENCE);
        List<String> problems = new ArrayList<>(load.finish());
        problems.addAll(writer.finish(bulkClient));
        return problems;
    }

    @Override
    public void close() throws IOException {
        load.close();
        try {
            writer.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bulkClient.close();
        cluster.close();
    }
}
