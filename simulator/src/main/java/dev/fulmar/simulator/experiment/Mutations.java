package dev.fulmar.simulator.experiment;

import dev.fulmar.benchmarks.experiment.CodeFingerprint;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.simulator.mutation.MutatedCampaign;
import dev.fulmar.simulator.mutation.SourcePatch;
import dev.fulmar.simulator.mutation.StandardCampaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Experiment on planted bugs: the standard campaign finds each of them, and finds nothing without one. */
public final class Mutations implements Experiment {
    private static final int SEEDS = 2_000;
    private static final int QUICK_SEEDS = 150;
    private static final int MINUTES = 20;
    private static final int QUICK_MINUTES = 3;
    private static final int CONTROL_SEEDS = 120;
    private static final int CONTROL_CRASH_SEEDS = 3;
    private static final int CONTROL_CLUSTER_SEEDS = 60;
    private static final int EVIDENCE_SHOWN = 250;
    private static final int PLANTERS = 2;
    private static final String SESSIONS = "session-mutations";

    private final String name;
    private final String directory;
    private final List<StandardCampaign> campaigns;

    private Mutations(String name, String directory, StandardCampaign... campaigns) {
        this.name = name;
        this.directory = directory;
        this.campaigns = List.of(campaigns);
    }

    /** Of one node. */
    static Mutations ofNodes() {
        return new Mutations(
                "mutations", "it-tests/mutations", StandardCampaign.SERIALIZABILITY, StandardCampaign.DURABILITY);
    }

    /** Of clusters. */
    static Mutations ofClusters() {
        return new Mutations(
                "cluster-mutations", "it-tests/mutations/cluster", StandardCampaign.CLUSTER, StandardCampaign.CATALOG);
    }

    /** Of transactions that clients send statement by statement. */
    static Mutations ofSessions() {
        return new Mutations(SESSIONS, "it-tests/mutations/sessions", StandardCampaign.CLUSTER);
    }

    /** Of reconfigurations. */
    static Mutations ofMoves() {
        return new Mutations("move-mutations", "it-tests/mutations/moves", StandardCampaign.MOVES);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String meaning() {
        return "the simulated campaigns find every planted bug of theirs";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        Path sources = Path.of(System.getProperty("fulmar.home", "."));
        TriedBugs tried = new TriedBugs(
                settings.directory(),
                name(),
                fingerprint() + " from seed " + settings.seed() + (settings.quick() ? ", quick" : ""));
        List<SourcePatch> patches = wanted(SourcePatch.all(sources.resolve(directory)), settings.only());
        MutatedCampaign campaign = new MutatedCampaign(
                sources,
                settings.seed(),
                settings.quick() ? QUICK_SEEDS : SEEDS,
                settings.quick() ? QUICK_MINUTES : MINUTES);
        settings.output().accept(String.format(Locale.ROOT, "%-40s %6s %8s  %s", "bug", "seeds", "seconds", "rule"));
        List<Map<String, Object>> table = new ArrayList<>();
        for (StandardCampaign standard : campaigns) {
            String goals = goals(standard);
            List<Map<String, Object>> rows = plant(
                    patches.stream()
                            .filter(patch -> patch.campaign() == standard)
                            .toList(),
                    campaign,
                    tried,
                    settings.output());
            int found = (int) rows.stream()
                    .filter(row -> Boolean.TRUE.equals(row.get("found")))
                    .count();
            table.addAll(rows);
            findings.check(goals + ".planted-bugs-missed", rows.size() - found);
            if (settings.only().isEmpty()) {
                findings.check(goals + ".planted-bugs-found", found);
                control(standard, campaign, findings, settings.output());
            }
        }
        findings.series("bugs", table);
        return findings;
    }

    /** Of the code that bugs are planted in, and of what looks for them. */
    private static String fingerprint() {
        return CodeFingerprint.ofDatabase(Mutations.class);
    }

    private static List<SourcePatch> wanted(List<SourcePatch> patches, Set<String> only) {
        Set<String> unknown = new TreeSet<>(only);
        patches.forEach(patch -> unknown.remove(patch.name()));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there is no bug " + unknown);
        }
        return only.isEmpty()
                ? patches
                : patches.stream().filter(patch -> only.contains(patch.name())).toList();
    }

    /**
     * Plants one bug after the other, two at a time where there are two processors. The rows of the table come in the
     * order of the bugs.
     */
    private static List<Map<String, Object>> plant(
            List<SourcePatch> patches, MutatedCampaign campaign, TriedBugs tried, Consumer<String> output)
            throws InterruptedException, ExecutionException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (ExecutorService planters = Executors.newFixedThreadPool(
                Math.min(PLANTERS, Runtime.getRuntime().availableProcessors()))) {
            List<Callable<Map<String, Object>>> trials = new ArrayList<>();
            for (SourcePatch patch : patches) {
                trials.add(() -> {
                    String bug = patch.name() + " "
                            + Integer.toHexString(patch.toString().hashCode());
                    MutatedCampaign.Outcome outcome = tried.of(bug);
                    if (outcome == null) {
                        outcome = campaign.run(patch);
                        tried.add(bug, outcome);
                    }
                    output.accept(line(patch, outcome));
                    return row(patch, outcome);
                });
            }
            for (Future<Map<String, Object>> row : planters.invokeAll(trials)) {
                rows.add(row.get());
            }
        }
        return rows;
    }

    private void control(
            StandardCampaign standard, MutatedCampaign campaign, Findings findings, Consumer<String> output)
            throws IOException, InterruptedException {
        String goals = goals(standard);
        MutatedCampaign.Outcome control = campaign.control(standard, controlSeeds(standard));
        output.accept(goals + " without a bug: " + control.seeds() + " seeds, "
                + (control.found() ? control.evidence() : "nothing found"));
        // A control that had no time for a single seed has shown nothing.
        findings.check(goals + ".false-alarms", control.found() || control.seeds() == 0 ? 1 : 0);
        findings.series(goals + ".controlSeeds", control.seeds());
    }

    private String goals(StandardCampaign campaign) {
        return name.equals(SESSIONS) ? "sessions" : goalsOf(campaign);
    }

    private static String goalsOf(StandardCampaign campaign) {
        return switch (campaign) {
            case SERIALIZABILITY -> "serializability";
            case DURABILITY -> "crash-sweep";
            case CLUSTER -> "cluster";
            case CATALOG -> "cluster-catalog";
            case MOVES -> "moves";
        };
    }

    private static int controlSeeds(StandardCampaign campaign) {
        return switch (campaign) {
            case SERIALIZABILITY -> CONTROL_SEEDS;
            case DURABILITY -> CONTROL_CRASH_SEEDS;
            case CLUSTER, CATALOG, MOVES -> CONTROL_CLUSTER_SEEDS;
        };
    }

    private static String line(SourcePatch patch, MutatedCampaign.Outcome outcome) {
        String seeds = outcome.found() ? Long.toString(outcome.seeds()) : "none";
        return String.format(Locale.ROOT, "%-40s %6s %8.1f  %s", patch.name(), seeds, outcome.seconds(), patch.rule());
    }

    private static Map<String, Object> row(SourcePatch patch, MutatedCampaign.Outcome outcome) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("bug", patch.name());
        row.put("rule", patch.rule());
        row.put("found", outcome.found());
        row.put("seeds", outcome.seeds());
        row.put("seconds", outcome.seconds());
        row.put(
                "evidence",
                outcome.evidence()
                        .substring(
                                0, Math.min(EVIDENCE_SHOWN, outcome.evidence().length())));
        return row;
    }
}
