package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.fiber.SteppedFibers;
import dev.fulmar.foundation.simulated.SimulatedProcess;

/** What a simulated process offers, with fibers that advance when a test says so. */
final class SteppedServices {
    private SteppedServices() {}

    static NodeServices of(SimulatedProcess process) {
        return new NodeServices(
                process.node(), process.clock(), process.scheduler(), process.random(), new SteppedFibers(), () -> -1);
    }
}
