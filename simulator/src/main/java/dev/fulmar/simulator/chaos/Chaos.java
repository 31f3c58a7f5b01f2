package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Faults in clusters of real processes: three nodes with two copies of each partition and a ZooKeeper, on the loopback interface. Nodes are killed and
 * stopped, ways between them and to the ZooKeeper are cut, and all lose power at once. The history that clients saw is judged as those of the simulator are.
 */
public final class Chaos implements Experiment {
    private static final int FAULTS_OF_A_CHAPTER = 10;
    private static final int FAULTS_OF_A_QUICK_CHAPTER = 4;

    private final Map<Fault.Kind, Integer> all = new EnumMap<>(
            Map.of(Fault.Kind.KILL, 200, Fault.Kind.PARTITION, 100, Fault.Kind.PAUSE, 50, Fault.Kind.POWER_CUT, 20));

    private final Map<Fault.Kind, Integer> few = new EnumMap<>(
            Map.of(Fault.Kind.KILL, 2, Fault.Kind.PARTITION, 3, Fault.Kind.PAUSE, 2, Fault.Kind.POWER_CUT, 1));

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public String meaning() {
        return "kills, pauses, partitions and power cuts of a real cluster: nothing lost, strictly serializable";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        Map<Fault.Kind, Integer> planned = new EnumMap<>(settings.quick() ? few : all);
        Optional<String> obstacle = FuseMount.obstacle();
        if (obstacle.isPresent()) {
            settings.output().accept("no power cuts: " + obstacle.get());
            planned.put(Fault.Kind.POWER_CUT, 0);
        }
        RandomSource random = new SeededRandom(settings.seed());
        ChaosTally tally = new ChaosTally();
        int number = 0;
        for (List<Fault> chapter : chapters(planned, settings.quick(), random.split("faults"))) {
            RandomSource own = random.split("chapter-" + ++number);
            settings.output().accept("chapter " + number + ", " + chapter.size() + " faults");
            tell(chapter, own, tally, settings);
        }
        tally.report(findings, planned);
        return findings;
    }

    private static void tell(List<Fault> faults, RandomSource random, ChaosTally tally, Settings settings)
            throws Exception {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-chaos-");
        int before = tally.violations();
        try {
            new ChaosChapter(random, directory.path(), tally, settings.output()).run(faults);
        } catch (IllegalStateException stuck) { // the cluster did not get well again, or a node did not come back
            settings.output().accept("the chapter broke: " + stuck.getMessage());
            tally.broke(String.valueOf(stuck.getMessage()));
        }
        if (tally.violations() == before) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
    }

    /** All that is planned, in random order; power cuts in chapters of their own, for their disks are slow. */
    static List<List<Fault>> chapters(Map<Fault.Kind, Integer> planned, boolean quick, RandomSource random) {
        FaultSource source = new FaultSource(random, ChaosChapter.NODES, quick);
        List<Fault> usual = new ArrayList<>();
        List<Fault> cuts = new ArrayList<>();
        planned.forEach((kind, count) -> {
            for (int i = 0; i < count; i++) {
                (kind == Fault.Kind.POWER_CUT ? cuts : usual).add(source.next(kind));
            }
        });
        for (int i = usual.size() - 1; i > 0; i--) {
            int place = random.nextInt(i + 1);
            Fault moved = usual.set(place, usual.get(i));
            usual.set(i, moved);
        }
        int length = quick ? FAULTS_OF_A_QUICK_CHAPTER : FAULTS_OF_A_CHAPTER;
        List<List<Fault>> chapters = new ArrayList<>();
        split(usual, length, chapters);
        split(cuts, length, chapters);
        return chapters;
    }

    private static void split(List<Fault> faults, int length, List<List<Fault>> chapters) {
        for (int from = 0; from < faults.size(); from += length) {
            chapters.add(List.copyOf(faults.subList(from, Math.min(faults.size(), from + length))));
        }
    }
}
