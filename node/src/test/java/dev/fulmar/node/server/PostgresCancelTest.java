package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.cluster.NodeChannel;
import dev.fulmar.coordinator.cluster.NodeMessages;
import dev.fulmar.coordinator.cluster.RequestForwarding;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.real.LinkSettings;
import dev.fulmar.foundation.network.real.TcpNetwork;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.BackendMessage.BackendKeyData;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver cancels its statement over a connection to another node, as behind a balancer of connections. */
@Timeout(60)
class PostgresCancelTest {
    private final LinkedNode first = new LinkedNode(1);
    private final LinkedNode second = new LinkedNode(2);

    /** A server for clients, and its links to other nodes. */
    private static final class LinkedNode {
        private final TcpNetwork network;
        private final RequestForwarding links;
        private final PostgresServer server;

        LinkedNode(int number) {
            NodeId self = new NodeId(number);
            CancelKeys keys = new CancelKeys(self);
            network = new TcpNetwork(self, LinkSettings.DEFAULTS, null);
            links = new RequestForwarding(new NodeMessages(network).on(NodeChannel.REQUEST), () -> null, 0, keys);
            links.serve((request, sink) -> {}, "node" + number + ":1");
            server = new PostgresServer(null, keys, keys.onAllNodes(links));
        }

        void close() {
            server.close();
            network.close();
        }
    }

    @BeforeEach
    void link() throws Exception {
        UUID cluster = UUID.randomUUID();
        InetSocketAddress ofFirst = first.network.listen(new InetSocketAddress("127.0.0.1", 0));
        InetSocketAddress ofSecond = second.network.listen(new InetSocketAddress("127.0.0.1", 0));
        first.network.begin(cluster, 1);
        second.network.begin(cluster, 1);
        first.network.reach(new NodeId(2), ofSecond, 1);
        second.network.reach(new NodeId(1), ofFirst, 1);
        while (first.links.clientAddresses().size() < 2
                || second.links.clientAddresses().size() < 2) { // the time-out ends the wait
            Thread.sleep(10);
        }
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    private static void cancel(LinkedNode over, int process, int secret) throws IOException {
        try (PostgresClient other = new PostgresClient(over.server.address())) {
            other.send(new FrontendMessage.CancelRequest(process, secret));
            assertThat(other.answers(BackendMessage.ReadyForQuery.class)).containsExactly("end");
        }
    }

    @Test
    void aStatementIsCancelledOverAnotherNodeByItsKeyAlone() throws Exception {
        ScriptedRouter router = first.server.router;
        try (PostgresClient client = PostgresClient.loggedIn(first.server.address())) {
            client.send(new FrontendMessage.Query("SELECT 1"));
            ScriptedRouter.Held statement = router.next();
            BackendKeyData key = Objects.requireNonNull(client.key);
            cancel(second, key.processId(), key.secret() + 1);
            assertThat(router.nextCancelled(300)).isNull();

            cancel(second, key.processId(), key.secret());
            assertThat(router.nextCancelled(10_000))
                    .isEqualTo(statement.request().requestId());
            statement.answer(new Failed(ErrorCode.CANCELLED, "canceling statement due to user request"));
            assertThat(client.answers(BackendMessage.ReadyForQuery.class))
                    .containsExactly("ERROR 57014", "ReadyForQuery");
        }
    }
}
