package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.cluster.ClusterCampaignProcess.Trial;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCampaignProcessTest {
    private static List<Trial> trials(boolean changesCatalog, long from, long count) {
        return LongStream.range(from, from + count)
                .mapToObj(number -> Trial.of(number, changesCatalog))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneSeedInThreeIsPlainAndTheOthersGoRoundTheShapes(boolean changesCatalog) {
        int count = 3 * Shape.count(changesCatalog);
        long first = changesCatalog ? ClusterRun.FIRST_STEERED_WITH_CHANGES : ClusterRun.FIRST_STEERED;
        List<Trial> trials = trials(changesCatalog, 1, count);
        List<Long> steered =
                trials.stream().map(Trial::seed).filter(seed -> seed >= first).toList();
        assertThat(steered)
                .as("none is left out")
                .isEqualTo(
                        LongStream.range(first, first + count * 2L / 3).boxed().toList());
        assertThat(trials.getFirst().seed()).isLessThan(first);
        assertThat(trials).doesNotHaveDuplicates();
    }
}
