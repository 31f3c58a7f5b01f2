package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.proto.Host;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Two servers of one cluster, unless a test has it otherwise. */
final class FakePair implements AutoCloseable {
    static final ByteString CLUSTER = ByteString.copyFromUtf8("one cluster");

    final FakeServer first = new FakeServer();
    final FakeServer second = new FakeServer();

    FakePair() throws IOException {
        second.incarnation = 2;
        join(CLUSTER, CLUSTER);
    }

    void join(ByteString clusterOfFirst, ByteString clusterOfSecond) {
        first.cluster = clusterOfFirst;
        second.cluster = clusterOfSecond;
        first.hosts = List.of(host(first), host(second));
        second.hosts = first.hosts;
    }

    private static Host host(FakeServer server) {
        return Host.newBuilder().setAddress("127.0.0.1").setPort(server.port()).build();
    }

    /**
     * The first server's next call, which was refused so often that the client waits for some time before the next
     * attempt.
     */
    FakeServer.Call turnedAwayForLong() throws InterruptedException, IOException {
        FakeServer.Call asked = first.next();
        for (int refusals = 0; refusals < 5; refusals++) { // the pauses grow
            asked.fail(ErrorCode.NOT_CONNECTED, "nobody leads");
            asked = first.next();
        }
        asked.fail(ErrorCode.NOT_CONNECTED, "nobody leads");
        return asked;
    }

    /** A client that was told of the first server only. */
    FulmarClient connect() {
        return FulmarClient.builder()
                .hosts(first.address())
                .callTimeout(Duration.ofSeconds(20))
                .connect();
    }

    static void assertFails(CompletableFuture<CallResult> call, ErrorCode code) {
        assertThatThrownBy(call::join)
                .cause()
                .isInstanceOf(FulmarException.class)
                .extracting(error -> ((FulmarException) error).code())
                .isEqualTo(code);
    }

    @Override
    public void close() throws IOException {
        first.close();
        second.close();
    }
}
