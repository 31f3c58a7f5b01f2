package dev.fulmar.foundation.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldMessagesTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final Network sender = world.startProcess(FIRST).network();
    private final Network receiver = world.startProcess(SECOND).network();
    private final List<Integer> arrived = new ArrayList<>();

    @BeforeEach
    void connect() {
        receiver.onMessage((from, message) -> arrived.add((int) message.get()));
        sender.onMessage((from, message) -> arrived.add((int) message.get()));
        world.runFor(SECOND_NANOS);
    }

    private void send(int number) {
        sender.send(SECOND, ByteBuffer.wrap(new byte[] {(byte) number}));
    }

    @Test
    void whatIsHeldArrivesInOrderWhenItIsLetGo() {
        send(1);
        world.network().hold(FIRST, SECOND);
        send(2);
        world.runFor(SECOND_NANOS);
        send(3);
        world.runFor(SECOND_NANOS);
        assertThat(arrived).isEmpty();
        world.network().letGo(FIRST, SECOND);
        send(4);
        world.runFor(SECOND_NANOS);
        assertThat(arrived).containsExactly(1, 2, 3, 4);
    }

    @Test
    void theOtherDirectionGoesOn() {
        world.network().hold(FIRST, SECOND);
        receiver.send(FIRST, ByteBuffer.wrap(new byte[] {7}));
        world.runFor(SECOND_NANOS);
        assertThat(arrived).containsExactly(7);
    }

    @Test
    void mendingLetsGoWhatIsHeld() {
        world.network().hold(FIRST, SECOND);
        send(1);
        world.runFor(SECOND_NANOS);
        world.network().heal();
        world.runFor(SECOND_NANOS);
        assertThat(arrived).containsExactly(1);
    }

    @Test
    void whatIsHeldIsLostWithItsSession() {
        world.network().hold(FIRST, SECOND);
        send(1);
        world.runFor(SECOND_NANOS);
        world.network().breakSession(FIRST, SECOND);
        world.runFor(SECOND_NANOS);
        world.network().letGo(FIRST, SECOND);
        world.runFor(SECOND_NANOS);
        assertThat(arrived).isEmpty();
    }
}
