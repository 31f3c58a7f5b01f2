package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.ResultLedger;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Experiment that strikes reconfigurations of a cluster of real processes under TPC-C. A cluster has three nodes with
 * two copies of each partition, a spare partition, durability sync, and a ZooKeeper. Nodes are killed that change the
 * catalog, lead a source or lead a destination; all nodes lose power; the ZooKeeper is killed. Each reconfiguration
 * must end by itself soon after all nodes are back, with nothing lost, doubled or torn, and all copies equal.
 */
public final class ReconfigurationKills implements Experiment {
    private static final String NAME = "reconfiguration-kills";
    private static final int ROUNDS_OF_A_CHAPTER = 10;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "100 kills, 10 power cuts and 10 losses of ZooKeeper while keys of TPC-C move: moves end, nothing is lost, copies are equal";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        RandomSource random = new SeededRandom(settings.seed());
        Map<Strike.Kind, Integer> planned = StrikeSource.planned(settings.quick());
        List<Strike> strikes = new StrikeSource(random.split("strikes")).draw(planned);
        planned.keySet().retainAll(wanted(settings.only()));
        String way = fingerprint() + "/" + settings.seed() + (settings.quick() ? "/quick" : "");
        ResultLedger ledger = new ResultLedger(settings.directory(), NAME, way, RoundResult.COLUMNS);
        Map<Integer, RoundResult> told = new TreeMap<>();
        for (List<String> line : ledger.lines()) {
            RoundResult result = RoundResult.of(line);
            told.put(result.number(), result);
        }
        Chapter.Results results = result -> {
            told.put(result.number(), result);
            ledger.add(result.columns());
        };
        campaign(left(strikes, told, planned.keySet(), false), random, settings, results);
        Optional<String> obstacle = FuseMount.obstacle();
        if (obstacle.isEmpty()) {
            campaign(left(strikes, told, planned.keySet(), true), random, settings, results);
        } else if (planned.containsKey(Strike.Kind.POWER_CUT)) {
            settings.output().accept("no power cuts, so it cannot pass: " + obstacle.get());
            findings.series("skipped", "power cuts: " + obstacle.get());
        }
        List<RoundResult> rounds = told.values().stream()
                .filter(round -> planned.containsKey(round.kind()))
                .toList();
        RoundJudge.report(findings, planned, rounds);
        return findings;
    }

    /** The kinds of faults with these names; all without a name. */
    static Set<Strike.Kind> wanted(Set<String> names) {
        Set<Strike.Kind> kinds = EnumSet.allOf(Strike.Kind.class);
        Set<String> known = kinds.stream().map(Strike.Kind::part).collect(Collectors.toCollection(TreeSet::new));
        if (!known.containsAll(names)) {
            throw new IllegalArgumentException("there are no parts " + names + ", only " + known);
        }
        kinds.removeIf(kind -> !names.isEmpty() && !names.contains(kind.part()));
        return kinds;
    }

    /** Tells the rounds, chapter after chapter. A chapter ends early with a bad round. */
    private static void campaign(
            List<Chapter.Numbered> rounds, RandomSource random, Settings settings, Chapter.Results results)
            throws IOException, InterruptedException {
        List<Chapter.Numbered> left = new ArrayList<>(rounds);
        Set<Integer> told = new TreeSet<>();
        while (!left.isEmpty()) {
            tell(List.copyOf(left.subList(0, Math.min(left.size(), ROUNDS_OF_A_CHAPTER))), random, settings, result -> {
                told.add(result.number());
                results.add(result);
            });
            left.removeIf(each -> told.contains(each.number()));
        }
    }

    /** Rounds of these kinds that are not told yet, on nodes with disks that can lose power, or on nodes without. */
    static List<Chapter.Numbered> left(
            List<Strike> strikes, Map<Integer, RoundResult> told, Set<Strike.Kind> kinds, boolean onDisks) {
        List<Chapter.Numbered> left = new ArrayList<>();
        for (int number = 1; number <= strikes.size(); number++) {
            Strike strike = strikes.get(number - 1);
            if (kinds.contains(strike.kind()) && strike.kind().needsDisks() == onDisks && !told.containsKey(number)) {
                left.add(new Chapter.Numbered(number, strike));
            }
        }
        return left;
    }

    private static void tell(
            List<Chapter.Numbered> strikes, RandomSource random, Settings settings, Chapter.Results results)
            throws IOException, InterruptedException {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-" + NAME + "-");
        List<RoundResult> bad = new ArrayList<>();
        int first = strikes.getFirst().number();
        settings.output().accept("a chapter of " + strikes.size() + " rounds from round " + first + " on");
        new Chapter(random.split("chapter-" + first), directory.path(), settings.output()).run(strikes, result -> {
            results.add(result);
            if (!result.isGood()) {
                bad.add(result);
            }
        });
        if (bad.isEmpty()) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
    }

    /** Of the code that a node consists of, and of what strikes and judges it. */
    private static String fingerprint() {
        return CodeFingerprint.ofNode(Findings.class, ReconfigurationKills.class);
    }
}
