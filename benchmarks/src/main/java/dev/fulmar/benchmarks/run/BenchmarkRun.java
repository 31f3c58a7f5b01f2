package dev.fulmar.benchmarks.run;

import dev.fulmar.benchmarks.drive.LoadGenerator;
import dev.fulmar.benchmarks.drive.LoadListener;
import dev.fulmar.benchmarks.drive.LoadReport;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The steps of a benchmark over one client. Not thread-safe. */
public final class BenchmarkRun {
    private final FulmarClient client;
    private final Workload workload;
    private final Workload.Progress progress;

    public BenchmarkRun(FulmarClient client, Workload workload, Workload.Progress progress) {
        this.client = client;
        this.workload = workload;
        this.progress = progress;
    }

    /** Loads the procedures, makes the tables and fills them. */
    public void prepare() {
        if (!workload.procedureClasses().isEmpty()) {
            client.call("@LoadClasses", (Object) ProcedureJar.of(workload.procedureClasses()));
        }
        Statements.executeScript(client, workload.ddl());
        workload.load(client, progress);
    }

    /** Runs the load. */
    public LoadReport measure(LoadShape shape, long seed, LoadListener listener) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        List<RequestSource> sources = new ArrayList<>();
        for (int i = 0; i < shape.streams(); i++) {
            sources.add(workload.requests(random.split()));
        }
        return new LoadGenerator(client, shape).run(sources, listener);
    }

    /** Checks the tables and that they hold what clients saw committed; no load may run. Returns what is wrong. */
    public List<String> verify() {
        List<String> problems = new ArrayList<>(verifyTables());
        problems.addAll(workload.verifyRecord(client, progress));
        return problems;
    }

    /** The same for tables that were there before this run: only the invariants that hold after any changes. */
    public List<String> verifyTables() {
        return workload.verifyTables(client, progress);
    }
}
