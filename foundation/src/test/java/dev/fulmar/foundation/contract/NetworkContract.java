package dev.fulmar.foundation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

public abstract class NetworkContract {
    protected static final NodeId FIRST = new NodeId(1);
    protected static final NodeId SECOND = new NodeId(2);
    protected static final NodeId THIRD = new NodeId(3);

    /** Joins the node to the network of this test. */
    protected abstract Network join(NodeId node);

    /** Takes the node off the network. */
    protected abstract void leave(NodeId node);

    protected abstract Surroundings surroundings();

    private static ByteBuffer message(int value) {
        return ByteBuffer.allocate(4).putInt(0, value);
    }

    @Test
    void messagesOfAPairArriveOnceInTheOrderSent() {
        Network first = join(FIRST);
        Network third = join(THIRD);
        List<Integer> fromFirst = new CopyOnWriteArrayList<>();
        List<Integer> fromThird = new CopyOnWriteArrayList<>();
        join(SECOND).onMessage((from, message) -> (from.equals(FIRST) ? fromFirst : fromThird).add(message.getInt()));
        for (int i = 0; i < 500; i++) {
            first.send(SECOND, message(i));
            third.send(SECOND, message(-i));
        }
        assertThat(surroundings().await(() -> fromFirst.size() >= 500 && fromThird.size() >= 500))
                .isTrue();
        surroundings().pass(5_000_000);
        assertThat(fromFirst).hasSize(500).isSorted();
        assertThat(fromThird).hasSize(500).isSortedAccordingTo((a, b) -> Integer.compare(b, a));
    }

    @Test
    void theMessageIsCopiedBeforeSendReturns() {
        Network first = join(FIRST);
        List<Integer> received = new CopyOnWriteArrayList<>();
        join(SECOND).onMessage((from, message) -> {
            assertThat(message.remaining()).isEqualTo(4);
            received.add(message.getInt());
        });
        ByteBuffer buffer = ByteBuffer.allocate(16);
        buffer.putInt(8, 42).position(8).limit(12);
        first.send(SECOND, buffer);
        buffer.clear().putInt(8, 13);
        assertThat(surroundings().await(() -> !received.isEmpty())).isTrue();
        assertThat(received).containsExactly(42);
    }

    @Test
    void aNodeReachesItselfButNotWithinTheCall() {
        Network first = join(FIRST);
        List<String> received = new CopyOnWriteArrayList<>();
        first.onMessage((from, message) -> {
            if (message.getInt() == 0) {
                first.send(from, message(1));
                received.add("first");
            } else {
                received.add("second");
            }
        });
        first.send(FIRST, message(0));
        assertThat(surroundings().await(() -> received.size() == 2)).isTrue();
        assertThat(received).containsExactly("first", "second");
        assertThat(first.self()).isEqualTo(FIRST);
    }

    @Test
    void aMessageToAnUnreachableNodeIsLostInSilence() {
        Network first = join(FIRST);
        Network second = join(SECOND);
        List<Integer> received = new CopyOnWriteArrayList<>();
        second.onMessage((from, message) -> received.add(message.getInt()));
        first.send(THIRD, message(1));
        leave(SECOND);
        first.send(SECOND, message(2));
        surroundings().pass(5_000_000);
        Network again = join(SECOND);
        again.onMessage((from, message) -> received.add(message.getInt()));
        first.send(SECOND, message(3));
        assertThat(surroundings().await(() -> !received.isEmpty())).isTrue();
        assertThat(received).containsExactly(3);
    }

    @Test
    void aReceiverCanBeReplaced() {
        Network first = join(FIRST);
        Network second = join(SECOND);
        List<String> received = new CopyOnWriteArrayList<>();
        second.onMessage((from, message) -> received.add("old"));
        first.send(SECOND, message(1));
        assertThat(surroundings().await(() -> received.size() == 1)).isTrue();
        second.onMessage((from, message) -> received.add("new"));
        first.send(SECOND, message(2));
        assertThat(surroundings().await(() -> received.size() == 2)).isTrue();
        assertThat(received).containsExactly("old", "new");
    }
}
