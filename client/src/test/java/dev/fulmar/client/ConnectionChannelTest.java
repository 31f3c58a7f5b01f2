package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.ReplyReader;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Topology;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One connection, without a network and in its own time. */
class ConnectionChannelTest implements ConnectionChannel.Listener {
    private static final long WELCOME_NANOS = TimeUnit.HOURS.toNanos(1);

    private final HostAddress address = new HostAddress("127.0.0.1", 1);
    private final List<FulmarException> lost = new ArrayList<>();
    private boolean isWelcomed;
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ConnectionChannel(this, 1, "test", WELCOME_NANOS, new ClientHandshake(address, null)));

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void pass(long nanos) {
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** A process that hangs has its system accept connections; another node may answer. */
    @Test
    void aServerThatNeverWelcomesIsLeft() {
        pass(WELCOME_NANOS / 2);
        assertThat(channel.isOpen()).isTrue();
        pass(WELCOME_NANOS / 2);
        assertThat(channel.isOpen()).isFalse();
        assertThat(lost).extracting(FulmarException::code).containsExactly(ErrorCode.NOT_CONNECTED);
        assertThat(lost.getFirst()).hasMessageContaining("said nothing for 3600000 ms");
    }

    @Test
    void aConnectionThatIsWelcomedLasts() {
        ByteBuf welcome = Unpooled.buffer();
        FrameFormat.write(
                welcome,
                FrameKind.WELCOME,
                Welcome.newBuilder()
                        .setVersion(1)
                        .setLimits(WireLimits.DEFAULT.toMessage())
                        .build());
        channel.writeInbound(welcome);
        pass(2 * WELCOME_NANOS);
        assertThat(isWelcomed).isTrue();
        assertThat(channel.isOpen()).isTrue();
        assertThat(lost).isEmpty();
    }

    @Override
    public HostAddress address() {
        return address;
    }

    @Override
    public void welcomed(ConnectionChannel source, Welcome welcome) {
        isWelcomed = true;
    }

    @Override
    public void lost(ConnectionChannel source, FulmarException cause) {
        lost.add(cause);
    }

    @Override
    public void replied(ReplyReader reply) {}

    @Override
    public void learn(Topology told) {}

    @Override
    public void learn(Bound told) {}

    @Override
    public void serverStops() {}

    @Override
    public void refused(ConnectionChannel source, FulmarException reason) {}
}
