package dev.fulmar.foundation.network.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.contract.NetworkContract;
import dev.fulmar.foundation.contract.Surroundings;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopbackNetworkTest extends NetworkContract {
    private final LoopbackNetwork network = new LoopbackNetwork(1_000_000);

    @AfterEach
    void close() {
        network.close();
    }

    @Override
    protected Network join(NodeId node) {
        return network.join(node);
    }

    @Override
    protected void leave(NodeId node) {
        network.leave(node);
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }

    @Test
    void aNodeThatDoesNotKeepUpLosesMessages() {
        Network first = network.join(FIRST);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger received = new AtomicInteger();
        network.join(SECOND).onMessage((from, message) -> {
            awaitQuietly(release);
            received.incrementAndGet();
        });
        for (int i = 0; i < 20; i++) {
            first.send(SECOND, ByteBuffer.allocate(100_000));
        }
        release.countDown();
        assertThat(surroundings().await(() -> received.get() >= 10)).isTrue();
        surroundings().pass(20_000_000);
        assertThat(received.get()).isBetween(10, 12);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
