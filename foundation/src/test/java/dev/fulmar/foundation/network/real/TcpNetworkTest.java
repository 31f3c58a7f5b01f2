package dev.fulmar.foundation.network.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.contract.NetworkContract;
import dev.fulmar.foundation.contract.NetworkMember;
import dev.fulmar.foundation.contract.NetworkMember.What;
import dev.fulmar.foundation.contract.Surroundings;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TcpNetworkTest extends NetworkContract {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final LinkSettings SETTINGS = new LinkSettings(
            BUSY_BYTES, 4 * BUSY_BYTES, Duration.ofSeconds(1), Duration.ofMillis(5), Duration.ofMillis(100));

    private final Map<NodeId, TcpNetwork> networks = new HashMap<>();
    private final Map<NodeId, InetSocketAddress> addresses = new HashMap<>();
    private long incarnation = 1;

    @AfterEach
    void close() {
        networks.values().forEach(TcpNetwork::close);
    }

    @Override
    protected Network create(NodeId node) {
        TcpNetwork network = new TcpNetwork(node, SETTINGS, security());
        try {
            addresses.put(node, network.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        networks.put(node, network);
        return network;
    }

    protected @Nullable LinkSecurity security() {
        return null;
    }

    @Override
    protected void start(Network network) {
        begin(network, CLUSTER, ++incarnation);
        introduce();
    }

    private void begin(Network network, UUID cluster, long itsIncarnation) {
        ((TcpNetwork) network).begin(cluster, itsIncarnation);
    }

    private void introduce() {
        networks.values().forEach(one -> addresses.forEach((node, address) -> one.reach(node, address, 1)));
    }

    @Override
    protected void leave(NodeId node) {
        TcpNetwork network = networks.remove(node);
        addresses.remove(node);
        if (network != null) {
            network.close();
        }
    }

    @Override
    protected boolean canWait() {
        return true;
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }

    private TcpNetwork joined(NodeId node) {
        TcpNetwork network = (TcpNetwork) create(node);
        new NetworkMember(network);
        start(network);
        return network;
    }

    private static String problem(TcpNetwork network, NodeId of) {
        return network.links().stream()
                .filter(link -> link.node().equals(of))
                .map(LinkState::problem)
                .findFirst()
                .orElse("");
    }

    @Test
    void aNodeOfAnotherClusterIsRefused() {
        TcpNetwork first = joined(FIRST);
        Network second = create(SECOND);
        NetworkMember member = new NetworkMember(second);
        begin(second, new UUID(3, 4), 1);
        introduce();
        assertThat(surroundings().await(() -> problem(first, SECOND).contains("another cluster")))
                .isTrue();
        assertThat(member.told()).isEmpty();
        assertThat(first.send(SECOND, ByteBuffer.allocate(1))).isFalse();
    }

    @Test
    void aNodeThatIsNoMemberIsRefusedUntilItIsOne() {
        TcpNetwork first = joined(FIRST);
        TcpNetwork second = (TcpNetwork) create(SECOND);
        NetworkMember member = new NetworkMember(second);
        begin(second, CLUSTER, 5);
        first.reach(SECOND, address(SECOND), 1);
        assertThat(surroundings().await(() -> problem(first, SECOND).contains("not known here as a member")))
                .isTrue();
        second.reach(FIRST, address(FIRST), 1);
        assertThat(surroundings().await(() -> member.isLinked(FIRST))).isTrue();
        second.forget(FIRST);
        assertThat(surroundings().await(() -> !member.isLinked(FIRST))).isTrue();
        assertThat(surroundings().await(() -> problem(first, SECOND).contains("not known here as a member")))
                .isTrue();
    }

    private InetSocketAddress address(NodeId node) {
        return Objects.requireNonNull(addresses.get(node));
    }

    @Test
    void anOlderProcessIsRefusedAndAYoungerOneTakesOver() {
        TcpNetwork second = (TcpNetwork) create(SECOND);
        NetworkMember member = new NetworkMember(second);
        start(second);
        TcpNetwork old = (TcpNetwork) create(FIRST);
        new NetworkMember(old);
        begin(old, CLUSTER, 10);
        introduce();
        assertThat(surroundings().await(() -> member.isLinked(FIRST))).isTrue();
        TcpNetwork young = (TcpNetwork) create(FIRST);
        NetworkMember younger = new NetworkMember(young);
        begin(young, CLUSTER, 11);
        introduce();
        // The younger process may hear of its link before this one hears that the older one's is lost.
        assertThat(surroundings()
                        .await(() -> younger.isLinked(SECOND)
                                && member.count(FIRST, What.LOST) == 1
                                && member.isLinked(FIRST)))
                .isTrue();
        assertThat(surroundings().await(() -> problem(old, SECOND).contains("younger process")))
                .isTrue();
        surroundings().pass(50_000_000);
        assertThat(younger.count(SECOND, What.LOST)).isZero();
        assertThat(member.count(FIRST, What.LOST)).isEqualTo(1);
        old.close();
    }

    @Test
    void whatListensElsewhereIsNotTakenForTheNode() {
        TcpNetwork first = joined(FIRST);
        joined(THIRD);
        first.reach(SECOND, address(THIRD), 1);
        assertThat(surroundings().await(() -> problem(first, SECOND).contains("this is N3")))
                .isTrue();
    }

    @Test
    void aStrangerIsHeardNoFurtherThanItsFirstBytes() throws IOException {
        joined(SECOND);
        assertThat(answer("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isEmpty();
        ByteBuf garbage = Unpooled.buffer().writeInt(4).writeInt(42);
        assertThat(answer(bytes(garbage))).contains("no greeting");
        ByteBuf future = Unpooled.buffer()
                .writeInt(8)
                .writeInt(Greeting.MAGIC)
                .writeShort(2)
                .writeByte(1)
                .writeByte(0);
        assertThat(answer(bytes(future))).contains("run the same version");
        ByteBuf welcome = Unpooled.buffer().writeInt(39);
        new Greeting.Welcome(CLUSTER, FIRST, SECOND, 9).write(welcome);
        assertThat(answer(bytes(welcome))).contains("no greeting");
        ByteBuf wrongWay = Unpooled.buffer().writeInt(39);
        new Greeting.Hello(CLUSTER, THIRD, SECOND, 9).write(wrongWay);
        networks.values().forEach(network -> network.reach(THIRD, address(SECOND), 1));
        assertThat(answer(bytes(wrongWay))).contains("lower number connects");
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    /** What the second node says before it closes the connection. */
    private String answer(byte[] message) throws IOException {
        try (Socket socket =
                new Socket(address(SECOND).getAddress(), address(SECOND).getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(message);
            return new String(new DataInputStream(socket.getInputStream()).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aMemberThatSendsTooLongAMessageLosesItsSession() throws IOException {
        TcpNetwork second = (TcpNetwork) create(SECOND);
        NetworkMember member = new NetworkMember(second);
        start(second);
        second.reach(FIRST, address(SECOND), 1);
        ByteBuf hello = Unpooled.buffer().writeInt(39);
        new Greeting.Hello(CLUSTER, FIRST, SECOND, 9).write(hello);
        hello.writeInt(4)
                .writeInt(7)
                .writeInt(Network.MAX_MESSAGE_BYTES + 1)
                .writeInt(8)
                .writeInt(4)
                .writeInt(9);
        assertThat(answer(bytes(hello))).hasSize(43);
        assertThat(surroundings().await(() -> member.count(FIRST, What.LOST) == 1))
                .isTrue();
        assertThat(member.numbers(FIRST)).containsExactly(7);
    }

    @Test
    void aMemberThatFallsSilentLosesItsSession() throws IOException {
        TcpNetwork second = (TcpNetwork) create(SECOND);
        NetworkMember member = new NetworkMember(second);
        start(second);
        second.reach(FIRST, address(SECOND), 1);
        ByteBuf hello = Unpooled.buffer().writeInt(39);
        new Greeting.Hello(CLUSTER, FIRST, SECOND, 9).write(hello);
        try (Socket socket =
                new Socket(address(SECOND).getAddress(), address(SECOND).getPort())) {
            socket.getOutputStream().write(bytes(hello));
            assertThat(surroundings().await(() -> member.isLinked(FIRST))).isTrue();
            assertThat(surroundings().await(() -> !member.isLinked(FIRST))).isTrue();
        }
        assertThat(problem(second, FIRST)).contains("nothing was heard");
    }

    @Test
    void aQuietLinkStaysUp() {
        NetworkMember first = new NetworkMember(create(FIRST));
        start(first.network());
        joined(SECOND);
        assertThat(surroundings().await(() -> first.isLinked(SECOND))).isTrue();
        surroundings().pass(2_500_000_000L);
        assertThat(first.count(SECOND, What.LOST)).isZero();
    }
}
