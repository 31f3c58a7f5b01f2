package dev.fulmar.coordinator.fiber;

/** Makes fibers. Thread-safe. */
@FunctionalInterface
public interface FiberFactory {
    /** A fiber that will run the body; it has not begun. The body must not let an exception escape. */
    Fiber create(String name, Runnable body);

    /**
     * As the other, with a home that its stretches run at where the factory can suspend code there. Their work must be
     * short.
     */
    default Fiber create(String name, FiberHome home, Runnable body) {
        return create(name, body);
    }
}
