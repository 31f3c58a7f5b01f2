package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.cluster.HeldOutcomes.OfClient;
import dev.fulmar.simulator.cluster.HeldOutcomes.Request;
import dev.fulmar.wire.limit.HandleWindow;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldOutcomesTest {
    private static RequestList list(long... numbers) {
        RequestList list = new RequestList();
        for (long number : numbers) {
            list.add(number);
        }
        return list;
    }

    private static OfClient client(long client, RequestList committed, RequestList forgotten) {
        return new OfClient(client, 0, committed, forgotten, list());
    }

    @Test
    void whatTheOtherHasNeitherAsCommittedNorAsForgottenIsUnknownToIt() {
        HeldOutcomes here = new HeldOutcomes(
                List.of(
                        client(1, list(5, 6, 7), list(1)),
                        client(2, list(1), list()),
                        client(3, list(9), list()),
                        client(4, list(2, 3), list())),
                Set.of());
        HeldOutcomes there = new HeldOutcomes(
                List.of(
                        client(0, list(5, 6), list(5)),
                        client(1, list(4, 6), list(7)),
                        client(2, list(1), list()),
                        client(4, list(1), list(2)),
                        client(7, list(2, 3), list())),
                Set.of(3L, 8L));

        assertThat(here.unknownTo(there)).containsExactly(new Request(1, 5), new Request(4, 3));
        assertThat(there.unknownTo(there)).isEmpty();
        assertThat(here.unknownTo(new HeldOutcomes(List.of(), Set.of()))).hasSize(7);
    }

    /** The other has forgotten it by the window of ids, which a client may not exceed. */
    @Test
    void aRequestThatLiesAWindowBehindIsNotAwaited() {
        HeldOutcomes here = new HeldOutcomes(List.of(client(1, list(5, 6), list())), Set.of());
        long highest = 5 + HandleWindow.REQUESTS;
        assertThat(here.unknownTo(new HeldOutcomes(List.of(client(1, list(highest), list())), Set.of())))
                .containsExactly(new Request(1, 6));
        assertThat(here.unknownTo(
                        new HeldOutcomes(List.of(new OfClient(1, 0, list(), list(), list(highest))), Set.of())))
                .containsExactly(new Request(1, 6));
        assertThat(here.unknownTo(new HeldOutcomes(List.of(client(1, list(highest - 1), list())), Set.of())))
                .hasSize(2);
    }

    @Test
    void aListHoldsAllThatWereAdded() {
        RequestList list = new RequestList();
        for (long number = 0; number < 1_000; number++) {
            list.add(2 * number);
        }

        assertThat(list.size()).isEqualTo(1_000);
        assertThat(list.isAt(list.placeOf(0, 750), 750)).isTrue();
        assertThat(list.isAt(list.placeOf(0, 751), 751)).isFalse();
        assertThat(list.placeOf(0, 2_000)).isEqualTo(1_000);
    }
}
