package dev.fulmar.launcher;

import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.simulator.campaign.Campaign;
import dev.fulmar.simulator.campaign.CampaignSummary;
import dev.fulmar.simulator.campaign.SeedReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs of a database of one node. */
final class OneNodeSeeds implements SimulatedSeeds {
    private final Campaign campaign;
    private @Nullable SeedReport last;

    OneNodeSeeds(SqlFrontend sql, int repeatEvery) {
        this.campaign = new Campaign(sql, repeatEvery, report -> {});
    }

    @Override
    public Made make(long seed, long number) {
        return () -> {
            SeedReport report = campaign.run(seed);
            last = report;
            return report.violations();
        };
    }

    @Override
    public boolean mayShareTime() {
        return false;
    }

    @Override
    public void tell(PrintWriter out) {
        SeedReport report = last;
        if (report != null) {
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

    @Override
    public void minimise(long seed, PrintWriter out) {
        out.println("nothing goes wrong in runs of one node, so nothing can be left out");
    }

    @Override
    public String progress() {
        return String.format(
                Locale.ROOT,
                "%,d seeds, %,d transactions committed; %d seeds failed",
                campaign.seeds(),
                campaign.committed(),
                campaign.bad().size());
    }

    @Override
    public List<String> lines() {
        return CampaignSummary.of(campaign).lines();
    }

    @Override
    public Map<String, Object> asMap() {
        return CampaignSummary.of(campaign).asMap();
    }

    @Override
    public boolean passed() {
        return CampaignSummary.of(campaign).passed();
    }
}
