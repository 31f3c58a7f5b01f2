package dev.fulmar.foundation.agent;

/** Runs an agent until it is closed. The real runner owns a thread; the simulated one is driven by the event queue. */
public interface AgentRunner extends AutoCloseable {
    void start();

    /** Ends an idle wait of the agent at once. Cheap when the agent is busy; any thread may call it. */
    void wakeUp();

    /** Stops after the current step, runs {@link Agent#onClose()} and waits for its end. */
    @Override
    void close();
}
