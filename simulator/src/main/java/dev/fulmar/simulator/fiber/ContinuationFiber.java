package dev.fulmar.simulator.fiber;

import dev.fulmar.coordinator.fiber.Fiber;
import java.util.concurrent.Executor;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/**
 * A fiber as a continuation of the JDK: it runs on the simulation's one thread until it parks, and goes on in a later
 * event. A fiber of a process that crashes is never resumed.
 */
public final class ContinuationFiber implements Fiber {
    private static final ContinuationScope SCOPE = new ContinuationScope("fulmar-fiber");

    private final Executor events;
    private final Continuation continuation;
    private boolean started;
    private boolean parked;
    private boolean permit;

    /** @param events executes each stretch of the fiber, never within the call */
    ContinuationFiber(Executor events, Runnable body) {
        this.events = events;
        this.continuation = new Continuation(SCOPE, body);
    }

    @Override
    public void start() {
        if (started) {
            throw new IllegalStateException("a fiber starts once");
        }
        started = true;
        events.execute(continuation::run);
    }

    @Override
    public void park() {
        if (permit) {
            permit = false;
            return;
        }
        parked = true;
        if (!Continuation.yield(SCOPE)) {
            throw new IllegalStateException("a fiber cannot wait inside native code");
        }
    }

    @Override
    public void unpark() {
        if (parked) {
            parked = false;
            events.execute(continuation::run);
        } else {
            permit = true;
        }
    }

    /** Whether the body has ended. */
    public boolean isDone() {
        return continuation.isDone();
    }
}
