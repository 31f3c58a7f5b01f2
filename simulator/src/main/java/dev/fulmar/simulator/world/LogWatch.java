package dev.fulmar.simulator.world;

import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** A command log that observes commits and keeps nothing: no transaction ever waits for it. */
public abstract class LogWatch implements CommandLog {
    @Override
    public void speculated(Partition partition, SinglePartitionWork work, long begin) {}

    @Override
    public long position(Partition partition) {
        return 0;
    }

    @Override
    public boolean keepsRecords() {
        return true;
    }

    @Override
    public boolean isCrowded(Partition partition) {
        return false;
    }

    @Override
    public @Nullable FulmarException refusal() {
        return null;
    }
}
