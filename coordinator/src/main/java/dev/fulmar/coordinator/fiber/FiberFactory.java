package dev.fulmar.coordinator.fiber;

/** Makes fibers. Thread-safe. */
@FunctionalInterface
public interface FiberFactory {
    /** A fiber that will run the body; it has not begun. The body must not let an exception escape. */
    Fiber create(String name, Runnable body);

    /**
     * Makes a fiber with a home, which runs its stretches where the factory can suspend code there. The home's other
     * work must be short.
     */
    default Fiber create(String name, FiberHome home, Runnable body) {
        return create(name, body);
    }
}
