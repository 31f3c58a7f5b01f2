package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Bound;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.KeyKind;
import dev.fulmar.wire.proto.Topology;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that knows who serves what sends calls there. */
class DirectRouteTest {
    private static final ByteString CLUSTER = ByteString.copyFromUtf8("one cluster");

    private FakeServer first;
    private FakeServer second;

    @BeforeEach
    void start() throws IOException {
        first = server(1);
        second = server(2);
    }

    private static FakeServer server(int node) throws IOException {
        FakeServer server = new FakeServer();
        server.node = node;
        server.incarnation = node;
        server.cluster = CLUSTER;
        return server;
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        second.close();
    }

    /** Keys below 100 are of partition 0, the others of partition 1; hashes are cut in the middle. */
    private Topology.Builder topology(int ofLow, int ofHigh, long epoch) {
        return Topology.newBuilder()
                .addHosts(host(first))
                .addHosts(host(second))
                .addAllNodes(List.of(ofLow, ofHigh))
                .addAllEpochs(List.of(epoch, epoch))
                .addAllHashStarts(List.of(Long.MIN_VALUE, 0L))
                .addAllHashPartitions(List.of(0, 1))
                .addAllIntegerStarts(List.of(Long.MIN_VALUE, 100L))
                .addAllIntegerPartitions(List.of(0, 1));
    }

    private static Host host(FakeServer server) {
        return Host.newBuilder()
                .setNode(server.node)
                .setAddress("127.0.0.1")
                .setPort(server.port())
                .build();
    }

    private static void tell(FakeServer server, Topology topology) throws IOException {
        await(() -> !server.sessions().isEmpty());
        server.sessions().getFirst().send(FrameKind.TOPOLOGY, topology);
    }

    /** The client binds the procedure, and the server says which parameter is the key. */
    private void tellKey(FulmarClient client, String procedure, int parameter, KeyKind kind) throws Exception {
        CompletableFuture<CallResult> result = client.callAsync(procedure);
        FakeServer.Call call = first.next();
        call.session()
                .send(
                        FrameKind.BOUND,
                        Bound.newBuilder()
                                .setNumber(call.session().numberOf(procedure))
                                .setParameter(parameter)
                                .setKey(kind)
                                .build());
        call.answer(0);
        result.join();
    }

    private FulmarClient connect(boolean direct) {
        return FulmarClient.builder().hosts(first.address()).directRoute(direct).connect();
    }

    private static void assertGoesTo(FakeServer server, FulmarClient client, String procedure, Object... arguments)
            throws Exception {
        for (int i = 0; i < 5; i++) {
            CompletableFuture<CallResult> result = client.callAsync(procedure, arguments);
            server.next().answer(1);
            result.join();
        }
    }

    /** Calls until the key goes to the other server: what was told may not have come in yet. */
    private static void awaitTurn(FakeServer before, FakeServer after, FulmarClient client, long key) throws Exception {
        CompletableFuture<CallResult> result = client.callAsync("P", key);
        FakeServer.Call call = after.nextWithin(200);
        for (int i = 0; call == null && i < 50; i++) {
            before.next().answer(0);
            result = client.callAsync("P", key);
            call = after.nextWithin(200);
        }
        assertThat(call).as("it goes where the newer topology says").isNotNull();
        call.answer(0);
        result.join();
    }

    private static void await(BooleanSupplier condition) {
        for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void callsGoStraightToTheNodeThatServesTheirKey() throws Exception {
        try (FulmarClient client = connect(true)) {
            tellKey(client, "P", 2, KeyKind.INTEGER_KEY);
            tellKey(client, "Q", 1, KeyKind.TEXT_KEY);
            tellKey(client, "U", 1, KeyKind.UUID_KEY);
            tell(first, topology(1, 2, 5).build());
            await(() -> client.readyConnections() == 2);
            assertGoesTo(first, client, "P", "text", 99L);
            assertGoesTo(second, client, "P", "text", 100L);
            assertGoesTo(isHigh(PartitioningHash.ofBytes(new byte[] {'k'}, 0, 1)) ? second : first, client, "Q", "k");
            UUID key = new UUID(3, 4);
            assertGoesTo(isHigh(PartitioningHash.ofWide(3, 4)) ? second : first, client, "U", key);
        }
    }

    private static boolean isHigh(long hash) {
        return hash < 0; // unsigned, the upper half
    }

    @Test
    void theNewerOfTwoTopologiesHolds() throws Exception {
        try (FulmarClient client = connect(true)) {
            tellKey(client, "P", 1, KeyKind.INTEGER_KEY);
            tell(first, topology(1, 2, 5).build());
            await(() -> client.readyConnections() == 2);
            tell(second, topology(2, 1, 6).build());
            tell(first, topology(1, 2, 4).build());
            awaitTurn(first, second, client, 7L);
            assertGoesTo(second, client, "P", 7L);
            assertGoesTo(first, client, "P", 107L);
        }
    }

    /** A node that is behind tells ranges that no longer hold. */
    @Test
    void rangesOfAnEarlierPlanDoNotReplaceThoseOfALaterOne() throws Exception {
        try (FulmarClient client = connect(true)) {
            tellKey(client, "P", 1, KeyKind.INTEGER_KEY);
            tell(
                    first,
                    topology(1, 2, 5).setPlanVersion(9).setIntegerStarts(1, 50L).build());
            await(() -> client.readyConnections() == 2);
            tell(second, topology(1, 2, 6).setPlanVersion(8).build());
            tell(
                    first,
                    topology(1, 2, 7).setPlanVersion(9).setIntegerStarts(1, 50L).build());
            assertGoesTo(second, client, "P", 70L);
            assertGoesTo(first, client, "P", 7L);
            tell(second, topology(1, 2, 7).setPlanVersion(8).build());
            for (int i = 0; i < 20; i++) { // whenever it comes in
                assertGoesTo(second, client, "P", 70L);
            }
            tell(
                    second,
                    topology(1, 2, 7)
                            .setPlanVersion(10)
                            .setIntegerStarts(1, 80L)
                            .build());
            awaitTurn(second, first, client, 70L);
        }
    }

    @Test
    void aTopologyThatDoesNotFitTogetherIsIgnored() throws Exception {
        try (FulmarClient client = connect(true)) {
            tellKey(client, "P", 1, KeyKind.INTEGER_KEY);
            tell(first, topology(2, 2, 5).setIntegerPartitions(1, 2).build());
            tell(first, topology(2, 2, 5).clearEpochs().build());
            tell(first, topology(2, 2, 5).setHashStarts(0, 5L).build());
            tell(first, topology(2, 2, 5).clearHosts().build());
            await(() ->
                    client.readyConnections() == 2); // by the hosts of the first; the last one counts, and comes later
            awaitTurn(first, second, client, 7L);
            assertGoesTo(second, client, "P", 7L);
        }
    }

    @Test
    void callsOfUnknownPlaceAreAnsweredAnywhere() throws Exception {
        try (FulmarClient client = connect(true)) {
            tellKey(client, "P", 1, KeyKind.INTEGER_KEY);
            tell(first, topology(-1, 9, 5).build());
            await(() -> client.readyConnections() == 2);
            for (Object key : new Object[] {7L, 107L, "text"}) {
                CompletableFuture<CallResult> result = client.callAsync("P", key);
                FakeServer.Call call = first.nextWithin(100);
                (call != null ? call : second.next()).answer(1);
                result.join();
            }
        }
    }

    @Test
    void whoWantsNoDirectRouteStaysWithTheNamedHosts() throws Exception {
        try (FulmarClient client = connect(false)) {
            tellKey(client, "P", 1, KeyKind.INTEGER_KEY);
            tell(first, topology(2, 2, 5).build());
            assertGoesTo(first, client, "P", 7L);
            assertThat(client.readyConnections()).isEqualTo(1);
        }
    }
}
