package dev.fulmar.coordinator.fiber;

/** A thread's queue that takes a fiber in: the stretches between its waits run there, among the thread's other work. */
@FunctionalInterface
public interface FiberHome {
    /**
     * Runs the stretch later, never within this call. Whoever will not run it calls {@link FiberStretch#strand()}
     * instead. Any thread.
     */
    void execute(FiberStretch stretch);
}
