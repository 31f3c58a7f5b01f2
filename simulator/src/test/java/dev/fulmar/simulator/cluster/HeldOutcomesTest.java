package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.cluster.HeldOutcomes.Request;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldOutcomesTest {
    /** @param requests a client and a number for each */
    private static RequestList list(long... requests) {
        RequestList list = new RequestList();
        for (int i = 0; i < requests.length; i += 2) {
            list.add(requests[i], requests[i + 1]);
        }
        return list;
    }

    @Test
    void whatTheOtherHasNeitherAsCommittedNorAsForgottenIsUnknownToIt() {
        HeldOutcomes here = new HeldOutcomes(list(1, 5, 1, 6, 1, 7, 2, 1, 3, 9, 4, 2, 4, 3), list(1, 1), Set.of());
        HeldOutcomes there = new HeldOutcomes(list(1, 4, 1, 6, 2, 1, 4, 1), list(1, 7, 4, 2), Set.of(3L, 8L));

        assertThat(here.unknownTo(there)).containsExactly(new Request(1, 5), new Request(4, 3));
        assertThat(there.unknownTo(there)).isEmpty();
        assertThat(here.unknownTo(new HeldOutcomes(list(), list(), Set.of()))).hasSize(7);
    }

    @Test
    void aListHoldsAllThatWereAdded() {
        RequestList list = new RequestList();
        for (long number = 0; number < 1_000; number++) {
            list.add(number / 300, number);
        }

        assertThat(list.size()).isEqualTo(1_000);
        assertThat(list.isAt(list.placeOf(0, 2, 750), 2, 750)).isTrue();
        assertThat(list.isAt(list.placeOf(0, 2, 2), 2, 2)).isFalse();
        assertThat(list.placeOf(0, 9, 0)).isEqualTo(1_000);
    }
}
