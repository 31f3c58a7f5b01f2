package dev.fulmar.coordinator.membership.real;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.stored.RecordFormat;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The cluster's state in ZooKeeper. A record's version is that of its node there, plus one, so that 0 is left for an
 * absent one.
 */
public final class ZooKeeperClusterState implements ClusterState {
    private static final int MAX_NODES = 4_096;
    private static final int MAX_ANNOUNCEMENTS = 3;

    private final StatePaths paths;
    private final ZooKeeperSession session;

    private ZooKeeperClusterState(StatePaths paths, ZooKeeperSession session) {
        this.paths = paths;
        this.session = session;
    }

    /**
     * Begins to connect, and never stops trying until it is closed. Directories for the cluster's records are made if
     * they are not there.
     */
    public static ZooKeeperClusterState connect(ZooKeeperAccess access) {
        return connect(access, true);
    }

    /**
     * Begins to connect to a cluster that must be there already. Of one that is not nothing is made, for it would
     * belong to the user who looked, and perhaps to everybody.
     */
    public static ZooKeeperClusterState connectToExisting(ZooKeeperAccess access) {
        return connect(access, false);
    }

    private static ZooKeeperClusterState connect(ZooKeeperAccess access, boolean makesDirectories) {
        StatePaths paths = new StatePaths(access.clusterName());
        ZooKeeperSession session = new ZooKeeperSession(access, paths, makesDirectories);
        session.start();
        return new ZooKeeperClusterState(paths, session);
    }

    /** The client of the session that is current, for tests that do it harm. */
    ZooKeeper client() throws Exception {
        return session.client();
    }

    private static <T> PendingCall.Answers<ReadOutcome<T>> readAnswers() {
        return new PendingCall.Answers<>(
                new ReadOutcome.SessionLost<>(), ReadOutcome.Unanswered::new, ReadOutcome.Refused::new);
    }

    private static <T> PendingCall.Answers<ChangeOutcome<T>> changeAnswers() {
        return new PendingCall.Answers<>(
                new ChangeOutcome.SessionLost<>(), ChangeOutcome.Unknown::new, ChangeOutcome.Refused::new);
    }

    @Override
    public <R extends StateRecord> void read(StateKey<R> key, Consumer<ReadOutcome<Versioned<R>>> answer) {
        PendingCall<ReadOutcome<Versioned<R>>> call = new PendingCall<>(answer, readAnswers());
        session.begin(call, client -> read(client, key, call, found -> call.complete(new ReadOutcome.Found<>(found))));
    }

    /** Reads what the leader has: a server that lags behind catches up first. */
    private <R extends StateRecord> void read(
            ZooKeeper client, StateKey<R> key, PendingCall<?> call, Consumer<Versioned<R>> found) {
        String path = paths.of(key);
        session.sync(client, path, call);
        client.getData(
                path,
                false,
                (code, ignoredPath, context, bytes, stat) -> session.run(call, () -> {
                    switch (Code.get(code)) {
                        case OK -> decode(call, () -> found.accept(decoded(key, bytes, stat)));
                        case NONODE -> found.accept(Versioned.absent());
                        default -> call.fail(Code.get(code), path);
                    }
                }),
                null);
    }

    private static <R extends StateRecord> Versioned<R> decoded(StateKey<R> key, byte[] bytes, Stat stat) {
        return new Versioned<>(RecordFormat.decode(key, bytes), versionOf(stat));
    }

    private static long versionOf(Stat stat) {
        return stat.getVersion() + 1L;
    }

    private static void decode(PendingCall<?> call, Runnable decoding) {
        try {
            decoding.run();
        } catch (FulmarException e) {
            call.refuse(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public <R extends StateRecord> void compareAndSet(
            StateKey<R> key, Versioned<R> expected, R next, Consumer<ChangeOutcome<Versioned<R>>> answer) {
        key.checkStep(expected, next);
        byte[] bytes = RecordFormat.encode(key, next);
        String path = paths.of(key);
        PendingCall<ChangeOutcome<Versioned<R>>> call = new PendingCall<>(answer, changeAnswers());
        Versioned<R> changed = new Versioned<>(next, expected.version() + 1);
        session.begin(call, client -> {
            if (expected.isPresent()) {
                client.setData(
                        path,
                        bytes,
                        Math.toIntExact(expected.version() - 1),
                        (code, ignoredPath, context, stat) ->
                                session.run(call, () -> changed(client, key, call, Code.get(code), changed)),
                        null);
            } else {
                client.create(
                        path,
                        bytes,
                        session.permissions(),
                        CreateMode.PERSISTENT,
                        (code, ignoredPath, context, name, stat) ->
                                session.run(call, () -> changed(client, key, call, Code.get(code), changed)),
                        null);
            }
        });
    }

    private <R extends StateRecord> void changed(
            ZooKeeper client,
            StateKey<R> key,
            PendingCall<ChangeOutcome<Versioned<R>>> call,
            Code code,
            Versioned<R> changed) {
        switch (code) {
            case OK -> call.complete(new ChangeOutcome.Applied<>(changed));
            case BADVERSION, NODEEXISTS ->
                read(client, key, call, current -> call.complete(new ChangeOutcome.Conflict<>(current)));
            default -> call.fail(code, paths.of(key));
        }
    }

    @Override
    public void readNodes(Consumer<ReadOutcome<List<StateKey.Node>>> answer) {
        PendingCall<ReadOutcome<List<StateKey.Node>>> call = new PendingCall<>(answer, readAnswers());
        session.begin(
                call,
                client -> list(
                        client,
                        paths.nodes(),
                        call,
                        nodes -> call.complete(new ReadOutcome.Found<>(
                                nodes.stream().map(StateKey.Node::new).toList()))));
    }

    private void list(ZooKeeper client, String path, PendingCall<?> call, Consumer<List<NodeId>> found) {
        session.sync(client, path, call);
        client.getChildren(
                path,
                false,
                (int code, String ignoredPath, Object context, List<String> names) -> session.run(call, () -> {
                    if (Code.get(code) != Code.OK) {
                        call.fail(Code.get(code), path);
                    } else if (names.size() > MAX_NODES) {
                        call.refuse(path + " in ZooKeeper has " + names.size() + " entries, more than " + MAX_NODES
                                + "; delete those that are no nodes of this cluster");
                    } else {
                        decode(
                                call,
                                () -> found.accept(names.stream()
                                        .map(StatePaths::nodeNamed)
                                        .sorted()
                                        .toList()));
                    }
                }),
                null);
    }

    @Override
    public void readPresences(Consumer<ReadOutcome<List<Presence>>> answer) {
        PendingCall<ReadOutcome<List<Presence>>> call = new PendingCall<>(answer, readAnswers());
        session.begin(call, client -> list(client, paths.presences(), call, nodes -> readEach(client, nodes, call)));
    }

    private void readEach(ZooKeeper client, List<NodeId> nodes, PendingCall<ReadOutcome<List<Presence>>> call) {
        List<Presence> found = new ArrayList<>();
        int[] missing = {nodes.size()};
        Runnable completeIfAll = () -> {
            if (missing[0] == 0) {
                found.sort(Comparator.comparing(Presence::node));
                call.complete(new ReadOutcome.Found<>(List.copyOf(found)));
            }
        };
        for (NodeId node : nodes) {
            String path = paths.ofPresence(node);
            client.getData(
                    path,
                    false,
                    (code, ignoredPath, context, bytes, stat) -> session.run(call, () -> {
                        missing[0]--;
                        switch (Code.get(code)) {
                            case OK -> decode(call, () -> found.add(RecordFormat.decodePresence(node, bytes)));
                            case NONODE -> {}
                            default -> call.fail(Code.get(code), path);
                        }
                        completeIfAll.run();
                    }),
                    null);
        }
        completeIfAll.run();
    }

    @Override
    public void announce(Presence presence, Consumer<ChangeOutcome<Presence>> answer) {
        PendingCall<ChangeOutcome<Presence>> call = new PendingCall<>(answer, changeAnswers());
        session.begin(call, client -> new Announcement(client, presence, call).attempt());
    }

    /** Puts a presence in its place, and removes that of an older process, or of this one's last session, before. */
    private final class Announcement {
        private final ZooKeeper client;
        private final Presence presence;
        private final PendingCall<ChangeOutcome<Presence>> call;
        private final String path;
        private int attempts;

        Announcement(ZooKeeper client, Presence presence, PendingCall<ChangeOutcome<Presence>> call) {
            this.client = client;
            this.presence = presence;
            this.call = call;
            this.path = paths.ofPresence(presence.node());
        }

        void attempt() {
            if (attempts++ == MAX_ANNOUNCEMENTS) {
                call.leaveOpen("others announce the same node over and over");
                return;
            }
            client.create(
                    path,
                    RecordFormat.encode(presence),
                    session.permissions(),
                    CreateMode.EPHEMERAL,
                    (code, ignoredPath, context, name, stat) -> session.run(call, () -> {
                        switch (Code.get(code)) {
                            case OK -> call.complete(new ChangeOutcome.Applied<>(presence));
                            case NODEEXISTS -> lookAtOther();
                            default -> call.fail(Code.get(code), path);
                        }
                    }),
                    null);
        }

        private void lookAtOther() {
            session.sync(client, path, call);
            client.getData(
                    path,
                    false,
                    (code, ignoredPath, context, bytes, stat) -> session.run(call, () -> {
                        switch (Code.get(code)) {
                            case OK -> decode(call, () -> yieldOrReplace(bytes, stat));
                            case NONODE -> attempt();
                            default -> call.fail(Code.get(code), path);
                        }
                    }),
                    null);
        }

        private void yieldOrReplace(byte[] bytes, Stat stat) {
            Presence other = RecordFormat.decodePresence(presence.node(), bytes);
            if (other.incarnation() > presence.incarnation()) {
                call.complete(new ChangeOutcome.Conflict<>(other));
            } else if (stat.getEphemeralOwner() == client.getSessionId() && other.equals(presence)) {
                call.complete(new ChangeOutcome.Applied<>(presence));
            } else {
                client.delete(
                        path,
                        stat.getVersion(),
                        (code, ignoredPath, context) -> session.run(call, () -> {
                            switch (Code.get(code)) {
                                case OK, NONODE, BADVERSION -> attempt();
                                default -> call.fail(Code.get(code), path);
                            }
                        }),
                        null);
            }
        }
    }

    @Override
    public void watch(StateListener listener) {
        session.watch(listener);
    }

    @Override
    public void close() {
        session.close();
    }
}
