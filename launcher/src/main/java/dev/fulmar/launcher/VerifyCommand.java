package dev.fulmar.launcher;

import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks a loaded workload. */
@Command(
        name = "verify",
        description =
                "Checks what must hold of a workload's tables on a running node; no load may run meanwhile. Give the --scale of"
                        + " the load. What only the loading client knows, such as counts of committed requests, is judged"
                        + " by 'bench'.",
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
    private static final int OUTSTANDING = 16;

    @Spec
    private CommandSpec spec;

    @Mixin
    private WorkloadOptions workloadOptions;

    @Mixin
    private ConnectionOptions connection;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Workload workload = workloadOptions.create(1);
        try (FulmarClient client = connection.connect(OUTSTANDING)) {
            List<String> problems = workload.verifyTables(
                    client, new ProgressLine(spec.commandLine().getErr()));
            problems.forEach(problem -> out.println("problem: " + problem));
            out.println("verified: " + problems.isEmpty());
            out.flush();
            return problems.isEmpty() ? 0 : 1;
        }
    }
}
