package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.wire.postgres.message.BackendMessage.BackendKeyData;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CancelKeysTest {
    private final SimulatedWorld world = new SimulatedWorld(5);
    private final List<String> cancelled = new ArrayList<>();

    private final CancelKeys first = new CancelKeys(new NodeId(0));
    private final CancelKeys second = new CancelKeys(new NodeId(1));

    /** A number beyond those that a key can name. */
    private final CancelKeys third = new CancelKeys(new NodeId(2049));

    private final SessionCancels atFirst = linked(new NodeId(0), first);
    private final SessionCancels atSecond = linked(new NodeId(1), second);
    private final SessionCancels atThird = linked(new NodeId(2049), third);

    private SessionCancels linked(NodeId node, CancelKeys keys) {
        RequestForwarding links = new RequestForwarding(
                new NodeMessages(world.startProcess(node).network()).on(NodeChannel.REQUEST), () -> null, 0, keys);
        links.serve((request, sink) -> {}, "db" + node.number() + ":1");
        return keys.onAllNodes(links);
    }

    private List<String> cancel(SessionCancels at, BackendKeyData key, int secret) {
        cancelled.clear();
        world.runUntilIdle(10_000);
        at.cancel(key.processId(), secret);
        world.runUntilIdle(10_000);
        return List.copyOf(cancelled);
    }

    @Test
    void aStatementIsCancelledAtEachNode() {
        BackendKeyData own = first.add(() -> cancelled.add("first"));
        BackendKeyData other = second.add(() -> cancelled.add("second"));
        for (SessionCancels at : List.of(atFirst, atSecond, atThird)) {
            assertThat(cancel(at, own, own.secret())).containsExactly("first");
            assertThat(cancel(at, other, other.secret())).containsExactly("second");
        }
    }

    @Test
    void nodesWithTheSameLastBitsAreBothAsked() {
        BackendKeyData key = third.add(() -> cancelled.add("third"));
        assertThat(cancel(atFirst, key, key.secret())).containsExactly("third");
        assertThat(cancel(atSecond, key, key.secret())).containsExactly("third");
    }

    @Test
    void aWrongSecretCancelsNothing() {
        BackendKeyData key = second.add(() -> cancelled.add("second"));
        assertThat(cancel(atFirst, key, key.secret() + 1)).isEmpty();
        assertThat(cancel(atSecond, key, key.secret() + 1)).isEmpty();
    }

    @Test
    void aSessionThatHasEndedIsNotCancelled() {
        BackendKeyData key = second.add(() -> cancelled.add("second"));
        second.remove(key);
        assertThat(cancel(atFirst, key, key.secret())).isEmpty();
    }

    @Test
    void keysOfOpenSessionsAreNotGivenAgain() {
        BackendKeyData lasting = first.add(() -> cancelled.add("lasting"));
        for (int i = 0; i < 1 << 20; i++) {
            first.remove(first.add(() -> cancelled.add("another")));
        }
        BackendKeyData next = first.add(() -> cancelled.add("next"));
        assertThat(next.processId()).isNotEqualTo(lasting.processId());
        assertThat(cancel(atFirst, lasting, lasting.secret())).containsExactly("lasting");
    }
}
