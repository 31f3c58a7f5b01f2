package dev.fulmar.simulator.campaign;

import dev.fulmar.sql.SqlCompiler;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Main class that runs the one-node {@link Campaign} in a child process, so that it can be tried on code with a
 * mutation. Arguments are {@code FROM TO}. It prints each seed before it runs it, and ends at the first breach with the
 * seed and exit status {@link #BREACH}, with {@link #VOID} if a rare path was never reached, else with 0.
 */
public final class CampaignProcess {
    /** Exit status of a process that found a breach. */
    public static final int BREACH = 1;

    /** Exit status of a process that found nothing, but did not look everywhere. */
    public static final int VOID = 3;

    private static final int REPEAT_EVERY = 20;

    private CampaignProcess() {}

    public static void main(String... arguments) {
        long from = Long.parseLong(arguments[0]);
        long to = Long.parseLong(arguments[1]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Campaign campaign = new Campaign(new SqlCompiler(), REPEAT_EVERY, report -> {});
        for (long seed = from; seed <= to; seed++) {
            out.println("runs " + seed);
            SeedReport report = campaign.run(seed);
            if (!report.isGood()) {
                out.println("seed " + seed + ": " + report.violations().getFirst());
                System.exit(BREACH);
            }
            if (!campaign.different().isEmpty()) {
                out.println("seed " + seed + " does not repeat");
                System.exit(BREACH);
            }
        }
        out.println(campaign.seeds() + " seeds, " + campaign.committed() + " committed, "
                + campaign.probes().counts());
        if (!campaign.missingPaths().isEmpty()) {
            out.println("never reached: " + campaign.missingPaths());
            System.exit(VOID);
        }
    }
}
