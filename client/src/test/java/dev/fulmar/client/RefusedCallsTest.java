package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.ConnectionError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that a server will never take must not be repeated until its time is over. */
@Timeout(60)
class RefusedCallsTest {
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void aCallThatTheServerCannotReadFailsAtOnceWithTheServersReason() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> call = client.callAsync("A");
            refuse(server.next());
            assertFails(call, ErrorCode.MALFORMED_REQUEST, "cannot be read");
            assertThat(client.call("Echo", 5).hasValue()).isTrue();
            assertThat(server.nextWithin(50)).isNull();
        }
    }

    @Test
    void callsBesideOneThatTheServerCannotReadAreRepeatedOnce() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> innocent = client.callAsync("A");
            CompletableFuture<CallResult> guilty = client.callAsync("B");
            assertThat(server.next().name()).isEqualTo("A");
            refuse(server.next());
            FakeServer.Call repeated = server.next();
            assertThat(repeated.name()).isEqualTo("A");
            repeated.answer(7);
            assertThat(innocent.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(7);
            refuse(server.next());
            assertFails(guilty, ErrorCode.MALFORMED_REQUEST, "cannot be read");
        }
    }

    @Test
    void callsThatAreRefusedTogetherTwiceEnd() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            List<CompletableFuture<CallResult>> calls = List.of(client.callAsync("A"), client.callAsync("B"));
            for (int i = 0; i < 2; i++) {
                server.next();
                refuse(server.next());
            }
            calls.forEach(call -> assertFails(call, ErrorCode.OUTCOME_UNKNOWN, "cannot be read"));
        }
    }

    @Test
    void aStatementThatFitsNoFrameIsNotSent() throws Exception {
        server.limits = new WireLimits(128 * 1024, 1000, 1000, 2, 1);
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            assertFails(
                    client.executeAsync("SELECT '" + "x".repeat(140_000) + "'"), ErrorCode.FRAME_TOO_LARGE, "131072");
            CompletableFuture<CallResult> fits = client.executeAsync("SELECT '" + "x".repeat(100_000) + "'");
            assertThat(server.next().name()).startsWith("SELECT");
            assertThat(fits).isNotDone();
        }
    }

    private static void refuse(FakeServer.Call call) throws IOException {
        call.session()
                .send(
                        FrameKind.CONNECTION_ERROR,
                        ConnectionError.newBuilder()
                                .setCode(ErrorCode.MALFORMED_REQUEST.number())
                                .setMessage("a message cannot be read")
                                .build());
        call.session().close();
    }

    private static void assertFails(CompletableFuture<CallResult> future, ErrorCode code, String part) {
        assertThatThrownBy(() -> future.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }
}
