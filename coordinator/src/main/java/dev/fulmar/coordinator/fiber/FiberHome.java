package dev.fulmar.coordinator.fiber;

/**
 * The queue of the thread on which a fiber lives: the stretches between its waits run there, among the thread's other
 * work.
 */
@FunctionalInterface
public interface FiberHome {
    /**
     * Runs the stretch later, never within this call. A home that will not run it calls {@link FiberStretch#strand()}
     * instead. Any thread.
     */
    void execute(FiberStretch stretch);
}
