package dev.fulmar.foundation.agent;

/** Work done in small steps, by one thread at a time. */
public interface Agent {
    /** Does some bounded work without blocking; returns how much, 0 when there was none. */
    int doWork();

    /**
     * Whether the next step may take long, so that it must not hold up a thread that serves others too. Any thread may
     * ask at any time; an answer that a moment makes wrong costs time, nothing else.
     */
    default boolean mayTakeLong() {
        return true;
    }

    /** Name for threads, logs and JMX. */
    String roleName();

    /** Called once before the first {@link #doWork()}. */
    default void onStart() {}

    /** Called once after the last {@link #doWork()}. */
    default void onClose() {}
}
