package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.benchmarks.cluster.RunningCluster;
import dev.fulmar.benchmarks.drive.LoadShape;
import dev.fulmar.benchmarks.drive.RunningLoad;
import dev.fulmar.benchmarks.tpcc.TpccListener;
import dev.fulmar.benchmarks.tpcc.TpccRecord;
import dev.fulmar.benchmarks.tpcc.TpccWorkload;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.chaos.Disks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One reconfiguration under load, with a fault or without, and what is wrong with it afterwards. */
final class Round {
    /** The acceptance: a reconfiguration ends by itself so soon after all nodes are back. */
    static final Duration END = Duration.ofSeconds(30);

    private static final Duration LATE_END = Duration.ofSeconds(120);
    private static final Duration RECOVERY = Duration.ofSeconds(90);
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final long SETTLING_MILLIS = 700;
    private static final long POLL_MILLIS = 20;

    /** Part of the likely time in which faults strike; later the reconfiguration may have ended. */
    private static final double LIKELY = 0.8;

    private static final int MOST_PROBLEMS = 12;
    private static final LoadShape LOAD = new LoadShape(8, 4, 100, 0, 3_600);

    /** A cluster with its tables, and all that is known of it. */
    record Stage(
            RunningCluster cluster,
            @Nullable Disks disks,
            TpccWorkload workload,
            FulmarClient client,
            NodeViews views,
            TpccRecord record) {
        int warehouses() {
            return workload.scale().warehouses();
        }
    }

    private final Stage stage;
    private final RandomSource random;
    private final List<String> problems = new ArrayList<>();
    private int copiesCompared;

    Round(Stage stage, RandomSource random) {
        this.stage = stage;
        this.random = random;
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    /**
     * Moves keys without a fault. Returns the milliseconds that a warehouse takes.
     *
     * @throws IllegalStateException if it does not end
     */
    double undisturbed() throws InterruptedException {
        Map<Integer, Integer> before = owners();
        WantedPlan wanted = WantedPlan.draw(before, stage.cluster.plan().partitions(), random);
        try (RunningLoad load = load(stage.record)) {
            long beginNanos = begin(wanted);
            if (!awaitDone(beginNanos, LATE_END)) {
                throw new IllegalStateException("a reconfiguration without a fault does not end: " + statuses());
            }
            double millis = millisSince(beginNanos);
            load.end();
            return millis / mostOfASource(wanted, before);
        }
    }

    /** TPC-C's mix at a steady rate. */
    private RunningLoad load(TpccListener listener) {
        SplittableRandom streams = new SplittableRandom(random.nextLong());
        List<RequestSource> sources = Stream.generate(() -> stage.workload.requests(streams.split(), listener))
                .limit(LOAD.streams())
                .toList();
        return RunningLoad.start(
                stage.client, LOAD, sources, (second, warmup, committed, aborted, failed, latency) -> {});
    }

    private static int mostOfASource(WantedPlan wanted, Map<Integer, Integer> before) {
        return wanted.moving(before).values().stream()
                .mapToInt(List::size)
                .max()
                .orElse(1);
    }

    private Map<Integer, Integer> owners() {
        return NodeViews.owners(stage.views.plan(1), stage.warehouses());
    }

    private long begin(WantedPlan wanted) throws InterruptedException {
        Thread.sleep(SETTLING_MILLIS);
        long beginNanos = System.nanoTime();
        stage.client.call("@Reconfigure", "START", wanted.document());
        return beginNanos;
    }

    /**
     * Moves keys, strikes, and judges.
     *
     * @param millisOfAWarehouse that it takes without a fault
     * @param isLast whether the cluster ends after it, so that nodes are stopped to read what took over
     */
    RoundResult struck(int number, Strike strike, double millisOfAWarehouse, boolean isLast)
            throws IOException, InterruptedException {
        Map<Integer, Integer> before = owners();
        WantedPlan wanted = WantedPlan.draw(before, stage.cluster.plan().partitions(), random);
        long committedBefore = stage.record.committed();
        CommitGaps gaps = new CommitGaps(stage.warehouses(), System.nanoTime());
        long beginNanos;
        StrikeAction.Effect effect;
        boolean isDone;
        long end = RoundResult.Times.NEVER;
        try (RunningLoad load = load(both(gaps))) {
            beginNanos = begin(wanted);
            Thread.sleep((long) (LIKELY * strike.moment() * millisOfAWarehouse * mostOfASource(wanted, before)));
            effect = new StrikeAction(stage.cluster, stage.disks, stage.views, random).strikeAndHeal(strike);
            stage.views.reconnect();
            isDone = awaitDone(effect.backNanos(), END);
            if (isDone) {
                end = millisSince(effect.backNanos());
            } else {
                stuck(effect.backNanos());
            }
            Thread.sleep(SETTLING_MILLIS);
            gaps.end(System.nanoTime());
            load.end();
        }
        long bucketsMoved = stage.views.status(1).bucketsMoved();
        Map<ErrorCode, Long> failures = failures();
        judge(wanted.ownersAfter(before), isDone, isLast);
        return new RoundResult(
                number,
                strike.kind(),
                effect.victim(),
                effect.isStruck(),
                new RoundResult.Times(
                        (effect.struckNanos() - beginNanos) / 1_000_000,
                        (effect.backNanos() - effect.struckNanos()) / 1_000_000,
                        end,
                        gaps.longestNanos() / 1_000_000,
                        gaps.longestOfAWarehouseNanos() / 1_000_000),
                bucketsMoved,
                copiesCompared,
                stage.record.committed() - committedBefore,
                failures,
                problems.stream().limit(MOST_PROBLEMS).toList());
    }

    private TpccListener both(CommitGaps gaps) {
        return (call, reply) -> {
            stage.record.sent(call, reply);
            var _ = reply.thenAccept(result -> gaps.committed(call.warehouse(), System.nanoTime()));
        };
    }

    /** Waits until all nodes say that the reconfiguration is done; false if they do not in time. */
    private boolean awaitDone(long sinceNanos, Duration patience) throws InterruptedException {
        while (System.nanoTime() - sinceNanos < patience.toNanos()) {
            if (stage.views.nodes().stream()
                    .allMatch(node -> stage.views.status(node).isDone())) {
                return true;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return false;
    }

    private Map<Integer, NodeViews.Status> statuses() {
        Map<Integer, NodeViews.Status> statuses = new TreeMap<>();
        stage.views.nodes().forEach(node -> statuses.put(node, stage.views.status(node)));
        return statuses;
    }

    /** The reconfiguration goes on too long: for people, the threads of all nodes go to their logs. */
    private void stuck(long backNanos) throws IOException, InterruptedException {
        Map<Integer, NodeViews.Status> late = statuses();
        for (int node : stage.views.nodes()) {
            stage.cluster.node(node).signal("QUIT");
        }
        boolean endsLater = awaitDone(backNanos, LATE_END);
        problems.add("the reconfiguration has not ended " + END.toSeconds() + " s after all nodes were back, "
                + (endsLater ? "but after " + millisSince(backNanos) + " ms" : "nor later") + ": " + late);
    }

    private Map<ErrorCode, Long> failures() {
        Map<ErrorCode, Long> counts = new TreeMap<>();
        stage.record.takeFailures().forEach((code, failure) -> {
            counts.put(code, failure.count());
            if (!isExpected(code)) {
                problems.add(failure.count() + " requests failed with " + code + ": " + failure.message());
            }
        });
        return counts;
    }

    /** Whether a request may fail so when a node is lost. Some requests of TPC-C roll back by their own wish. */
    static boolean isExpected(ErrorCode code) {
        return switch (code) {
            case USER_ABORT, OUTCOME_UNKNOWN, TIMEOUT, NODE_LOST, NODE_BROKEN -> true;
            default -> code.category() == Category.RETRYABLE;
        };
    }

    private void judge(Map<Integer, Integer> wanted, boolean isDone, boolean isLast)
            throws IOException, InterruptedException {
        stage.cluster.awaitAllInSync(RECOVERY);
        stage.views.reconnect();
        if (isDone && !awaitDone(System.nanoTime(), SETTLED)) {
            problems.add("a node has forgotten that the reconfiguration is done: " + statuses());
        }
        List<PartitionPlan> plans =
                stage.views.nodes().stream().map(stage.views::plan).toList();
        if (!plans.stream().allMatch(plan -> plan.hasSameOwners(plans.getFirst()))) {
            problems.add("the nodes have different plans: " + plans);
        }
        Map<Integer, Integer> owners = NodeViews.owners(plans.getFirst(), stage.warehouses());
        if (isDone && !owners.equals(wanted)) {
            problems.add("the partitions of warehouses are " + owners + " instead of " + wanted);
        }
        problems.addAll(stage.workload.verifyTables(stage.client, Workload.Progress.silent()));
        problems.addAll(stage.record.verify(stage.client));
        CopyComparison copies = new CopyComparison(stage.cluster, stage.views, stage.client, stage.warehouses());
        copies.asTheyAre(owners);
        if (isLast) {
            copies.afterTakeOvers(RECOVERY);
        }
        problems.addAll(copies.problems());
        copiesCompared = copies.compared();
    }
}
