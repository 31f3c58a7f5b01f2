package dev.fulmar.coordinator.membership;

import java.util.List;
import java.util.function.Consumer;

/**
 * A node's access to the cluster's shared state. Thread-safe; no call blocks. Every answer comes exactly once, never
 * within the call, and on the thread of this object, one answer or notification at a time; receivers hand them on to
 * their own agents.
 *
 * <p>Calls of one object reach the store in the order in which they were made, as long as the connection lives. All
 * access belongs to a session. A session that is lost is replaced by a new one without further ado, but the presence
 * that was announced in it is gone.
 */
public interface ClusterState extends AutoCloseable {
    /**
     * Reads a record; an absent one is found as {@link Versioned#absent()}. The answer is at least as new as every
     * change that was answered or notified to this object before.
     */
    <R extends StateRecord> void read(StateKey<R> key, Consumer<ReadOutcome<Versioned<R>>> answer);

    /**
     * Replaces the record if it still has the expected version, or creates it if it is expected to be absent.
     *
     * @throws dev.fulmar.foundation.error.FulmarException if the records' rules do not permit the step: a defect of the
     *     caller
     */
    <R extends StateRecord> void compareAndSet(
            StateKey<R> key, Versioned<R> expected, R next, Consumer<ChangeOutcome<Versioned<R>>> answer);

    /** The numbers of all nodes that have a record, ascending. */
    void readNodes(Consumer<ReadOutcome<List<StateKey.Node>>> answer);

    /** The nodes that live now, ascending. A node that died is among them until its session ends. */
    void readPresences(Consumer<ReadOutcome<List<Presence>>> answer);

    /**
     * Shows this process among the living until the session ends. Takes the place of an older process of the same node,
     * whose session may not have ended yet. A conflict shows a younger process: this one must stop.
     */
    void announce(Presence presence, Consumer<ChangeOutcome<Presence>> answer);

    /** Installs the one listener. It is told the session's state at once, and whatever changes from now on. */
    void watch(StateListener listener);

    /**
     * Ends the session, and the presence with it. Answers that are still due come as {@code SessionLost}; no
     * notification comes after that.
     */
    @Override
    void close();
}
