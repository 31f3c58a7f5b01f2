package dev.fulmar.launcher;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fulmar.simulator.campaign.Campaign;
import dev.fulmar.simulator.campaign.CampaignSummary;
import dev.fulmar.simulator.campaign.SeedReport;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
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
                "Runs a whole database in virtual time from one seed, or from many; the exit status is 0 only if every run was good.",
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

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes what came of it as JSON.")
    private @Nullable Path json;

    /** Which runs to make. */
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
        Campaign campaign = new Campaign(new SqlCompiler(), one == null ? REPEAT_EVERY : 1, report -> {});
        if (one != null) {
            tell(campaign.run(one), out);
        } else {
            runMany(campaign, out);
        }
        CampaignSummary summary = CampaignSummary.of(campaign);
        summary.lines().forEach(out::println);
        out.flush();
        Path file = json;
        if (file != null) {
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), summary.asMap());
        }
        return summary.passed() ? 0 : 1;
    }

    private void runMany(Campaign campaign, PrintWriter out) {
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
        long begin = System.nanoTime();
        long lineNanos = begin;
        for (long seed = first; seed <= last && System.nanoTime() - begin < limitNanos; seed++) {
            SeedReport report = campaign.run(seed);
            if (!report.isGood()) {
                out.println("seed " + seed + ": " + report.violations().getFirst());
                out.flush();
            }
            if (System.nanoTime() - lineNanos > TimeUnit.SECONDS.toNanos(LINE_EVERY_SECONDS)) {
                lineNanos = System.nanoTime();
                out.printf(
                        Locale.ROOT,
                        "%,d seeds, the last one %d; %,d transactions committed; %d seeds failed%n",
                        campaign.seeds(),
                        seed,
                        campaign.committed(),
                        campaign.bad().size());
                out.flush();
            }
        }
    }

    private static void tell(SeedReport report, PrintWriter out) {
        out.println(report.scenario());
        out.printf(
                Locale.ROOT,
                "%,d events in %.3f ms of virtual time, hash %016x; %,d transactions, %,d of them committed%n",
                report.events(),
                report.virtualNanos() / 1e6,
                report.hash(),
                report.transactions(),
                report.committed());
        report.violations().forEach(out::println);
    }
}
