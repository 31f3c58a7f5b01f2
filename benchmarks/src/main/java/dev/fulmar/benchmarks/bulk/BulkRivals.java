package dev.fulmar.benchmarks.bulk;

import dev.fulmar.benchmarks.cluster.FreePorts;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file goes into a table by COPY and by {@code load} of a node, and by COPY of PostgreSQL, in turns; all are durable.
 * Then a client with a heap of 64 MB reads 1 GB of a node whose heap is half of that.
 */
public final class BulkRivals implements Experiment {
    private static final String NAME = "bulk";
    private static final int ROUNDS = 5;
    private static final int ITEMS = 500_000;
    private static final int QUICK_ITEMS = 20_000;
    private static final int DOCUMENTS = 1_000_000;
    private static final int QUICK_DOCUMENTS = 20_000;
    private static final String BATCH = "SET fulmar.copy_batch = 5000";
    private static final String ITEMS_IN = "COPY item FROM STDIN WITH (FORMAT csv, HEADER)";
    private static final List<String> NODE_OPTIONS = List.of("-Xmx512m");
    private static final List<String> READER_OPTIONS = List.of("-Xmx64m");

    /** A commit is on the disk before it is acknowledged; the rest is as PostgreSQL has it but for its memory. */
    private static final String POSTGRES_OPTIONS = "-c fsync=on -c synchronous_commit=on -c full_page_writes=on"
            + " -c shared_buffers=512MB -c max_wal_size=4GB";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "files into tables by COPY and load, beside PostgreSQL; 1 GB to a client with a heap of 64 MB";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Path installation = PostgresCluster.installation("psql");
        if (installation == null) {
            throw new IOException("PostgreSQL with psql is needed; Debian has it in postgresql-15");
        }
        Findings findings = new Findings(NAME, settings.quick(), "sync");
        int port = FreePorts.take(1).getFirst();
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-bulk");
                ServerProcess node = ServerProcess.start(
                        directory.path().resolve("data"), NODE_OPTIONS, "--postgres", "127.0.0.1:" + port)) {
            Path psql = installation.resolve("psql");
            Path errors = directory.path().resolve("errors");
            PostgresClient fulmar = new PostgresClient(psql, errors, port, "ann", "", "fulmar");
            Trial trial = new Trial(settings, directory.path(), node.port(), fulmar);
            findings.series("times", trial.in(installation, findings));
            trial.out(findings);
        }
        return findings;
    }

    /** One run. */
    private record Trial(Settings settings, Path directory, int nodePort, PostgresClient fulmar) {
        private int items() {
            return settings.quick() ? QUICK_ITEMS : ITEMS;
        }

        // Files into tables.

        List<BulkTime> in(Path installation, Findings findings) throws IOException, SQLException, InterruptedException {
            Path file = directory.resolve("items.csv");
            BulkRows.items(file, items());
            List<BulkTime> times = new ArrayList<>();
            long wrong = 0;
            try (PostgresCluster server =
                    PostgresCluster.start(installation, PostgresCluster.SCRAM, POSTGRES_OPTIONS)) {
                PostgresClient postgres = new PostgresClient(
                        fulmar.psql(),
                        fulmar.errors(),
                        server.port(),
                        PostgresCluster.USER,
                        server.password(),
                        "postgres");
                for (int round = 0; round <= (settings.quick() ? 1 : ROUNDS); round++) { // the first is a warm-up
                    List<BulkWay> order = new ArrayList<>(List.of(BulkWay.values()));
                    Collections.rotate(order, round);
                    for (BulkWay way : order) {
                        PostgresClient client = way == BulkWay.POSTGRESQL_COPY ? postgres : fulmar;
                        BulkTime time = new BulkTime(way, round, seconds(way, client, file));
                        settings.output().accept(time.toString());
                        wrong += isWhole(client) ? 0 : 1;
                        if (round > 0) {
                            times.add(time);
                        }
                    }
                }
            }
            double copy = BulkTime.median(times, BulkWay.FULMAR_COPY);
            findings.check("bulk.load", BulkTime.median(times, BulkWay.FULMAR_LOAD) / copy);
            findings.check("bulk.postgresql", BulkTime.median(times, BulkWay.POSTGRESQL_COPY) / copy);
            findings.check("bulk.wrong", "files", (double) wrong);
            return times;
        }

        private double seconds(BulkWay way, PostgresClient client, Path file) throws IOException, InterruptedException {
            client.run("DROP TABLE IF EXISTS item", BulkRows.ITEM);
            long begun = System.nanoTime();
            switch (way) {
                case FULMAR_COPY -> client.copyFrom(file, BATCH, ITEMS_IN);
                case FULMAR_LOAD -> load(file);
                case POSTGRESQL_COPY -> client.copyFrom(file, ITEMS_IN);
            }
            return (System.nanoTime() - begun) / 1e9;
        }

        private boolean isWhole(PostgresClient client) throws IOException, InterruptedException {
            return client.run("SELECT COUNT(*), SUM(k) FROM item").equals(items() + "|" + BulkRows.kinds(items()));
        }

        private void load(Path file) throws IOException, InterruptedException {
            Path said = directory.resolve("load");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.fulmar.launcher.Main",
                            "load",
                            file.toString(),
                            "--table",
                            "item",
                            "--host",
                            "127.0.0.1:" + nodePort)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("load did not end well: " + Files.readString(said, StandardCharsets.UTF_8));
            }
        }

        // Results that no heap holds.

        void out(Findings findings) throws IOException, InterruptedException {
            int rows = settings.quick() ? QUICK_DOCUMENTS : DOCUMENTS;
            fulmar.run("DROP TABLE item", BulkRows.DOCUMENT);
            fulmar.copyFrom(out -> BulkRows.documents(out, rows), BATCH, "COPY document FROM STDIN");
            settings.output().accept("filled");
            Map<String, Double> speeds = new TreeMap<>();
            double megabytes = (double) rows * BulkRows.BODY / 1e6;
            try (JavaChild reader = JavaChild.start(
                    BulkReader.class,
                    READER_OPTIONS,
                    List.of("jdbc:postgresql://127.0.0.1:" + fulmar.port() + "/fulmar"))) {
                String[] done = reader.awaitLine(BulkReader.DONE).split(" ");
                findings.check("bulk.rows", "fetch size", Double.parseDouble(done[0]) / rows);
                findings.check("bulk.wrong", "fetch size", Double.parseDouble(done[1]));
                speeds.put("fetch size, MB/s", megabytes / (Long.parseLong(done[2]) / 1e9));
            }
            long begun = System.nanoTime();
            PostgresClient.Output output = fulmar.copyTo("COPY document TO STDOUT");
            speeds.put("COPY TO, MB/s", megabytes / ((System.nanoTime() - begun) / 1e9));
            findings.check("bulk.rows", "COPY TO", (double) output.lines() / rows);
            findings.series("speeds", speeds);
            settings.output().accept(speeds.toString());
        }
    }
}
