package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.contract.Surroundings;
import java.util.function.BooleanSupplier;

/** Virtual time. */
public record SimulatedSurroundings(SimulatedWorld world) implements Surroundings {
    @Override
    public boolean await(BooleanSupplier condition) {
        return world.runUntil(condition, 20_000_000_000L);
    }

    @Override
    public void pass(long nanos) {
        world.runFor(nanos);
    }
}
