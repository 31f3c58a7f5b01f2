package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
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
    private final PartitionHomes homes;

    CatalogPlans(AtomicReference<Program> current, ChangeQueue changes, PartitionHomes homes) {
        this.current = current;
        this.changes = changes;
        this.homes = homes;
    }

    @Override
    public PartitionPlan newest() {
        return current.get().plan();
    }

    @Override
    public @Nullable PlanTarget target() {
        return current.get().catalog().target();
    }

    @Override
    public boolean changesHere() {
        return homes.changesCatalog();
    }

    @Override
    public void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended) {
        apply(new CatalogChange.UsePlan(next, List.of()), new CatalogEntry.Plan(next, List.of()), ended);
    }

    @Override
    public void handOver(List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended) {
        apply(new CatalogChange.HandOver(handOffs), new CatalogEntry.HandOver(handOffs), ended);
    }

    @Override
    public void prepareHandOffsWith(HandOffPreparation preparation) {
        changes.handOffs().use(preparation);
    }

    @Override
    public void retarget(TargetChange change, Consumer<@Nullable FulmarException> ended) {
        Program program = current.get();
        Optional<PartitionPlan> configured =
                program.catalog().plan() == null ? Optional.of(program.configured()) : Optional.empty();
        apply(new CatalogChange.Retarget(change, configured), new CatalogEntry.Retarget(change, configured), ended);
    }

    private void apply(CatalogChange change, CatalogEntry entry, Consumer<@Nullable FulmarException> ended) {
        changes.apply(change, entry, ChangeHandle.NONE, response -> ended.accept(failureOf(response)));
    }

    private static @Nullable FulmarException failureOf(TransactionResponse response) {
        return response instanceof TransactionResponse.Failed failed
                ? new FulmarException(failed.code(), failed.message())
                : null;
    }
}
