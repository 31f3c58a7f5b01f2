package dev.fulmar.reconfig.peer;

import dev.fulmar.coordinator.reconfiguration.HandOffPreparation;
import dev.fulmar.coordinator.routing.PartitionPlans;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fake whose plan stays the same: it makes every change at once, and notes those of targets. */
public class FixedPlans implements PartitionPlans {
    public final List<TargetChange> made = new ArrayList<>();

    private final PartitionPlan plan;
    private final boolean changesHere;

    public FixedPlans(PartitionPlan plan, boolean changesHere) {
        this.plan = plan;
        this.changesHere = changesHere;
    }

    @Override
    public PartitionPlan newest() {
        return plan;
    }

    @Override
    public @Nullable PlanTarget target() {
        return null;
    }

    @Override
    public boolean changesHere() {
        return changesHere;
    }

    @Override
    public void replace(PartitionPlan next, Consumer<@Nullable FulmarException> ended) {
        ended.accept(null);
    }

    @Override
    public void handOver(List<HandOff> handOffs, Consumer<@Nullable FulmarException> ended) {
        ended.accept(null);
    }

    @Override
    public void prepareHandOffsWith(HandOffPreparation preparation) {}

    @Override
    public void retarget(TargetChange change, Consumer<@Nullable FulmarException> ended) {
        made.add(change);
        ended.accept(null);
    }
}
