package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.cluster.ClusterFounding;
import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.coordinator.membership.real.ZooKeeperAccess;
import dev.fulmar.coordinator.membership.real.ZooKeeperClusterState;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.schedule.real.ThreadScheduler;
import dev.fulmar.node.config.ClusterConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Blocking access to the cluster's state in ZooKeeper, with the ZooKeeper server that this process runs, if it does.
 */
public final class ClusterStore implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String DIRECTORY = "zookeeper";

    private final @Nullable EmbeddedZooKeeper server;
    private final ClusterState state;
    private final String name;
    private final String servers;

    private ClusterStore(@Nullable EmbeddedZooKeeper server, ClusterState state, String name, String servers) {
        this.server = server;
        this.state = state;
        this.name = name;
        this.servers = servers;
    }

    /** Reaches the ensemble, or the server in this process, whose files are in the directory. */
    public static ClusterStore open(ClusterConfiguration configuration, String directory) {
        EmbeddedZooKeeper server = null;
        if (configuration.embeddedPort() > 0) {
            if (directory.isEmpty()) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the embedded ZooKeeper needs a directory for its files; name one with the setting data");
            }
            server = EmbeddedZooKeeper.start(Path.of(directory).resolve(DIRECTORY), configuration.embeddedPort());
        }
        return new ClusterStore(
                server,
                ZooKeeperClusterState.connect(access(configuration)),
                configuration.name(),
                configuration.zookeeper());
    }

    /** Reaches the ensemble for a cluster that was made before. */
    public static ClusterStore openExisting(ClusterConfiguration configuration) {
        return new ClusterStore(
                null,
                ZooKeeperClusterState.connectToExisting(access(configuration)),
                configuration.name(),
                configuration.zookeeper());
    }

    private static ZooKeeperAccess access(ClusterConfiguration configuration) {
        Optional<ZooKeeperAccess.Credentials> credentials = configuration.user().isEmpty()
                ? Optional.empty()
                : Optional.of(new ZooKeeperAccess.Credentials(configuration.user(), configuration.password()));
        return new ZooKeeperAccess(
                configuration.zookeeper(),
                configuration.name(),
                ZooKeeperAccess.DEFAULT_SESSION_TIMEOUT_MILLIS,
                credentials,
                configuration.zookeeperTls());
    }

    ClusterState state() {
        return state;
    }

    /** Identity of the cluster, which must exist. */
    public ClusterRecord cluster() {
        ClusterRecord record = read(new StateKey.Cluster()).record();
        if (record == null) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "there is no cluster " + name + " in the ZooKeeper at " + servers
                            + "; make it with: bin/fulmar cluster init");
        }
        return record;
    }

    /** Makes the cluster. */
    public void found(ClusterRecord cluster, List<NodeId> nodes) {
        ThreadScheduler scheduler = new ThreadScheduler("fulmar-founding");
        String problem;
        try {
            problem = await(answer -> new ClusterFounding(state, scheduler, cluster, nodes, answer).start());
        } finally {
            scheduler.close();
        }
        if (!problem.isEmpty()) {
            throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, problem);
        }
    }

    /** The record, absent or not. */
    public <R extends StateRecord> Versioned<R> read(StateKey<R> key) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            ReadOutcome<Versioned<R>> outcome = await(answer -> state.read(key, answer));
            switch (outcome) {
                case ReadOutcome.Found<Versioned<R>>(Versioned<R> found) -> {
                    return found;
                }
                case ReadOutcome.Refused<?>(String message) ->
                    throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, message);
                case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ -> {
                    if (System.nanoTime() - deadline > 0) {
                        throw silent(null);
                    }
                }
            }
        }
    }

    /**
     * Changes the record until what is made of it is there.
     *
     * @param next what becomes of the record, perhaps the same; a record that is not there stays so
     */
    public <R extends StateRecord> void change(StateKey<R> key, UnaryOperator<R> next) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            Versioned<R> found = read(key);
            R before = found.record();
            R wanted = before == null ? null : next.apply(before);
            if (wanted == null || wanted.equals(before)) {
                return;
            }
            ChangeOutcome<Versioned<R>> outcome = await(answer -> state.compareAndSet(key, found, wanted, answer));
            switch (outcome) {
                case ChangeOutcome.Applied<?> _ -> {
                    return;
                }
                case ChangeOutcome.Refused<?>(String message) ->
                    throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, message);
                // The next read tells what became of it, and an attempt that comes late meets a later version.
                case ChangeOutcome.Conflict<?> _, ChangeOutcome.Unknown<?> _, ChangeOutcome.SessionLost<?> _ -> {}
            }
        }
        throw silent(null);
    }

    /** The nodes that have a record, ascending. */
    public List<StateKey.Node> nodes() {
        ReadOutcome<List<StateKey.Node>> outcome = await(state::readNodes);
        if (outcome instanceof ReadOutcome.Found<List<StateKey.Node>>(var found)) {
            return found;
        }
        throw silent(null);
    }

    /** The nodes that live, as far as ZooKeeper knows. */
    public List<NodeId> living() {
        ReadOutcome<List<Presence>> outcome = await(state::readPresences);
        if (outcome instanceof ReadOutcome.Found<List<Presence>>(var found)) {
            return found.stream().map(presence -> presence.node()).toList();
        }
        throw silent(null);
    }

    private <T> T await(Consumer<Consumer<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        call.accept(answer::complete);
        try {
            return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(ErrorCode.NODE_STOPPING, "interrupted while ZooKeeper was asked", e);
        } catch (ExecutionException | TimeoutException e) {
            throw silent(e);
        }
    }

    private FulmarException silent(@Nullable Exception cause) {
        return new FulmarException(
                ErrorCode.NOT_CONNECTED,
                "the ZooKeeper at " + servers + " does not answer; check that it runs and the addresses are right",
                cause);
    }

    @Override
    public void close() {
        try {
            state.close();
        } finally {
            if (server != null) {
                server.close();
            }
        }
    }
}
