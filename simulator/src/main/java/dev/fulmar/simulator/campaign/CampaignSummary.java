package dev.fulmar.simulator.campaign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Summary of a campaign, for people and as a JSON object. Every seed must be good and repeat; rare paths are asked for
 * only of a campaign that is long enough to meet them all.
 *
 * @param missingPaths rare paths that no run reached, of a campaign that should have
 */
public record CampaignSummary(
        int seeds,
        int repeated,
        long committed,
        long events,
        Map<String, Long> rarePaths,
        List<String> missingPaths,
        List<Long> different,
        List<SeedReport> bad) {
    private static final int SEEDS_FOR_ALL_PATHS = 240;

    /** Sums up what was run so far. */
    public static CampaignSummary of(Campaign campaign) {
        return new CampaignSummary(
                campaign.seeds(),
                campaign.repeated(),
                campaign.committed(),
                campaign.events(),
                campaign.probes().counts(),
                campaign.seeds() < SEEDS_FOR_ALL_PATHS ? List.of() : campaign.missingPaths(),
                campaign.different(),
                campaign.bad());
    }

    public boolean passed() {
        return bad.isEmpty() && different.isEmpty() && missingPaths.isEmpty();
    }

    /** For people, with the command that shows each failure again. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(seeds + " seeds (" + repeated + " of them twice), " + committed + " transactions committed, " + events
                + " events");
        lines.add("rare paths: " + rarePaths);
        if (!missingPaths.isEmpty()) {
            lines.add("never reached: " + missingPaths);
        }
        bad.forEach(report -> lines.add("seed " + report.seed()
                + " failed; replay it with: bin/fulmar simulate --one-node --seed " + report.seed()));
        different.forEach(seed -> lines.add(
                "seed " + seed + " does not repeat; look closer with: bin/fulmar simulate --one-node --seed " + seed));
        lines.add("passed: " + passed());
        return lines;
    }

    /** The JSON object. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", "simulate");
        map.put("passed", passed());
        map.put("seeds", seeds);
        map.put("seedsRunTwice", repeated);
        map.put("seedsThatDoNotRepeat", different);
        map.put("committed", committed);
        map.put("events", events);
        map.put("rarePaths", rarePaths);
        map.put("missingRarePaths", missingPaths);
        List<Map<String, Object>> failures = new ArrayList<>();
        for (SeedReport report : bad) {
            Map<String, Object> failure = new LinkedHashMap<>();
            failure.put("seed", report.seed());
            failure.put("scenario", report.scenario());
            failure.put("violations", report.violations());
            failures.add(failure);
        }
        map.put("failures", failures);
        return map;
    }
}
