package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.ycsb.KeyChoice;
import dev.fulmar.benchmarks.ycsb.YcsbMix;
import dev.fulmar.benchmarks.ycsb.YcsbWorkload;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Data is compact and outside of the Java heap. Node and client run in this process, whose heap must be limited with
 * {@code FULMAR_JAVA_OPTS=-Xmx1g}; pauses come from the collector's own log.
 */
public final class Memory implements Experiment {
    private static final long RECORDS = 10_000_000;
    private static final long QUICK_RECORDS = 500_000;
    private static final long PAYLOAD_BYTES_PER_RECORD = 8 + 10 * 100;
    private static final long HEAP_LIMIT_BYTES = 1L << 30;
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 5;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String meaning() {
        return "ten million YCSB rows under a heap of 1 GB, compact and without pauses (acceptance point 5)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        if (Runtime.getRuntime().maxMemory() > HEAP_LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "the heap must be limited: run this with FULMAR_JAVA_OPTS='-Xmx1g' in the environment");
        }
        Findings findings = new Findings(name(), settings.quick(), "none");
        long records = settings.quick() ? QUICK_RECORDS : RECORDS;
        YcsbWorkload workload = new YcsbWorkload(
                YcsbMix.A, records, new KeyChoice.Uniform(records), new SplittableRandom(settings.seed()));
        try (CollectionPauses pauses = CollectionPauses.watch();
                LocalDatabase database =
                        LocalDatabase.start(Map.of("partitions", "4", "sites", "1", "memory.limit", "18g"));
                FulmarClient client = database.connect(1024)) {
            long before = residentBytes();
            BenchmarkRun run = new BenchmarkRun(client, workload, (step, done, total) -> {
                if (done % (total / 10) == 0) {
                    settings.output().accept(String.format(Locale.ROOT, "%s: %,d of %,d", step, done, total));
                }
            });
            run.prepare();
            LoadReport load = run.measure(
                    new LoadShape(4, 32, 0, 2, settings.quick() ? QUICK_SECONDS : SECONDS),
                    settings.seed(),
                    (second, warmup, committed, aborted, failed, latency) -> {});
            long grown = residentBytes() - before;
            findings.check("memory.growth-per-payload", (double) grown / (double) (records * PAYLOAD_BYTES_PER_RECORD));
            findings.check("memory.longest-collection-pause", (double) pauses.longestMillis());
            findings.series("records", records);
            findings.series("residentGrowthBytes", grown);
            findings.series("collections", pauses.count());
            findings.series("throughputPerSecond", load.throughputPerSecond());
            findings.series("problems", run.verify());
        }
        return findings;
    }

    private static long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException("/proc/self/status does not tell the resident memory");
    }
}
