package dev.fulmar.launcher;

import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.run.BenchmarkReport;
import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a workload. */
@Command(
        name = "bench",
        description = "Runs a workload against a node of its own, or against the node that --host names.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private WorkloadOptions workloadOptions;

    @Mixin
    private LoadOptions load;

    @Mixin
    private NodeOptions nodeOptions;

    @Mixin
    private ConnectionOptions connection;

    @Option(names = "--no-load", description = "The tables are there and filled already.")
    private boolean loaded;

    @Option(names = "--load-only", description = "Only makes and fills the tables.")
    private boolean loadOnly;

    @Option(names = "--no-verify", description = "Does not check the database afterwards.")
    private boolean unchecked;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the report as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        if (workloadOptions.name().equals("peers-turn")) {
            return new PeersTurn(System.getenv(), spec.commandLine().getOut()).run(connection);
        }
        Workload workload = workloadOptions.create(load.seed());
        LoadShape shape = load.shape();
        if (connection.isGiven()) {
            try (FulmarClient client = connection.connect(Math.max(1024, shape.streams()))) {
                return run(client, workload, shape, ServerDescription.of(client));
            }
        }
        try (LocalDatabase database = LocalDatabase.start(nodeOptions.settings());
                FulmarClient client = database.connect(Math.max(1024, shape.streams()))) {
            return run(client, workload, shape, database.description());
        }
    }

    private int run(FulmarClient client, Workload workload, LoadShape shape, BenchmarkReport.Server server)
            throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr());
        BenchmarkRun run = new BenchmarkRun(client, workload, progress);
        if (!loaded) {
            run.prepare();
        }
        if (loadOnly) {
            return 0;
        }
        LoadReport measured = run.measure(shape, load.seed(), progress);
        List<String> problems = unchecked ? List.of() : loaded ? run.verifyTables() : run.verify();
        BenchmarkReport report = new BenchmarkReport(workload.name(), server, shape, measured, problems, !unchecked);
        ReportText.print(report, out);
        Path file = json;
        if (file != null) {
            report.writeJson(file);
        }
        return report.verified() || unchecked ? 0 : 1;
    }
}
