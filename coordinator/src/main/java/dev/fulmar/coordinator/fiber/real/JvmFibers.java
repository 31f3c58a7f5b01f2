package dev.fulmar.coordinator.fiber.real;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.fiber.FiberHome;

/**
 * A fiber without a home is a virtual thread. One with a home is a continuation there, which spares it the way through
 * the scheduler of virtual threads at every wait; where the JVM does not open its continuations, it is a virtual thread
 * too. So it is where homes change their threads: the compiler takes the current thread of a method for one and the
 * same, so a continuation that goes on elsewhere may find another thread's variables.
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
