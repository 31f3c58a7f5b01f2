package dev.fulmar.coordinator.fiber;

import java.util.ArrayList;
import java.util.List;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Fibers that advance when a test says so, on the test's thread. */
public final class SteppedFibers implements FiberFactory {
    private static final ContinuationScope SCOPE = new ContinuationScope("stepped");

    /** Fibers that can go on, in the order in which they became able to. */
    private final List<SteppedFiber> runnable = new ArrayList<>();

    @Override
    public Fiber create(String name, Runnable body) {
        return new SteppedFiber(body);
    }

    public int runnableCount() {
        return runnable.size();
    }

    /** Advances the fiber at the place until it parks or ends. */
    public void step(int place) {
        runnable.remove(place).advance();
    }

    private final class SteppedFiber implements Fiber {
        private final Continuation continuation;
        private boolean permit;
        private boolean parked;

        SteppedFiber(Runnable body) {
            continuation = new Continuation(SCOPE, body);
        }

        void advance() {
            parked = false;
            continuation.run();
        }

        @Override
        public void start() {
            runnable.add(this);
        }

        @Override
        public void park() {
            if (!permit) {
                parked = true;
                Continuation.yield(SCOPE);
            }
            permit = false;
        }

        @Override
        public void unpark() {
            if (!permit) {
                permit = true;
                if (parked) {
                    runnable.add(this);
                }
            }
        }
    }
}
