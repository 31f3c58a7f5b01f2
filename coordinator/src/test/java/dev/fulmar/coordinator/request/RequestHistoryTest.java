package dev.fulmar.coordinator.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestHistoryTest {
    private final RequestHistory<String> history = new RequestHistory<>(3, 1 << 20, String::length);

    @Test
    void remembersWhatHappenedToARequestOfAClient() {
        history.put(1, 10, "done");
        assertThat(history.find(1, 10)).isEqualTo("done");
        assertThat(history.find(1, 11)).isNull();
        assertThat(history.find(2, 10)).isNull();
        history.put(1, 10, "replaced");
        assertThat(history.find(1, 10)).isEqualTo("replaced");
        history.remove(1, 10);
        assertThat(history.find(1, 10)).isNull();
    }

    @Test
    void remembersEveryRequestOfAWindowWhateverTheirOrder() {
        for (long id = 1; id <= 20_000; id++) {
            long shuffled = (id & ~63) + (id * 37 & 63);
            history.put(7, shuffled, "r" + shuffled);
        }
        for (long id = 20_000 - RequestHistory.WINDOW + 128; id <= 19_900; id++) {
            assertThat(history.find(7, id)).isEqualTo("r" + id);
            assertThat(history.mayHaveForgotten(7, id)).isFalse();
        }
        assertThat(history.find(7, 100)).isNull();
        assertThat(history.mayHaveForgotten(7, 100)).isTrue();
    }

    @Test
    void aRequestFarBehindDoesNotPushOutANewOne() {
        long recent = 10 * RequestHistory.WINDOW + 5;
        for (long id = recent - 5000; id <= recent; id++) {
            history.put(7, id, "new");
        }
        history.put(7, 5, "old");
        assertThat(history.find(7, recent)).isEqualTo("new");
    }

    @Test
    void theIdlestClientMakesWay() {
        history.put(1, 1, "a");
        history.put(2, 1, "b");
        history.put(3, 1, "c");
        assertThat(history.find(1, 1)).isEqualTo("a");
        history.put(4, 1, "d");
        assertThat(history.find(2, 1)).isNull();
        assertThat(history.find(1, 1)).isEqualTo("a");
        assertThat(history.find(3, 1)).isEqualTo("c");
        assertThat(history.find(4, 1)).isEqualTo("d");
    }

    @Test
    void aClientThatMadeWayIsNotTakenForANewOne() {
        history.put(1, 100, "a");
        history.put(2, 1, "b");
        history.put(3, 1, "c");
        history.put(4, 1, "d");
        assertThat(history.find(1, 100)).isNull();
        assertThat(history.mayHaveForgotten(1, 100)).isTrue();
        assertThat(history.mayHaveForgotten(1, 101)).isFalse();
        history.put(1, 101, "e");
        assertThat(history.mayHaveForgotten(1, 100)).isTrue();
        assertThat(history.find(1, 101)).isEqualTo("e");
    }

    @Test
    void theOldestOutcomesMakeWayWhenAllTakeTooMuch() {
        RequestHistory<String> small = new RequestHistory<>(3, 100, String::length);
        String tenBytes = "0123456789";
        for (long id = 1; id <= 5_000; id++) {
            small.put(id % 2, id, tenBytes);
        }
        for (long id = 4_991; id <= 5_000; id++) {
            assertThat(small.find(id % 2, id)).isEqualTo(tenBytes);
        }
        assertThat(small.find(0, 4_990)).isNull();
        assertThat(small.mayHaveForgotten(0, 4_990)).isTrue();
        assertThat(small.mayHaveForgotten(1, 5_001)).isFalse();
        small.remove(0, 5_000);
        assertThat(small.mayHaveForgotten(0, 5_000)).isFalse();
        small.put(0, 5_002, tenBytes);
        assertThat(small.find(1, 4_991)).isEqualTo(tenBytes);
    }

    @Test
    void outcomesAreShownInTheOrderInWhichTheyCame() {
        RequestHistory<String> many = new RequestHistory<>(3, 1 << 20, String::length);
        List<String> shown = new ArrayList<>();
        long place = 0;
        for (long id = 1; id <= 5_000; id++) {
            many.put(7, id, "r" + id);
            if (id % 3 == 0) {
                many.remove(7, id);
            }
            if (id % 700 == 0) {
                place = many.visitSince(place, 400, collecting(shown));
            }
        }
        while (place < many.puts()) {
            place = many.visitSince(place, 400, collecting(shown));
        }
        List<String> expected = new ArrayList<>();
        for (long id = 5_000 - RequestHistory.WINDOW + 1; id <= 5_000; id++) {
            if (id % 3 != 0) {
                expected.add("r" + id);
            }
        }
        assertThat(shown.stream().distinct().toList()).containsSubsequence(expected);
        many.put(8, 1, "later");
        shown.clear();
        assertThat(many.visitSince(place, 400, collecting(shown))).isEqualTo(many.puts());
        assertThat(shown).containsExactly("later");
    }

    /** Another history that gets outcomes from here must not take a request that had one for a new one. */
    @Test
    void outcomesThatAreForgottenBeforeTheyAreShownLeaveMarks() {
        RequestHistory<String> small = new RequestHistory<>(3, 8, String::length);
        small.put(1, 1, "first");
        long place = small.puts();
        small.put(1, 1, "again");
        small.put(1, 2, "other");
        assertThat(small.hasForgottenSince(place)).isFalse();
        List<String> shown = new ArrayList<>();
        small.visitSince(place, 400, collecting(shown));
        assertThat(shown).containsExactly("1/1 is forgotten", "other");
        small.put(1, 3, "third");
        small.put(1, 4, "fourth");
        assertThat(small.hasForgottenSince(place)).isTrue();
    }

    @Test
    void marksThatAreNewAreCounted() {
        for (long client = 1; client <= 3; client++) {
            history.put(client, 5, "a");
        }
        assertThat(history.forgets()).isZero();
        history.put(4, 5, "a");
        assertThat(history.forgets()).isEqualTo(1);
        history.putForgotten(4, 4);
        history.putForgotten(4, 4);
        history.putForgotten(4, 5);
        assertThat(history.forgets()).isEqualTo(2);
        history.putForgottenClient(9, 500);
        history.putForgottenClient(9, 300);
        assertThat(history.forgets()).isEqualTo(3);
        assertThat(history.mayHaveForgotten(9, 400)).isTrue();
    }

    private static RequestHistory.Visitor<String> collecting(List<String> shown) {
        return new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long clientId, long requestId, String outcome) {
                shown.add(outcome);
            }

            @Override
            public void forgotten(long clientId, long requestId) {
                shown.add(clientId + "/" + requestId + " is forgotten");
            }

            @Override
            public void forgottenClient(long clientId, long highestRequestId) {}
        };
    }

    /** A watch that keeps what a look showed of a client, until its number is another one, misses nothing. */
    @Test
    void whateverChangesOfAClientGivesItAnotherNumber() {
        RequestHistory<String> small = new RequestHistory<>(3, 100, String::length);
        Random random = new Random(5);
        Map<Long, List<String>> known = new HashMap<>();
        Map<Long, Long> numbers = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            long client = random.nextInt(100) == 0 ? 3 + random.nextInt(2) : random.nextInt(3);
            long request = (long) (step / 10) + random.nextInt(40);
            switch (random.nextInt(400)) {
                case 0 -> small.clear();
                case 1 -> small.putForgottenClient(client, request);
                case 2, 3, 4, 5 -> small.putForgotten(client, request);
                case 6, 7, 8, 9, 10, 11 -> small.remove(client, request);
                default -> small.put(client, request, "o".repeat(1 + random.nextInt(3)));
            }
            Look whole = new Look(Map.of());
            small.visit(whole);
            Look look = new Look(numbers);
            small.visit(look);
            known.keySet().retainAll(look.numbers.keySet());
            known.putAll(look.shown);
            numbers = look.numbers;
            assertThat(known).as("step %d", step).isEqualTo(whole.shown);
        }
    }

    /** Is shown the clients whose number is not the known one. */
    private static final class Look implements RequestHistory.Visitor<String> {
        private final Map<Long, Long> before;
        private final Map<Long, Long> numbers = new HashMap<>();
        private final Map<Long, List<String>> shown = new HashMap<>();

        Look(Map<Long, Long> before) {
            this.before = before;
        }

        @Override
        public boolean wants(long clientId, long changed) {
            numbers.put(clientId, changed);
            Long number = before.get(clientId);
            boolean isNew = number == null || number != changed;
            if (isNew) {
                shown.put(clientId, new ArrayList<>());
            }
            return isNew;
        }

        @Override
        public void outcome(long clientId, long requestId, String outcome) {
            shown.getOrDefault(clientId, List.of()).add(requestId + outcome);
        }

        @Override
        public void forgotten(long clientId, long requestId) {
            shown.getOrDefault(clientId, List.of()).add(requestId + " is forgotten");
        }
    }
}
