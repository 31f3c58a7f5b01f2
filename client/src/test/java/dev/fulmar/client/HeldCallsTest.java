package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.limit.HandleWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call without an answer holds up those that the server could not tell apart from it, and no others. */
@Timeout(60)
class HeldCallsTest {
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
    void callsGoByAnotherLaneWhenTheServerCouldForgetAnOldOne() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> slow = client.callAsync("Slow");
            FakeServer.Call call = server.next();
            List<CompletableFuture<CallResult>> futures = new ArrayList<>();
            for (int i = 1; i < HandleWindow.REQUESTS; i++) {
                futures.add(client.callAsync("Echo"));
            }
            futures.forEach(CompletableFuture::join);
            assertThat(client.readyConnections()).isEqualTo(1);
            CompletableFuture<CallResult> beyond = client.callAsync("Next");
            FakeServer.Call next = server.next();
            assertThat(next.clientId()).isNotEqualTo(call.clientId());
            next.answer(2);
            beyond.join();
            call.answer(1);
            slow.join();
            CompletableFuture<CallResult> after = client.callAsync("After");
            CompletableFuture<CallResult> last = client.callAsync("After");
            List<FakeServer.Call> both = List.of(server.next(), server.next());
            assertThat(both).anySatisfy(done -> {
                assertThat(done.clientId()).isEqualTo(call.clientId());
                assertThat(done.requestId()).isEqualTo(call.requestId() + HandleWindow.REQUESTS);
            });
            both.getFirst().answer(1);
            both.getLast().answer(1);
            after.join();
            last.join();
        }
    }

    @Test
    void callsThatCameWhileNoServerWasThereAreNotHeldUpByAnOldOne() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> slow = client.callAsync("Slow");
            FakeServer.Call old = server.next();
            for (int i = 1; i < HandleWindow.REQUESTS; i++) {
                client.call("Echo");
            }
            CompletableFuture<CallResult> beyond = client.callAsync("Next");
            server.next().answer(2);
            beyond.join();
            server.stop();
            while (client.readyConnections() > 0) {
                Thread.onSpinWait();
            }
            List<CompletableFuture<CallResult>> futures = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                futures.add(client.callAsync("Next"));
            }
            server.reopen();
            // The connections come back in any order, so the old call may arrive again behind the others.
            FakeServer.Call again = null;
            for (int answered = 0; answered < futures.size() || again == null; ) {
                FakeServer.Call call = server.next();
                if (call.clientId() != old.clientId()) {
                    call.answer(3);
                    answered++;
                } else {
                    assertThat(call.requestId()).isEqualTo(old.requestId());
                    again = call;
                }
            }
            futures.forEach(CompletableFuture::join);
            again.answer(1);
            slow.join();
        }
    }

    @Test
    void aCallThatNobodyWaitsForHoldsUpNoOther() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> slow = client.prepare("Slow")
                    .withTimeout(Duration.ofMillis(1))
                    .start()
                    .callAsync();
            FakeServer.Call call = server.next();
            FakePair.assertFails(slow, ErrorCode.TIMEOUT);
            for (int i = 0; i < HandleWindow.REQUESTS + 10; i++) {
                client.call("Echo");
            }
            CompletableFuture<CallResult> beyond = client.callAsync("Next");
            FakeServer.Call next = server.next();
            assertThat(next.clientId()).isEqualTo(call.clientId());
            next.answer(2);
            beyond.join();
        }
    }
}
