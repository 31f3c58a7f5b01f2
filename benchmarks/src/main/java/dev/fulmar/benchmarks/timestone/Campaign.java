package dev.fulmar.benchmarks.timestone;

import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Campaign that measures all rivals on all subjects. */
public final class Campaign {
    private static final List<Integer> UPDATE_PERCENTS = List.of(2, 20, 80);
    private static final Path MEMORY = Path.of("/dev/shm");

    private final boolean quick;
    private final long seed;
    private final Consumer<String> output;
    private final List<Cell> cells = new ArrayList<>();
    private final List<Amplification> amplifications = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();
    private long damaged;
    private long differences;

    /** A rate: of one rival, on one subject, with so many updates and threads. */
    public record Cell(
            String rival,
            boolean emulated,
            String durability,
            String subject,
            int updatePercent,
            int threads,
            double perSecond,
            double p50Micros,
            double p99Micros,
            double conflictsPerOperation) {}

    /**
     * Writes of the store in one subject's trials.
     *
     * @param perObjectByte all bytes written for each byte of the objects that commits wrote
     * @param perChangedByte the same for each byte that commits changed
     * @param clogShare object writes that reached the checkpoint log
     * @param masterShare object writes that reached the master heap
     * @param clogCycles how often the checkpoint log was filled
     */
    public record Amplification(
            String rival,
            boolean emulated,
            String subject,
            int updatePercent,
            double perObjectByte,
            double perChangedByte,
            double logPerObjectByte,
            double clogPerObjectByte,
            double masterPerObjectByte,
            double clogShare,
            double masterShare,
            double clogCycles,
            double fencesPerCommit) {}

    /** @param quick shorter trials and fewer threads */
    public Campaign(boolean quick, long seed, Consumer<String> output) {
        this.quick = quick;
        this.seed = seed;
        this.output = output;
    }

    public List<Cell> cells() {
        return List.copyOf(cells);
    }

    public List<Amplification> amplifications() {
        return List.copyOf(amplifications);
    }

    /** Rivals that could not take part, and why. */
    public List<String> absent() {
        return List.copyOf(absent);
    }

    /** Structures that were not what they must be. */
    public long damaged() {
        return damaged;
    }

    /** Parts that a restart did not find, or found too many. */
    public long differences() {
        return differences;
    }

    private List<Integer> threads() {
        return quick ? List.of(1, 2, 4) : List.of(1, 2, 4, 8);
    }

    private static List<Subject> subjects() {
        return List.of(
                new Subject.Keys("linked list of 200", new SortedList(), 200),
                new Subject.Keys("hash table of 10,000", new HashTable(1_000), 10_000),
                new Subject.Keys("search tree of 10,000", new SearchTree(), 10_000),
                Subject.Ycsb.of(10_000));
    }

    /** Runs everything. Rivals on one medium take turns, so that what else the machine does meets all of them. */
    public void run() {
        for (boolean emulated : new boolean[] {false, true}) {
            for (String title : subjects().stream().map(Subject::title).toList()) {
                List<Entrant> entrants = enter(emulated, title);
                try {
                    measure(entrants);
                    entrants.forEach(this::finish);
                    output.accept((emulated ? "emulated: " : "real: ") + title + " done");
                } finally {
                    entrants.forEach(entrant -> delete(entrant.directory()));
                }
            }
        }
    }

    /** A rival with a subject of its own. */
    private record Entrant(Rival rival, Subject subject, Path directory, Nodes nodes) {}

    private List<Entrant> enter(boolean emulated, String title) {
        List<Entrant> entrants = new ArrayList<>();
        for (Rival rival : Rival.values()) {
            if (rival.isEmulated() != emulated) {
                continue;
            }
            Path directory = temporary(rival);
            try {
                Subject subject = subjects().stream()
                        .filter(each -> each.title().equals(title))
                        .findFirst()
                        .orElseThrow();
                Nodes nodes = rival.open(directory);
                try (Nodes.Access access = nodes.access()) {
                    subject.load(access);
                }
                entrants.add(new Entrant(rival, subject, directory, nodes));
            } catch (LinkageError | FulmarException e) {
                delete(directory);
                if (!emulated) {
                    throw e;
                }
                if (absent.stream().noneMatch(each -> each.startsWith(rival.title()))) {
                    absent.add(rival.title() + ": " + e.getMessage());
                    output.accept("without " + rival.title() + ": " + e.getMessage());
                }
            }
        }
        return entrants;
    }

    private void measure(List<Entrant> entrants) {
        int rounds = quick ? 3 : 5;
        long nanos = quick ? 60_000_000L : 700_000_000L;
        for (int updatePercent : UPDATE_PERCENTS) {
            Map<Rival, Map<String, Double>> before = new EnumMap<>(Rival.class);
            entrants.forEach(entrant -> before.put(entrant.rival(), drained(entrant.nodes())));
            for (int threads : threads()) {
                Map<Rival, List<Trial.Result>> results = new EnumMap<>(Rival.class);
                for (int round = 0; round < rounds; round++) {
                    for (Entrant entrant : entrants) {
                        Trial.Result result = Trial.run(
                                entrant.nodes(),
                                threads,
                                nanos,
                                seed + 100L * round + threads,
                                entrant.subject().operation(updatePercent));
                        results.computeIfAbsent(entrant.rival(), rival -> new ArrayList<>())
                                .add(result);
                    }
                }
                entrants.forEach(entrant -> cells.add(cell(
                        entrant, updatePercent, threads, median(results.getOrDefault(entrant.rival(), List.of())))));
            }
            for (Entrant entrant : entrants) {
                if (entrant.rival().isStore()) {
                    amplifications.add(amplification(
                            entrant.rival(),
                            entrant.subject(),
                            updatePercent,
                            before.getOrDefault(entrant.rival(), Map.of()),
                            drained(entrant.nodes())));
                }
            }
        }
    }

    private static Trial.Result median(List<Trial.Result> results) {
        return results.stream()
                .sorted(Comparator.comparingDouble(Trial.Result::perSecond))
                .toList()
                .get(results.size() / 2);
    }

    private static Cell cell(Entrant entrant, int updatePercent, int threads, Trial.Result result) {
        return new Cell(
                entrant.rival().title(),
                entrant.rival().isEmulated(),
                entrant.rival().durability(entrant.directory()),
                entrant.subject().title(),
                updatePercent,
                threads,
                result.perSecond(),
                result.p50Micros(),
                result.p99Micros(),
                result.conflictsPerOperation());
    }

    /** Checks the final state, and whether a restart finds the same. */
    private void finish(Entrant entrant) {
        try {
            long count;
            try (Nodes nodes = entrant.nodes();
                    Nodes.Access access = nodes.access()) {
                count = entrant.subject().count(access);
            }
            if (entrant.rival().isStore()) {
                try (Nodes again = entrant.rival().open(entrant.directory());
                        Nodes.Access access = again.access()) {
                    differences += Math.abs(entrant.subject().count(access) - count);
                }
            }
        } catch (IllegalStateException e) {
            output.accept(entrant.rival().title() + ", " + entrant.subject().title() + ": " + e);
            damaged++;
        }
    }

    private static Map<String, Double> drained(Nodes nodes) {
        if (nodes instanceof StoreNodes store) {
            store.drain();
        }
        return nodes.figures();
    }

    private static Amplification amplification(
            Rival rival, Subject subject, int updatePercent, Map<String, Double> before, Map<String, Double> after) {
        Map<String, Double> grown = new TreeMap<>();
        after.forEach((name, value) -> grown.put(name, value - before.getOrDefault(name, 0.0)));
        double objects = Math.max(1, grown.getOrDefault("objectBytes", 0.0));
        double changed = Math.max(1, grown.getOrDefault("changedBytes", 0.0));
        double writes = Math.max(1, grown.getOrDefault("objectWrites", 0.0));
        double log = grown.getOrDefault("logBytes", 0.0);
        double clog = grown.getOrDefault("clogBytes", 0.0) + grown.getOrDefault("superblockBytes", 0.0);
        double master = grown.getOrDefault("masterBytes", 0.0);
        return new Amplification(
                rival.title(),
                rival.isEmulated(),
                subject.title(),
                updatePercent,
                (log + clog + master) / objects,
                (log + clog + master) / changed,
                log / objects,
                clog / objects,
                master / objects,
                grown.getOrDefault("clogImages", 0.0) / writes,
                grown.getOrDefault("masterImages", 0.0) / writes,
                grown.getOrDefault("clogBytes", 0.0) / StoreNodes.CLOG_BYTES,
                grown.getOrDefault("fences", 0.0) / Math.max(1, grown.getOrDefault("commits", 0.0)));
    }

    /** Pictures by name. What is emulated has pictures of its own. */
    public Map<String, String> pictures() {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (boolean emulated : new boolean[] {false, true}) {
            List<Cell> shown =
                    cells.stream().filter(cell -> cell.emulated() == emulated).toList();
            for (String subject : shown.stream().map(Cell::subject).distinct().toList()) {
                for (int updatePercent : UPDATE_PERCENTS) {
                    pictures.put(
                            fileName(emulated, subject, updatePercent + "-percent"),
                            throughput(emulated, subject, updatePercent, shown));
                }
            }
            if (amplifications.stream().anyMatch(each -> each.emulated() == emulated)) {
                pictures.put(fileName(emulated, "bytes written", ""), written(emulated));
                pictures.put(fileName(emulated, "coalescing", ""), coalescing(emulated));
            }
        }
        return pictures;
    }

    private static String fileName(boolean emulated, String subject, String rest) {
        String text = (emulated ? "emulated " : "real ") + subject + " " + rest;
        return text.strip().replaceAll("[^a-zA-Z0-9]+", "-");
    }

    private static String medium(boolean emulated) {
        return emulated
                ? "EMULATED persistent memory: rates of instructions, not of a device"
                : "files on this machine's disk, each commit durable when it returns";
    }

    private String throughput(boolean emulated, String subject, int updatePercent, List<Cell> shown) {
        LineChart chart = new LineChart(
                subject + ", " + updatePercent + " % updates",
                medium(emulated),
                "operations/s",
                threads().stream().map(count -> count + " threads").toList());
        for (String rival : shown.stream().map(Cell::rival).distinct().toList()) {
            List<Double> rates = shown.stream()
                    .filter(cell -> cell.rival().equals(rival)
                            && cell.subject().equals(subject)
                            && cell.updatePercent() == updatePercent)
                    .map(Cell::perSecond)
                    .toList();
            if (rates.size() == threads().size()) {
                chart.line(rival, rates);
            }
        }
        return chart.toSvg();
    }

    private List<Amplification> of(boolean emulated, String subject) {
        return amplifications.stream()
                .filter(each -> each.emulated() == emulated && each.subject().equals(subject))
                .toList();
    }

    private List<String> measuredSubjects(boolean emulated) {
        return amplifications.stream()
                .filter(each -> each.emulated() == emulated)
                .map(Amplification::subject)
                .distinct()
                .toList();
    }

    private String written(boolean emulated) {
        LineChart chart = new LineChart(
                "Bytes written for each byte of objects written",
                medium(emulated),
                "bytes/byte",
                UPDATE_PERCENTS.stream().map(percent -> percent + " % updates").toList());
        for (String subject : measuredSubjects(emulated)) {
            chart.line(
                    subject,
                    of(emulated, subject).stream()
                            .map(Amplification::perObjectByte)
                            .toList());
        }
        return chart.toSvg();
    }

    private String coalescing(boolean emulated) {
        LineChart chart = new LineChart(
                "Object writes that reach a layer, at 80 % updates",
                medium(emulated), "share", List.of("Tlog", "Clog", "master heap"));
        for (String subject : measuredSubjects(emulated)) {
            Amplification most = of(emulated, subject).getLast();
            chart.line(subject, List.of(1.0, most.clogShare(), most.masterShare()));
        }
        return chart.toSvg();
    }

    private static Path temporary(Rival rival) {
        try {
            return rival.isEmulated() && Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "fulmar-timestone")
                    : Files.createTempDirectory("fulmar-timestone");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path path : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
