package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationLog;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationStep;
import dev.fulmar.coordinator.reconfiguration.StepListener;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log that takes steps and lets them wait, as one without space does. */
final class WaitingLog implements ReconfigurationLog {
    static final FulmarException FULL = new FulmarException(ErrorCode.DISK_FULL, "the disk is full");

    final List<StepListener> waiting = new ArrayList<>();

    @Nullable FulmarException refusal;

    @Nullable FulmarException scarcity;

    @Override
    public @Nullable FulmarException refusal() {
        return refusal;
    }

    @Override
    public @Nullable FulmarException scarcity() {
        return scarcity;
    }

    @Override
    public void write(PartitionId partition, ReconfigurationStep step, StepListener listener) {
        waiting.add(listener);
    }

    @Override
    public void inspect(PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused) {}

    @Override
    public void inspectInTurn(
            PartitionId partition,
            SliceHaste haste,
            Consumer<PartitionData> inspector,
            Consumer<FulmarException> refused) {}

    @Override
    public void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener) {}
}
