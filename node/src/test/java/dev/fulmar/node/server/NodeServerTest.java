package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.ConnectionError;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.ResultKind;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeServerTest {
    private static final WireLimits SMALL = new WireLimits(256 * 1024, 1000, 2000, 3, 50);

    private final ScriptedRouter router = new ScriptedRouter();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicReference<@Nullable ConnectionStatistics> latest = new AtomicReference<>();
    private final AtomicInteger closed = new AtomicInteger();
    private @Nullable NodeServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(Duration.ZERO);
            server.endThreads();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsAndStatementsReachTheRouterAndAnswersComeBack(boolean preferNative) throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, preferNative);
        try (WireClient client = WireClient.opened(address, 42)) {
            client.bind(7, "Transfer");
            client.call(1, 7, "", new byte[] {1, 0, 9});
            ScriptedRouter.Held call = router.next();
            assertThat(call.request())
                    .usingRecursiveComparison()
                    .ignoringFields("caller")
                    .isEqualTo(new TransactionRequest.Call(42, 1, 0, "Transfer", new byte[] {1, 0, 9}));
            call.answer(ScriptedRouter.value(-5));
            ProcedureReply reply = client.reply();
            assertThat(reply.getRequestId()).isEqualTo(1);
            assertThat(reply.getStatus()).isZero();
            assertThat(reply.getKind()).isEqualTo(ResultKind.VALUE);
            assertThat(reply.getValue()).isEqualTo(-5);

            client.statement(2, "SELECT 1");
            ScriptedRouter.Held statement = router.next();
            assertThat(statement.request()).isInstanceOf(TransactionRequest.AdHoc.class);
            assertThat(statement.request().subject()).isEqualTo("SELECT 1");
            statement.answer(new TransactionResponse.Failed(ErrorCode.SYNTAX, "no; write better"));
            reply = client.reply();
            assertThat(reply.getStatus()).isEqualTo(ErrorCode.SYNTAX.number());
            assertThat(reply.getMessage()).isEqualTo("no; write better");
        }
    }

    @Test
    void theWelcomeTellsTheLimitsAndTheIncarnation() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        try (WireClient client = new WireClient(address)) {
            client.send(
                    FrameKind.HELLO,
                    Hello.newBuilder().setOldestVersion(1).setNewestVersion(900).build());
            Welcome welcome = Welcome.parseFrom(client.read(FrameKind.WELCOME));
            assertThat(welcome.getVersion()).isEqualTo(FrameFormat.NEWEST_VERSION);
            assertThat(WireLimits.of(welcome.getLimits())).isEqualTo(SMALL);
            assertThat(welcome.getIncarnation()).isEqualTo(77);
            assertThat(welcome.getNode()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6})
    void clientsGetTheCodesOfBudgetsThatTheyKnow(int version) throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient client = new WireClient(address)) {
            client.send(
                    FrameKind.HELLO,
                    Hello.newBuilder()
                            .setOldestVersion(1)
                            .setNewestVersion(version)
                            .build());
            client.read(FrameKind.WELCOME);
            client.call(1, "Held");
            router.next().answer(new TransactionResponse.Failed(ErrorCode.PROCEDURE_MEMORY_BUDGET, "too much"));
            assertFailed(
                    client.reply(),
                    1,
                    version == 5 ? ErrorCode.PROCEDURE_TIME_BUDGET : ErrorCode.PROCEDURE_MEMORY_BUDGET,
                    "too much");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7})
    void clientsGetTheCodesOfEndsAndOfDatesThatTheyKnow(int version) throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient client = new WireClient(address)) {
            client.send(
                    FrameKind.HELLO,
                    Hello.newBuilder()
                            .setOldestVersion(1)
                            .setNewestVersion(version)
                            .build());
            client.read(FrameKind.WELCOME);
            Map<ErrorCode, ErrorCode> before = Map.of(
                    ErrorCode.NODE_BROKEN, ErrorCode.OUTCOME_UNKNOWN,
                    ErrorCode.NODE_LOST, ErrorCode.OUTCOME_UNKNOWN,
                    ErrorCode.DATETIME_OUT_OF_RANGE, ErrorCode.VALUE_OUT_OF_RANGE);
            int request = 0;
            for (ErrorCode code : new TreeSet<>(before.keySet())) {
                client.call(++request, "Held");
                router.next().answer(new TransactionResponse.Failed(code, "why"));
                assertFailed(
                        client.reply(), request, version == 6 ? Objects.requireNonNull(before.get(code)) : code, "why");
            }
        }
    }

    @Test
    void theRouterHearsOfAClientWhoLeavesWithCallsUnanswered() throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        ScriptedRouter.Held left;
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, "Held");
            left = router.next();
            assertThat(left.sink().isGone()).isFalse();
        }
        assertThat(router.nextDeparted()).isSameAs(left.sink());
        assertThat(left.sink().isGone()).isTrue();
        left.answer(ScriptedRouter.value(1));
    }

    @Test
    void theReplyNamesTheNodeThatWasLost() throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, "Held");
            router.next().answer(new TransactionResponse.Failed(ErrorCode.NODE_LOST, "why", new NodeId(0)));
            assertThat(client.reply().hasLostNode()).isTrue();
            client.call(2, "Held");
            router.next().answer(new TransactionResponse.Failed(ErrorCode.NODE_LOST, "why"));
            assertThat(client.reply().hasLostNode()).isFalse();
        }
    }

    @Test
    void aBrokenNodeTellsItsClientsBeforeTheirConnectionsEnd() throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient one = WireClient.opened(address, 1);
                WireClient other = WireClient.opened(address, 2)) {
            one.call(1, "Held");
            router.next();
            server().breakOff();
            for (WireClient client : List.of(one, other)) {
                ConnectionError error = client.error();
                assertThat(ErrorCode.ofNumber(error.getCode())).isEqualTo(ErrorCode.NODE_BROKEN);
                assertThat(error.getMessage()).contains("node 3 broke");
                assertThat(client.closedByServer()).isTrue();
            }
            assertThat(server().connections()).isZero();
        }
    }

    @Test
    void manyCallsInFlightAreAllAnsweredOnce() throws Exception {
        HostAddress address = start(10, 10_000, WireLimits.DEFAULT, true);
        int calls = 3_000;
        try (WireClient client = WireClient.opened(address, 1)) {
            ByteBuf all = Unpooled.buffer();
            for (int i = 1; i <= calls; i++) {
                CallWriter.writeProcedureCall(
                        all, i, 0, i % 2 == 0 ? "Echo" : "Held", new byte[] {0, 0}, 2, 0, ReadConsistency.DECLARED, 0);
            }
            client.send(ByteBufUtil.getBytes(all));
            CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < calls / 2; i++) {
                    try {
                        router.next().answer(ScriptedRouter.value(1));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            Set<Long> ids = new HashSet<>();
            for (int i = 0; i < calls; i++) {
                assertThat(ids.add(client.reply().getRequestId())).isTrue();
            }
            answers.join();
            assertThat(ids).hasSize(calls).contains(1L, (long) calls);
        }
        assertThat(server().queued()).isZero();
        assertThat(server().statistics().committed()).isEqualTo(calls);
        assertThat(server().statistics().requests()).isEqualTo(calls);
        assertThat(server().statistics().latency().count()).isEqualTo(calls);
    }

    @Test
    void theLimitsGiveErrorsThatSayWhatToDoAndHurtNobodyElse() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, 0, "Echo", new byte[1001]);
            assertFailed(client.reply(), 1, ErrorCode.FRAME_TOO_LARGE, "limit is 1000");
            for (int i = 2; i <= 5; i++) {
                client.call(i, "Held");
            }
            assertFailed(client.reply(), 5, ErrorCode.SERVER_BUSY, "wait for replies");
            ScriptedRouter.Held large = router.next();
            large.answer(new TransactionResponse.Committed(TransactionResponse.Kind.TABLE, 0, new byte[2001]));
            assertFailed(client.reply(), 2, ErrorCode.RESULT_TOO_LARGE, "committed");
            router.next().answer(ScriptedRouter.value(1));
            router.next().answer(ScriptedRouter.value(1));
            assertThat(client.reply().getStatus()).isZero();
            assertThat(client.reply().getStatus()).isZero();
            client.call(6, "Echo");
            assertThat(client.reply().getStatus()).isZero();
        }
    }

    @Test
    void theNodesQueueIsBoundedOverAllConnections() throws Exception {
        HostAddress address = start(10, 2, WireLimits.DEFAULT, true);
        try (WireClient first = WireClient.opened(address, 1);
                WireClient second = WireClient.opened(address, 2)) {
            first.call(1, "Held");
            second.call(1, "Held");
            ScriptedRouter.Held held = router.next();
            ScriptedRouter.Held other = router.next();
            second.call(2, "Echo");
            assertFailed(second.reply(), 2, ErrorCode.SERVER_BUSY, "queued");
            held.answer(ScriptedRouter.value(1));
            other.answer(ScriptedRouter.value(1));
            first.reply();
            second.reply();
            second.call(3, "Echo");
            assertThat(second.reply().getStatus()).isZero();
        }
    }

    @Test
    void oneConnectionTooManyIsToldSoAndAPlaceIsFreedByAClose() throws Exception {
        HostAddress address = start(1, 100, WireLimits.DEFAULT, true);
        try (WireClient first = WireClient.opened(address, 1)) {
            try (WireClient second = new WireClient(address)) {
                ConnectionError error = second.error();
                assertThat(error.getCode()).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS.number());
                assertThat(error.getMessage()).contains("limit of 1").contains("raise");
                assertThat(second.closedByServer()).isTrue();
            }
            first.call(1, "Echo");
            assertThat(first.reply().getStatus()).isZero();
        }
        awaitConnections(0);
        WireClient.opened(address, 3).close();
        assertThat(server().statistics().connectionsRefused()).isEqualTo(1);
    }

    @Test
    void whatCannotBeUnderstoodClosesThatConnectionOnly() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        try (WireClient good = WireClient.opened(address, 1)) {
            assertClosed(address, false, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.PROCEDURE_CALL, new byte[0]));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.WELCOME, new byte[0]));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.HELLO, new byte[0]));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.PROCEDURE_CALL, new byte[] {0}));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.BIND, new byte[] {(byte) 0xFF}));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.BIND, new byte[] {8, 51}));
            assertClosed(address, true, ErrorCode.MALFORMED_REQUEST, frame(FrameKind.BIND, new byte[] {8, 0}));
            assertClosed(address, true, ErrorCode.FRAME_TOO_LARGE, new byte[] {-1, -1, -1, 127});
            assertClosed(address, true, ErrorCode.VERSION_MISMATCH, new byte[] {2, 0, 0, 0, 9, 1});
            assertClosed(
                    address,
                    false,
                    ErrorCode.VERSION_MISMATCH,
                    frame(
                            FrameKind.HELLO,
                            Hello.newBuilder()
                                    .setOldestVersion(50)
                                    .setNewestVersion(60)
                                    .build()
                                    .toByteArray()));
            good.call(1, "Echo");
            assertThat(good.reply().getStatus()).isZero();
        }
    }

    @Test
    void aCallOfANumberThatWasNotBoundClosesTheConnection() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        for (int number : new int[] {1, 49, -1, Integer.MAX_VALUE}) {
            try (WireClient client = WireClient.opened(address, 1)) {
                client.call(1, number, "", WireClient.noParameters());
                assertThat(client.error().getCode()).isEqualTo(ErrorCode.MALFORMED_REQUEST.number());
                assertThat(client.closedByServer()).isTrue();
            }
        }
    }

    @Test
    void aDefectInTheRouterClosesTheConnectionThatMetItOnly() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        try (WireClient good = WireClient.opened(address, 1);
                WireClient unlucky = WireClient.opened(address, 2)) {
            unlucky.call(1, "Explode");
            assertThat(unlucky.closedByServer()).isTrue();
            good.call(1, "Echo");
            assertThat(good.reply().getStatus()).isZero();
        }
    }

    @Test
    void whoStaysSilentIsSentAway() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        try (WireClient silent = new WireClient(address)) {
            assertThat(silent.error().getMessage()).contains("begin with a Hello");
            assertThat(silent.closedByServer()).isTrue();
        }
    }

    @Test
    void randomBytesCloseConnectionsAndTheServerLivesOn() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        Random random = new Random(17);
        for (int round = 0; round < 100; round++) {
            try (WireClient client = WireClient.opened(address, 1)) {
                byte[] noise = new byte[6 + random.nextInt(200)];
                random.nextBytes(noise);
                noise[0] = (byte) (2 + random.nextInt(100));
                noise[1] = 0;
                noise[2] = 0;
                noise[3] = 0;
                noise[4] = FrameFormat.FRAMING;
                noise[5] = (byte) (1 + random.nextInt(8));
                client.send(noise);
            }
        }
        awaitConnections(0);
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, "Echo");
            assertThat(client.reply().getStatus()).isZero();
        }
    }

    @Test
    void repliesToAClientThatLeftAreDroppedAndCounted() throws Exception {
        HostAddress address = start(10, 100, SMALL, true);
        WireClient client = WireClient.opened(address, 1);
        client.call(1, "Held");
        ScriptedRouter.Held held = router.next();
        client.close();
        awaitConnections(0);
        assertThat(server().queued()).isEqualTo(1);
        held.answer(ScriptedRouter.value(1));
        await(() -> server().queued() == 0);
        assertThat(opened).hasValue(1);
        assertThat(closed).hasValue(1);
    }

    @Test
    void aStopFinishesWhatWasAcceptedAndRefusesTheRest() throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, "Held");
            ScriptedRouter.Held held = router.next();
            CompletableFuture<Boolean> stop =
                    CompletableFuture.supplyAsync(() -> server().stop(Duration.ofSeconds(10)));
            assertThat(client.read().kind()).isEqualTo(FrameKind.GOODBYE);
            client.call(2, "Echo");
            assertFailed(client.reply(), 2, ErrorCode.NODE_STOPPING, "did not begin");
            assertThatThrownBy(() -> WireClient.opened(address, 2)).isInstanceOf(IOException.class);
            assertThat(stop).isNotDone();
            held.answer(ScriptedRouter.value(9));
            assertThat(client.reply().getValue()).isEqualTo(9);
            assertThat(client.closedByServer()).isTrue();
            assertThat(stop.join()).isTrue();
        }
    }

    @Test
    void aStopGivesUpAfterItsGrace() throws Exception {
        HostAddress address = start(10, 100, WireLimits.DEFAULT, true);
        try (WireClient client = WireClient.opened(address, 1)) {
            client.call(1, "Held");
            router.next();
            assertThat(server().stop(Duration.ofMillis(50))).isFalse();
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void whoDoesNotReadRepliesIsNotReadFrom() throws Exception {
        WireLimits limits = new WireLimits(16 << 20, 1 << 20, 1 << 20, 4096, 10);
        HostAddress address = start(10, 10_000, limits, true);
        byte[] payload = new byte[256 * 1024];
        int calls = 400;
        try (WireClient client = WireClient.opened(address, 1)) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 1; i <= calls; i++) {
                        client.call(i, 0, "Echo", payload);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            // 100 MB of replies fit in no buffer between the two; without the pause the sender would come to its end.
            await(() -> sending.isDone() || latest().paused());
            assertThat(sending).isNotDone();
            assertThat(server().statistics().requests()).isLessThan(calls);
            for (int i = 0; i < calls; i++) {
                assertThat(client.reply().getResults().size()).isEqualTo(payload.length);
            }
            sending.join();
        }
    }

    @Test
    void anAddressInUseIsRefusedWithAdvice() {
        HostAddress address = start(10, 100, SMALL, true);
        NodeServer other = newServer(address, 10, 100, SMALL, true);
        assertThatThrownBy(other::start)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("port that is free");
    }

    private HostAddress start(int maxConnections, int maxQueued, WireLimits limits, boolean preferNative) {
        NodeServer started =
                newServer(new HostAddress("127.0.0.1", 0), maxConnections, maxQueued, limits, preferNative);
        started.start();
        server = started;
        return started.address();
    }

    private NodeServer newServer(
            HostAddress address, int maxConnections, int maxQueued, WireLimits limits, boolean preferNative) {
        ConnectionListener counting = new ConnectionListener() {
            @Override
            public void opened(ConnectionStatistics client) {
                latest.set(client);
                opened.incrementAndGet();
            }

            @Override
            public void closed(ConnectionStatistics client) {
                closed.incrementAndGet();
            }
        };
        ServerConfiguration configuration = new ServerConfiguration(
                address, 1, maxConnections, maxQueued, limits, Duration.ofMillis(500), preferNative);
        return new NodeServer(configuration, 3, 77, router, name -> null, counting, ServerSecurity.off());
    }

    /** Of the connection that was opened last. */
    private ConnectionStatistics latest() {
        return Objects.requireNonNull(latest.get(), "connect first");
    }

    private NodeServer server() {
        NodeServer running = server;
        if (running == null) {
            throw new IllegalStateException("start first");
        }
        return running;
    }

    private void awaitConnections(int count) throws InterruptedException {
        await(() -> server().connections() == count);
        assertThat(server().connections()).isEqualTo(count);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static void assertFailed(ProcedureReply reply, long requestId, ErrorCode code, String part) {
        assertThat(reply.getRequestId()).isEqualTo(requestId);
        assertThat(ErrorCode.ofNumber(reply.getStatus())).isEqualTo(code);
        assertThat(reply.getMessage()).contains(part);
    }

    private static void assertClosed(HostAddress address, boolean introduced, ErrorCode code, byte[] bytes)
            throws IOException {
        List<String> context = new ArrayList<>(List.of(ByteBufUtil.hexDump(bytes)));
        try (WireClient client = introduced ? WireClient.opened(address, 1) : new WireClient(address)) {
            client.send(bytes);
            ConnectionError error = client.error();
            assertThat(ErrorCode.ofNumber(error.getCode())).as("%s", context).isEqualTo(code);
            assertThat(error.getMessage()).as("%s", context).contains(";");
            assertThat(client.closedByServer()).as("%s", context).isTrue();
        }
    }

    private static byte[] frame(FrameKind kind, byte[] body) {
        ByteBuf out = Unpooled.buffer();
        int start = FrameFormat.begin(out, kind);
        out.writeBytes(body);
        FrameFormat.end(out, start);
        return ByteBufUtil.getBytes(out);
    }
}
