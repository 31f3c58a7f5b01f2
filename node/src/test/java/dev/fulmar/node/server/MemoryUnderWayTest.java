package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.call.ReadConsistency;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.ProcedureReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients have under way is counted, bounded, and given back. */
class MemoryUnderWayTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final WireLimits LIMITS = new WireLimits(4 * MEBIBYTE, 3 * MEBIBYTE, 3 * MEBIBYTE, 4096, 10);

    private final ScriptedRouter router = new ScriptedRouter();
    private final ByteBudget budget = new ByteBudget(8 * MEBIBYTE);
    private final NodeServer server = new NodeServer(
            new ServerConfiguration(
                    new HostAddress("127.0.0.1", 0),
                    1,
                    100,
                    10_000,
                    LIMITS,
                    Duration.ofSeconds(10),
                    true,
                    Duration.ofSeconds(2),
                    Optional.empty()),
            1,
            77,
            router,
            name -> null,
            ConnectionListener.none(),
            ServerSecurity.off(),
            budget);

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        server.endThreads();
    }

    private WireClient connect(long clientId) throws Exception {
        if (server.connections() == 0 && clientId == 1) {
            server.start();
        }
        return WireClient.opened(server.address(), clientId);
    }

    @Test
    void requestsHoldTheirParametersUntilTheyAreAnswered() throws Exception {
        try (WireClient client = connect(1)) {
            client.call(1, 0, "Held", new byte[2 * MEBIBYTE]);
            client.call(2, 0, "Held", new byte[10]);
            ScriptedRouter.Held large = router.next();
            ScriptedRouter.Held small = router.next();
            assertThat(budget.underWayBytes()).isEqualTo(2 * MEBIBYTE + 2 * MemoryUse.REQUEST_BYTES);
            large.answer(ScriptedRouter.value(1));
            assertThat(client.reply().getRequestId()).isEqualTo(1);
            await(() -> budget.underWayBytes() == MemoryUse.REQUEST_BYTES);
            small.answer(ScriptedRouter.value(1));
            client.reply();
            await(() -> budget.underWayBytes() == 0);
        }
    }

    /** Else the first answer would give back what all of them hold, and the client could send without bound. */
    @Test
    void largeParametersUnderTheNumberOfACallUnderWayAreRefused() throws Exception {
        try (WireClient client = connect(1)) {
            client.call(1, 0, "Held", new byte[MEBIBYTE]);
            client.call(1, 0, "Held", new byte[MEBIBYTE]);
            ProcedureReply refused = client.reply();
            assertThat(ErrorCode.ofNumber(refused.getStatus())).isEqualTo(ErrorCode.SERVER_BUSY);
            assertThat(refused.getMessage()).contains("give each call a number of its own");
            ScriptedRouter.Held first = router.next();
            assertThat(router.isEmpty()).isTrue();
            assertThat(budget.underWayBytes()).isEqualTo(MEBIBYTE + MemoryUse.REQUEST_BYTES);
            first.answer(ScriptedRouter.value(1));
            assertThat(client.reply().getStatus()).isZero();
            await(() -> budget.underWayBytes() == 0);

            client.call(1, 0, "Held", new byte[MEBIBYTE]);
            router.next().answer(ScriptedRouter.value(2));
            assertThat(client.reply().getStatus()).isZero();
        }
    }

    @Test
    void framesWaitForRoomAndAreThenServedOneAfterAnother() throws Exception {
        List<WireClient> clients = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            clients.add(connect(i));
        }
        List<Thread> senders = new ArrayList<>();
        for (WireClient client : clients) {
            senders.add(Thread.ofVirtual().start(() -> {
                try {
                    client.call(1, 0, "Held", new byte[5 * MEBIBYTE / 2]);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
        }
        List<ScriptedRouter.Held> held = new ArrayList<>();
        held.add(router.next());
        held.add(router.next());
        try (WireClient modest = connect(7)) {
            for (int i = 1; i <= 20; i++) { // others are served meanwhile
                modest.call(i, 0, "Echo", new byte[10]);
                assertThat(modest.reply().getStatus()).isZero();
            }
        }
        assertThat(router.isEmpty()).as("room is for two at a time").isTrue();
        for (int i = 2; i < 6; i++) {
            held.removeFirst().answer(ScriptedRouter.value(1));
            held.add(router.next());
        }
        held.forEach(last -> last.answer(ScriptedRouter.value(1)));
        for (WireClient client : clients) {
            assertThat(client.reply().getStatus()).isZero();
            client.close();
        }
        for (Thread sender : senders) {
            sender.join();
        }
        await(() -> budget.underWayBytes() == 0);
        assertThat(budget.refused()).isZero();
    }

    @Test
    void resultsThatHaveNoRoomAreRefusedAndSmallOnesAreNot() throws Exception {
        try (WireClient client = connect(1)) {
            client.call(1, 0, "Held", new byte[10]);
            client.call(2, 0, "Held", new byte[10]);
            ScriptedRouter.Held first = router.next();
            ScriptedRouter.Held second = router.next();
            assertThat(first.sink().reserve(first.request(), 3 * MEBIBYTE)).isTrue();
            assertThat(first.sink().reserve(first.request(), 2 * MEBIBYTE)).isTrue();
            assertThat(second.sink().reserve(second.request(), 2 * MEBIBYTE)).isFalse();
            client.call(3, 0, "Echo", new byte[1000]);
            assertThat(client.reply().getStatus()).isZero();
            first.answer(table(3 * MEBIBYTE));
            assertThat(client.reply().getResults().size()).isEqualTo(3 * MEBIBYTE);
            second.answer(ScriptedRouter.value(2));
            client.reply();
            await(() -> budget.underWayBytes() == 0);
        }
    }

    @Test
    void callsBeyondTheBudgetGetServerBusy() throws Exception {
        try (WireClient client = connect(1)) {
            assertThat(budget.take(6 * MEBIBYTE)).isTrue();
            budget.takeAlways(2 * MEBIBYTE);
            client.call(1, 0, "Echo", new byte[10]);
            ProcedureReply reply = client.reply();
            assertThat(ErrorCode.ofNumber(reply.getStatus())).isEqualTo(ErrorCode.SERVER_BUSY);
            assertThat(reply.getMessage()).contains("requests.memory-limit");
            assertThat(budget.refused()).isEqualTo(1);
            budget.giveBack(8 * MEBIBYTE);
            client.call(2, 0, "Echo", new byte[10]);
            assertThat(client.reply().getStatus()).isZero();
            await(() -> budget.underWayBytes() == 0);
        }
    }

    @Test
    void aClientThatReadsNothingIsCutOffAndLeavesNothingBehind() throws Exception {
        try (WireClient client = connect(1)) {
            ByteBuf calls = Unpooled.buffer();
            for (int i = 1; i <= 8; i++) {
                CallWriter.writeProcedureCall(calls, i, 0, "Held", new byte[10], 10, 0, ReadConsistency.DECLARED, 0);
            }
            client.send(ByteBufUtil.getBytes(calls));
            for (int i = 0; i < 8; i++) {
                router.next().answer(table(2 * MEBIBYTE));
            }
            await(() -> budget.underWayBytes() > MEBIBYTE);
            await(() -> server.connections() == 0);
            assertThat(server.statistics().stalled()).isEqualTo(1);
            await(() -> budget.underWayBytes() == 0);
        }
    }

    @Test
    void aLargeFrameThatDoesNotArriveIsGivenUp() throws Exception {
        try (WireClient client = connect(1)) {
            ByteBuf call = Unpooled.buffer();
            CallWriter.writeProcedureCall(
                    call, 1, 0, "Held", new byte[MEBIBYTE], MEBIBYTE, 0, ReadConsistency.DECLARED, 0);
            client.send(Arrays.copyOf(ByteBufUtil.getBytes(call), 1000));
            await(() -> budget.underWayBytes() > MEBIBYTE);
            await(() -> server.connections() == 0);
            assertThat(server.statistics().stalled()).isEqualTo(1);
            await(() -> budget.underWayBytes() == 0);
        }
    }

    @Test
    void cutConnectionsLeaveNothingBehind() throws Exception {
        List<ScriptedRouter.Held> held = new ArrayList<>();
        try (WireClient keeper = connect(1)) {
            for (int round = 0; round < 4; round++) {
                try (WireClient client = connect(2 + round)) {
                    client.call(1, 0, "Held", new byte[MEBIBYTE]);
                    held.add(router.next());
                    ByteBuf call = Unpooled.buffer();
                    CallWriter.writeProcedureCall(
                            call, 2, 0, "Held", new byte[MEBIBYTE], MEBIBYTE, 0, ReadConsistency.DECLARED, 0);
                    client.send(Arrays.copyOf(ByteBufUtil.getBytes(call), 100_000));
                }
            }
            await(() -> server.connections() == 1);
            assertThat(budget.underWayBytes()).isEqualTo(4 * (MEBIBYTE + MemoryUse.REQUEST_BYTES));
            for (ScriptedRouter.Held late : held) {
                assertThat(late.sink().reserve(late.request(), 100_000)).isTrue();
                late.answer(table(100_000));
            }
            await(() -> budget.underWayBytes() == 0);
            keeper.call(1, 0, "Echo", new byte[10]);
            assertThat(keeper.reply().getStatus()).isZero();
        }
    }

    private static TransactionResponse table(int bytes) {
        return new TransactionResponse.Committed(TransactionResponse.Kind.TABLE, 0, new byte[bytes]);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 2000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(5);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
