package dev.fulmar.engine.partition;

/** Way from a partition to the coordinator of one multi-partition transaction. */
public interface CoordinatorPort {
    /** Takes the message; any thread, never blocks. */
    void deliver(CoordinatorMessage message);
}
