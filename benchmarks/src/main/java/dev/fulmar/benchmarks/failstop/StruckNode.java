package dev.fulmar.benchmarks.failstop;

import dev.fulmar.benchmarks.cluster.CounterLoad;
import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cluster under load on whose nodes threads are struck with errors. The answers that clients get judge a strike. For
 * one thread.
 */
final class StruckNode implements StrikeCampaign.Target {
    /** From the next time that the thread runs, which is brought about. */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private static final int BROKEN = 70;

    /** Exit status after SIGABRT. */
    private static final int CRASHED = 128 + 6;

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 100;
    private static final int ATTACH_ATTEMPTS = 100;

    /** A struck thread may still run for a moment before it meets what was thrown. */
    private static final long FAIR_MILLIS = 1_500;

    private static final long CALL_INTERVAL_NANOS = 20_000_000;
    private static final Pattern DEBUGGER = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
    private final Path directory;
    private final RunningCluster cluster;
    private final CounterLoad load;
    private final Map<Integer, Injection> injections = new HashMap<>();
    private final Map<Integer, Integer> debuggers = new HashMap<>();

    private StruckNode(Path directory, RunningCluster cluster) {
        this.directory = directory;
        this.cluster = cluster;
        this.load = new CounterLoad(cluster, CALL_INTERVAL_NANOS);
    }

    private static List<String> javaOptions(Path directory) {
        return List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:ErrorFile=" + directory.resolve("crash-%p.log"),
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    }

    static StruckNode start(Path directory, int nodes) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path schema = Files.writeString(directory.resolve("counters.sql"), CounterLoad.SCHEMA);
        StruckNode started = new StruckNode(
                directory,
                RunningCluster.start(
                        directory,
                        new RunningCluster.Plan(
                                nodes,
                                Math.max(2, nodes),
                                Math.min(2, nodes),
                                javaOptions(directory),
                                Map.of("schema", schema.toString(), "metrics.listen", "127.0.0.1:0"),
                                false)));
        started.load.start();
        return started;
    }

    /** Each debugger that leaves makes the JVM listen at another port, a moment later. */
    private Injection injection(int node) throws IOException, InterruptedException {
        Injection known = injections.get(node);
        for (int attempt = 1; known == null; attempt++) {
            try {
                known = Injection.attach(debugger(node));
            } catch (ConnectException notYet) {
                if (attempt == ATTACH_ATTEMPTS) {
                    throw notYet;
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
        injections.put(node, known);
        return known;
    }

    private int debugger(int node) throws IOException {
        Matcher told = DEBUGGER.matcher(Files.readString(directory.resolve("node" + node + ".log")));
        int port = 0;
        while (told.find()) {
            port = Integer.parseInt(told.group(1));
        }
        debuggers.put(node, port);
        return port;
    }

    /**
     * Whether the JVM crashed in the debugger's agent while the node ended it with the right status. The agent's
     * callback at the JVM's death meets a thread that it does not know (libjdwp, threadControl_setPendingInterrupt). A
     * node that nobody debugs has no such agent.
     */
    private boolean isOfTheDebugger(int node) throws IOException {
        String log = Files.readString(directory.resolve("node" + node + ".log"));
        String last = log.substring(Math.max(0, log.lastIndexOf("fulmar is ready on port")));
        return last.contains("[libjdwp.so+") && last.contains("the process ends with status " + BROKEN);
    }

    @Override
    public SortedSet<String> threads(int node) throws IOException, InterruptedException {
        return injection(node).threads();
    }

    /** Strikes a thread of a node that leads; null if it has no thread of the name any more. */
    @Override
    public @Nullable Outcome strike(int node, String thread, Strike strike) throws IOException, InterruptedException {
        Injection injection = injection(node);
        load.takeServed();
        boolean isStruck = thread.equals(FailStop.FIBER)
                ? injection.strikeFiber(strike, () -> wake(node))
                : injection.strike(thread, strike, () -> wake(node));
        injections.remove(node);
        injection.close();
        return isStruck ? watch(node) : null;
    }

    /** Brings work to all threads of the node: connections, statements over all partitions, figures. */
    private void wake(int node) {
        ListeningPorts.knock(cluster.node(node).processNumber(), debuggers.getOrDefault(node, 0));
        Thread.ofVirtual().start(() -> {
            try (FulmarClient client = cluster.connect(node, 8, Duration.ofSeconds(2))) {
                client.execute("SELECT COUNT(*), SUM(VALUE) FROM COUNTER");
                client.execute("UPDATE COUNTER SET VALUE = VALUE + 0");
                client.call("@Statistics", "CHECKPOINT");
            } catch (FulmarException failed) {
                // What the node serves is judged by other clients.
            }
        });
    }

    private Outcome watch(int node) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        int served = 0;
        int[] sinceServed = new int[cluster.plan().partitions()];
        Probe probe = new Probe(node);
        wake(node);
        while (true) {
            long millis = millisSince(begun);
            boolean hasEnded = cluster.node(node).exitStatus().isPresent();
            Outcome wrong = wrongStatus(node, millis);
            if (wrong != null) {
                return wrong;
            }
            if (hasEnded && cluster.plan().nodes() == 1) {
                return ended(node, millis);
            }
            if (hasEnded || millis >= FAIR_MILLIS) {
                // Answers count if they were asked for after the end, or after the thread must have met what was
                // thrown.
                served += takeServed(node, hasEnded, begun + FAIR_MILLIS * 1_000_000, sinceServed);
                boolean allServed = Arrays.stream(sinceServed).allMatch(count -> count > 0);
                if (allServed && hasEnded) {
                    return ended(node, millis);
                }
                if (allServed && probe.isAnswered()) {
                    return watchMembership(node, millis, served);
                }
            }
            if (millis > LIMIT.toMillis()) {
                return new Outcome(
                        Outcome.Kind.HALF_ALIVE,
                        millis,
                        (hasEnded ? "ended, " : "alive, ") + Arrays.toString(sinceServed));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Whether a node that serves still hears of its cluster: its session is ended at the ZooKeeper. That reaches the
     * node by every thread that brings it news from there, and it must show itself in a new session and serve again.
     */
    private Outcome watchMembership(int node, long millisUntilServed, int served)
            throws IOException, InterruptedException {
        String old = cluster.endSessionOf(node).orElse("none");
        long begun = System.nanoTime();
        Probe probe = new Probe(node);
        while (millisSince(begun) <= LIMIT.toMillis()) {
            Outcome wrong = wrongStatus(node, millisUntilServed);
            if (wrong != null) {
                return wrong;
            }
            if (cluster.node(node).exitStatus().isPresent()) {
                return watch(node);
            }
            if (cluster.sessionOf(node).filter(now -> !now.equals(old)).isPresent() && probe.isAnswered()) {
                return copying(millisUntilServed, served, millisSince(begun));
            }
            Thread.sleep(POLL_MILLIS);
        }
        return new Outcome(
                Outcome.Kind.HALF_ALIVE,
                millisUntilServed,
                cluster.sessionOf(node).isPresent()
                        ? "alive, serves nothing after it lost its session"
                        : "alive, does not hear that it lost its session");
    }

    /** A node that serves and is a member may still keep no copies, or send none: its copies must be in sync again. */
    private Outcome copying(long millisUntilServed, int served, long millisUntilMember) throws InterruptedException {
        try {
            cluster.awaitAllInSync(PATIENCE);
        } catch (IllegalStateException notInSync) {
            return new Outcome(Outcome.Kind.HALF_ALIVE, millisUntilServed, "alive, " + notInSync.getMessage());
        }
        return new Outcome(
                Outcome.Kind.SERVES,
                millisUntilServed,
                served + " answers, a member again after " + millisUntilMember + " ms");
    }

    /** Asks as a new client would, beside the watch: a node that ends meanwhile keeps that client for seconds. */
    private final class Probe {
        private final int node;
        private @Nullable Future<Boolean> asked;

        Probe(int node) {
            this.node = node;
        }

        /** Whether it has answered; asks, if no question is under way. */
        boolean isAnswered() {
            Future<Boolean> current = asked;
            if (current == null || current.state() == Future.State.FAILED) {
                current = ask();
            } else if (current.state() == Future.State.SUCCESS) {
                if (current.resultNow()) {
                    return true;
                }
                current = ask();
            }
            asked = current;
            return false;
        }

        private Future<Boolean> ask() {
            FutureTask<Boolean> question = new FutureTask<>(() -> CounterLoad.isAnswered(cluster, node));
            Thread.ofVirtual().start(question);
            return question;
        }
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private @Nullable Outcome wrongStatus(int node, long millis) throws IOException {
        int status = cluster.node(node).exitStatus().orElse(BROKEN);
        boolean isRight = status == BROKEN || (status == CRASHED && isOfTheDebugger(node));
        return isRight ? null : new Outcome(Outcome.Kind.WRONG_STATUS, millis, "exit status " + status);
    }

    private Outcome ended(int node, long millis) {
        return new Outcome(
                Outcome.Kind.ENDED,
                millis,
                "status " + cluster.node(node).exitStatus().orElse(BROKEN));
    }

    private int takeServed(int node, boolean elsewhere, long fromNanos, int[] byPartition) {
        int taken = 0;
        for (CounterLoad.Served answer : load.takeServed()) {
            if (elsewhere ? answer.node() != node : answer.node() == node && answer.sentNanos() > fromNanos) {
                byPartition[answer.partition()]++;
                taken++;
            }
        }
        return taken;
    }

    /**
     * Restores the node. It starts the node again if the node has ended, stays half alive, or lacks a thread, for which
     * the outcome is null.
     */
    @Override
    public void restore(int node, @Nullable Outcome outcome) throws IOException, InterruptedException {
        if (outcome == null || outcome.kind() != Outcome.Kind.SERVES) {
            Injection injection = injections.remove(node);
            if (injection != null) {
                injection.close();
            }
            cluster.kill(node);
            cluster.startNode(node);
        }
        cluster.awaitAllInSync(PATIENCE);
    }

    /** The node that leads the first partition now. */
    @Override
    public int leader() {
        return cluster.recordOf(0).primary().node().number();
    }

    /** Ends the load; returns what was lost, or was there twice. */
    @Override
    public List<String> finish() throws InterruptedException {
        return load.finish();
    }

    @Override
    public void close() throws IOException {
        injections.values().forEach(Injection::close);
        load.close();
        cluster.close();
    }
}
