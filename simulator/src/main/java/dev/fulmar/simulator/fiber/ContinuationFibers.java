package dev.fulmar.simulator.fiber;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.fiber.FiberHome;
import dev.fulmar.coordinator.fiber.FiberStretch;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;

/**
 * Makes the fibers of a simulated process. Each stretch of a fiber begins after a random moment, as a busy machine
 * would have it.
 */
public final class ContinuationFibers implements FiberFactory {
    private static final int MAX_DELAY_NANOS = 20_000;
    private static final int MAX_LONG_DELAY_NANOS = 500_000;

    private final SimulatedProcess process;
    private final RandomSource random;

    /**
     * Whether control code runs at its home, as in production, or apart from all sites, which gives more orders of
     * events.
     */
    private final boolean atHome;

    public ContinuationFibers(SimulatedProcess process) {
        this.process = process;
        this.random = process.random().split("fibers");
        this.atHome = random.nextInt(2) == 0;
    }

    @Override
    public ContinuationFiber create(String name, Runnable body) {
        return new ContinuationFiber(stretch -> process.execute(delayNanos(), name, stretch), body);
    }

    @Override
    public ContinuationFiber create(String name, FiberHome home, Runnable body) {
        return atHome
                ? new ContinuationFiber(stretch -> home.execute(new HomeStretch(name, stretch)), body)
                : create(name, body);
    }

    /** A stretch that the home's site runs, or the process if the site has ended. */
    private final class HomeStretch implements FiberStretch {
        private final String name;
        private final Runnable stretch;

        HomeStretch(String name, Runnable stretch) {
            this.name = name;
            this.stretch = stretch;
        }

        @Override
        public void run() {
            stretch.run();
        }

        @Override
        public void strand() {
            process.execute(delayNanos(), name, stretch);
        }
    }

    private int delayNanos() {
        boolean isLong = random.nextInt(process.longStepOneIn()) == 0;
        return random.nextInt(isLong ? MAX_LONG_DELAY_NANOS : MAX_DELAY_NANOS);
    }
}
