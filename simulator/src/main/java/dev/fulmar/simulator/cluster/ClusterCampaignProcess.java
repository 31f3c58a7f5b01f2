package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.campaign.CampaignProcess;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard campaign of clusters as a process of its own: {@code FROM TO}, with the output and the exit status of {@link CampaignProcess}. One seed of four is a plain
 * one; with the others faults are steered.
 */
public final class ClusterCampaignProcess {
    private static final long DURATION_NANOS = 20_000_000_000L;
    private static final long STEERED_NANOS = 7_000_000_000L;
    private static final int PLAIN_ONE_IN = 4;

    private ClusterCampaignProcess() {}

    public static void main(String... arguments) {
        run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), 0, ClusterRun.FIRST_STEERED);
    }

    /** Runs the seeds, to each of which one of the distances is added. */
    static void run(long from, long to, long plain, long steered) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PlanCache sql = new PlanCache(new SqlCompiler());
        for (long seed = from; seed <= to; seed++) {
            out.println("runs " + seed);
            ClusterRun run = seed % PLAIN_ONE_IN == 1
                    ? new ClusterRun(plain + seed, DURATION_NANOS, null, sql)
                    : new ClusterRun(steered + seed, STEERED_NANOS, null, sql);
            ClusterReport report = run.run();
            if (!report.isGood()) {
                String first =
                        report.violations().getFirst().lines().findFirst().orElse("");
                out.println("seed " + seed + ": " + first);
                System.exit(CampaignProcess.BREACH);
            }
        }
    }
}
