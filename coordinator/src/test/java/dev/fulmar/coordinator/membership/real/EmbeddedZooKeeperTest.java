package dev.fulmar.coordinator.membership.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.error.FulmarException;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest extends ZooKeeperContract {
    @TempDir
    private static Path directory;

    private static EmbeddedZooKeeper server;

    @BeforeAll
    static void start() {
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    String servers() {
        return server.servers();
    }

    @Test
    void itListensOnLoopbackOnly() {
        assertThat(server.servers()).startsWith("127.0.0.1:");
    }

    @Test
    void theStateOutlivesTheServer(@TempDir Path own) {
        Versioned<VersionRecord> written;
        try (EmbeddedZooKeeper first = EmbeddedZooKeeper.start(own, 0)) {
            ClusterState state = joinWith(ZooKeeperAccess.to(first.servers(), "orders"));
            watch(state);
            written = countUp(state);
        }
        try (EmbeddedZooKeeper second = EmbeddedZooKeeper.start(own, 0)) {
            ClusterState state = joinWith(ZooKeeperAccess.to(second.servers(), "orders"));
            watch(state);
            assertThat(read(state, CATALOG)).isEqualTo(written);
        }
    }

    @Test
    void aNodeLivesThroughARestartOfTheServer(@TempDir Path own) {
        EmbeddedZooKeeper first = EmbeddedZooKeeper.start(own, 0);
        int port = Integer.parseInt(first.servers().substring("127.0.0.1:".length()));
        ClusterState state = joinWith(new ZooKeeperAccess(first.servers(), "orders", 8_000, Optional.empty()));
        Notes notes = watch(state);
        long version = countUp(state).version();
        first.close();
        assertThat(await(() -> !notes.isConnected())).isTrue();
        assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> state.read(CATALOG, answer)))
                .isNotInstanceOf(ReadOutcome.Found.class);
        assertThat(this.<ChangeOutcome<Versioned<VersionRecord>>>answerTo(
                        answer -> state.compareAndSet(CATALOG, Versioned.absent(), new VersionRecord(1, 1), answer)))
                .isInstanceOfAny(ChangeOutcome.Unknown.class, ChangeOutcome.SessionLost.class);
        try (EmbeddedZooKeeper second = EmbeddedZooKeeper.start(own, port)) {
            assertThat(second.servers()).isEqualTo(first.servers());
            assertThat(await(notes::isConnected)).isTrue();
            assertThat(read(state, CATALOG).version()).isGreaterThanOrEqualTo(version);
        }
    }

    /** Each runs its loop in a task of an executor, which would keep an error for itself. */
    @Test
    void everyThreadOfCuratorIsWatched() {
        watch(join(FIRST));
        assertThat(threadsNamed("Curator-")).isEmpty();
        // Those of clients that other tests closed are still ending.
        assertThat(await(() -> threadsNamed("fulmar-curator-").stream()
                        .filter(thread -> !thread.getName().endsWith("-watch"))
                        .allMatch(EmbeddedZooKeeperTest::runsTask)))
                .isTrue();
        assertThat(threadsNamed("fulmar-curator-")).hasSize(3);
    }

    private static List<Thread> threadsNamed(String beginning) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(beginning))
                .toList();
    }

    private static boolean runsTask(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(FutureTask.class.getName()));
    }

    /** In classes of its own, as a class is initialized once and this process may have done that. */
    @Test
    void theHandlerOfTheProcessStays(@TempDir Path own) throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.UncaughtExceptionHandler ofProcess = (thread, thrown) -> {};
        List<URL> classes = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classes.add(Path.of(entry).toUri().toURL());
        }
        Thread.setDefaultUncaughtExceptionHandler(ofProcess);
        try (URLClassLoader fresh =
                new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Object started = fresh.loadClass(EmbeddedZooKeeper.class.getName())
                    .getMethod("start", Path.class, int.class)
                    .invoke(null, own, 0);
            try (AutoCloseable _ = (AutoCloseable) started) {
                assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(ofProcess);
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void aPortThatIsTakenIsRefusedWithAWayOut(@TempDir Path own) {
        int port = Integer.parseInt(server.servers().substring("127.0.0.1:".length()));
        assertThatThrownBy(() -> EmbeddedZooKeeper.start(own, port))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("--zookeeper");
    }

    @Test
    void withoutTheCredentialsNothingIsReadOrWritten() {
        ZooKeeperAccess open = access();
        ZooKeeperAccess closed = new ZooKeeperAccess(
                open.servers(),
                "guarded",
                open.sessionTimeoutMillis(),
                Optional.of(new ZooKeeperAccess.Credentials("fulmar", "secret")));
        ClusterState owner = joinWith(closed);
        watch(owner);
        Versioned<VersionRecord> written = countUp(owner);
        ClusterState stranger =
                joinWith(new ZooKeeperAccess(open.servers(), "guarded", open.sessionTimeoutMillis(), Optional.empty()));
        assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> stranger.read(CATALOG, answer)))
                .isInstanceOfSatisfying(
                        ReadOutcome.Refused.class,
                        refused -> assertThat(refused.message()).contains("credentials"));
        assertThat(this.<ChangeOutcome<Versioned<VersionRecord>>>answerTo(answer -> stranger.compareAndSet(
                        CATALOG, written, new VersionRecord(written.get().number() + 1, 1), answer)))
                .isInstanceOf(ChangeOutcome.Refused.class);
        assertThat(this.<ChangeOutcome<Presence>>answerTo(answer -> stranger.announce(presence(FIRST, 1), answer)))
                .isInstanceOf(ChangeOutcome.Refused.class);
        assertThat(read(owner, CATALOG)).isEqualTo(written);
        assertThat(closed.toString()).doesNotContain("secret");
    }

    @Test
    void everyEntryOfTheStateBelongsToItsOwner() throws Exception {
        ZooKeeperAccess open = access();
        ClusterState owner = joinWith(new ZooKeeperAccess(
                open.servers(),
                "owned",
                open.sessionTimeoutMillis(),
                Optional.of(new ZooKeeperAccess.Credentials("fulmar", "secret"))));
        watch(owner);
        countUp(owner);
        assertThat(this.<ChangeOutcome<Presence>>answerTo(answer -> owner.announce(presence(FIRST, 1), answer)))
                .isInstanceOf(ChangeOutcome.Applied.class);
        var client = ((ZooKeeperClusterState) owner).client();
        List<String> paths = ZKUtil.listSubTreeBFS(client, new StatePaths("owned").root());
        assertThat(paths).hasSizeGreaterThan(3);
        for (String path : paths) {
            assertThat(client.getACL(path, new Stat()))
                    .as(path)
                    .isNotEmpty()
                    .noneMatch(permission -> permission.getId().getScheme().equals("world"));
        }
    }

    @Test
    void clustersOfSeveralOwnersAreInOneZooKeeper(@TempDir Path own) throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(own, 0)) {
            for (String name : List.of("first", "second")) {
                ClusterState owner = joinWith(ownedBy(server, name, name));
                watch(owner);
                countUp(owner);
            }
            // Credentials of another cluster are of no more use than none.
            ClusterState stranger = joinWith(ownedBy(server, "first", "second"));
            assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> stranger.read(CATALOG, answer)))
                    .isInstanceOf(ReadOutcome.Refused.class);
            var client = ((ZooKeeperClusterState) stranger).client();
            assertThatThrownBy(() -> client.delete("/fulmar/first", -1)).isInstanceOf(KeeperException.class);
        }
    }

    private static ZooKeeperAccess ownedBy(EmbeddedZooKeeper server, String cluster, String user) {
        return new ZooKeeperAccess(
                server.servers(), cluster, 8_000, Optional.of(new ZooKeeperAccess.Credentials(user, "secret")));
    }

    @Test
    void whoLooksForAClusterLeavesNothingBehind(@TempDir Path own) throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(own, 0)) {
            ZooKeeperClusterState state = ZooKeeperClusterState.connectToExisting(
                    new ZooKeeperAccess(server.servers(), "none", 8_000, Optional.empty()));
            try (state) {
                watch(state);
                assertThat(this.<ReadOutcome<Versioned<VersionRecord>>>answerTo(answer -> state.read(CATALOG, answer)))
                        .isEqualTo(new ReadOutcome.Found<>(Versioned.absent()));
                assertThat(state.client().getChildren("/", false)).containsExactly("zookeeper");
            }
        }
    }

    @Test
    void strangeEntriesAreRefused() throws Exception {
        ClusterState state = joined(FIRST);
        StatePaths paths = new StatePaths("strangeEntriesAreRefused");
        var client = ((ZooKeeperClusterState) state).client();
        client.create(paths.nodes() + "/7x", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        client.create(paths.ofPresence(FIRST), new byte[] {1}, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThat(this.<ReadOutcome<List<StateKey.Node>>>answerTo(state::readNodes))
                .isInstanceOf(ReadOutcome.Refused.class);
        assertThat(this.<ReadOutcome<List<Presence>>>answerTo(state::readPresences))
                .isInstanceOf(ReadOutcome.Refused.class);
        assertThat(this.<ChangeOutcome<Presence>>answerTo(answer -> state.announce(presence(FIRST, 1), answer)))
                .isInstanceOf(ChangeOutcome.Refused.class);
    }

    @Test
    void serversAreGivenAsHostsAndPorts() {
        for (String servers :
                new String[] {"", "host", "host:", ":1", "host:0", "host:65536", "a:1,", "a:1/x", "a b:1"}) {
            assertThatThrownBy(() -> ZooKeeperAccess.to(servers, "orders"))
                    .as(servers)
                    .isInstanceOf(FulmarException.class);
        }
        assertThat(ZooKeeperAccess.to("a:2181,[::1]:2181", "orders").sessionTimeoutMillis())
                .isEqualTo(ZooKeeperAccess.DEFAULT_SESSION_TIMEOUT_MILLIS);
    }
}
