package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest partition plan for a reconfiguration, and replaces it by a change of the catalog that the {@link
 * ChangeQueue} makes. Thread-safe.
 */
final class CatalogPlans implements PartitionPlans {
    private final AtomicReference<Program> current;
    private final ChangeQueue changes;

    CatalogPlans(AtomicReference<Program> current, ChangeQueue changes) {
        this.current = current;
        this.changes = changes;
    }

    @Override
    public PartitionPlan newest() {
        return current.get().plan();
    }

    @Override
    public void replace(PartitionPlan next, List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended) {
        changes.apply(
                new CatalogChange.UsePlan(next, handOffs),
                new CatalogEntry.Plan(next, handOffs),
                ChangeHandle.NONE,
                response -> ended.accept(failureOf(response)));
    }

    private static @Nullable FulmarException failureOf(TransactionResponse response) {
        return response instanceof TransactionResponse.Failed failed
                ? new FulmarException(failed.code(), failed.message())
                : null;
    }
}
