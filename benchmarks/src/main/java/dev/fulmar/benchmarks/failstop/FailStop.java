package dev.fulmar.benchmarks.failstop;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Strikes every thread of a node, as its JVM lists them, with errors, in a single node and in a cluster of three. Soon
 * after, the node serves, or it has ended with the status of a defect and other nodes lead its partitions; no
 * acknowledged transaction is lost. Strikes that are done are kept in a directory, and a later run goes on.
 */
public final class FailStop implements Experiment {
    public static final String NAME = "fail-stop";

    /** Stands for the fibers, which the JVM does not list. */
    static final String FIBER = "(a fiber)";

    private static final int QUICK_THREADS = 5;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String meaning() {
        return "each thread of a node struck by errors: it serves or is gone, with the right status, within 5 s";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        StrikeLedger ledger = new StrikeLedger(settings.directory(), fingerprint());
        BooleanSupplier isOver = clock(settings);
        Set<Trial> planned = new HashSet<>();
        long left = 0;
        for (int nodes : List.of(1, 3)) {
            StrikeCampaign campaign = new StrikeCampaign(nodes, ledger, isOver, settings.output());
            do {
                round(nodes, campaign, settings);
            } while (campaign.left() > 0 && !isOver.getAsBoolean());
            planned.addAll(campaign.planned());
            left += campaign.left();
        }
        return judged(settings.quick(), ledger, planned, left);
    }

    private static BooleanSupplier clock(Settings settings) {
        Duration limit = settings.timeLimit();
        long begun = System.nanoTime();
        return () -> limit != null && System.nanoTime() - begun >= limit.toNanos();
    }

    private static void round(int nodes, StrikeCampaign campaign, Settings settings)
            throws IOException, InterruptedException {
        TemporaryDirectory directory = TemporaryDirectory.create("fulmar-fail-stop-");
        boolean isWell = campaign.round(
                () -> StruckNode.start(directory.path().resolve("cluster"), nodes),
                living -> trials(nodes, living, settings));
        if (isWell) { // else people want to look at the files
            directory.close();
        } else {
            settings.output().accept("see the files in " + directory.path());
        }
    }

    /** Of the code that a node consists of, and of what strikes and judges it. */
    private static String fingerprint() {
        return CodeFingerprint.ofNode(FailStop.class);
    }

    /**
     * The findings of all runs on this code.
     *
     * @param planned strikes that were to be made; what was found before beside them counts as planned too
     * @param left how many of them the time did not suffice for
     */
    static Findings judged(boolean quick, StrikeLedger ledger, Set<Trial> planned, long left) throws IOException {
        Map<Trial, Outcome> struck = ledger.struck();
        Collection<Outcome> outcomes = struck.values();
        Set<Trial> all = new HashSet<>(planned);
        all.addAll(struck.keySet());
        Map<String, String> told = new TreeMap<>();
        struck.forEach((trial, outcome) ->
                told.put(trial.toString(), outcome.kind() + " after " + outcome.millis() + " ms, " + outcome.detail()));
        Findings findings = new Findings(NAME, quick, "sync");
        findings.check("fail-stop.half-alive", count(outcomes, Outcome.Kind.HALF_ALIVE));
        findings.check("fail-stop.wrong-status", count(outcomes, Outcome.Kind.WRONG_STATUS));
        findings.check("fail-stop.problems", ledger.losses().size());
        findings.check(
                "fail-stop.slowest",
                outcomes.stream()
                        .filter(Outcome::isGood)
                        .mapToDouble(Outcome::millis)
                        .max()
                        .orElse(0));
        findings.check("fail-stop.left", (double) left);
        findings.check("fail-stop.struck", all.isEmpty() ? 0 : (double) struck.size() / all.size());
        findings.series("strikes", struck.size());
        findings.series("planned", all.size());
        findings.series("outcomes", told);
        findings.series("spared", spared());
        findings.series("problems", ledger.losses());
        return findings;
    }

    private static double count(Collection<Outcome> outcomes, Outcome.Kind kind) {
        return outcomes.stream().filter(outcome -> outcome.kind() == kind).count();
    }

    /** Every thread by every error, or a sample; in random order, so that what a thread does at first is struck too. */
    static List<Trial> trials(int nodes, Set<String> living, Settings settings) throws IOException {
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
                trials.add(new Trial(nodes, thread, strike));
            }
        }
        if (!settings.quick()) {
            return trials;
        }
        List<Trial> sample = new ArrayList<>();
        for (int i = 0; i < QUICK_THREADS; i++) {
            sample.add(new Trial(nodes, threads.get(i % threads.size()), strikes[i % strikes.length]));
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
