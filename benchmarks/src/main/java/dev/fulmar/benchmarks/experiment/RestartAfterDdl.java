package dev.fulmar.benchmarks.experiment;

import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Speed of the restart of a killed node whose catalog has changed a thousand times. Each of the tables is created,
 * partitioned and given its first row by a call, so that the log has commands of every version of the catalog; then
 * rows are inserted into all of them by turns, by calls too. The node, which has its default settings, is killed. The
 * restart is timed on copies of its data directory, all alike, from the start of the process to its first answer; the
 * median counts.
 */
public final class RestartAfterDdl implements Experiment {
    private static final int TABLES = 500;
    private static final int QUICK_TABLES = 100;
    private static final int ROWS = 1_000_000;
    private static final int QUICK_ROWS = 200_000;
    private static final int RESTARTS = 5;
    private static final int QUICK_RESTARTS = 3;
    private static final int IN_FLIGHT = 400;
    private static final int PARTITIONS = 2;

    /** Default of {@code recovery.objective}. */
    private static final int OBJECTIVE_SECONDS = 10;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx2g", "-XX:MetaspaceSize=128m");

    @Override
    public String name() {
        return "restart-after-ddl";
    }

    @Override
    public String meaning() {
        return "a database of 500 tables and a million rows is killed and restarts within its recovery objective";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        int tables = settings.quick() ? QUICK_TABLES : TABLES;
        int rows = settings.quick() ? QUICK_ROWS : ROWS;
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-ddl-")) {
            Path data = directory.path().resolve("data");
            Map<String, Object> figures = new LinkedHashMap<>();
            try (ServerProcess node = start(data)) {
                fill(node, tables, rows, figures);
                node.kill();
            }
            settings.output().accept(figures + "; killed");
            List<Double> seconds = new ArrayList<>();
            int problems = 0;
            int restarts = settings.quick() ? QUICK_RESTARTS : RESTARTS;
            for (int restart = 0; restart < restarts; restart++) {
                Path copy = directory.path().resolve("copy-" + restart);
                copy(data, copy);
                long begin = System.nanoTime();
                try (ServerProcess node = start(copy);
                        FulmarClient client = node.connect(1)) {
                    client.call("T0.select", -1L);
                    seconds.add((System.nanoTime() - begin) / NANOS_PER_SECOND);
                    problems += restart == 0 ? missing(client, tables, rows) : 0;
                    node.kill();
                }
                settings.output().accept(String.format(Locale.ROOT, "restarted in %.2f s", seconds.getLast()));
            }
            double median = seconds.stream().sorted().toList().get(seconds.size() / 2);
            Findings findings = new Findings(name(), settings.quick(), "sync");
            findings.check("restart-after-ddl.median-per-objective", median / OBJECTIVE_SECONDS);
            findings.check("restart-after-ddl.problems", problems);
            figures.put("restartSeconds", seconds);
            figures.put("medianSeconds", median);
            figures.put("objectiveSeconds", OBJECTIVE_SECONDS);
            findings.series("restarts", figures);
            return findings;
        }
    }

    private static ServerProcess start(Path data) throws IOException {
        return ServerProcess.start(data, JAVA_OPTIONS, "--partitions", Integer.toString(PARTITIONS));
    }

    private static void fill(ServerProcess node, int tables, int rows, Map<String, Object> figures) throws Exception {
        try (FulmarClient client = node.connect(IN_FLIGHT)) {
            long begin = System.nanoTime();
            for (int table = 0; table < tables; table++) {
                String name = "t" + table;
                client.call(
                        "@AdHoc",
                        "CREATE TABLE " + name
                                + " (id BIGINT NOT NULL, name VARCHAR(40), amount BIGINT NOT NULL, PRIMARY KEY (id)) REPLICATED");
                client.call("@AdHoc", "PARTITION TABLE " + name + " ON COLUMN id");
                client.call("T" + table + ".insert", -1L, "the first", 0L);
            }
            figures.put("tables", tables);
            figures.put("millisPerChange", (System.nanoTime() - begin) / 1e6 / (2 * tables));
            insert(client, tables, rows);
            figures.put("rows", rows + tables);
        }
    }

    private static void insert(FulmarClient client, int tables, int rows) throws InterruptedException, IOException {
        Semaphore free = new Semaphore(IN_FLIGHT);
        AtomicLong failures = new AtomicLong();
        for (int row = 0; row < rows; row++) {
            free.acquire();
            CompletableFuture<?> call = client.callAsync(
                    "T" + row % tables + ".insert", (long) (row / tables), "row number " + row, (long) row);
            var unused = call.whenComplete((result, failure) -> {
                failures.addAndGet(failure == null ? 0 : 1);
                free.release();
            });
        }
        free.acquire(IN_FLIGHT);
        if (failures.get() > 0) {
            throw new IOException(failures + " of " + rows + " rows were not inserted");
        }
    }

    /** Number of tables with another number of rows than they were given. */
    private static int missing(FulmarClient client, int tables, int rows) {
        int missing = 0;
        for (int table = 0; table < tables; table++) {
            long found = client.call("@AdHoc", "SELECT COUNT(*) FROM t" + table)
                    .table()
                    .first()
                    .getLong(0);
            int given = 1 + rows / tables + (table < rows % tables ? 1 : 0);
            missing += found == given ? 0 : 1;
        }
        return missing;
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> found;
        try (Stream<Path> tree = Files.walk(from)) {
            found = tree.toList();
        }
        for (Path each : found) {
            Files.copy(each, to.resolve(from.relativize(each)));
        }
    }
}
