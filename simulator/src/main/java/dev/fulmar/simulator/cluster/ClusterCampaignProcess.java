package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.campaign.CampaignProcess;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * The standard campaign of clusters as a process of its own: {@code FROM TO}, counted from 1, with the output and the
 * exit status of {@link CampaignProcess}. One seed in three has faults at drawn times; the others are steered and go
 * round the shapes, so that a short campaign has tried all of them.
 */
public final class ClusterCampaignProcess {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long PLAIN_SECONDS = 20;
    private static final long STEERED_SECONDS = 7;

    /** Faults that nothing steers find what no shape is made for. */
    private static final long ONE_PLAIN_IN = 3;

    private ClusterCampaignProcess() {}

    public static void main(String... arguments) {
        run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), number -> Trial.of(number, Theme.TRANSACTIONS));
    }

    /** A seed of {@code simulate}, and for how long. */
    record Trial(long seed, long seconds) {
        /** @param number from 1 on */
        static Trial of(long number, Theme theme) {
            long before = number - 1;
            if (before % ONE_PLAIN_IN == 0) {
                return new Trial(firstPlain(theme) + number, PLAIN_SECONDS);
            }
            long plain = (before + ONE_PLAIN_IN - 1) / ONE_PLAIN_IN;
            long steered = before - plain;
            return new Trial(theme.firstSeed() + steered, STEERED_SECONDS);
        }

        private static long firstPlain(Theme theme) {
            return switch (theme) {
                case TRANSACTIONS -> 0;
                case CATALOG -> ClusterRun.FIRST_WITH_CHANGES;
                case MOVES -> ClusterRun.FIRST_WITH_MOVES;
            };
        }

        @Override
        public String toString() {
            return "simulate --seed " + seed + " --seconds " + seconds;
        }
    }

    /** Runs what the numbers stand for. */
    static void run(long from, long to, LongFunction<Trial> trials) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PlanCache sql = new PlanCache(new SqlCompiler());
        for (long number = from; number <= to; number++) {
            out.println("runs " + number);
            Trial trial = trials.apply(number);
            ClusterReport report = new ClusterRun(trial.seed(), trial.seconds() * SECOND_NANOS, null, sql).run();
            if (!report.isGood()) {
                String first =
                        report.violations().getFirst().lines().findFirst().orElse("");
                out.println("seed " + number + ": " + trial + ": " + first);
                System.exit(CampaignProcess.BREACH);
            }
        }
    }
}
