package dev.fulmar.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A subsystem that moves data joins the engine and the coordinator through ports. The subsystems of the tests show that
 * these are enough; the module {@code reconfig} is held to them too.
 */
class SubsystemDoorsTest {
    private static final Set<String> PORTS = Set.of(
            "dev.fulmar.coordinator.routing.PartitionPlans",
            "dev.fulmar.engine.execution.SequencePlaces",
            "dev.fulmar.engine.table.BucketTransfer",
            "dev.fulmar.engine.table.BucketCut",
            "dev.fulmar.engine.table.BucketExtraction",
            "dev.fulmar.engine.table.BucketMoves",
            "dev.fulmar.engine.table.BucketStaging",
            "dev.fulmar.engine.row.RowChunk",
            "dev.fulmar.engine.partition.counter.LatencyHistogram",
            "dev.fulmar.engine.table.DetachedBucket");
    private static final List<String> PORT_PACKAGES = List.of(
            "dev.fulmar.engine.spi", "dev.fulmar.engine.partitioning", "dev.fulmar.coordinator.reconfiguration");

    private static boolean isAllowed(JavaClass used) {
        String name = used.getBaseComponentType().getName();
        return !name.startsWith("dev.fulmar.")
                || name.startsWith("dev.fulmar.foundation.")
                || name.startsWith("dev.fulmar.coordinator.door.")
                || name.startsWith("dev.fulmar.engine.door.")
                || name.startsWith("dev.fulmar.reconfig.")
                || name.startsWith("dev.fulmar.placement.")
                || PORT_PACKAGES.contains(used.getBaseComponentType().getPackageName())
                || PORTS.contains(name);
    }

    @Test
    void subsystemsUseThePortsAlone() {
        JavaClasses subsystems = new ClassFileImporter()
                .importPaths(
                        CodeBase.directory().resolve("coordinator/target/test-classes/dev/fulmar/coordinator/door"),
                        CodeBase.directory().resolve("engine-core/target/test-classes/dev/fulmar/engine/door"),
                        CodeBase.directory().resolve("reconfig/target/classes"));
        assertThat(subsystems).as("compiled with the coordinator's tests").isNotEmpty();
        classes()
                .should()
                .onlyDependOnClassesThat(describe("are ports of subsystems", SubsystemDoorsTest::isAllowed))
                .check(subsystems);
    }
}
