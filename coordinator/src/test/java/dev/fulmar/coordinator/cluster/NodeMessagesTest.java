package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeMessagesTest {
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess firstProcess = world.startProcess(FIRST);
    private final SimulatedProcess secondProcess = world.startProcess(SECOND);
    private final NodeMessages first = new NodeMessages(firstProcess.network());
    private final NodeMessages second = new NodeMessages(secondProcess.network());
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void connect() {
        for (NodeChannel channel : List.of(NodeChannel.HEARTBEAT, NodeChannel.COPY)) {
            Network network = second.on(channel);
            network.onMessage((from, message) -> {
                if (message.getInt(message.position()) < 0) {
                    throw new FulmarException(ErrorCode.MALFORMED_REQUEST, "a number below zero");
                }
                told.add(channel + " " + message.getInt() + " of " + from + " " + message.remaining());
            });
            network.onLink(new Network.LinkListener() {
                @Override
                public void linkUp(NodeId node) {
                    told.add(channel + " up");
                }

                @Override
                public void linkLost(NodeId node) {
                    told.add(channel + " lost");
                }
            });
        }
        world.runUntilIdle(100);
    }

    private static ByteBuffer number(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
    }

    @Test
    void eachChannelHasItsOwnReceiverAndAllHearOfTheLinks() {
        assertThat(first.on(NodeChannel.COPY).send(SECOND, number(7), number(8)))
                .isTrue();
        assertThat(first.on(NodeChannel.HEARTBEAT).send(SECOND, number(9))).isTrue();
        world.runUntilIdle(100);
        assertThat(told).containsExactly("HEARTBEAT up", "COPY up", "COPY 7 of N1 4", "HEARTBEAT 9 of N1 0");
        assertThat(first.isLinked(SECOND)).isTrue();
        assertThat(first.isLinked(FIRST)).isTrue();
        assertThat(first.linked()).containsExactly(SECOND);
        assertThat(first.on(NodeChannel.COPY).self()).isEqualTo(FIRST);
        secondProcess.kill();
        world.runUntilIdle(100);
        assertThat(first.isLinked(SECOND)).isFalse();
        assertThat(first.on(NodeChannel.COPY).send(SECOND, number(1))).isFalse();
    }

    @Test
    void whatCannotBeReadEndsTheSessionAndNothingElse() {
        first.on(NodeChannel.COPY).send(SECOND, number(-1));
        first.on(NodeChannel.COPY).send(SECOND, number(1));
        world.runUntilIdle(1_000);
        assertThat(told)
                .containsExactly("HEARTBEAT up", "COPY up", "HEARTBEAT lost", "COPY lost", "HEARTBEAT up", "COPY up");
        first.on(NodeChannel.COPY).send(SECOND, number(2));
        world.runUntilIdle(100);
        assertThat(told).endsWith("COPY 2 of N1 0");
    }

    @Test
    void whatNobodyTakesEndsTheSession() {
        first.on(NodeChannel.CATALOG).send(SECOND, number(1));
        world.runUntilIdle(1_000);
        assertThat(told).contains("COPY lost");
        told.clear();
        firstProcess.network().send(SECOND, ByteBuffer.allocate(0));
        world.runUntilIdle(1_000);
        assertThat(told).contains("COPY lost");
        told.clear();
        firstProcess.network().send(SECOND, ByteBuffer.wrap(new byte[] {99, 0, 0, 0, 0}));
        world.runUntilIdle(1_000);
        assertThat(told).contains("COPY lost");
    }
}
