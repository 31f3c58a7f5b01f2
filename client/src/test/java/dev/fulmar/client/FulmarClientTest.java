package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient.WhenFull;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.ConnectionError;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FulmarClientTest {
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
    void argumentsArriveAndResultsComeBack() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> future =
                    client.callAsync("Transfer", 5L, "Ålesund", null, new BigDecimal("1.50"), new long[] {1, 2});
            FakeServer.Call call = server.next();
            assertThat(call.name()).isEqualTo("Transfer");
            assertThat(call.timeoutMillis()).isEqualTo(30_000);
            ParameterReader read = new ParameterReader(5).wrap(call.parameters(), 0, call.parameters().length);
            assertThat(read.getLong(0)).isEqualTo(5);
            assertThat(read.string(1)).isEqualTo("Ålesund");
            assertThat(read.isNull(2)).isTrue();
            assertThat(read.decimal(3)).isEqualTo("1.50");
            assertThat(read.longs(4)).containsExactly(1, 2);
            call.answer(12);
            assertThat(future.get().longValue()).isEqualTo(12);
        }
    }

    @Test
    void aPreparedCallBindsEveryTypeInOrder() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            PreparedCall prepared = client.prepare("P").withTimeout(Duration.ofSeconds(7));
            CompletableFuture<CallResult> future = prepared.start()
                    .with(1L)
                    .with(2.5)
                    .with(true)
                    .with("text")
                    .withUtf8(new byte[] {'a', 'b', 'c'}, 1, 2)
                    .withDecimal(123, 2)
                    .withTimestampMicros(99)
                    .with(Instant.ofEpochSecond(1, 2_999))
                    .with((Instant) null)
                    .withNull()
                    .callAsync();
            FakeServer.Call call = server.next();
            assertThat(call.timeoutMillis()).isEqualTo(7_000);
            ParameterReader read = new ParameterReader(10).wrap(call.parameters(), 0, call.parameters().length);
            List<String> values = new ArrayList<>();
            for (int i = 0; i < read.count(); i++) {
                values.add(String.valueOf(read.object(i)));
            }
            assertThat(String.join(" ", values))
                    .isEqualTo(
                            "1 2.5 true text bc 1.23 1970-01-01T00:00:00.000099 1970-01-01T00:00:01.000002 null null");
            call.answer(0);
            future.get();
            assertThatThrownBy(() -> prepared.withTimeout(Duration.ZERO)).hasMessageContaining("choose from 1 ms");
        }
    }

    @Test
    void errorsKeepTheirCodeAndMessage() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> asynchronous = client.callAsync("P");
            server.next().fail(ErrorCode.UNIQUE_VIOLATION, "the row is there; drop it");
            assertThatThrownBy(asynchronous::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(FulmarException.class);
            CompletableFuture<CallResult> synchronous = CompletableFuture.supplyAsync(() -> client.call("P"));
            server.next().fail(ErrorCode.UNIQUE_VIOLATION, "the row is there; drop it");
            assertFails(synchronous, ErrorCode.UNIQUE_VIOLATION, "the row is there; drop it");
            assertThat(client.statistics().failed()).isEqualTo(2);
            assertThat(client.statistics().outcomesUnknown()).isZero();
        }
    }

    @Test
    void statementsAndJarsTravelToo(@TempDir Path folder) throws Exception {
        Path jar = Files.write(folder.resolve("p.jar"), new byte[] {1, 2, 3});
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> statement = client.executeAsync("DELETE FROM T WHERE ID = ?", 4);
            FakeServer.Call call = server.next();
            assertThat(call.name()).isEqualTo("DELETE FROM T WHERE ID = ?");
            call.answer(1);
            assertThat(statement.join().longValue()).isEqualTo(1);
            CompletableFuture<CallResult> load = CompletableFuture.supplyAsync(() -> client.loadClasses(jar));
            call = server.next();
            assertThat(call.name()).isEqualTo("@LoadClasses");
            assertThat(new ParameterReader(1)
                            .wrap(call.parameters(), 0, call.parameters().length)
                            .bytes(0))
                    .containsExactly(1, 2, 3);
            call.answer(0);
            load.join();
            assertThatThrownBy(() -> client.loadClasses(folder.resolve("absent.jar")))
                    .hasMessageContaining("check path");
        }
    }

    @Test
    void callsOfManyThreadsAreAllAnswered() throws Exception {
        int threads = 8;
        int each = 3_000;
        AtomicInteger answered = new AtomicInteger();
        try (FulmarClient client = FulmarClient.builder()
                .hosts(server.address())
                .connectionsPerHost(3)
                .eventLoopThreads(2)
                .maxOutstanding(100)
                .connect()) {
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(Thread.ofPlatform().start(() -> {
                    for (int n = 0; n < each; n++) {
                        CompletableFuture<Void> unused =
                                client.callAsync("Echo", n).thenRun(answered::incrementAndGet);
                    }
                }));
            }
            for (Thread thread : running) {
                thread.join();
            }
            client.drain();
            assertThat(answered).hasValue(threads * each);
            assertThat(client.statistics()).isEqualTo(new ClientStatistics((long) threads * each, 0, 0, 0, 0, 0));
        }
    }

    @Test
    void handlersMaySendTheNextCall() throws Exception {
        CountDownLatch rounds = new CountDownLatch(5_000);
        try (FulmarClient client =
                FulmarClient.builder().hosts(server.address()).maxOutstanding(1).connect()) {
            PreparedCall echo = client.prepare("Echo");
            echo.start().send(new CallHandler() {
                @Override
                public void completed(CallResult result) {
                    rounds.countDown();
                    if (rounds.getCount() > 0) {
                        echo.start().send(this);
                    }
                }

                @Override
                public void failed(FulmarException error) {}
            });
            assertThat(rounds.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void drainingWaitsForHandlersAndTakesNoRoomFromThem() throws Exception {
        AtomicInteger finished = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (FulmarClient client =
                FulmarClient.builder().hosts(server.address()).maxOutstanding(1).connect()) {
            PreparedCall echo = client.prepare("Echo");
            echo.start().send(new CallHandler() {
                private int round;

                @Override
                public void completed(CallResult result) {
                    round++;
                    if (round < 2_000) {
                        echo.start().send(this);
                    } else {
                        LockSupport.parkNanos(20_000_000);
                        finished.incrementAndGet();
                    }
                }

                @Override
                public void failed(FulmarException error) {
                    refused.incrementAndGet();
                }
            });
            client.drain();
            assertThat(refused).hasValue(0);
            assertThat(finished).hasValue(1);
            // Answered only after the stage is attached, so that the stage runs on the event loop.
            CompletableFuture<Void> nested = client.callAsync("Slow").thenRun(client::drain);
            server.next().answer(1);
            assertThatThrownBy(nested::join).hasMessageContaining("drain on another thread");
        }
    }

    @Test
    void aHandlerThatThrowsHurtsNobody() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            client.prepare("Echo").start().send(new CallHandler() {
                @Override
                public void completed(CallResult result) {
                    throw new IllegalStateException("planted");
                }

                @Override
                public void failed(FulmarException error) {}
            });
            assertThat(client.call("Echo").longValue()).isPositive();
            assertThat(client.statistics().outstanding()).isZero();
        }
    }

    @Test
    void waitingInsideAHandlerIsRefusedInsteadOfHanging() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            // The handler is there before the answer comes, so it runs on the event loop and not here.
            CompletableFuture<CallResult> nested = client.callAsync("Slow").thenApply(result -> client.call("Echo"));
            server.next().answer(1);
            assertFails(nested, ErrorCode.NOT_SUPPORTED, "use callAsync");
        }
    }

    @Test
    void aFullClientFailsOrBlocksAsConfigured() throws Exception {
        try (FulmarClient failing = FulmarClient.builder()
                .hosts(server.address())
                .maxOutstanding(1)
                .whenFull(WhenFull.FAIL)
                .connect()) {
            CompletableFuture<CallResult> first = failing.callAsync("Slow");
            assertFails(failing.callAsync("Slow"), ErrorCode.SERVER_BUSY, "not sent");
            server.next().answer(1);
            first.join();
            assertThat(failing.callAsync("Echo").join().longValue()).isPositive();
        }
        try (FulmarClient blocking =
                FulmarClient.builder().hosts(server.address()).maxOutstanding(1).connect()) {
            CompletableFuture<CallResult> first = blocking.callAsync("Slow");
            CompletableFuture<CallResult> second = CompletableFuture.supplyAsync(
                    () -> blocking.callAsync("Slow").join());
            FakeServer.Call call = server.next();
            assertThat(server.nextWithin(100)).isNull();
            call.answer(1);
            first.join();
            server.next().answer(2);
            assertThat(second.join().longValue()).isEqualTo(2);
        }
    }

    @Test
    void aLateReplyIsATimeoutNotAFailureAndTheConnectionLivesOn() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            PreparedCall slow = client.prepare("Slow").withTimeout(Duration.ofMillis(60));
            CompletableFuture<CallResult> late = slow.start().callAsync();
            FakeServer.Call call = server.next();
            assertFails(late, ErrorCode.TIMEOUT, "may have taken effect");
            call.answer(1);
            assertThat(client.call("Echo").longValue()).isPositive();
            assertThat(client.statistics().outcomesUnknown()).isEqualTo(1);
            assertThat(client.statistics().completed()).isEqualTo(1);
        }
    }

    @Test
    void unansweredCallsAreRepeatedWithTheirHandleAfterTheConnectionBroke() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> first = client.callAsync("A", 1);
            CompletableFuture<CallResult> second = client.callAsync("B", 2);
            FakeServer.Call a = server.next();
            FakeServer.Call b = server.next();
            server.breakConnections();
            FakeServer.Call againA = server.next();
            FakeServer.Call againB = server.next();
            assertThat(againA.clientId()).isEqualTo(a.clientId()).isNotZero();
            assertThat(againA.requestId()).isEqualTo(a.requestId());
            assertThat(againA.parameters()).isEqualTo(a.parameters());
            assertThat(againA.name()).isEqualTo("A");
            assertThat(againB.requestId()).isEqualTo(b.requestId());
            againA.answer(1);
            againB.answer(2);
            assertThat(first.join().longValue()).isEqualTo(1);
            assertThat(second.join().longValue()).isEqualTo(2);
            assertThat(client.statistics().repeated()).isEqualTo(2);
        }
    }

    @Test
    void callsAreNotRepeatedToAServerThatForgotThem() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> call = client.callAsync("A");
            server.next();
            server.incarnation = 2;
            server.breakConnections();
            assertFails(call, ErrorCode.OUTCOME_UNKNOWN, "restarted");
            assertThat(server.nextWithin(100)).isNull();
            assertThat(client.call("Echo").longValue()).isPositive();
        }
    }

    @Test
    void withoutRepetitionABrokenConnectionLeavesTheOutcomeUnknown() throws Exception {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(server.address())
                .repeatUnanswered(false)
                .connect()) {
            CompletableFuture<CallResult> call = client.callAsync("A");
            assertThat(server.next().clientId()).isZero();
            server.breakConnections();
            assertFails(call, ErrorCode.OUTCOME_UNKNOWN, "may have taken effect");
        }
    }

    @Test
    void aServerThatStaysAwayMakesSentCallsTimeOutAndOthersNotSent() throws Exception {
        try (FulmarClient client = FulmarClient.builder()
                .hosts(server.address())
                .callTimeout(Duration.ofMillis(300))
                .connect()) {
            CompletableFuture<CallResult> sent = client.callAsync("A");
            server.next();
            server.stop();
            await(() -> client.readyConnections() == 0);
            CompletableFuture<CallResult> unsent = client.callAsync("B");
            assertFails(sent, ErrorCode.TIMEOUT, "may have taken effect");
            assertFails(unsent, ErrorCode.NOT_CONNECTED, "had no effect");
            server.reopen();
            await(() -> client.readyConnections() == 1);
            assertThat(client.call("Echo").longValue()).isPositive();
        }
    }

    @Test
    void callsGoToTheHostThatAnswers() throws Exception {
        try (FakeServer other = new FakeServer();
                FulmarClient client = FulmarClient.builder()
                        .hosts(server.address(), other.address())
                        .connect()) {
            await(() -> client.readyConnections() == 2);
            Set<FakeServer.Session> used = new HashSet<>();
            CompletableFuture<CallResult> first = client.callAsync("Spread");
            CompletableFuture<CallResult> second = client.callAsync("Spread");
            for (FakeServer each : List.of(server, other)) {
                FakeServer.Call call = each.next();
                used.add(call.session());
                call.answer(1);
            }
            first.join();
            second.join();
            assertThat(used).hasSize(2);
            server.stop();
            await(() -> client.readyConnections() == 1);
            for (int i = 0; i < 20; i++) {
                assertThat(client.call("Echo").longValue()).isPositive();
            }
        }
    }

    @Test
    void aCallThatAStoppingServerRefusedGoesToAnother() throws Exception {
        try (FakeServer other = new FakeServer();
                FulmarClient client = FulmarClient.builder()
                        .hosts(server.address(), other.address())
                        .connect()) {
            await(() -> client.readyConnections() == 2);
            List<CompletableFuture<CallResult>> futures = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                futures.add(client.callAsync("A"));
            }
            FakeServer.Call refused = server.next();
            refused.session().sayGoodbye();
            refused.fail(ErrorCode.NODE_STOPPING, "stopping; go elsewhere");
            other.next().answer(1);
            other.next().answer(2);
            futures.forEach(CompletableFuture::join);
            await(() -> !server.sessions().contains(refused.session()));
        }
    }

    @Test
    void aConnectionToAStoppingServerIsLeftWhenItsLastCallIsAnswered() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> last = client.callAsync("A");
            FakeServer.Call call = server.next();
            call.session().sayGoodbye();
            await(() -> client.readyConnections() == 0);
            assertThat(server.sessions()).contains(call.session());
            call.answer(1);
            last.join();
            await(() -> !server.sessions().contains(call.session()));
            await(() -> client.readyConnections() == 1);
        }
    }

    @Test
    void aSingleStoppingServerIsReportedAsSuch() throws Exception {
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            CompletableFuture<CallResult> call = client.callAsync("A");
            server.next().fail(ErrorCode.NODE_STOPPING, "stopping; go elsewhere");
            assertFails(call, ErrorCode.NODE_STOPPING, "elsewhere");
        }
    }

    @Test
    void theServersLimitOfOutstandingRequestsHoldsCallsBack() throws Exception {
        server.limits = new WireLimits(256 * 1024, 1000, 1000, 2, 1);
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            List<CompletableFuture<CallResult>> futures = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                futures.add(client.callAsync("A"));
            }
            FakeServer.Call first = server.next();
            FakeServer.Call second = server.next();
            assertThat(server.nextWithin(100)).isNull();
            first.answer(1);
            server.next().answer(3);
            second.answer(2);
            futures.forEach(CompletableFuture::join);
        }
    }

    @Test
    void theServersLimitsAreRespectedBeforeSending() throws Exception {
        server.limits = new WireLimits(256 * 1024, 1000, 1000, 2, 1);
        try (FulmarClient client = FulmarClient.connect(server.address())) {
            assertFails(client.callAsync("A", (Object) new byte[2000]), ErrorCode.FRAME_TOO_LARGE, "takes 1000");
            CompletableFuture<CallResult> bound = client.callAsync("Bound");
            CompletableFuture<CallResult> named = client.callAsync("B");
            // Only one procedure may get a number on a connection; the second is called by its name.
            assertThat(Set.of(server.next().name(), server.next().name())).contains("unbound B");
            assertThat(List.of(bound, named)).noneMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void aRefusedConnectionTellsWhy() {
        server.refusal = ConnectionError.newBuilder()
                .setCode(ErrorCode.TOO_MANY_CONNECTIONS.number())
                .setMessage("full; raise the limit")
                .build();
        assertThatThrownBy(() -> FulmarClient.builder()
                        .hosts(server.address())
                        .connectTimeout(Duration.ofMillis(300))
                        .connect())
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS))
                .hasMessageContaining("raise the limit");
    }

    @Test
    void nobodyThereIsToldWithAdvice() throws Exception {
        try (Socket taken = new Socket()) { // a port at which nobody else can begin to listen meanwhile
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(() -> FulmarClient.builder()
                            .hosts("127.0.0.1:" + taken.getLocalPort())
                            .connectTimeout(Duration.ofMillis(200))
                            .connect())
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED))
                    .hasMessageContaining("check that the node runs");
        }
    }

    @Test
    void aClosedClientGivesEveryCallAnOutcome() throws Exception {
        FulmarClient client = FulmarClient.connect(server.address());
        CompletableFuture<CallResult> sent = client.callAsync("A");
        server.next();
        client.close();
        assertFails(sent, ErrorCode.OUTCOME_UNKNOWN, "may have taken effect");
        assertFails(client.callAsync("A"), ErrorCode.NOT_CONNECTED, "had no effect");
        client.close();
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> FulmarClient.builder().hosts(List.of()).connect())
                .hasMessageContaining("hosts");
        assertThatThrownBy(() -> FulmarClient.builder().maxOutstanding(0).connect())
                .hasMessageContaining("1 or more");
        assertThatThrownBy(() -> FulmarClient.builder().eventLoopThreads(0).connect())
                .hasMessageContaining("eventLoopThreads");
        assertThatThrownBy(() -> FulmarClient.builder().connectionsPerHost(0).connect())
                .hasMessageContaining("connectionsPerHost");
        assertThatThrownBy(
                        () -> FulmarClient.builder().callTimeout(Duration.ZERO).connect())
                .hasMessageContaining("callTimeout");
        assertThatThrownBy(() ->
                        FulmarClient.builder().connectTimeout(Duration.ZERO).connect())
                .hasMessageContaining("connectTimeout");
        assertThatThrownBy(() -> FulmarClient.builder().name("x".repeat(201)).connect())
                .hasMessageContaining("at most 200");
    }

    private static void assertFails(CompletableFuture<CallResult> future, ErrorCode code, String part) {
        assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
