package dev.fulmar.pmemlog.backend;

import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.backend.simulated.SimulatedBackend;
import dev.fulmar.pmemlog.backend.simulated.SimulatedMemory;
import java.io.IOException;

class SimulatedBackendTest extends BackendContract {
    private final SimulatedMemory memory = new SimulatedMemory(8 << 20, new SeededRandom(1));

    /** The power fails between two lives. */
    @Override
    protected Backend open() throws IOException {
        memory.restart();
        return new SimulatedBackend(memory);
    }

    @Override
    protected DurabilityLevel expected() {
        return DurabilityLevel.POWER_FAIL;
    }
}
