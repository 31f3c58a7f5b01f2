package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.AbsentKeys;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.RoutedKey;
import dev.fulmar.coordinator.transaction.HandledRequest.Done;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyedCallsTest {
    private static final List<KeyRange> RANGES = List.of(new KeyRange(KeySpace.INTEGER, 10, 19));

    private final RequestHistory<HandledRequest> history = new RequestHistory<>(100, 1 << 20, HandledRequest::bytes);
    private final KeyedCalls calls = new KeyedCalls(history);

    private static Underway ofKey(long key) {
        return new Underway(1, new RoutedKey.Position(KeySpace.INTEGER, key));
    }

    private Underway begin(long request, Underway underway) {
        history.put(7, request, underway);
        calls.begins(7, request, underway);
        return underway;
    }

    @Test
    void aCallUnderWayOnAKeyOfTheRangesIsOpenUntilItEnds() {
        begin(1, ofKey(9));
        assertThat(calls.isOneOpen(RANGES)).as("of another key").isFalse();
        begin(2, ofKey(10));
        assertThat(calls.isOneOpen(RANGES)).isTrue();
        history.put(7, 2, new Done(Answers.STOPPING));
        assertThat(calls.isOneOpen(RANGES)).isFalse();
        begin(3, ofKey(19));
        history.remove(7, 3);
        assertThat(calls.isOneOpen(RANGES)).isFalse();
        Underway decided = begin(4, ofKey(19));
        decided.decided(new TransactionResponse.Committed(TransactionResponse.Kind.VALUE, 1, new byte[0]));
        assertThat(calls.isOneOpen(RANGES)).as("the commit counts from here on").isFalse();
        begin(5, new Underway(1, RoutedKey.UNKNOWN));
        assertThat(calls.isOneOpen(RANGES)).as("of any key").isTrue();
    }

    @Test
    void openCallsAreFoundAmongManyThatEnded() {
        begin(1, ofKey(11));
        for (long request = 2; request < 1_000; request++) {
            begin(request, ofKey(11));
            history.put(7, request, new Done(Answers.STOPPING));
        }
        assertThat(calls.isOneOpen(RANGES)).isTrue();
        history.put(7, 1, new Done(Answers.STOPPING));
        assertThat(calls.isOneOpen(RANGES)).isFalse();
    }

    @Test
    void commitsCountUnlessAGuardKeepsTheirKeyHere() {
        AbsentKeys guard = new AbsentKeys();
        guard.takeAway(11);
        calls.committed(ofKey(11), null);
        assertThat(calls.commits()).isEqualTo(1);
        calls.committed(ofKey(12), guard);
        assertThat(calls.commits()).isEqualTo(1);
        calls.committed(ofKey(11), guard);
        assertThat(calls.commits()).isEqualTo(2);
        calls.committed(new Underway(), null);
        assertThat(calls.commits()).as("remembered where its client's are").isEqualTo(2);
        calls.committed();
        assertThat(calls.commits()).isEqualTo(3);
    }
}
