package dev.fulmar.coordinator.membership.simulated;

import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.stored.RecordFormat;
import dev.fulmar.coordinator.membership.stored.StatePaths;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The simulated store, which never fails; connections between it and the nodes do. It outlives all processes. */
public final class SimulatedClusterStore {
    private static final String LABEL = "store";

    private final SimulatedWorld world;
    private final long sessionTimeoutNanos;
    private final StoreFaults faults;
    private final StatePaths paths = new StatePaths("simulated");
    private final Map<String, Register> registers = new TreeMap<>();

    /** The same registers, for judges who ask after each event. */
    private final Map<StateKey<?>, Register> registersByKey = new HashMap<>();

    private final Map<NodeId, LivePresence> presences = new TreeMap<>();
    private final Map<Long, Session> sessions = new TreeMap<>();
    private final Set<NodeId> cut = new TreeSet<>();
    private final List<Observer> observers = new ArrayList<>();
    private final List<Change> underWay = new ArrayList<>();
    private long nextSession = 1;

    /** Sees every change at the moment at which it happens, for those who judge a run. */
    @FunctionalInterface
    public interface Observer {
        void changed(StateKey<?> key, Versioned<?> before, Versioned<?> after);
    }

    /** All values that a record had, the first at version 1. */
    private static final class Register {
        private final StateKey<?> key;
        private final List<byte[]> values = new ArrayList<>();

        /** The newest value as a record, if it was asked for. */
        private Versioned<?> newest = Versioned.absent();

        Register(StateKey<?> key) {
            this.key = key;
        }

        int version() {
            return values.size();
        }
    }

    /** A change that has left its process, and gets here unless its connection breaks. */
    private record Change(StateKey<?> key, long expectedVersion, byte[] next, long arrivesNanos) {}

    private record LivePresence(long session, byte[] bytes) {}

    private static final class Session {
        private final SimulatedClusterState client;
        private long connection;
        private long heardNanos;

        Session(SimulatedClusterState client) {
            this.client = client;
        }
    }

    /** A value as the store holds it; null if there is none. */
    record Stored(byte @Nullable [] bytes, long version) {}

    /** @param sessionTimeoutNanos how long a session lives that nobody keeps alive */
    public SimulatedClusterStore(SimulatedWorld world, long sessionTimeoutNanos) {
        this.world = world;
        this.sessionTimeoutNanos = sessionTimeoutNanos;
        this.faults = new StoreFaults(world.random(LABEL));
    }

    /** The process's access; it begins to connect at once. */
    public ClusterState connect(SimulatedProcess process) {
        SimulatedClusterState client = new SimulatedClusterState(this, world, process);
        client.start();
        return client;
    }

    public StoreFaults faults() {
        return faults;
    }

    /** Cuts the node off the store; other nodes may still reach it. */
    public void cut(NodeId node) {
        cut.add(node);
    }

    public void mend(NodeId node) {
        cut.remove(node);
    }

    /** Mends all connections and ends all faults. */
    public void heal() {
        cut.clear();
        faults.heal();
    }

    /** Ends the node's sessions at once; it notices when it next asks. */
    public void expire(NodeId node) {
        List.copyOf(sessions.entrySet()).stream()
                .filter(entry -> entry.getValue().client.node().equals(node))
                .forEach(entry -> end(entry.getKey()));
    }

    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** The record that holds now, which no process in the world can know. */
    public <R extends StateRecord> Versioned<R> current(StateKey<R> key) {
        Register register = registersByKey.get(key);
        if (register == null) {
            register = registers.get(paths.of(key));
            if (register == null) {
                return Versioned.absent();
            }
            registersByKey.put(key, register);
        }
        if (register.newest.version() != register.version()) {
            register.newest = decoded(key, register, register.version());
        }
        @SuppressWarnings("unchecked") // a register has the records of its key
        Versioned<R> newest = (Versioned<R>) register.newest;
        return newest;
    }

    /**
     * Changes of the record that are under way and may still be applied, which no process in the world can know. One
     * that was sent does not end with the process that sent it.
     */
    public <R extends StateRecord> List<R> underWay(StateKey<R> key) {
        long version = version(paths.of(key));
        return underWay.stream()
                .filter(change -> change.key.equals(key)
                        && change.expectedVersion == version
                        && change.arrivesNanos >= world.nowNanos())
                .map(change -> RecordFormat.decode(key, change.next))
                .toList();
    }

    private static <R extends StateRecord> Versioned<R> decoded(StateKey<R> key, Register register, int version) {
        return version == 0
                ? Versioned.absent()
                : new Versioned<>(RecordFormat.decode(key, register.values.get(version - 1)), version);
    }

    /** Replaces what is stored, as somebody else with access to the store could; nobody is notified. */
    public void forge(StateKey<?> key, byte[] bytes) {
        registers
                .computeIfAbsent(paths.of(key), path -> new Register(key))
                .values
                .add(bytes.clone());
    }

    boolean isCut(NodeId node) {
        return cut.contains(node);
    }

    long sessionTimeoutNanos() {
        return sessionTimeoutNanos;
    }

    StatePaths paths() {
        return paths;
    }

    /** 0 if there is no such record. */
    int version(String path) {
        Register register = registers.get(path);
        return register == null ? 0 : register.version();
    }

    long open(SimulatedClusterState client) {
        long id = nextSession++;
        Session session = new Session(client);
        session.heardNanos = world.nowNanos();
        sessions.put(id, session);
        superviseFrom(id, session);
        return id;
    }

    private void superviseFrom(long id, Session session) {
        long due = session.heardNanos + sessionTimeoutNanos + faults.expiryDelayNanos();
        world.schedule(due - world.nowNanos(), LABEL, () -> {
            if (sessions.get(id) == session) {
                if (world.nowNanos() - session.heardNanos >= sessionTimeoutNanos) {
                    end(id);
                } else {
                    superviseFrom(id, session);
                }
            }
        });
    }

    /** Keeps the session alive; false if it is gone. */
    boolean touch(long id) {
        Session session = sessions.get(id);
        if (session == null) {
            return false;
        }
        session.heardNanos = world.nowNanos();
        return true;
    }

    /**
     * Notifications go to this connection of the session from now on, and its client may not be shown anything older
     * than what is there now.
     */
    void attach(long id, long connection) {
        Session session = sessions.get(id);
        if (session != null) {
            session.connection = Math.max(session.connection, connection);
            session.client.attached(connection);
            registers.forEach((path, register) -> session.client.raiseFloor(path, register.version()));
        }
    }

    void end(long id) {
        if (sessions.remove(id) != null && presences.values().removeIf(presence -> presence.session == id)) {
            notifyPresences();
        }
    }

    Stored read(SimulatedClusterState client, StateKey<?> key) {
        String path = paths.of(key);
        Register register = registers.get(path);
        if (register == null) {
            return new Stored(null, 0);
        }
        int version = register.version();
        if (faults.isStale()) {
            version = (int) faults.between(Math.min(version, client.floor(path)), version);
        }
        client.raiseFloor(path, version);
        return stored(register, version);
    }

    private static Stored stored(Register register, int version) {
        return version == 0 ? new Stored(null, 0) : new Stored(register.values.get(version - 1), version);
    }

    /** A change is under way, and is made at the time, or never. */
    void sent(StateKey<?> key, long expectedVersion, byte[] next, long arrivesNanos) {
        underWay.removeIf(change -> change.arrivesNanos < world.nowNanos());
        underWay.add(new Change(key, expectedVersion, next, arrivesNanos));
    }

    /** Null if the change was made; else what is there. */
    @Nullable Stored compareAndSet(SimulatedClusterState client, StateKey<?> key, long expectedVersion, byte[] next) {
        String path = paths.of(key);
        Register register = registers.computeIfAbsent(path, absent -> new Register(key));
        if (register.version() != expectedVersion) {
            client.raiseFloor(path, register.version());
            return stored(register, register.version());
        }
        register.values.add(next);
        client.raiseFloor(path, register.version());
        world.note(path);
        world.note(register.version());
        observers.forEach(observer -> observer.changed(
                key,
                decoded(register.key, register, register.version() - 1),
                decoded(register.key, register, register.version())));
        for (Session session : sessions.values()) {
            session.client.notice(session.connection, path, key);
        }
        return null;
    }

    List<StateKey.Node> nodes() {
        List<StateKey.Node> nodes = new ArrayList<>();
        for (Register register : registers.values()) {
            if (register.key instanceof StateKey.Node node && register.version() > 0) {
                nodes.add(node);
            }
        }
        nodes.sort((one, other) -> one.node().compareTo(other.node()));
        return nodes;
    }

    List<Presence> presences() {
        List<Presence> found = new ArrayList<>();
        presences.forEach((node, presence) -> found.add(RecordFormat.decodePresence(node, presence.bytes)));
        return found;
    }

    /** Null if the presence is there; else the younger one in its place. */
    @Nullable Presence announce(long session, Presence presence) {
        LivePresence other = presences.get(presence.node());
        if (other != null) {
            Presence current = RecordFormat.decodePresence(presence.node(), other.bytes);
            if (current.incarnation() > presence.incarnation()) {
                return current;
            }
        }
        presences.put(presence.node(), new LivePresence(session, RecordFormat.encode(presence)));
        notifyPresences();
        return null;
    }

    private void notifyPresences() {
        for (Session session : sessions.values()) {
            session.client.notice(session.connection, paths.presences(), null);
        }
    }
}
