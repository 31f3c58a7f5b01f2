package dev.fulmar.benchmarks.moving;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Two nodes with a partition each. One has all rows of the table, and the other one gets them. */
final class MovingCluster implements AutoCloseable {
    private static final int NODES = 2;

    /** Compiled as in production, for what is measured is speed. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx1g");

    private static final int MOST_OUTSTANDING = 4_096;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 100;
    private static final long MOST_MOVE_NANOS = Duration.ofMinutes(10).toNanos();

    private static final Duration MOST_SETTLING = Duration.ofSeconds(30);

    private final RunningCluster cluster;
    private final MoveCase moveCase;
    private final long records;
    private final FulmarClient client;

    /** One of each node, which stays there. */
    private final List<FulmarClient> ofNodes = new ArrayList<>();

    private int holder;

    /** The end of a reconfiguration. */
    record Move(double seconds, long rows, long bytesSent, double worstPauseMillis) {}

    private MovingCluster(RunningCluster cluster, MoveCase moveCase, long records) {
        this.cluster = cluster;
        this.moveCase = moveCase;
        this.records = records;
        List<String> hosts = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            hosts.add(cluster.address(node));
            ofNodes.add(FulmarClient.builder()
                    .hosts(cluster.address(node))
                    .directRoute(false)
                    .callTimeout(CALL_TIMEOUT)
                    .connect());
        }
        client = FulmarClient.builder()
                .hosts(hosts)
                .maxOutstanding(MOST_OUTSTANDING)
                .callTimeout(CALL_TIMEOUT)
                .connect();
    }

    /** Starts it in the directory, with empty tables. */
    static MovingCluster start(Path directory, Workload workload, MoveCase moveCase, long records)
            throws IOException, InterruptedException {
        Path jar = Files.write(directory.resolve("ycsb.jar"), ProcedureJar.of(workload.procedureClasses()));
        Path tables = Files.writeString(directory.resolve("ycsb.sql"), workload.ddl());
        Map<String, String> settings = Map.of(
                "schema", jar + "," + tables,
                "sites", "1",
                "memory.limit", "4g",
                "durability", "sync",
                "checkpoint.log-size", "64m",
                "partitioning", "range:0," + records);
        RunningCluster cluster = RunningCluster.start(
                directory, new RunningCluster.Plan(NODES, NODES, moveCase.copies(), JAVA_OPTIONS, settings, false));
        if (cluster.recordOf(0)
                .primary()
                .node()
                .equals(cluster.recordOf(1).primary().node())) {
            cluster.close();
            throw new IllegalStateException("one node leads both partitions");
        }
        return new MovingCluster(cluster, moveCase, records);
    }

    /** A client of both nodes. */
    FulmarClient client() {
        return client;
    }

    /** Moves all rows to the partition that has none; returns when the plan counts. */
    Move move() throws InterruptedException {
        FulmarClient control = ofHolder(); // the source itself knows what it has moved, others learn it later
        long begin = System.nanoTime();
        ResultTable status = control.call("@Reconfigure", moveCase.start(plan(1 - holder, records)))
                .table()
                .first();
        while (text(status, "STATE").equals("RUNNING")) {
            if (System.nanoTime() - begin > MOST_MOVE_NANOS) {
                throw new IllegalStateException("the move does not end: " + text(status, "CURRENT"));
            }
            Thread.sleep(POLL_MILLIS);
            status = control.call("@Reconfigure", "STATUS").table().first();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (!text(status, "STATE").equals("DONE")) {
            throw new IllegalStateException(
                    "the reconfiguration is " + text(status, "STATE") + ": " + text(status, "MESSAGE"));
        }
        holder = 1 - holder;
        return new Move(
                seconds,
                status.getLong(status.column("ROWS_MOVED")),
                status.getLong(status.column("BYTES_SENT")),
                status.getLong(status.column("WORST_PAUSE_MICROS")) / 1e3);
    }

    /** The client of the node that leads the partition with the rows. */
    private FulmarClient ofHolder() {
        return ofNodes.get(cluster.recordOf(holder).primary().node().number() - 1);
    }

    /** The plan by which one of two partitions has the keys from 0 on, and the other one those beside them. */
    static String plan(int holder, long records) {
        return String.format(Locale.ROOT, """
                {"plan": {"*": {"Partition 0": "[-%d)", "Partition 1": "[%d-)"}}}""", holder == 0 ? records : 0, holder == 0 ? records : 0);
    }

    private static String text(ResultTable row, String column) {
        return Objects.requireNonNullElse(row.getString(row.column(column)), "");
    }

    NodeWrites writes() throws IOException {
        List<Long> processes = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            processes.add(cluster.node(node).processNumber());
        }
        return NodeWrites.of(ofNodes, processes);
    }

    /**
     * Waits until checkpoints have all that was written before, so that later windows pay for nothing of it. Few
     * requests make few checkpoints: it does not wait for ever.
     */
    void awaitCheckpoints() throws InterruptedException {
        long deadline = System.nanoTime() + MOST_SETTLING.toNanos();
        List<FulmarClient> holders = ofNodes;
        if (moveCase.copies() < NODES) {
            holders = List.of(ofHolder());
        }
        List<Long> rounds = holders.stream().map(MovingCluster::rounds).toList();
        for (int i = 0; i < holders.size(); i++) {
            // A round that was under way may have passed a partition by; the next one has not.
            while (rounds(holders.get(i)) < rounds.get(i) + 2) {
                if (System.nanoTime() - deadline > 0) {
                    return;
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private static long rounds(FulmarClient node) {
        ResultTable checkpoint = node.call("@Statistics", "CHECKPOINT").table().first();
        return checkpoint.getLong(checkpoint.column("ROUNDS"));
    }

    @Override
    public void close() throws IOException {
        ofNodes.forEach(FulmarClient::close);
        client.close();
        cluster.close();
    }
}
