package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** Port by which a reconfiguration guards the data of partitions. The database implements it. Thread-safe. */
@FunctionalInterface
public interface DataGuards {
    /** Installs a guard of the partition's data from its next transaction on; null takes it away. */
    void guard(PartitionId partition, @Nullable DataAccess access);
}
