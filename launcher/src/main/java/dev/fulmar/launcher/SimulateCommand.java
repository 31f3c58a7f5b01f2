package dev.fulmar.launcher;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs seeds of the simulator. */
@Command(
        name = "simulate",
        description =
                "Runs a whole cluster in virtual time from one seed, or from many, while things go wrong; the exit status is 0 only if every run was good.",
        mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
    private static final int REPEAT_EVERY = 20;
    private static final int LINE_EVERY_SECONDS = 5;

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Seeds which = new Seeds();

    @Option(names = "--from", defaultValue = "1", description = "First seed of --minutes; default: ${DEFAULT-VALUE}.")
    private long from;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Runs so many clusters at the same time; what comes of a seed is the same. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes what came of it as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "Virtual seconds in which things go wrong; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--ledger", paramLabel = "FILE", description = "Notes each run of a cluster in the file.")
    private @Nullable Path ledger;

    @Option(
            names = "--faults",
            paramLabel = "N",
            split = ",",
            description = "With --seed: only the faults with these numbers happen.")
    private @Nullable Set<Integer> faults;

    @Option(names = "--minimise", description = "With --seed: looks for few faults with which the run still fails.")
    private boolean minimise;

    @Option(names = "--one-node", description = "Runs databases of one node without faults, the earlier campaign.")
    private boolean oneNode;

    @Option(
            names = "--hostile",
            description = "Runs databases whose clients of PostgreSQL's protocol send broken messages in any order.")
    private boolean hostile;

    /** The runs to make. */
    private static final class Seeds {
        @Option(names = "--seed", paramLabel = "N", description = "Runs one seed, twice, and tells all about it.")
        private @Nullable Long one;

        @Option(names = "--seeds", paramLabel = "FROM-TO", description = "Runs these seeds, both ends included.")
        private @Nullable String range;

        @Option(names = "--minutes", paramLabel = "M", description = "Runs seed after seed for so many minutes.")
        private @Nullable Double minutes;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Long one = which.one;
        if (one == null && (minimise || faults != null)) {
            throw new ParameterException(spec.commandLine(), "--minimise and --faults go with --seed");
        }
        SimulatedSeeds seeds = seeds(one == null ? REPEAT_EVERY : 1);
        if (threads < 1 || (threads > 1 && !seeds.mayShareTime())) {
            throw new ParameterException(spec.commandLine(), "--threads wants at least 1, and only 1 with --one-node");
        }
        if (one == null) {
            runMany(seeds, out);
        } else {
            seeds.make(one, 0).count();
            seeds.tell(out);
            if (minimise) {
                seeds.minimise(one, out);
            }
        }
        seeds.lines().forEach(out::println);
        out.flush();
        Path file = json;
        if (file != null) {
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), seeds.asMap());
        }
        return seeds.passed() ? 0 : 1;
    }

    private SimulatedSeeds seeds(int repeatEvery) {
        SqlCompiler sql = new SqlCompiler();
        if (hostile) {
            return new HostileSeeds(sql, repeatEvery);
        }
        return oneNode
                ? new OneNodeSeeds(sql, repeatEvery)
                : new ClusterSeeds(sql, TimeUnit.SECONDS.toNanos(seconds), repeatEvery, faults, ledger);
    }

    private void runMany(SimulatedSeeds seeds, PrintWriter out) throws Exception {
        long first = from;
        long last = Long.MAX_VALUE;
        long limitNanos = Long.MAX_VALUE;
        String range = which.range;
        Double minutes = which.minutes;
        if (range != null) {
            Matcher parts = RANGE.matcher(range);
            if (!parts.matches()) {
                throw new ParameterException(spec.commandLine(), "--seeds wants FROM-TO, as in 1-500, not " + range);
            }
            first = Long.parseLong(parts.group(1));
            last = Long.parseLong(parts.group(2));
        } else if (minutes != null) {
            limitNanos = (long) (minutes * TimeUnit.MINUTES.toNanos(1));
        }
        long end = limitNanos == Long.MAX_VALUE ? limitNanos : System.nanoTime() + limitNanos;
        try (SeedWorkers workers = new SeedWorkers(seeds, threads, first, last, end)) {
            tell(seeds, workers, out);
        }
    }

    private static void tell(SimulatedSeeds seeds, SeedWorkers workers, PrintWriter out) throws Exception {
        long lineNanos = System.nanoTime();
        for (SeedWorkers.Counted counted = workers.next(); counted != null; counted = workers.next()) {
            if (!counted.violations().isEmpty()) {
                out.println(
                        "seed " + counted.seed() + ": " + counted.violations().getFirst());
                out.flush();
            }
            if (System.nanoTime() - lineNanos > TimeUnit.SECONDS.toNanos(LINE_EVERY_SECONDS)) {
                lineNanos = System.nanoTime();
                out.printf(Locale.ROOT, "seed %d; %s%n", counted.seed(), seeds.progress());
                out.flush();
            }
        }
    }
}
