package dev.fulmar.benchmarks.failstop;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Every thread of a node, as its JVM lists them, is struck by errors, in a node that is alone and in a cluster of three. Soon after the node serves or is gone
 * with the status of a defect, and others lead what it led; nothing acknowledged is lost.
 */
public final class FailStop implements Experiment {
    /** Stands for the fibers, which the JVM does not list. */
    static final String FIBER = "(a fiber)";

    private static final int QUICK_THREADS = 5;

    /** A thread that comes and goes may not be there, or an earlier strike ended it and its node served without. */
    private static final int ATTEMPTS = 2;

    @Override
    public String name() {
        return "fail-stop";
    }

    @Override
    public String meaning() {
        return "each thread of a node struck by errors: it serves or is gone, with the right status, within 5 s";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        Tally tally = new Tally();
        for (int nodes : List.of(1, 3)) {
            campaign(nodes, settings, tally);
        }
        findings.check("fail-stop.half-alive", tally.halfAlive);
        findings.check("fail-stop.wrong-status", tally.wrongStatus);
        findings.check("fail-stop.problems", tally.problems.size());
        findings.check("fail-stop.slowest", (double) tally.slowestMillis);
        findings.check("fail-stop.struck", (double) tally.strikes / tally.planned);
        findings.series("strikes", tally.strikes);
        findings.series("planned", tally.planned);
        findings.series("outcomes", tally.outcomes);
        findings.series("spared", spared());
        findings.series("problems", tally.problems);
        return findings;
    }

    private static final class Tally {
        private int planned;
        private int strikes;
        private int halfAlive;
        private int wrongStatus;
        private long slowestMillis;
        private final List<String> problems = new ArrayList<>();
        private final Map<String, String> outcomes = new TreeMap<>();
    }

    private record Trial(String thread, Strike strike) {}

    private static void campaign(int nodes, Settings settings, Tally tally) throws IOException, InterruptedException {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-fail-stop-");
        boolean isWell;
        try (StruckNode struck = StruckNode.start(directory.path().resolve("cluster"), nodes)) {
            isWell = campaign(nodes, struck, settings, tally);
        }
        if (isWell) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
    }

    private static boolean campaign(int nodes, StruckNode struck, Settings settings, Tally tally)
            throws IOException, InterruptedException {
        boolean isWell = true;
        List<Trial> trials = trials(struck.threads(struck.leader()), settings);
        tally.planned += trials.size();
        for (Trial trial : trials) {
            int node = struck.leader();
            StruckNode.Outcome outcome = struck.strike(node, trial.thread, trial.strike);
            for (int again = 1; outcome == null && again < ATTEMPTS; again++) {
                struck.restore(node, null);
                node = struck.leader();
                outcome = struck.strike(node, trial.thread, trial.strike);
            }
            String what = nodes + " nodes, " + trial.thread + ", " + trial.strike;
            if (outcome == null) {
                settings.output().accept(what + ": there is no such thread now");
                continue;
            }
            settings.output().accept(what + ": " + outcome);
            isWell &= count(what, outcome, tally);
            struck.restore(node, outcome);
        }
        List<String> problems = struck.finish();
        problems.forEach(settings.output());
        tally.problems.addAll(problems);
        return isWell && problems.isEmpty();
    }

    private static boolean count(String what, StruckNode.Outcome outcome, Tally tally) {
        tally.strikes++;
        tally.outcomes.put(what, outcome.kind() + " after " + outcome.millis() + " ms, " + outcome.detail());
        switch (outcome.kind()) {
            case SERVES, ENDED -> {
                tally.slowestMillis = Math.max(tally.slowestMillis, outcome.millis());
                return true;
            }
            case WRONG_STATUS -> tally.wrongStatus++;
            case HALF_ALIVE -> tally.halfAlive++;
        }
        return false;
    }

    /** Every thread by every error, or a sample; in random order, so that what a thread does at first is struck too. */
    private static List<Trial> trials(Set<String> living, Settings settings) throws IOException {
        Random random = new Random(settings.seed());
        Set<String> names = new TreeSet<>(living);
        names.removeAll(spared());
        names.add(FIBER);
        List<String> threads = new ArrayList<>(names);
        Collections.shuffle(threads, random);
        List<Trial> trials = new ArrayList<>();
        Strike[] strikes = Strike.values();
        for (String thread : settings.only().isEmpty() ? threads : List.copyOf(settings.only())) {
            for (Strike strike : strikes) {
                trials.add(new Trial(thread, strike));
            }
        }
        if (!settings.quick()) {
            return trials;
        }
        List<Trial> sample = new ArrayList<>();
        for (int i = 0; i < QUICK_THREADS; i++) {
            sample.add(new Trial(threads.get(i % threads.size()), strikes[i % strikes.length]));
        }
        return sample;
    }

    /** The committed list of threads that are not struck. */
    static Set<String> spared() throws IOException {
        try (InputStream content = FailStop.class.getResourceAsStream("spared-threads.txt")) {
            if (content == null) {
                throw new IOException("the list of spared threads is missing");
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
