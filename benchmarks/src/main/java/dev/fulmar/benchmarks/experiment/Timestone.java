package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.timestone.Campaign;
import dev.fulmar.benchmarks.timestone.Campaign.Amplification;
import dev.fulmar.benchmarks.timestone.Campaign.Cell;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** TimeStone's own benchmarks on the stand-alone store, beside its rivals. */
final class Timestone implements Experiment {
    private static final int MOST_UPDATES = 80;

    @Override
    public String name() {
        return "timestone";
    }

    @Override
    public String meaning() {
        return "list, hash table, tree and YCSB on the log as a store, beside PMDK undo, value logging and force per commit";
    }

    @Override
    public Findings run(Settings settings) {
        Campaign campaign = new Campaign(settings.quick(), settings.seed(), settings.output());
        campaign.run();
        Findings findings = new Findings(name(), settings.quick(), "stated with each figure");
        findings.check("timestone.damaged-structures", (double) campaign.damaged());
        findings.check("timestone.recovered-differences", (double) campaign.differences());
        findings.check(
                "timestone.fences-per-commit",
                campaign.amplifications().stream()
                        .mapToDouble(Amplification::fencesPerCommit)
                        .max()
                        .orElse(Double.MAX_VALUE));
        findings.check("timestone.to-force-per-commit", toForcePerCommit(campaign.cells()));
        OptionalDouble written = campaign.amplifications().stream()
                .filter(each -> each.emulated() && each.subject().startsWith("YCSB"))
                .filter(each -> each.updatePercent() == MOST_UPDATES)
                .mapToDouble(Amplification::perObjectByte)
                .findFirst();
        if (written.isPresent()) {
            findings.check("timestone.ycsb-written-per-row-byte", written.getAsDouble());
        }
        findings.series("rates", campaign.cells());
        findings.series("written", campaign.amplifications());
        findings.series("absent", campaign.absent());
        findings.series("limits", limits());
        findings.series("paper", paper());
        campaign.pictures().forEach(findings::picture);
        limits().forEach(settings.output());
        return findings;
    }

    /**
     * At most updates and threads, the store's rate for each of a file that is forced for each commit: the geometric
     * mean over all subjects.
     */
    private static double toForcePerCommit(List<Cell> cells) {
        return Math.exp(cells.stream()
                .map(Cell::subject)
                .distinct()
                .mapToDouble(subject ->
                        Math.log(rate(cells, subject, "Fulmar store") / rate(cells, subject, "file, force per commit")))
                .average()
                .orElseThrow());
    }

    private static double rate(List<Cell> cells, String subject, String rival) {
        return cells.stream()
                .filter(cell -> cell.rival().equals(rival) && cell.subject().equals(subject))
                .filter(cell -> cell.updatePercent() == MOST_UPDATES)
                .max(Comparator.comparingInt(Cell::threads))
                .orElseThrow()
                .perSecond();
    }

    private static List<String> limits() {
        int cores = Runtime.getRuntime().availableProcessors();
        return List.of(
                cores + " cores: more threads than that take turns, so nothing here speaks of scaling beyond " + cores
                        + " threads; TimeStone's figures are of 112 cores",
                "TimeStone draws timestamps from the processor's clock, the store from one counter: what that costs needs"
                        + " many cores to show",
                "emulated persistent memory is DRAM: its rates leave out the device, and no power failure is survived",
                "what PMDK itself writes is not counted here, but by the experiment write-amplification",
                "bytes written to the master heap include what loading had left in the checkpoint log: figures of fewer than"
                        + " three cycles of it say more of the loading than of the updates");
    }

    /** Figures that the authors report, on Intel DCPMM and 112 cores. */
    private static Map<String, String> paper() {
        return Map.of(
                "write amplification", "at most 1, of PMDK 70, on a hash table with 80 % updates",
                "coalescing", "7 % of writes reach the checkpoint log, 0.01 % the master objects",
                "throughput", "up to 100 times the other systems at 112 threads");
    }
}
