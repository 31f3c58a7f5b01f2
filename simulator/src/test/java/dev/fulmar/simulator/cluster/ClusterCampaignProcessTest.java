package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.cluster.ClusterCampaignProcess.Trial;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterCampaignProcessTest {
    private static List<Trial> trials(Theme theme, long from, long count) {
        return LongStream.range(from, from + count)
                .mapToObj(number -> Trial.of(number, theme))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Theme.class)
    void oneSeedInThreeIsPlainAndTheOthersGoRoundTheShapes(Theme theme) {
        int count = 3 * Shape.count(theme);
        long first = theme.firstSeed();
        List<Trial> trials = trials(theme, 1, count);
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
