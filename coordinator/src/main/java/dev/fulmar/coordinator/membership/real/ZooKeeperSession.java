package dev.fulmar.coordinator.membership.real;

import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.failstop.real.WatchedLoops;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to ZooKeeper, the session, and the one thread on which everything is told. Connected is told once the
 * directories are there and the watch is set, so that what changes from then on is notified; all that changed before is
 * covered by that word.
 */
final class ZooKeeperSession {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperSession.class);
    private static final long IDLE_THREAD_SECONDS = 30;
    private static final byte[] NOTHING = {};
    private static final String PEM = "PEM";

    /**
     * Of the directory in which all clusters are: others make theirs there, with credentials of their own, and take
     * away nobody's.
     */
    private static final List<ACL> SHARED = List.of(
            new ACL(ZooDefs.Perms.ALL, ZooDefs.Ids.AUTH_IDS),
            new ACL(ZooDefs.Perms.READ | ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE));

    private final StatePaths paths;
    private final List<ACL> permissions;
    private final List<ACL> permissionsOfAll;
    private final boolean makesDirectories;
    private final CuratorFramework curator;
    private final ThreadPoolExecutor thread;

    /** Curator's: without that of its connection's states the node would not hear of the end of its session. */
    private final WatchedLoops loops = new WatchedLoops("fulmar-curator");

    private final Watcher watcher = this::notified;

    /** The rest belongs to the thread. */
    private final Set<PendingCall<?>> pending = new LinkedHashSet<>();

    private @Nullable StateListener listener;
    private SessionState state = SessionState.SUSPENDED;
    private long connections;
    private boolean closed;

    /**
     * @param makesDirectories whether the cluster's directories are made if they are not there; who only looks leaves
     *     nothing behind
     */
    ZooKeeperSession(ZooKeeperAccess access, StatePaths paths, boolean makesDirectories) {
        this.paths = paths;
        this.makesDirectories = makesDirectories;
        boolean isOwned = access.credentials().isPresent();
        this.permissions = isOwned ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        this.permissionsOfAll = isOwned ? SHARED : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        // What waits here is bounded by the calls under way and by the records that change.
        this.thread = new ThreadPoolExecutor(
                1, 1, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread created = new Thread(task, "fulmar-membership");
                    created.setDaemon(true);
                    return created;
                });
        thread.allowCoreThreadTimeOut(true);
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(access.servers())
                .sessionTimeoutMs(access.sessionTimeoutMillis())
                .connectionTimeoutMs(access.sessionTimeoutMillis())
                .ensembleTracker(false)
                .threadFactory(loops)
                .runSafeService(thread)
                .retryPolicy((count, elapsedMillis, sleeper) -> false);
        access.credentials()
                .ifPresent(credentials -> builder.authorization(
                        "digest",
                        (credentials.user() + ":" + credentials.password()).getBytes(StandardCharsets.UTF_8)));
        access.encryption().ifPresent(encryption -> builder.zkClientConfig(configurationOf(encryption)));
        this.curator = builder.build();
    }

    private static ZKClientConfig configurationOf(ZooKeeperAccess.Encryption encryption) {
        ZKClientConfig configuration = new ZKClientConfig();
        configuration.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        configuration.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        try (ClientX509Util names = new ClientX509Util()) {
            configuration.setProperty(
                    names.getSslTruststoreLocationProperty(),
                    encryption.authorities().toString());
            configuration.setProperty(names.getSslTruststoreTypeProperty(), PEM);
            encryption.identity().ifPresent(identity -> {
                configuration.setProperty(names.getSslKeystoreLocationProperty(), identity.toString());
                configuration.setProperty(names.getSslKeystoreTypeProperty(), PEM);
            });
        }
        return configuration;
    }

    void start() {
        curator.getConnectionStateListenable()
                .addListener((client, newState) -> thread.execute(() -> connectionChanged(newState)));
        curator.start();
        loops.watch();
    }

    ZooKeeper client() throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }

    List<ACL> permissions() {
        return permissions;
    }

    /** Begins a call on the thread, so that its answer cannot come within it. */
    void begin(PendingCall<?> call, Consumer<ZooKeeper> work) {
        thread.execute(() -> {
            if (closed || state == SessionState.LOST) {
                call.lose();
                return;
            }
            pending.add(call);
            run(call, () -> {
                try {
                    work.accept(client());
                } catch (Exception e) {
                    // Curator has no client to give: nothing was sent.
                    call.leaveOpen("there is no connection to ZooKeeper: " + e);
                }
            });
        });
    }

    /** Goes on with a call on the thread, unless it has been answered. */
    void run(PendingCall<?> call, Runnable step) {
        thread.execute(() -> {
            try {
                if (!call.isAnswered()) {
                    step.run();
                }
            } catch (RuntimeException | Error e) {
                // Whoever waits hears of it before the thread's handler does; what ZooKeeper did is not known.
                call.leaveOpen("the call broke off: " + e);
                throw e;
            } finally {
                if (call.isAnswered()) {
                    pending.remove(call);
                }
            }
        });
    }

    /** Lets the next read of the same client see what the leader has. */
    void sync(ZooKeeper client, String path, PendingCall<?> call) {
        client.sync(
                path,
                (code, ignoredPath, context) -> {
                    if (Code.get(code) != Code.OK && Code.get(code) != Code.NONODE) {
                        run(call, () -> call.fail(Code.get(code), path));
                    }
                },
                null);
    }

    void watch(StateListener newListener) {
        thread.execute(() -> {
            if (!closed) {
                listener = newListener;
                newListener.sessionChanged(state);
            }
        });
    }

    private void connectionChanged(ConnectionState newState) {
        if (closed) {
            return;
        }
        connections++;
        switch (newState) {
            case CONNECTED, RECONNECTED -> prepare(connections);
            case SUSPENDED -> become(SessionState.SUSPENDED);
            case LOST -> become(SessionState.LOST);
            case READ_ONLY -> LOG.warn("a ZooKeeper server that only reads has taken the connection");
        }
    }

    private void become(SessionState newState) {
        state = newState;
        LOG.info("the session with ZooKeeper is {}", newState);
        StateListener told = listener;
        if (told != null) {
            told.sessionChanged(newState);
        }
    }

    private void prepare(long connection) {
        ZooKeeper client;
        try {
            client = client();
        } catch (Exception e) {
            LOG.warn("the connection to ZooKeeper went as it came: {}", e.toString());
            return;
        }
        for (String directory : makesDirectories ? paths.directories() : List.<String>of()) {
            client.create(
                    directory,
                    NOTHING,
                    directory.equals(paths.ofAllClusters()) ? permissionsOfAll : permissions,
                    CreateMode.PERSISTENT,
                    (code, ignoredPath, context, name, stat) -> {
                        if (Code.get(code) != Code.OK && Code.get(code) != Code.NODEEXISTS) {
                            LOG.warn("ZooKeeper answers {} to the creation of {}", Code.get(code), directory);
                        }
                    },
                    null);
        }
        client.addWatch(
                paths.root(),
                watcher,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, ignoredPath, context) -> thread.execute(() -> {
                    if (connection != connections || closed) {
                        return;
                    }
                    if (Code.get(code) == Code.OK) {
                        become(SessionState.CONNECTED);
                    } else {
                        LOG.warn("ZooKeeper answers {} to the watch on {}", Code.get(code), paths.root());
                    }
                }),
                null);
    }

    private void notified(WatchedEvent event) {
        String path = event.getPath();
        if (path != null) {
            thread.execute(() -> changed(path));
        }
    }

    private void changed(String path) {
        StateListener told = listener;
        if (told == null) {
            return;
        }
        if (paths.isPresence(path)) {
            told.presencesChanged();
        } else {
            paths.keyAt(path).ifPresent(told::changed);
        }
    }

    void close() {
        thread.execute(() -> {
            if (!closed) {
                closed = true;
                listener = null;
                List.copyOf(pending).forEach(PendingCall::lose);
                pending.clear();
                loops.close();
                curator.close();
            }
        });
    }
}
