package dev.fulmar.benchmarks.cluster;

import dev.fulmar.benchmarks.experiment.Experiment;
import dev.fulmar.benchmarks.experiment.Findings;
import dev.fulmar.benchmarks.experiment.TemporaryDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Growth of costs with a cluster, on 1 to 4 nodes with 1 to 32 partitions. It measures messages, bytes and processor
 * time of a replicated single-partition transaction, and the use of nodes without any request. From two nodes on each
 * partition has two copies; each has as many requests in flight, asked of the node that leads it. All nodes share this
 * machine, so the rates say nothing; the model that is fitted to the other figures predicts larger clusters.
 */
public final class Growth implements Experiment {
    private static final List<Shape> SHAPES = List.of(
            new Shape(1, 1),
            new Shape(1, 8),
            new Shape(1, 32),
            new Shape(2, 2),
            new Shape(2, 8),
            new Shape(2, 32),
            new Shape(3, 3),
            new Shape(3, 9),
            new Shape(3, 32),
            new Shape(4, 4),
            new Shape(4, 8),
            new Shape(4, 32));

    private static final List<Shape> QUICK_SHAPES = List.of(new Shape(2, 2), new Shape(2, 16), new Shape(3, 6));
    private static final int IN_FLIGHT = 8;
    private static final int WARMUP_SECONDS = 3;
    private static final int SECONDS = 4;
    private static final int QUICK_SECONDS = 2;
    private static final int IDLE_SECONDS = 5;
    private static final int QUICK_IDLE_SECONDS = 3;
    private static final List<Integer> PREDICTED = List.of(10, 30, 100, 300, 1_000);
    private static final int PARTITIONS_PER_NODE = 8;

    /** A cluster. */
    private record Shape(int nodes, int partitions) {}

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String meaning() {
        return "messages and bytes per transaction on 1 to 4 nodes, and a model of larger clusters";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        List<String> problems = new ArrayList<>();
        List<GrowthModel.Point> points = new ArrayList<>();
        for (Shape shape : settings.quick() ? QUICK_SHAPES : SHAPES) {
            points.add(measure(shape, settings, problems));
        }
        problems.forEach(settings.output());
        findings.check("growth.problems", problems.size());
        findings.check("growth.messages-spread", GrowthModel.spread(points, GrowthModel.Point::messages));
        findings.check("growth.bytes-spread", GrowthModel.spread(points, GrowthModel.Point::bytes));
        GrowthModel model = GrowthModel.fit(points);
        findings.series("points", points);
        findings.series("model", model);
        List<GrowthModel.Prediction> predictions = PREDICTED.stream()
                .map(nodes -> model.predict(nodes, nodes * PARTITIONS_PER_NODE))
                .toList();
        findings.series("predictions", predictions);
        predictions.forEach(prediction -> settings.output().accept(prediction.text()));
        return findings;
    }

    private static GrowthModel.Point measure(Shape shape, Settings settings, List<String> problems) throws Exception {
        try (TemporaryDirectory directory = TemporaryDirectory.create("fulmar-growth-");
                LoadedCluster cluster = LoadedCluster.start(
                        directory.path(), shape.nodes, shape.partitions, Math.min(2, shape.nodes), "none")) {
            int seconds = settings.quick() ? QUICK_SECONDS : SECONDS;
            LoadedCluster.Turn turn = cluster.measureRouted(IN_FLIGHT, WARMUP_SECONDS, seconds, settings.seed());
            problems.addAll(turn.problems());
            int idleSeconds = settings.quick() ? QUICK_IDLE_SECONDS : IDLE_SECONDS;
            LoadedCluster.Turn idle = cluster.idle(idleSeconds);
            GrowthModel.Point point =
                    GrowthModel.Point.of(shape.nodes, shape.partitions, turn, idle, cluster.meanResidentBytes());
            settings.output()
                    .accept(String.format(
                            Locale.ROOT,
                            "%d nodes, %2d partitions: %,.0f/s, per transaction %.2f messages, %.0f bytes, %.1f us;"
                                    + " idle node %.1f messages/s, %.1f ms of processor a second",
                            shape.nodes,
                            shape.partitions,
                            turn.report().throughputPerSecond(),
                            point.messages(),
                            point.bytes(),
                            point.cpuMicros(),
                            point.idleMessagesPerSecond(),
                            point.idleCpuMillisPerSecond()));
            return point;
        }
    }
}
