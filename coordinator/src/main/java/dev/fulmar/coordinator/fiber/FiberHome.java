package dev.fulmar.coordinator.fiber;

/**
 * Port to the queue of the thread on which a fiber runs: executes each {@link FiberStretch} there, among the thread's
 * other work.
 */
@FunctionalInterface
public interface FiberHome {
    /**
     * Runs the stretch later, never within this call. A home that will not run it calls {@link FiberStretch#strand()}
     * instead. Any thread.
     */
    void execute(FiberStretch stretch);
}
