package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.simulator.campaign.CampaignProcess;
import dev.fulmar.sql.SqlCompiler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The standard durability campaign as a process of its own: {@code FROM TO}, with the output and the exit status of
 * {@link CampaignProcess}.
 */
public final class CrashCampaignProcess {
    private static final int ASKS = 50;
    private static final int CATALOG_ROUNDS = 2;
    private static final int STRIDE = 5;

    private CrashCampaignProcess() {}

    public static void main(String... arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PlanCache sql = new PlanCache(new SqlCompiler());
        ForkingRun.Plan plan = new ForkingRun.Plan(DurabilityMode.SYNC, ASKS, CATALOG_ROUNDS, STRIDE, Set.of(), false);
        CrashTally tally = new CrashTally();
        for (long seed = Long.parseLong(arguments[0]); seed <= Long.parseLong(arguments[1]); seed++) {
            out.println("runs " + seed);
            new ForkingRun(seed, plan, sql, tally, () -> tally.violated() > 0).run();
            if (tally.violated() > 0) {
                String first = tally.violations().getFirst().lines().findFirst().orElse("");
                out.println(first.startsWith("seed ") ? first : "seed " + seed + ": " + first);
                System.exit(CampaignProcess.BREACH);
            }
        }
        out.println(tally.counts());
    }
}
