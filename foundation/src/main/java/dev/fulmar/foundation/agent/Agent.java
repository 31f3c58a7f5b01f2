package dev.fulmar.foundation.agent;

/** Work done in small steps by one thread. */
public interface Agent {
    /** Does some bounded work without blocking; returns how much, 0 when there was none. */
    int doWork();

    /** Name for threads, logs and JMX. */
    String roleName();

    /** Called once on the agent's thread before the first {@link #doWork()}. */
    default void onStart() {}

    /** Called once on the agent's thread after the last {@link #doWork()}. */
    default void onClose() {}
}
