package dev.fulmar.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.coordinator.membership.real.ZooKeeperAccess;
import dev.fulmar.coordinator.membership.real.ZooKeeperClusterState;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.id.NodeId;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreSessionsTest {
    private static final NodeId NODE = new NodeId(3);
    private static final String ENTRY = new StatePaths("orders").ofPresence(NODE);

    private final StoreSessions sessions = new StoreSessions();
    private final BlockingQueue<SessionState> told = new LinkedBlockingQueue<>();

    private final class Notes implements StateListener {
        @Override
        public void changed(StateKey<?> key) {}

        @Override
        public void presencesChanged() {}

        @Override
        public void sessionChanged(SessionState state) {
            told.add(state);
        }
    }

    private void awaitTold(SessionState wanted) throws InterruptedException {
        SessionState next = told.poll(1, TimeUnit.MINUTES);
        while (next != wanted) {
            assertThat(next).isNotNull();
            next = told.poll(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void theSessionOfANodeIsEndedAndTheNodeIsTold(@TempDir Path directory) throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0);
                ZooKeeperClusterState state =
                        ZooKeeperClusterState.connect(ZooKeeperAccess.to(server.servers(), "orders"))) {
            state.watch(new Notes());
            awaitTold(SessionState.CONNECTED);
            assertThat(StoreSessions.session(sessions.answer(StoreSessions.ownerOf(ENTRY))))
                    .isEmpty();
            CompletableFuture<ChangeOutcome<Presence>> announced = new CompletableFuture<>();
            state.announce(new Presence(NODE, 1, "127.0.0.1:7400"), announced::complete);
            assertThat(announced.get(1, TimeUnit.MINUTES)).isInstanceOf(ChangeOutcome.Applied.class);
            assertThat(StoreSessions.session(sessions.answer(StoreSessions.endOwnerOf(ENTRY))))
                    .isPresent();
            awaitTold(SessionState.LOST);
            assertThat(StoreSessions.session(sessions.answer(StoreSessions.ownerOf(ENTRY))))
                    .isEmpty();
        }
    }
}
