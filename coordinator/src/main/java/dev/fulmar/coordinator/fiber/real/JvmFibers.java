package dev.fulmar.coordinator.fiber.real;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.fiber.FiberHome;

/**
 * The JVM's fibers: without a home a virtual thread, with a home a continuation there. A continuation spares the fiber
 * the way through the scheduler of virtual threads at every wait. Where the JVM does not open its continuations, or
 * homes change their threads, a fiber with a home is a virtual thread too. Compiled code takes the current thread of a
 * method for one and the same. So a continuation that moves to another thread may find the first one's variables.
 */
public final class JvmFibers implements FiberFactory {
    private final VirtualThreadFibers virtualThreads = new VirtualThreadFibers();
    private final boolean homesKeepTheirThread;

    /** @param homesKeepTheirThread whether everything that a home runs is run by one and the same thread */
    public JvmFibers(boolean homesKeepTheirThread) {
        this.homesKeepTheirThread = homesKeepTheirThread;
    }

    @Override
    public Fiber create(String name, Runnable body) {
        return virtualThreads.create(name, body);
    }

    @Override
    public Fiber create(String name, FiberHome home, Runnable body) {
        return homesKeepTheirThread && Continuations.areOpen()
                ? new HomeFiber(name, home, body)
                : virtualThreads.create(name, body);
    }
}
