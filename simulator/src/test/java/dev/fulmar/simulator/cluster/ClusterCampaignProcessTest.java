package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.cluster.ClusterCampaignProcess.Trial;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCampaignProcessTest {
    private static final int ROUNDS = 3;

    private static List<Trial> trials(boolean changesCatalog, long from, long count) {
        return LongStream.range(from, from + count)
                .mapToObj(number -> Trial.of(number, changesCatalog))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachRoundHasOnePlainSeedAndOneOfEachShape(boolean changesCatalog) {
        int shapes = ManoeuvrePlan.shapes(changesCatalog);
        long first = changesCatalog ? ClusterRun.FIRST_STEERED_WITH_CHANGES : ClusterRun.FIRST_STEERED;
        for (int round = 0; round < ROUNDS; round++) {
            List<Trial> trials = trials(changesCatalog, 1 + (long) round * (shapes + 1), shapes + 1);
            Set<Long> tried = new TreeSet<>();
            trials.stream()
                    .filter(trial -> trial.seed() >= first)
                    .forEach(trial -> tried.add((trial.seed() - first) % shapes));
            assertThat(tried).hasSize(shapes);
            assertThat(trials.getFirst().seed()).isLessThan(first);
        }
        assertThat(trials(changesCatalog, 1, ROUNDS * (shapes + 1L))).doesNotHaveDuplicates();
    }
}
