package dev.fulmar.coordinator.membership.simulated;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.stored.RecordFormat;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process's access to the store: a connection that breaks and is made again, and a session that may end. */
final class SimulatedClusterState implements ClusterState {
    private static final long MAX_RECONNECT_NANOS = 200_000_000;
    private static final long LATER_NANOS = 1_000;
    private static final long NEVER = -1;
    private static final String BROKEN = "the connection to the store broke";

    private final SimulatedClusterStore store;
    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final String label;
    private final Map<Long, Call<?>> pending = new TreeMap<>();
    private final Map<String, Integer> floors = new TreeMap<>();
    private final Set<String> noticesUnderWay = new TreeSet<>();
    private @Nullable StateListener listener;
    private SessionState state = SessionState.SUSPENDED;
    private boolean closed;

    /** 0 while there is none. */
    private long session;

    /** Counts the attempts to connect. What belongs to an older one is dropped. */
    private long connection;

    /**
     * The newest connection that the store accepted. The store may still hold a session that was given up, with a
     * connection before it.
     */
    private long accepted;

    /** This connection and all before it lost a message, so they carry no other any more. */
    private long severed;

    private long nextCall;
    private long heardNanos;
    private long lastRequestNanos;
    private long lastAnswerNanos;

    /** Work of the store, done at one moment. */
    @FunctionalInterface
    private interface StoreWork<T> {
        T perform();
    }

    private record Call<T>(Consumer<T> answer, T unanswered, T lost) {
        void failUnanswered() {
            answer.accept(unanswered);
        }

        void failLost() {
            answer.accept(lost);
        }
    }

    SimulatedClusterState(SimulatedClusterStore store, SimulatedWorld world, SimulatedProcess process) {
        this.store = store;
        this.world = world;
        this.process = process;
        this.label = process + " store client";
    }

    void start() {
        connect();
        ping();
    }

    NodeId node() {
        return process.node();
    }

    @Override
    public <R extends StateRecord> void read(StateKey<R> key, Consumer<ReadOutcome<Versioned<R>>> answer) {
        call(
                answer,
                new ReadOutcome.Unanswered<>(BROKEN),
                new ReadOutcome.SessionLost<>(),
                () -> found(key, store.read(this, key)));
    }

    private static <R extends StateRecord> ReadOutcome<Versioned<R>> found(
            StateKey<R> key, SimulatedClusterStore.Stored stored) {
        try {
            return new ReadOutcome.Found<>(decoded(key, stored));
        } catch (FulmarException e) {
            return new ReadOutcome.Refused<>(String.valueOf(e.getMessage()));
        }
    }

    private static <R extends StateRecord> Versioned<R> decoded(StateKey<R> key, SimulatedClusterStore.Stored stored) {
        byte[] bytes = stored.bytes();
        return bytes == null ? Versioned.absent() : new Versioned<>(RecordFormat.decode(key, bytes), stored.version());
    }

    @Override
    public <R extends StateRecord> void compareAndSet(
            StateKey<R> key, Versioned<R> expected, R next, Consumer<ChangeOutcome<Versioned<R>>> answer) {
        key.checkStep(expected, next);
        byte[] bytes = RecordFormat.encode(key, next);
        long arrives = call(answer, new ChangeOutcome.Unknown<>(BROKEN), new ChangeOutcome.SessionLost<>(), () -> {
            var current = store.compareAndSet(this, key, expected.version(), bytes);
            if (current == null) {
                return new ChangeOutcome.Applied<>(new Versioned<>(next, expected.version() + 1));
            }
            try {
                return new ChangeOutcome.Conflict<>(decoded(key, current));
            } catch (FulmarException e) {
                return new ChangeOutcome.Refused<>(String.valueOf(e.getMessage()));
            }
        });
        if (arrives != NEVER) {
            store.sent(key, expected.version(), bytes, arrives);
        }
    }

    @Override
    public void readNodes(Consumer<ReadOutcome<List<StateKey.Node>>> answer) {
        call(
                answer,
                new ReadOutcome.Unanswered<>(BROKEN),
                new ReadOutcome.SessionLost<>(),
                () -> new ReadOutcome.Found<>(store.nodes()));
    }

    @Override
    public void readPresences(Consumer<ReadOutcome<List<Presence>>> answer) {
        call(
                answer,
                new ReadOutcome.Unanswered<>(BROKEN),
                new ReadOutcome.SessionLost<>(),
                () -> new ReadOutcome.Found<>(store.presences()));
    }

    @Override
    public void announce(Presence presence, Consumer<ChangeOutcome<Presence>> answer) {
        long owner = session;
        call(answer, new ChangeOutcome.Unknown<>(BROKEN), new ChangeOutcome.SessionLost<>(), () -> {
            if (!store.touch(owner)) {
                return new ChangeOutcome.SessionLost<>();
            }
            Presence younger = store.announce(owner, presence);
            return younger == null ? new ChangeOutcome.Applied<>(presence) : new ChangeOutcome.Conflict<>(younger);
        });
    }

    /** Returns when the store does it, unless the connection breaks before; or {@link #NEVER}. */
    private <T> long call(Consumer<T> answer, T unanswered, T lost, StoreWork<T> atStore) {
        Call<T> call = new Call<>(answer, unanswered, lost);
        if (closed || state == SessionState.LOST) {
            later(call::failLost);
            return NEVER;
        }
        if (state == SessionState.SUSPENDED) {
            later(call::failUnanswered);
            return NEVER;
        }
        long number = nextCall++;
        pending.put(number, call);
        return switch (store.faults().fate()) {
            case ANSWERED ->
                request(() -> {
                    T result = atStore.perform();
                    return () -> {
                        if (pending.remove(number) != null) {
                            answer.accept(result);
                        }
                    };
                });
            case REQUEST_LOST -> {
                breakSoon();
                yield NEVER;
            }
            case ANSWER_LOST -> {
                long arrives = request(() -> {
                    atStore.perform();
                    return () -> {};
                });
                breakSoon();
                yield arrives;
            }
            case LATE -> {
                long late = store.faults().lateNanos();
                world.schedule(late, label, atStore::perform);
                breakSoon();
                yield world.nowNanos() + late;
            }
        };
    }

    private void later(Runnable action) {
        process.execute(LATER_NANOS, label, action);
    }

    /**
     * Sends what is to be done at the store; what that returns is done here when the answer arrives. Returns when the
     * store does it, unless the connection breaks.
     */
    private long request(StoreWork<Runnable> atStore) {
        long owner = session;
        long usedConnection = connection;
        lastRequestNanos =
                Math.max(lastRequestNanos, world.nowNanos() + store.faults().delayNanos());
        world.schedule(lastRequestNanos - world.nowNanos(), label, () -> {
            if (store.isCut(process.node())) {
                severed = Math.max(severed, usedConnection);
            } else if (usedConnection > severed && store.touch(owner)) {
                answer(usedConnection, atStore.perform());
            } else {
                deliver(usedConnection, this::disconnect);
            }
        });
        return lastRequestNanos;
    }

    private void answer(long usedConnection, Runnable action) {
        if (store.isCut(process.node())) {
            severed = Math.max(severed, usedConnection);
        }
        if (usedConnection > severed) {
            deliver(usedConnection, action);
        }
    }

    private void deliver(long usedConnection, Runnable action) {
        lastAnswerNanos =
                Math.max(lastAnswerNanos, world.nowNanos() + store.faults().delayNanos());
        process.execute(lastAnswerNanos - world.nowNanos(), label, () -> {
            if (isConnected() && connection == usedConnection) {
                heardNanos = process.clock().monotonicNanos();
                action.run();
            }
        });
    }

    private boolean isConnected() {
        return !closed && state == SessionState.CONNECTED;
    }

    private void breakSoon() {
        long broken = connection;
        process.execute(store.faults().delayNanos(), label, () -> {
            if (isConnected() && connection == broken) {
                disconnect();
            }
        });
    }

    private void disconnect() {
        connection++;
        state = SessionState.SUSPENDED;
        List<Call<?>> unanswered = new ArrayList<>(pending.values());
        pending.clear();
        tell();
        unanswered.forEach(Call::failUnanswered);
        reconnectAfter(store.faults().between(0, MAX_RECONNECT_NANOS));
        process.scheduler().schedule(store.sessionTimeoutNanos(), () -> {
            if (!closed && state == SessionState.SUSPENDED && silentNanos() >= store.sessionTimeoutNanos()) {
                lose();
            }
        });
    }

    private long silentNanos() {
        return process.clock().monotonicNanos() - heardNanos;
    }

    private void lose() {
        session = 0;
        connection++;
        state = SessionState.LOST;
        tell();
        reconnectAfter(store.faults().between(0, MAX_RECONNECT_NANOS));
    }

    private void reconnectAfter(long delayNanos) {
        process.scheduler().schedule(delayNanos, this::connect);
    }

    private void connect() {
        if (closed || state == SessionState.CONNECTED) {
            return;
        }
        long attempt = ++connection;
        long resumed = session;
        world.schedule(store.faults().delayNanos(), label, () -> {
            if (!store.isCut(process.node())) {
                long opened = resumed == 0 ? store.open(this) : store.touch(resumed) ? resumed : 0;
                store.attach(opened, attempt);
                lastAnswerNanos = Math.max(
                        lastAnswerNanos, world.nowNanos() + store.faults().delayNanos());
                process.execute(lastAnswerNanos - world.nowNanos(), label, () -> connected(attempt, opened));
            }
        });
        process.scheduler().schedule(MAX_RECONNECT_NANOS, () -> {
            if (connection == attempt) {
                connect();
            }
        });
    }

    private void connected(long attempt, long opened) {
        if (closed || connection != attempt) {
            return;
        }
        if (opened == 0) {
            lose();
            return;
        }
        session = opened;
        state = SessionState.CONNECTED;
        heardNanos = process.clock().monotonicNanos();
        tell();
    }

    /** Keeps the session alive, and notices a store that is silent. */
    private void ping() {
        if (closed) {
            return;
        }
        if (isConnected()) {
            if (silentNanos() > store.sessionTimeoutNanos() * 2 / 3) {
                disconnect();
            } else {
                request(() -> () -> {});
            }
        }
        process.scheduler().schedule(store.sessionTimeoutNanos() / 4, this::ping);
    }

    /** The store has accepted the connection. */
    void attached(long newConnection) {
        if (newConnection > accepted) { // else an attempt that took long, and was made again since
            accepted = newConnection;
            noticesUnderWay.clear();
        }
    }

    /**
     * Notices are joined on one connection only: one that arrives nowhere stands for no other.
     *
     * @param key null for the presences
     */
    void notice(long usedConnection, String path, @Nullable StateKey<?> key) {
        if (usedConnection != accepted || !noticesUnderWay.add(path)) {
            return;
        }
        answer(usedConnection, () -> {
            noticesUnderWay.remove(path);
            raiseFloor(path, store.version(path));
            StateListener told = listener;
            if (told != null) {
                if (key == null) {
                    told.presencesChanged();
                } else {
                    told.changed(key);
                }
            }
        });
    }

    private void tell() {
        StateListener told = listener;
        if (told != null) {
            told.sessionChanged(state);
        }
    }

    @Override
    public void watch(StateListener newListener) {
        listener = newListener;
        later(() -> {
            if (!closed && newListener.equals(listener)) {
                newListener.sessionChanged(state);
            }
        });
    }

    void raiseFloor(String path, int version) {
        floors.merge(path, version, Math::max);
    }

    /** The oldest version that may be shown. */
    int floor(String path) {
        return floors.getOrDefault(path, 0);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listener = null;
        long owner = session;
        world.schedule(store.faults().delayNanos(), label, () -> {
            if (!store.isCut(process.node())) {
                store.end(owner);
            }
        });
        List<Call<?>> lost = new ArrayList<>(pending.values());
        pending.clear();
        lost.forEach(call -> later(call::failLost));
    }
}
