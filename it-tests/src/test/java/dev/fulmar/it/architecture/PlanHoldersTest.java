package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The partition plan belongs to the program that a request compares with its partition's. A class that kept a plan of
 * its own would go on by it when another one counts.
 */
class PlanHoldersTest {
    private static final Set<String> HOLDERS = Set.of(
            "dev.fulmar.engine.catalog.CatalogPlan",
            "dev.fulmar.engine.catalog.CatalogChange$UsePlan",
            "dev.fulmar.coordinator.change.CatalogEntry$Plan",
            "dev.fulmar.coordinator.routing.Program",
            // Told by the program of each transaction, or of each record that is replayed.
            "dev.fulmar.engine.execution.ExecutionContext",
            // Compared with the context's, to see that it has changed.
            "dev.fulmar.engine.execution.SequenceCounters$PlaceCounter",
            // For the time of a command, and of one document's reading.
            "dev.fulmar.launcher.ServerPlan",
            "dev.fulmar.reconfig.plan.PlanAssembly",
            // The plan that is asked for, which counts for no key before its hand-off.
            "dev.fulmar.engine.partitioning.PlanTarget",
            // Of the program of the moment, for the time of a step.
            "dev.fulmar.coordinator.reconfiguration.PartitionData",
            // Compared with the newest plan, for which the difference to the target is counted once.
            "dev.fulmar.reconfig.move.Reconfiguration$Difference$Counted",
            // Compared with the newest plan, which is described for clients once.
            "dev.fulmar.node.wiring.ClientRouting$Seen",
            // The first plan of a database that is made.
            "dev.fulmar.coordinator.DatabaseConfiguration",
            "dev.fulmar.coordinator.durability.backup.Restoration$Target",
            "dev.fulmar.coordinator.durability.backup.RestoredPartition");

    @Test
    void nobodyElseKeepsAPlan() {
        TreeSet<String> found = CodeBase.handWritten().stream()
                // Crash campaigns make databases by configurations of their own.
                .filter(type -> !type.getPackageName().startsWith("dev.fulmar.simulator"))
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getRawType().isEquivalentTo(PartitionPlan.class)
                        && !field.getOwner().isEquivalentTo(PartitionPlan.class))
                .map(field -> field.getOwner().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(found).containsExactlyInAnyOrderElementsOf(HOLDERS);
    }
}
