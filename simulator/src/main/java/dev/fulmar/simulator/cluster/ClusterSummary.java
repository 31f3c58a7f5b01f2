package dev.fulmar.simulator.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Summary of a campaign of clusters, for people and as a JSON object. Every seed must be good and repeat; rare paths
 * are asked for only of a campaign that is long enough to meet them all: of so many seeds, for each draws what goes
 * wrong for all of its run, and of so much time.
 *
 * @param counting runs in which enough happened to say something
 * @param hours of virtual time
 * @param missingPaths rare paths that no run reached, of a campaign that should have
 */
public record ClusterSummary(
        int seeds,
        int counting,
        int repeated,
        double hours,
        long committed,
        long faults,
        long events,
        Map<String, Long> rarePaths,
        List<String> missingPaths,
        List<Long> different,
        List<ClusterReport> bad) {
    private static final int SEEDS_FOR_ALL_PATHS = 100;
    private static final double HOURS_FOR_ALL_PATHS = 1;
    private static final double NANOS_PER_HOUR = 3_600e9;

    /** Sums up what was run so far. */
    public static ClusterSummary of(ClusterCampaign campaign) {
        double hours = campaign.virtualNanos() / NANOS_PER_HOUR;
        return new ClusterSummary(
                campaign.seeds(),
                campaign.counting(),
                campaign.repeated(),
                hours,
                campaign.committed(),
                campaign.faults(),
                campaign.events(),
                campaign.probes().counts(),
                isLong(campaign.seeds(), hours) ? campaign.missingPaths() : List.of(),
                campaign.different(),
                campaign.bad());
    }

    private static boolean isLong(int seeds, double hours) {
        return seeds >= SEEDS_FOR_ALL_PATHS && hours >= HOURS_FOR_ALL_PATHS;
    }

    public boolean passed() {
        return bad.isEmpty() && different.isEmpty() && missingPaths.isEmpty();
    }

    /** For people, with the command that shows each failure again. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d seeds (%,d count, %,d run twice), %.3f hours of clusters, %,d transactions committed, %,d faults, %,d events",
                seeds,
                counting,
                repeated,
                hours,
                committed,
                faults,
                events));
        lines.add("rare paths: " + rarePaths);
        if (!missingPaths.isEmpty()) {
            lines.add("never reached: " + missingPaths);
        }
        bad.forEach(report -> lines.add(
                "seed " + report.seed() + " failed; replay it with: bin/fulmar simulate --seed " + report.seed()));
        different.forEach(seed ->
                lines.add("seed " + seed + " does not repeat; look closer with: bin/fulmar simulate --seed " + seed));
        lines.add("passed: " + passed());
        return lines;
    }

    /** The JSON object. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", "simulate");
        map.put("passed", passed());
        map.put("seeds", seeds);
        map.put("seedsThatCount", counting);
        map.put("seedsRunTwice", repeated);
        map.put("seedsThatDoNotRepeat", different);
        map.put("clusterHours", hours);
        map.put("committed", committed);
        map.put("faults", faults);
        map.put("events", events);
        map.put("rarePaths", rarePaths);
        map.put("missingRarePaths", missingPaths);
        List<Map<String, Object>> failures = new ArrayList<>();
        for (ClusterReport report : bad) {
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
