package dev.fulmar.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.mutation.MutatedCampaign.Outcome;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MutatedCampaignTest {
    private static final int SEEDS = 10;

    /** Seeds are counted from 0 here. */
    private static Outcome first(Set<Long> withBug, Set<Long> anyway) throws IOException, InterruptedException {
        TreeSet<Long> failing = new TreeSet<>(withBug);
        failing.addAll(anyway);
        return MutatedCampaign.firstOfItsOwn(
                SEEDS,
                from -> {
                    Long next = failing.ceiling(from);
                    return next == null
                            ? new Outcome(false, SEEDS - from, 1, "")
                            : new Outcome(true, next - from + 1, 1, "seed " + next);
                },
                anyway::contains);
    }

    @Test
    void theFirstSeedThatFailsCounts() throws Exception {
        assertThat(first(Set.of(3L, 5L), Set.of())).isEqualTo(new Outcome(true, 4, 1, "seed 3"));
    }

    @Test
    void aSeedThatFailsWithoutTheBugDoesNotCount() throws Exception {
        assertThat(first(Set.of(5L), Set.of(2L, 3L))).isEqualTo(new Outcome(true, 6, 3, "seed 5"));
    }

    @Test
    void nothingIsFoundByOtherFailuresAlone() throws Exception {
        assertThat(first(Set.of(), Set.of(2L, 9L))).isEqualTo(new Outcome(false, 10, 2, ""));
        assertThat(first(Set.of(), Set.of(2L))).isEqualTo(new Outcome(false, 10, 2, ""));
    }
}
