package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.campaign.CampaignProcess;
import dev.fulmar.simulator.crash.PlanCache;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The standard campaign of clusters as a process of its own: {@code FROM TO}, with the output and the exit status of {@link CampaignProcess}. */
public final class ClusterCampaignProcess {
    private static final long DURATION_NANOS = 20_000_000_000L;

    private ClusterCampaignProcess() {}

    public static void main(String... arguments) {
        run(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), 0);
    }

    /** Runs the seeds, to each of which the distance is added. */
    static void run(long from, long to, long distance) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PlanCache sql = new PlanCache(new SqlCompiler());
        for (long seed = from; seed <= to; seed++) {
            out.println("runs " + seed);
            ClusterReport report = new ClusterRun(distance + seed, DURATION_NANOS, null, sql).run();
            if (!report.isGood()) {
                String first =
                        report.violations().getFirst().lines().findFirst().orElse("");
                out.println("seed " + seed + ": " + first);
                System.exit(CampaignProcess.BREACH);
            }
        }
    }
}
