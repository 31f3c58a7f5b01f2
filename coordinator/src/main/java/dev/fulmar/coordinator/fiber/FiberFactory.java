package dev.fulmar.coordinator.fiber;

/** Makes fibers. Thread-safe. */
@FunctionalInterface
public interface FiberFactory {
    /** A fiber that will run the body; it has not begun. The body must not let an exception escape. */
    Fiber create(String name, Runnable body);
}
