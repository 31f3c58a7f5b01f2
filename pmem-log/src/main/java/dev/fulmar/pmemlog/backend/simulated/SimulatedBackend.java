package dev.fulmar.pmemlog.backend.simulated;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.DurabilityLevel;
import dev.fulmar.pmemlog.backend.PersistentMemory;
import dev.fulmar.pmemlog.backend.memory.MemoryStorage;
import java.io.IOException;

/** Simulated memory as a backend, which tests make themselves. */
public final class SimulatedBackend implements Backend {
    private final MemoryStorage storage;

    public SimulatedBackend(SimulatedMemory memory) throws IOException {
        this.storage = MemoryStorage.open(memory);
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public DurabilityLevel durability() {
        return DurabilityLevel.POWER_FAIL;
    }

    @Override
    public String explanation() {
        return "simulated persistent memory, which survives simulated power failures";
    }

    @Override
    public boolean isEmulated() {
        return true;
    }

    @Override
    public int blockBytes() {
        return PersistentMemory.LINE_BYTES;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public void close() {}
}
