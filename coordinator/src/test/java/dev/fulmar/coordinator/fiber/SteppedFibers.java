package dev.fulmar.coordinator.fiber;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Fibers that advance when a test says so, one at a time while the test's thread waits. */
public final class SteppedFibers implements FiberFactory {
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
        private final Semaphore mayRun = new Semaphore(0);
        private final Semaphore hasStopped = new Semaphore(0);
        private final Thread thread;
        private boolean permit;
        private boolean parked;

        SteppedFiber(Runnable body) {
            thread = Thread.ofVirtual().unstarted(() -> {
                mayRun.acquireUninterruptibly();
                try {
                    body.run();
                } finally {
                    hasStopped.release();
                }
            });
        }

        void advance() {
            parked = false;
            mayRun.release();
            hasStopped.acquireUninterruptibly();
        }

        @Override
        public void start() {
            runnable.add(this);
            thread.start();
        }

        @Override
        public void park() {
            if (!permit) {
                parked = true;
                hasStopped.release();
                mayRun.acquireUninterruptibly();
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
