package dev.fulmar.coordinator.fiber.real;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberFactory;
import java.util.concurrent.locks.LockSupport;

/** Fibers that are virtual threads. */
public final class VirtualThreadFibers implements FiberFactory {
    @Override
    public Fiber create(String name, Runnable body) {
        return new VirtualThreadFiber(Thread.ofVirtual().name(name).unstarted(body));
    }

    private record VirtualThreadFiber(Thread thread) implements Fiber {
        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void park() {
            LockSupport.park(this);
        }

        @Override
        public void unpark() {
            LockSupport.unpark(thread);
        }
    }
}
