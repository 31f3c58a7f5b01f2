package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AmbushesTest {
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);
    private static final byte[] DECISION = {3, 1, 4, 0};
    private static final byte[] VOTE = {3, 1, 11, 0};
    private static final long SECOND_NANOS = 1_000_000_000;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final Network first = world.startProcess(FIRST).network();
    private final List<byte[]> arrived = new ArrayList<>();
    private final List<Ambushes.Ends> struck = new ArrayList<>();
    private final Ambushes ambushes = new Ambushes(world, note -> {}, (fault, ends) -> {
        struck.add(ends);
        return fault.kind() == FaultKind.STRIKE_LOSS;
    });

    @BeforeEach
    void connect() {
        world.startProcess(SECOND).network().onMessage((from, message) -> {
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            arrived.add(bytes);
        });
        world.runFor(SECOND_NANOS);
    }

    private static Fault fault(FaultKind kind, int end, double strength) {
        return new Fault(0, 0, SECOND_NANOS, kind, end, Moment.DECISION.ordinal(), strength);
    }

    private void send(byte[] message) {
        first.send(SECOND, ByteBuffer.wrap(message));
        world.runFor(SECOND_NANOS / 100);
    }

    @Test
    void itWaitsForAMessageOfItsKind() {
        ambushes.lay(fault(FaultKind.STRIKE_KILL, 1, 0));
        send(VOTE);
        assertThat(struck).isEmpty();
        send(DECISION);
        send(DECISION);
        assertThat(struck).containsExactly(new Ambushes.Ends(SECOND, FIRST));
        assertThat(arrived).hasSize(3);
    }

    @Test
    void itMayTakeTheMessage() {
        ambushes.lay(fault(FaultKind.STRIKE_LOSS, 0, 0));
        send(VOTE);
        send(DECISION);
        assertThat(struck).containsExactly(new Ambushes.Ends(FIRST, SECOND));
        assertThat(arrived).containsExactly(VOTE);
    }

    @Test
    void someMessagesMayPassBefore() {
        ambushes.lay(fault(FaultKind.STRIKE_PAUSE, 0, 0.5));
        send(DECISION);
        send(DECISION);
        assertThat(struck).isEmpty();
        send(DECISION);
        assertThat(struck).hasSize(1);
    }

    @Test
    void itIsGivenUpWhenNoSuchMessageComes() {
        ambushes.lay(fault(FaultKind.STRIKE_KILL, 0, 0));
        world.runFor(4 * SECOND_NANOS);
        send(DECISION);
        ambushes.lay(fault(FaultKind.STRIKE_KILL, 0, 0));
        ambushes.clear();
        send(DECISION);
        assertThat(struck).isEmpty();
    }
}
