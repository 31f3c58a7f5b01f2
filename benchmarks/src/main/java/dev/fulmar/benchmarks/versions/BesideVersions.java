package dev.fulmar.benchmarks.versions;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.MeanRatio;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Processor time of calls of this build, beside other builds in the same process. A process compiles the code of all of
 * them once, in its own way; so there are many processes, and an interval. The homes of the others come in the variable
 * {@code FULMAR_OTHER_HOMES} of the environment, with commas. Processes that are done are kept in a directory, and a
 * later run goes on.
 */
public final class BesideVersions implements Experiment {
    private static final String NAME = "beside-versions";
    private static final String HOMES = "FULMAR_OTHER_HOMES";
    private static final int PROCESSES = 30;
    private static final int QUICK_PROCESSES = 2;
    private static final int SLICES = 80;
    private static final int QUICK_SLICES = 20;

    private final ObjectMapper json = new ObjectMapper();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "processor time of reads, updates and TPC-C-lite, beside other builds in one process";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        String homes = System.getenv(HOMES);
        if (homes == null) {
            throw new IllegalArgumentException(
                    "set " + HOMES + " to the directories of other checkouts, each built with mvn -DskipTests package");
        }
        int planned = settings.quick() ? QUICK_PROCESSES : PROCESSES;
        StringBuilder way = new StringBuilder(CodeFingerprint.ofNode(BesideVersions.class));
        for (String home : homes.split(",")) {
            way.append(' ').append(home).append(' ').append(OtherBuild.fingerprint(Path.of(home)));
        }
        way.append(settings.quick() ? " quick" : "");
        ResultLedger ledger = new ResultLedger(settings.directory(), NAME, way.toString(), 1);
        List<CostPair> pairs = new ArrayList<>();
        for (List<String> line : ledger.lines()) {
            pairs.add(json.readValue(line.getFirst(), CostPair.class));
        }
        while (pairs.size() < planned) {
            CostPair pair = measure(pairs.size() + 1, settings.quick() ? QUICK_SLICES : SLICES, homes);
            pairs.add(pair);
            ledger.add(List.of(json.writeValueAsString(pair)));
            pair.costs().forEach(cost -> settings.output().accept(text(pair.number(), cost)));
        }
        Findings findings = new Findings(NAME, settings.quick(), "none");
        report(findings, planned, pairs);
        return findings;
    }

    private CostPair measure(int number, int slices, String homes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(slices), Boolean.toString(number % 2 == 0)));
        arguments.addAll(List.of(homes.split(",")));
        try (JavaChild process = JavaChild.start(BuildTurns.class, List.of("-Xmx2g"), arguments)) {
            List<CostPair.Cost> costs =
                    json.readValue(process.awaitLine(BuildTurns.COSTS), new TypeReference<List<CostPair.Cost>>() {});
            return new CostPair(number, costs);
        }
    }

    private static String text(int number, CostPair.Cost cost) {
        return String.format(
                Locale.ROOT,
                "process %d: %s takes %.0f ns of processor time, %.3f of %s",
                number,
                cost.kind(),
                cost.ownNanos(),
                cost.ratio(),
                cost.home());
    }

    static void report(Findings findings, int planned, List<CostPair> pairs) {
        findings.check(NAME + ".processes", (double) pairs.size() / planned);
        List<CostPair.Cost> first =
                pairs.isEmpty() ? List.of() : pairs.getFirst().costs();
        for (CostPair.Cost sample : first) {
            List<Double> ratios = pairs.stream()
                    .flatMap(pair -> pair.costs().stream())
                    .filter(cost ->
                            cost.kind().equals(sample.kind()) && cost.home().equals(sample.home()))
                    .map(CostPair.Cost::ratio)
                    .toList();
            MeanRatio ratio = MeanRatio.of(ratios);
            String theCase = sample.kind().toLowerCase(Locale.ROOT) + ", " + sample.home();
            findings.check(NAME + ".cost", theCase, ratio.highest());
            findings.series(theCase, ratio);
        }
        findings.series("pairs", pairs);
    }
}
