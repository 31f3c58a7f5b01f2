package dev.fulmar.simulator.fiber;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;

/** Makes the fibers of a simulated process. Each stretch of a fiber begins after a random moment, as a busy machine would have it. */
public final class ContinuationFibers implements FiberFactory {
    private static final int MAX_DELAY_NANOS = 20_000;
    private static final int MAX_LONG_DELAY_NANOS = 500_000;

    private final SimulatedProcess process;
    private final RandomSource random;

    public ContinuationFibers(SimulatedProcess process) {
        this.process = process;
        this.random = process.random().split("fibers");
    }

    @Override
    public ContinuationFiber create(String name, Runnable body) {
        return new ContinuationFiber(stretch -> process.execute(delayNanos(), name, stretch), body);
    }

    private int delayNanos() {
        boolean isLong = random.nextInt(process.longStepOneIn()) == 0;
        return random.nextInt(isLong ? MAX_LONG_DELAY_NANOS : MAX_DELAY_NANOS);
    }
}
