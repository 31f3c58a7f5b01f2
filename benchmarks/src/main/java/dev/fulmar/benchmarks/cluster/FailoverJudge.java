package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Compares outages with the goals. */
final class FailoverJudge {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MEDIAN = 50;
    private static final int TAIL = 99;

    private final List<Result> kills = new ArrayList<>();
    private final List<Result> silences = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();

    /**
     * A node that was stopped in order.
     *
     * @param affected pauses of the partitions that it led or followed
     * @param others those of the others
     */
    record Stop(int victim, List<Outage.Gap> affected, List<Outage.Gap> others) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "longest pauses of what it led or followed %s ms, elsewhere %s ms",
                    millis(affected),
                    millis(others));
        }

        private static List<Long> millis(List<Outage.Gap> gaps) {
            return gaps.stream()
                    .map(gap -> Math.round(gap.durationNanos() / NANOS_PER_MILLI))
                    .toList();
        }

        private Map<String, Object> asMap() {
            return Map.of("victim", victim, "pausesMillis", millis(affected), "pausesElsewhereMillis", millis(others));
        }
    }

    /**
     * One outage.
     *
     * @param promoted seconds to the first commit on partitions that the victim led
     * @param shrunk the same on those of which it had a copy
     */
    record Result(int victim, List<Double> promoted, List<Double> shrunk, List<Outage.Gap> gaps) {
        static Result of(Outage outage) {
            return new Result(
                    outage.victim(), seconds(outage, outage.led()), seconds(outage, outage.followed()), outage.gaps());
        }

        /** A partition without a commit took at least as long as it was watched, and fails. */
        private static List<Double> seconds(Outage outage, Set<Integer> partitions) {
            return partitions.stream()
                    .sorted()
                    .map(partition -> outage.firstCommitNanos(partition).orElse(Long.MAX_VALUE) / NANOS_PER_SECOND)
                    .toList();
        }

        double longestGapMillis() {
            return gaps.stream().mapToLong(Outage.Gap::durationNanos).max().orElse(0) / NANOS_PER_MILLI;
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "first commit after %s s where it led, %s s where it followed; longest pause elsewhere %.0f ms",
                    texts(promoted),
                    texts(shrunk),
                    longestGapMillis());
        }

        private static String texts(List<Double> seconds) {
            return String.join(
                    " ",
                    seconds.stream()
                            .map(value -> String.format(Locale.ROOT, "%.3f", value))
                            .toList());
        }

        private Map<String, Object> asMap(ControlStalls stalls) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("victim", victim);
            map.put("secondsWhereItLed", promoted);
            map.put("secondsWhereItFollowed", shrunk);
            map.put("longestPauseElsewhereMillis", longestGapMillis());
            map.put("beyondTheMachinesOwnMillis", longestExcessMillis(stalls));
            return map;
        }

        double longestExcessMillis(ControlStalls stalls) {
            return FailoverJudge.longestExcessMillis(gaps, stalls);
        }
    }

    private static double longestExcessMillis(List<Outage.Gap> gaps, ControlStalls stalls) {
        return gaps.stream()
                        .mapToLong(gap -> stalls.excessNanos(gap.startNanos(), gap.durationNanos()))
                        .max()
                        .orElse(0)
                / NANOS_PER_MILLI;
    }

    Result killed(Outage outage) {
        Result result = Result.of(outage);
        kills.add(result);
        return result;
    }

    Result silenced(Outage outage) {
        Result result = Result.of(outage);
        silences.add(result);
        return result;
    }

    Stop stopped(Outage outage) {
        Stop stop = new Stop(outage.victim(), outage.gapsOfTheAffected(), outage.gaps());
        stops.add(stop);
        return stop;
    }

    /** Planned faults of each kind. */
    record Planned(int kills, int silences, int stops) {}

    /** Judges all of it. */
    void report(Findings findings, Planned planned, ControlStalls stalls) {
        findings.check("failover.trials", "kills", (double) kills.size() / planned.kills);
        findings.check("failover.trials", "silent losses", (double) silences.size() / planned.silences);
        if (planned.stops > 0) {
            findings.check("failover.trials", "stops", (double) stops.size() / planned.stops);
            findings.check(
                    "failover.stop-pause",
                    Percentile.of(
                            stops.stream()
                                    .map(stop -> longestExcessMillis(stop.affected, stalls))
                                    .toList(),
                            TAIL));
            findings.series("stops", stops.stream().map(Stop::asMap).toList());
        }
        judge(findings, "failover.kill-p50", kills, MEDIAN);
        judge(findings, "failover.kill-p99", kills, TAIL);
        judge(findings, "failover.silence-p99", silences, TAIL);
        List<Result> all = new ArrayList<>(kills);
        all.addAll(silences);
        findings.check(
                "failover.pause-of-others",
                all.stream()
                        .mapToDouble(result -> result.longestExcessMillis(stalls))
                        .max()
                        .orElse(Double.NaN));
        findings.series(
                "kills", kills.stream().map(result -> result.asMap(stalls)).toList());
        findings.series(
                "silentLosses",
                silences.stream().map(result -> result.asMap(stalls)).toList());
        findings.series("silentLossMedianSeconds", Percentile.of(promoted(silences), MEDIAN));
        findings.series("longestStallOfTheMachineMillis", stalls.longestNanos() / NANOS_PER_MILLI);
    }

    /** Every fault strikes a node that leads something; few may strike one that follows nothing. */
    private static void judge(Findings findings, String goal, List<Result> results, int percent) {
        findings.check(goal, "led", Percentile.of(promoted(results), percent));
        if (!shrunk(results).isEmpty()) {
            findings.check(goal, "followed", Percentile.of(shrunk(results), percent));
        }
    }

    private static List<Double> promoted(List<Result> results) {
        return results.stream().flatMap(result -> result.promoted.stream()).toList();
    }

    private static List<Double> shrunk(List<Result> results) {
        return results.stream().flatMap(result -> result.shrunk.stream()).toList();
    }
}
