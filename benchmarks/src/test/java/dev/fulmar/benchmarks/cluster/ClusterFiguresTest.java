package dev.fulmar.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClusterFiguresTest {
    private static GrowthModel.Point point(int nodes, int partitions, double messages) {
        double idleMillis = 5 + 2 * (nodes - 1) + 0.25 * partitions;
        return new GrowthModel.Point(nodes, partitions, messages, 300, 20, 14 * (nodes - 1), idleMillis, 1);
    }

    @Test
    void theModelFindsWhatNodesAndPartitionsCost() {
        List<GrowthModel.Point> points = new ArrayList<>();
        for (int nodes = 1; nodes <= 4; nodes++) {
            for (int partitions : new int[] {4, 8, 32}) {
                points.add(point(nodes, partitions, 1));
            }
        }

        GrowthModel model = GrowthModel.fit(points);

        assertThat(model.idleCpuMillisPerSecond().get(0)).isCloseTo(5, within(1e-6));
        assertThat(model.idleCpuMillisPerSecond().get(1)).isCloseTo(2, within(1e-6));
        assertThat(model.idleCpuMillisPerSecond().get(2)).isCloseTo(0.25, within(1e-6));
        GrowthModel.Prediction prediction = model.predict(101, 800);
        assertThat(prediction.idleCpuShare()).isCloseTo(0.405, within(1e-6));
        assertThat(prediction.idleMessagesPerSecond()).isCloseTo(1_400, within(1e-6));
    }

    @Test
    void whatGrowsWithTheClusterIsSeen() {
        List<GrowthModel.Point> points = List.of(point(1, 4, 0), point(2, 4, 1), point(4, 4, 3));

        assertThat(GrowthModel.spread(points, GrowthModel.Point::messages)).isEqualTo(3);
        assertThat(GrowthModel.spread(points, GrowthModel.Point::bytes)).isEqualTo(1);
        assertThat(GrowthModel.spread(points.subList(0, 1), GrowthModel.Point::bytes))
                .isNaN();
        assertThat(GrowthModel.spread(List.of(point(2, 4, -1), point(3, 4, 2)), GrowthModel.Point::messages))
                .isNaN();
    }

    @Test
    void trafficIsTheSumOverTheLinks() {
        NodeTraffic traffic = NodeTraffic.parse(
                "N2=up, 1 sessions, sent 10 messages of 1000 bytes, received 5 of 50, waiting 0,"
                        + " N3=down (gone), 2 sessions, sent 3 messages of 30 bytes, received 0 of 0, waiting 0",
                7);

        assertThat(traffic).isEqualTo(new NodeTraffic(13, 1_030, 7));
        assertThat(traffic.since(new NodeTraffic(3, 30, 1))).isEqualTo(new NodeTraffic(10, 1_000, 6));
    }

    @Test
    void threadsOfOneKindAreAddedUp() {
        Map<String, Double> sums = new TreeMap<>();
        String figures = " S 1 1 1 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 40 0 1 1 1";
        ThreadTimes.add(sums, "17 (fulmar-site-0)" + figures);
        ThreadTimes.add(sums, "18 (fulmar-site-1)" + figures);
        ThreadTimes.add(sums, "19 (G1 (odd) name)" + figures);

        assertThat(sums).containsEntry("fulmar-site", 4.0).hasSize(2);
        assertThat(new ThreadTimes(sums).microsEach(1_000_000)).containsEntry("fulmar-site", 4.0);
    }
}
