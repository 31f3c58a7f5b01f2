package dev.fulmar.simulator.chaos;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.powercut.FuseMount;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Experiment that injects faults into clusters of real node processes, and judges the clients' history by the verifiers
 * of the simulator. A cluster has three nodes with two copies of each partition and a ZooKeeper, on the loopback
 * interface. Nodes are killed and stopped, ways between them and to the ZooKeeper are cut, wall clocks jump, disks are
 * slow or full, and all lose power at once.
 */
public final class Chaos implements Experiment {
    private static final int FAULTS_OF_A_CHAPTER = 10;
    private static final int FAULTS_OF_A_QUICK_CHAPTER = 4;

    private final Map<Fault.Kind, Integer> all = new EnumMap<>(Map.of(
            Fault.Kind.KILL,
            200,
            Fault.Kind.PARTITION,
            100,
            Fault.Kind.PAUSE,
            50,
            Fault.Kind.CLOCK_STEP,
            30,
            Fault.Kind.POWER_CUT,
            20,
            Fault.Kind.SLOW_DISK,
            20,
            Fault.Kind.FULL_DISK,
            20));

    private final Map<Fault.Kind, Integer> few = new EnumMap<>(Map.of(
            Fault.Kind.KILL,
            2,
            Fault.Kind.PARTITION,
            3,
            Fault.Kind.PAUSE,
            2,
            Fault.Kind.CLOCK_STEP,
            1,
            Fault.Kind.POWER_CUT,
            1,
            Fault.Kind.SLOW_DISK,
            1,
            Fault.Kind.FULL_DISK,
            2));

    /** A tenth of the faults that need no disks of their own. */
    private final Map<Fault.Kind, Integer> tenth = new EnumMap<>(
            Map.of(Fault.Kind.KILL, 20, Fault.Kind.PARTITION, 10, Fault.Kind.PAUSE, 5, Fault.Kind.CLOCK_STEP, 3));

    private final @Nullable Path ledger;

    /** A campaign that keeps nothing. */
    public Chaos() {
        this(null);
    }

    /** @param ledger file of the chapters that were told, which are not told again; null to keep nothing */
    public Chaos(@Nullable Path ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public String meaning() {
        return "kills, pauses, partitions, bad disks and clocks, power cuts of a real cluster: nothing lost, strictly serializable";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        judge(settings, findings, settings.quick() ? few : all);
        return findings;
    }

    /** Adds to the findings of another experiment what a tenth of the faults shows. */
    public void judgeBriefly(Settings settings, Findings findings) throws Exception {
        judge(settings, findings, settings.quick() ? Map.of(Fault.Kind.KILL, 2) : tenth);
    }

    private void judge(Settings settings, Findings findings, Map<Fault.Kind, Integer> faults) throws Exception {
        Map<Fault.Kind, Integer> planned = new EnumMap<>(faults);
        Optional<String> obstacle = FuseMount.obstacle();
        if (obstacle.isPresent()) {
            settings.output().accept("no power cuts and no faults of disks: " + obstacle.get());
            planned.replaceAll((kind, count) -> kind.needsDisks() ? 0 : count);
        }
        RandomSource random = new SeededRandom(settings.seed());
        ChaosLedger past = ChaosLedger.open(ledger);
        ChaosTally tally = new ChaosTally();
        int number = 0;
        for (List<Fault> chapter : chapters(planned, settings.quick(), random.split("faults"))) {
            RandomSource own = random.split("chapter-" + ++number);
            String key = settings.seed() + "/" + number + "/" + keyOf(chapter);
            ChaosTally known = past.of(key);
            if (known == null) {
                settings.output().accept("chapter " + number + ", " + chapter.size() + " faults");
                known = tell(chapter, own, settings);
                past.add(key, known);
            } else {
                settings.output().accept("chapter " + number + " was told before");
            }
            tally.add(known);
        }
        tally.report(findings, planned);
    }

    /** The same for the same faults, in every process. */
    static String keyOf(List<Fault> chapter) {
        String text = chapter.stream()
                .map(fault ->
                        fault instanceof Fault.Partition cut ? cut.shape() + " " + cut.millis() : fault.toString())
                .collect(Collectors.joining(","));
        return Integer.toHexString(text.hashCode());
    }

    private static ChaosTally tell(List<Fault> faults, RandomSource random, Settings settings) throws Exception {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-chaos-");
        ChaosTally tally = new ChaosTally();
        try {
            new ChaosChapter(random, directory.path(), tally, settings.output()).run(faults);
        } catch (IllegalStateException stuck) { // the cluster did not get well again, or a node did not come back
            settings.output().accept("the chapter broke: " + stuck.getMessage());
            tally.broke(String.valueOf(stuck.getMessage()));
        }
        if (tally.violations() == 0) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
        return tally;
    }

    /** All that is planned, in random order; what strikes disks in chapters of its own, for those disks are slow. */
    static List<List<Fault>> chapters(Map<Fault.Kind, Integer> planned, boolean quick, RandomSource random) {
        FaultSource source = new FaultSource(random, ChaosChapter.NODES, quick);
        List<Fault> usual = new ArrayList<>();
        List<Fault> ofDisks = new ArrayList<>();
        planned.forEach((kind, count) -> {
            for (int i = 0; i < count; i++) {
                (kind.needsDisks() ? ofDisks : usual).add(source.next(kind));
            }
        });
        shuffle(usual, random);
        shuffle(ofDisks, random);
        int length = quick ? FAULTS_OF_A_QUICK_CHAPTER : FAULTS_OF_A_CHAPTER;
        List<List<Fault>> chapters = new ArrayList<>();
        split(usual, length, chapters);
        split(ofDisks, length, chapters);
        return chapters;
    }

    private static void shuffle(List<Fault> faults, RandomSource random) {
        for (int i = faults.size() - 1; i > 0; i--) {
            int place = random.nextInt(i + 1);
            Fault moved = faults.set(place, faults.get(i));
            faults.set(i, moved);
        }
    }

    private static void split(List<Fault> faults, int length, List<List<Fault>> chapters) {
        for (int from = 0; from < faults.size(); from += length) {
            chapters.add(List.copyOf(faults.subList(from, Math.min(faults.size(), from + length))));
        }
    }
}
