package dev.fulmar.benchmarks.exhaustion;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A node under load runs out of descriptors, threads, disk or heap, alone and in a cluster of three where it leads
 * partitions. It serves again soon after it has them again, or has ended with the right status and others lead what it
 * led; nothing acknowledged is lost.
 */
public final class Exhaustion implements Experiment {
    private static final Duration HELD = Duration.ofSeconds(15);
    private static final Duration QUICK_HELD = Duration.ofSeconds(8);
    private static final List<String> RESOURCES = List.of("descriptors", "threads", "log-disk", "heap");
    private static final List<Integer> HEAP_MEBIBYTES = List.of(256, 1024);
    private static final List<Integer> CLIENTS = List.of(20, 200);

    @Override
    public String name() {
        return "exhaustion";
    }

    @Override
    public String meaning() {
        return "a node runs out of descriptors, threads, disk or heap: it serves again or is gone, with the right status";
    }

    /** A shortage in a cluster of that many nodes. */
    private record Case(int nodes, ShortageMaker shortage) {}

    /** Makes a shortage for one case, in its directory and with its writer of large values. */
    @FunctionalInterface
    private interface ShortageMaker {
        Shortage of(Path directory, BulkWriter writer);
    }

    private static final class Tally {
        private int planned;
        private int reached;
        private int halfAlive;
        private int wrongStatus;
        private long slowestMillis;
        private final List<String> problems = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();
        private final Map<String, String> outcomes = new TreeMap<>();
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        Tally tally = new Tally();
        for (Case each : cases(settings)) {
            tally.planned++;
            run(each, settings, tally);
        }
        if (tally.planned == 0) {
            throw new IllegalArgumentException("there are no parts " + settings.only() + ", only " + RESOURCES);
        }
        findings.check("exhaustion.half-alive", tally.halfAlive);
        findings.check("exhaustion.wrong-status", tally.wrongStatus);
        findings.check("exhaustion.problems", tally.problems.size());
        findings.check("exhaustion.slowest", (double) tally.slowestMillis);
        findings.check("exhaustion.reached", (double) tally.reached / tally.planned);
        findings.series("planned", tally.planned);
        findings.series("outcomes", tally.outcomes);
        findings.series("skipped", tally.skipped);
        findings.series("problems", tally.problems);
        return findings;
    }

    private static List<Case> cases(Settings settings) {
        List<Case> cases = new ArrayList<>();
        for (int nodes : settings.quick() ? List.of(1) : List.of(1, 3)) {
            for (String resource : RESOURCES) {
                if (settings.only().isEmpty() || settings.only().contains(resource)) {
                    shortages(resource, settings.quick()).forEach(shortage -> cases.add(new Case(nodes, shortage)));
                }
            }
        }
        return cases;
    }

    private static List<ShortageMaker> shortages(String resource, boolean quick) {
        return switch (resource) {
            case "descriptors" -> List.of((directory, writer) -> new DescriptorShortage());
            case "threads" -> List.of((directory, writer) -> new ThreadShortage());
            case "log-disk" ->
                List.of(
                        (directory, writer) -> new LogDiskShortage(writer),
                        (directory, writer) -> new MessageDiskShortage(directory.resolve("logback.xml")));
            case "heap" -> heaps(quick);
            default -> throw new IllegalArgumentException("there is no part " + resource);
        };
    }

    private static List<ShortageMaker> heaps(boolean quick) {
        List<ShortageMaker> heaps = new ArrayList<>();
        for (int mebibytes : quick ? HEAP_MEBIBYTES.subList(0, 1) : HEAP_MEBIBYTES) {
            for (int clients : quick ? CLIENTS.subList(0, 1) : CLIENTS) {
                heaps.add((directory, writer) -> new HeapShortage(mebibytes, clients));
            }
        }
        return heaps;
    }

    private static void run(Case each, Settings settings, Tally tally) throws IOException, InterruptedException {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-exhaustion-");
        BulkWriter writer = new BulkWriter();
        Shortage shortage = each.shortage.of(directory.path(), writer);
        String what = each.nodes + " nodes, " + shortage.name();
        Optional<String> obstacle = shortage.obstacle();
        if (obstacle.isPresent()) {
            settings.output().accept(what + ": skipped, " + obstacle.get());
            tally.skipped.add(what + ": " + obstacle.get());
            directory.close();
            return;
        }
        boolean isWell;
        try (shortage) {
            shortage.prepare(directory.path());
            isWell = run(what, each, directory.path(), shortage, writer, settings, tally);
        }
        keepLogs(what, each.nodes, directory.path(), settings);
        if (isWell) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
    }

    private static boolean run(
            String what,
            Case each,
            Path directory,
            Shortage shortage,
            BulkWriter writer,
            Settings settings,
            Tally tally)
            throws IOException, InterruptedException {
        try (ExhaustedNode node = ExhaustedNode.start(directory, each.nodes, shortage, writer)) {
            ExhaustedNode.Course course = node.run(shortage, settings.quick() ? QUICK_HELD : HELD);
            settings.output().accept(what + ": " + course + " " + node.lastWords());
            List<String> problems = node.verify();
            settings.output().accept(what + ": clients met " + node.failures());
            for (String problem : problems) {
                settings.output().accept(what + ": " + problem);
                tally.problems.add(what + ": " + problem);
            }
            count(what, course, tally);
            return course.outcome().isGood() && course.isReached() && problems.isEmpty();
        }
    }

    /** Keeps what the nodes said, if the caller named a directory. */
    private static void keepLogs(String what, int nodes, Path directory, Settings settings) throws IOException {
        Path wanted = settings.directory();
        if (wanted != null) {
            Path place = Files.createDirectories(wanted.resolve(what.replaceAll("\\W+", "-")));
            for (int node = 1; node <= nodes; node++) {
                String name = "node" + node + ".log";
                Files.copy(directory.resolve(name), place.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void count(String what, ExhaustedNode.Course course, Tally tally) {
        Judge.Outcome outcome = course.outcome();
        tally.reached += course.isReached() ? 1 : 0;
        tally.outcomes.put(
                what,
                outcome.kind() + " after " + outcome.millis() + " ms, " + outcome.detail()
                        + (course.isReached() ? "" : "; nothing ran out"));
        switch (outcome.kind()) {
            case SERVES, ENDED -> tally.slowestMillis = Math.max(tally.slowestMillis, outcome.millis());
            case WRONG_STATUS -> tally.wrongStatus++;
            case HALF_ALIVE -> tally.halfAlive++;
        }
    }
}
