package dev.fulmar.coordinator.fiber.real;

import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberHome;
import dev.fulmar.coordinator.fiber.FiberStretch;
import dev.fulmar.foundation.check.Invariants;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A fiber that runs at its home, stretch by stretch. Between two stretches it is an object on the heap: neither a
 * thread nor a switch between threads is needed to go on.
 */
final class HomeFiber implements Fiber, FiberStretch {
    private enum State {
        /** Not started. */
        NEW,
        /** Not started, and the first wait ends at once. */
        NEW_PERMITTED,
        /** Waiting. */
        PARKED,
        /** The home has been asked to run the next stretch. */
        DUE,
        /** As due, and the next wait ends at once. */
        DUE_PERMITTED,
        RUNNING,
        /** Running, and the next wait ends at once. */
        PERMITTED,
        ENDED
    }

    private final String name;
    private final FiberHome home;
    private final Object continuation;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

    /** Touched by the thread that runs the fiber. */
    private boolean ended;

    HomeFiber(String name, FiberHome home, Runnable body) {
        this.name = name;
        this.home = home;
        this.continuation = Continuations.create(() -> {
            body.run();
            ended = true;
        });
    }

    @Override
    public void start() {
        Invariants.check(
                state.compareAndSet(State.NEW, State.DUE)
                        || state.compareAndSet(State.NEW_PERMITTED, State.DUE_PERMITTED),
                "a fiber starts once");
        home.execute(this);
    }

    @Override
    public void park() {
        if (state.compareAndSet(State.PERMITTED, State.RUNNING)) {
            return;
        }
        if (Invariants.EXPENSIVE) {
            State now = state.get();
            Invariants.check(now == State.RUNNING || now == State.PERMITTED, "a fiber waits while it runs");
        }
        Continuations.yield();
    }

    @Override
    public void unpark() {
        while (true) {
            State seen = state.get();
            switch (seen) {
                case NEW -> {
                    if (state.compareAndSet(State.NEW, State.NEW_PERMITTED)) {
                        return;
                    }
                }
                case PARKED -> {
                    if (state.compareAndSet(State.PARKED, State.DUE)) {
                        home.execute(this);
                        return;
                    }
                }
                case RUNNING -> {
                    if (state.compareAndSet(State.RUNNING, State.PERMITTED)) {
                        return;
                    }
                }
                case DUE -> {
                    if (state.compareAndSet(State.DUE, State.DUE_PERMITTED)) {
                        return;
                    }
                }
                case NEW_PERMITTED, DUE_PERMITTED, PERMITTED, ENDED -> {
                    return;
                }
            }
        }
    }

    @Override
    public void run() {
        Invariants.check(!ended, "a fiber that has ended does not run again");
        if (!state.compareAndSet(State.DUE, State.RUNNING)) {
            if (Invariants.EXPENSIVE) {
                Invariants.check(state.get() == State.DUE_PERMITTED, "a fiber runs when its home was asked to run it");
            }
            state.set(State.PERMITTED);
        }
        while (true) {
            Continuations.run(continuation);
            if (ended) {
                state.set(State.ENDED);
                return;
            }
            if (state.compareAndSet(State.RUNNING, State.PARKED)) {
                return;
            }
            if (Invariants.EXPENSIVE) {
                Invariants.check(state.get() == State.PERMITTED, "a fiber that does not wait was permitted to go on");
            }
            state.set(State.RUNNING); // it was permitted to go on just before it yielded
        }
    }

    @Override
    public void strand() {
        Thread.ofPlatform().daemon().name(name).start(this::run);
    }
}
