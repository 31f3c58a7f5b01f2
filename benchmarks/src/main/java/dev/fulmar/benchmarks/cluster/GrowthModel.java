package dev.fulmar.benchmarks.cluster;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Model of a node's use without any request, and of the cost of a transaction. The use is a sum: the node by itself,
 * for each other node, and for each partition of the database.
 *
 * @param cpuMicros processor time of all nodes for a transaction with two copies
 * @param idleCpuMillisPerSecond of a node: by itself, for each other node, for each partition
 * @param idleMessagesPerPeer that a node sends to each other one in a second
 */
record GrowthModel(double cpuMicros, List<Double> idleCpuMillisPerSecond, double idleMessagesPerPeer) {
    private static final int TERMS = 3;
    private static final double TINY = 1e-9;
    private static final double MILLIS_PER_SECOND = 1e3;

    /**
     * One measured cluster.
     *
     * @param messages between nodes for each transaction, those that idle nodes send too left out
     * @param idleMessagesPerSecond of a node
     */
    record Point(
            int nodes,
            int partitions,
            double messages,
            double bytes,
            double cpuMicros,
            double idleMessagesPerSecond,
            double idleCpuMillisPerSecond,
            long residentBytes) {
        static Point of(
                int nodes, int partitions, LoadedCluster.Turn turn, LoadedCluster.Turn idle, long residentBytes) {
            double seconds = turn.report().seconds();
            double idleSeconds = idle.report().seconds();
            double committed = Math.max(1, turn.report().committed());
            return new Point(
                    nodes,
                    partitions,
                    (turn.traffic().messages() - idle.traffic().messages() / idleSeconds * seconds) / committed,
                    (turn.traffic().bytes() - idle.traffic().bytes() / idleSeconds * seconds) / committed,
                    turn.cpu().total() * 1e6 / committed,
                    idle.traffic().messages() / idleSeconds / nodes,
                    idle.cpu().total() * MILLIS_PER_SECOND / idleSeconds / nodes,
                    residentBytes);
        }
    }

    /**
     * Prediction for a cluster that was not run.
     *
     * @param idleCpuShare of one core, that a node uses without any request
     */
    record Prediction(int nodes, int partitions, double idleMessagesPerSecond, double idleCpuShare) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "predicted for %d nodes with %d partitions: an idle node sends %,.0f messages/s and uses %.0f %% of a core",
                    nodes,
                    partitions,
                    idleMessagesPerSecond,
                    100 * idleCpuShare);
        }
    }

    /**
     * Ratio of the greatest figure to the least, over all clusters whose nodes talk to each other. Not a number if
     * there is none, or a figure makes no sense.
     */
    static double spread(List<Point> points, ToDoubleFunction<Point> figure) {
        double[] values = points.stream()
                .filter(point -> point.nodes > 1)
                .mapToDouble(figure)
                .sorted()
                .toArray();
        return values.length == 0 || values[0] <= 0 ? Double.NaN : values[values.length - 1] / values[0];
    }

    /** The model nearest to the points, by least squares. What the points do not tell apart counts as nothing. */
    static GrowthModel fit(List<Point> points) {
        double[][] normal = new double[TERMS][TERMS + 1];
        for (Point point : points) {
            double[] terms = {1, point.nodes - 1, point.partitions};
            for (int row = 0; row < TERMS; row++) {
                for (int column = 0; column < TERMS; column++) {
                    normal[row][column] += terms[row] * terms[column];
                }
                normal[row][TERMS] += terms[row] * point.idleCpuMillisPerSecond;
            }
        }
        double[] solved = solve(normal);
        List<Point> clusters = points.stream().filter(point -> point.nodes > 1).toList();
        return new GrowthModel(
                mean(clusters, Point::cpuMicros),
                List.of(solved[0], Math.max(0, solved[1]), Math.max(0, solved[2])),
                mean(clusters, point -> point.idleMessagesPerSecond / (point.nodes - 1)));
    }

    private static double mean(List<Point> points, ToDoubleFunction<Point> figure) {
        return points.stream().mapToDouble(figure).average().orElse(0);
    }

    /** Gauss's elimination with pivots; an unknown without a pivot is 0. */
    private static double[] solve(double[][] equations) {
        boolean[] has = new boolean[TERMS];
        for (int column = 0; column < TERMS; column++) {
            int pivot = column;
            for (int row = column; row < TERMS; row++) {
                pivot = Math.abs(equations[row][column]) > Math.abs(equations[pivot][column]) ? row : pivot;
            }
            double[] swapped = equations[pivot];
            equations[pivot] = equations[column];
            equations[column] = swapped;
            has[column] = Math.abs(swapped[column]) > TINY;
            for (int row = 0; row < TERMS && has[column]; row++) {
                double factor = row == column ? 0 : equations[row][column] / swapped[column];
                for (int i = column; i <= TERMS; i++) {
                    equations[row][i] -= factor * swapped[i];
                }
            }
        }
        double[] solution = new double[TERMS];
        for (int i = 0; i < TERMS; i++) {
            solution[i] = has[i] ? equations[i][TERMS] / equations[i][i] : 0;
        }
        return solution;
    }

    /** Predicts the use of a node of such a cluster without any request. */
    Prediction predict(int nodes, int partitions) {
        double millis = idleCpuMillisPerSecond.get(0)
                + idleCpuMillisPerSecond.get(1) * (nodes - 1)
                + idleCpuMillisPerSecond.get(2) * partitions;
        return new Prediction(nodes, partitions, idleMessagesPerPeer * (nodes - 1), millis / MILLIS_PER_SECOND);
    }
}
