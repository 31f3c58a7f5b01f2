package dev.fulmar.launcher;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.failstop.FailStop;
import dev.fulmar.simulator.experiment.AllExperiments;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an experiment. */
@Command(
        name = "experiment",
        description = "Runs an experiment and judges it; the exit status is 0 only if it passed.",
        mixinStandardHelpOptions = true)
final class ExperimentCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Which one; --list tells the names.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DIRECTORY",
            description =
                    "Of files that it reads; or, for sql-differential, postgres-differential, sql-metamorphic, fail-stop, beside-versions, hot-row, idle-sessions, moving-windows, pgbench, reconfiguration, reconfiguration-kills and those of planted bugs, where it keeps what is done and goes on.")
    private @Nullable Path directory;

    @Option(names = "--list", description = "Lists the experiments.")
    private boolean listing;

    @Option(names = "--quick", description = "A smaller volume, for a minute or two; the goals stay.")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Only these parts of it: planted bugs, for example; or the case of moving-windows, as in k=1.")
    private Set<String> only = Set.of();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description =
                    "End fail-stop after so many minutes; what it did is kept in its DIRECTORY, and another run goes on.")
    private @Nullable Integer minutes;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of everything random; default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the findings as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        List<Experiment> experiments = AllExperiments.all();
        if (listing) {
            experiments.forEach(each -> out.printf("%-20s %s%n", each.name(), each.meaning()));
            return 0;
        }
        Experiment experiment = experiments.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "there is no experiment '" + name + "'; --list tells the names"));
        return run(
                experiment, new Experiment.Settings(quick, seed, lines(out), directory, only, timeLimit()), json, out);
    }

    private @Nullable Duration timeLimit() {
        Integer given = minutes;
        if (given == null) {
            return null;
        }
        if (given < 1) {
            throw new ParameterException(spec.commandLine(), "--minutes takes 1 or more, not " + given);
        }
        if (!name.equals(FailStop.NAME)) {
            throw new ParameterException(spec.commandLine(), "only the experiment fail-stop takes --minutes");
        }
        return Duration.ofMinutes(given);
    }

    private static Consumer<String> lines(PrintWriter out) {
        return line -> {
            out.println(line);
            out.flush();
        };
    }

    /** Runs it and tells what came of it; returns the exit status. */
    static int run(
            Experiment experiment,
            boolean quick,
            long seed,
            @Nullable Path directory,
            @Nullable Path json,
            PrintWriter out)
            throws Exception {
        return run(experiment, new Experiment.Settings(quick, seed, lines(out), directory, Set.of(), null), json, out);
    }

    private static int run(Experiment experiment, Experiment.Settings settings, @Nullable Path json, PrintWriter out)
            throws Exception {
        Findings findings = experiment.run(settings);
        findings.checks()
                .forEach(check -> out.printf(
                        Locale.ROOT,
                        "%-6s %s: %.3f %s (goal: %s)%n",
                        check.passed() ? "ok" : "FAILED",
                        check.name(),
                        check.measured(),
                        check.unit(),
                        check.goal()));
        out.println("passed: " + findings.passed());
        out.flush();
        if (json != null) {
            findings.writeJson(json);
        }
        return findings.passed() ? 0 : 1;
    }
}
