package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.experiment.ControlStalls;
import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.JavaChild;
import dev.fulmar.benchmarks.experiment.StallRecorder;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.foundation.id.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Waiting time of clients when a node dies or falls silent. Three nodes with a copy of each partition beside its
 * primary, and a ZooKeeper, each in a process of its own, under a steady load; again and again the node that leads most
 * partitions is killed, or stopped so that it neither answers nor closes a connection. What counts is the first commit
 * on each affected partition that was asked for after the fault, and the pauses of the partitions that have no copy on
 * that node. Then nodes are stopped in order and started again, as an operator does: what counts is how long no commit
 * comes on any partition.
 */
public final class Failover implements Experiment {
    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int COPIES = 2;
    private static final int KILLS = 100;
    private static final int QUICK_KILLS = 4;
    private static final int SILENCES = 50;
    private static final int QUICK_SILENCES = 3;
    private static final int STOPS = 30;
    private static final int QUICK_STOPS = 3;
    private static final long CALL_INTERVAL_NANOS = 5_000_000;
    private static final long WATCHED_MILLIS = 2_500;
    private static final long LONGEST_WATCHED_MILLIS = 20_000;
    private static final long POLL_MILLIS = 20;
    private static final long WARMUP_MILLIS = 5_000;
    private static final long SETTLING_MILLIS = 700;
    private static final int MORE_SETTLING_MILLIS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A node shares two cores with four other processes: small heaps, and no compiler that takes its time. */
    private static final List<String> JAVA_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

    /** Faults of the victim. */
    private enum Fault {
        KILL,
        SILENCE,
        STOP
    }

    @Override
    public String name() {
        return "failover";
    }

    @Override
    public String meaning() {
        return "time to the first commit after 100 kills and 50 silent losses of a node, pauses of other partitions, and in 30 orderly stops";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "sync");
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-failover-")) {
            Path schema = Files.writeString(directory.path().resolve("schema.sql"), CounterLoad.SCHEMA);
            RunningCluster.Plan plan = new RunningCluster.Plan(
                    NODES,
                    PARTITIONS,
                    COPIES,
                    JAVA_OPTIONS,
                    Map.of(
                            "schema",
                            schema.toString(),
                            "sites",
                            "1",
                            "memory.limit",
                            "128m",
                            "partitioning",
                            LocalDatabase.ranges(PARTITIONS, PARTITIONS)),
                    false);
            JavaChild control = JavaChild.start(StallRecorder.class, List.of(), List.of());
            try (RunningCluster cluster = RunningCluster.start(directory.path(), plan);
                    CounterLoad load = new CounterLoad(cluster, CALL_INTERVAL_NANOS)) {
                new Trials(settings, findings, cluster, load, control).run();
            } finally {
                control.close();
            }
        }
        return findings;
    }

    /** The faults, one after another. */
    private static final class Trials {
        private final Settings settings;
        private final Consumer<String> output;
        private final Findings findings;
        private final RunningCluster cluster;
        private final CounterLoad load;
        private final JavaChild control;
        private final SplittableRandom random;
        private final FailoverJudge judge = new FailoverJudge();

        Trials(Settings settings, Findings findings, RunningCluster cluster, CounterLoad load, JavaChild control) {
            this.settings = settings;
            this.output = settings.output();
            this.findings = findings;
            this.cluster = cluster;
            this.load = load;
            this.control = control;
            this.random = new SplittableRandom(settings.seed());
        }

        void run() throws IOException, InterruptedException {
            int kills = settings.quick() ? QUICK_KILLS : KILLS;
            int silences = settings.quick() ? QUICK_SILENCES : SILENCES;
            int stops = settings.quick() ? QUICK_STOPS : STOPS;
            load.start();
            Thread.sleep(WARMUP_MILLIS);
            for (int i = 0; i < kills; i++) {
                trial(Fault.KILL, i + 1);
            }
            for (int i = 0; i < silences; i++) {
                trial(Fault.SILENCE, i + 1);
            }
            for (int i = 0; i < stops; i++) {
                trial(Fault.STOP, i + 1);
            }
            List<String> problems = load.finish();
            load.failures().forEach((code, message) -> output.accept("a call failed, " + code + ": " + message));
            problems.forEach(output);
            judge.report(
                    findings, new FailoverJudge.Planned(kills, silences, stops), ControlStalls.parse(control.finish()));
            findings.check("failover.problems", problems.size());
            findings.series("problems", problems);
            findings.series("acknowledged", load.acknowledged());
            findings.series("failed", load.failed());
            findings.series("failures", new TreeMap<>(load.failures()));
            findings.series("callsPerSecond", PARTITIONS * 1e9 / CALL_INTERVAL_NANOS);
        }

        private void trial(Fault fault, int number) throws IOException, InterruptedException {
            cluster.awaitAllInSync(PATIENCE);
            Thread.sleep(SETTLING_MILLIS + random.nextInt(MORE_SETTLING_MILLIS));
            Outage before = situation();
            load.takeAnswers();
            int victim = before.victim();
            long faultNanos = System.nanoTime();
            switch (fault) {
                case KILL -> cluster.kill(victim);
                case SILENCE -> cluster.node(victim).signal("STOP");
                case STOP -> cluster.node(victim).signal("TERM");
            }
            // A call counts if it was sent when the fault had certainly happened, and its time from when it may have.
            long happenedNanos = System.nanoTime();
            Outage outage = watch(before, faultNanos, happenedNanos);
            switch (fault) {
                case KILL -> cluster.startNode(victim);
                case SILENCE -> cluster.node(victim).signal("CONT");
                case STOP -> {
                    cluster.stop(victim);
                    cluster.startNode(victim);
                }
            }
            String result = switch (fault) {
                case KILL -> judge.killed(outage).text();
                case SILENCE -> judge.silenced(outage).text();
                case STOP -> judge.stopped(outage).text();
            };
            output.accept(fault + " " + number + ": node " + victim + ", " + result);
        }

        /**
         * Roles of the nodes, and the next victim: a node that leads and follows partitions if there is one, else the
         * one that leads most.
         */
        private Outage situation() {
            List<PartitionRecord> records =
                    IntStream.range(0, PARTITIONS).mapToObj(cluster::recordOf).toList();
            List<Outage> all = IntStream.rangeClosed(1, NODES)
                    .mapToObj(node -> situationOf(node, records))
                    .toList();
            int most = all.stream().mapToInt(each -> each.led().size()).max().orElse(0);
            List<Outage> both = all.stream()
                    .filter(each -> !each.led().isEmpty() && !each.followed().isEmpty())
                    .toList();
            List<Outage> candidates = both.isEmpty()
                    ? all.stream().filter(each -> each.led().size() == most).toList()
                    : both;
            return candidates.get(random.nextInt(candidates.size()));
        }

        private static Outage situationOf(int node, List<PartitionRecord> records) {
            Set<Integer> led = new HashSet<>();
            Set<Integer> followed = new HashSet<>();
            Set<Integer> untouched = new HashSet<>();
            for (int partition = 0; partition < records.size(); partition++) {
                PartitionRecord record = records.get(partition);
                if (record.primary().node().number() == node) {
                    led.add(partition);
                } else if (record.inSyncOn(new NodeId(node)).isPresent()) {
                    followed.add(partition);
                } else {
                    untouched.add(partition);
                }
            }
            return new Outage(node, 0, 0, 0, led, followed, untouched, List.of());
        }

        /** Collects answers until every affected partition has a commit, and for a while in any case. */
        private Outage watch(Outage before, long faultNanos, long happenedNanos) throws InterruptedException {
            List<Answer> answers = new ArrayList<>();
            while (true) {
                Thread.sleep(POLL_MILLIS);
                answers.addAll(load.takeAnswers());
                long now = System.nanoTime();
                Outage outage = new Outage(
                        before.victim(),
                        faultNanos,
                        happenedNanos,
                        now,
                        before.led(),
                        before.followed(),
                        before.untouched(),
                        answers);
                long millis = (now - faultNanos) / 1_000_000;
                if (millis > LONGEST_WATCHED_MILLIS || (millis > WATCHED_MILLIS && outage.isOver())) {
                    return outage;
                }
            }
        }
    }
}
