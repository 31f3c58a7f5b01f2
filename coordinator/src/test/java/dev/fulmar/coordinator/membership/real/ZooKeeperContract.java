package dev.fulmar.coordinator.membership.real;

import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.ClusterStateContract;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The contract on a real ZooKeeper: each test has a cluster of its own name. */
abstract class ZooKeeperContract extends ClusterStateContract {
    private static final long STEP_NANOS = 2_000_000;
    private static final int PATIENCE_STEPS = 30_000;
    private static final int SESSION_TIMEOUT_MILLIS = 8_000;

    private final List<ClusterState> joined = new ArrayList<>();
    private String clusterName = "";

    /** The servers, which last for all tests. */
    abstract String servers();

    @BeforeEach
    void nameCluster(TestInfo test) {
        clusterName = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void leave() {
        joined.forEach(ClusterState::close);
    }

    final ZooKeeperAccess access() {
        return new ZooKeeperAccess(servers(), clusterName, SESSION_TIMEOUT_MILLIS, Optional.empty());
    }

    final ClusterState joinWith(ZooKeeperAccess access) {
        ClusterState state = ZooKeeperClusterState.connect(access);
        joined.add(state);
        return state;
    }

    @Override
    protected ClusterState join(NodeId node) {
        return joinWith(access());
    }

    /** A second client of the same session that closes it ends it for both. */
    @Override
    protected void endSession(ClusterState state) {
        try {
            ZooKeeper client = ((ZooKeeperClusterState) state).client();
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper twin = new ZooKeeper(
                    servers(),
                    SESSION_TIMEOUT_MILLIS,
                    event -> {
                        if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    client.getSessionId(),
                    client.getSessionPasswd());
            if (!connected.await(10, TimeUnit.MINUTES)) {
                throw new AssertionError("the session's twin does not connect");
            }
            twin.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected void forge(StateKey<?> key, byte[] bytes) {
        String path = new StatePaths(clusterName).of(key);
        try {
            ((ZooKeeperClusterState) joined.getFirst()).client().setData(path, bytes, -1);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected boolean await(BooleanSupplier condition) {
        // Counted in steps: a process that is stopped meanwhile loses no patience.
        for (int i = 0; i < PATIENCE_STEPS; i++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            pass(STEP_NANOS);
        }
        return condition.getAsBoolean();
    }

    @Override
    protected void pass(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
