package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.pmemlog.backend.memory.MemoryStorage;
import dev.fulmar.pmemlog.backend.simulated.SimulatedMemory;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import java.io.IOException;

/** Small stores, whose logs turn over soon. */
final class StoreFixture {
    static final StoreSettings SMALL = new StoreSettings(
            new LogSettings("olog", 1 << 14, 64, 1 << 12, 1 << 12, 1 << 12, 8, 1, 1_000_000_000),
            new CheckpointSettings("checkpoints", 64, 1 << 12, 1 << 13, 1 << 15, 1 << 14),
            new CheckpointPolicy(1 << 14, 1 << 20, 10_000_000_000L, 1 << 24),
            1 << 20);

    private StoreFixture() {}

    static ObjectStore open(Storage storage, StoreSettings settings) {
        return ObjectStore.open(new StoreEnvironment(storage, new SystemClock(), new SeededRandom(1)), settings);
    }

    static ObjectStore open(SimulatedMemory memory) throws IOException {
        return open(MemoryStorage.open(memory), SMALL);
    }

    static byte[] number(long value) {
        byte[] bytes = new byte[Long.BYTES];
        LittleEndian.putLong(bytes, 0, value);
        return bytes;
    }
}
