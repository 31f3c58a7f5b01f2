package dev.fulmar.coordinator.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Since when requests go where they go. */
class ProgramTest {
    private static final PartitionPlan PLAN = PartitionPlan.hash(2);
    private static final Catalog BEFORE =
            Catalog.empty().withAccess(Catalog.empty().access());
    private static final Catalog AFTER = BEFORE.withAccess(BEFORE.access());

    private static final class Silent implements SqlFrontend {
        @Override
        public List<String> split(String script) {
            throw new IllegalStateException(script);
        }

        @Override
        public Compiled compile(String sql, Catalog catalog) {
            throw new IllegalStateException(sql);
        }
    }

    private static ProcedureRegistry registry(Catalog catalog) {
        ProcedureLoader loader = new ProcedureLoader(
                new Silent(),
                any -> null,
                new SimulatedWorld(1).startProcess(new NodeId(1)).clock(),
                LoadingLimits.DEFAULT);
        return loader.load(catalog, ProcedureJars.NONE, ProcedureRegistry.empty());
    }

    @Test
    void aPlanIsAPartOfTheCatalogAndMovesWhatIsRoutedByIt() {
        Program first = Program.recovered(registry(BEFORE), ProcedureJars.NONE, PLAN);
        assertThat(first.plan()).isSameAs(PLAN);
        Catalog planned = BEFORE.withPlan(PartitionPlan.ranges(1, 50));
        Program next = first.next(registry(planned), ProcedureJars.NONE);
        assertThat(next.plan().version()).isEqualTo(planned.version());
        assertThat(next.plan().partitionOf(50)).isEqualTo(1);
        assertThat(next.statementsRoutedSince()).isEqualTo(planned.version());
        Program later = next.next(registry(planned.withAccess(planned.access())), ProcedureJars.NONE);
        assertThat(later.plan()).isSameAs(next.plan());
        assertThat(later.statementsRoutedSince()).isEqualTo(planned.version());
        assertThat(later.planOf(BEFORE)).isSameAs(PLAN);
        assertThatThrownBy(() -> next.checkSuccessor(PartitionPlan.hash(3)))
                .hasMessageContaining("the number of partitions never changes");
    }

    /** Keys have moved, and the outcomes of their requests with them. */
    @Test
    void aHandOffRefusesNoRetry() {
        Program first = Program.recovered(registry(BEFORE), ProcedureJars.NONE, PLAN);
        KeyRange moved = new KeyRange(KeySpace.HASH, 50, 60);
        PlanTarget target = new PlanTarget(
                1, PlanTarget.State.RUNNING, PLAN.withHash(70, 0), new MovePace(1, 0, MovePace.UNLIMITED), "");
        Catalog planned = BEFORE.withTarget(new TargetChange.Begin(target, OptionalLong.empty()), Optional.of(PLAN))
                .withHandOffs(List.of(new HandOff(7, 1, 0, 3, 1, 0, List.of(moved))));
        Program next = first.next(registry(planned), ProcedureJars.NONE);
        assertThat(next.plan().rangesOf(0)).contains(moved);
        assertThat(next.statementsRoutedSince()).isEqualTo(first.statementsRoutedSince());
    }

    @Test
    void whatHasNotMovedGoesWhereItWent() {
        Program first = Program.recovered(registry(BEFORE), ProcedureJars.NONE, PLAN);
        Program next = first.next(registry(AFTER), ProcedureJars.NONE);
        assertThat(next.statementsRoutedSince()).isEqualTo(BEFORE.version());
    }

    /**
     * A version that never counted is taken back: clients are told the one before, and must not be refused for knowing
     * no later one.
     */
    @Test
    void nothingIsRoutedSinceAVersionThatIsYetToCome() {
        Program recovered = Program.recovered(registry(AFTER), ProcedureJars.NONE, PLAN);
        assertThat(recovered.statementsRoutedSince()).isEqualTo(AFTER.version());
        Program back = recovered.next(registry(BEFORE), ProcedureJars.NONE);
        assertThat(back.statementsRoutedSince()).isEqualTo(BEFORE.version());
    }

    private static Table table(int id, String name) {
        return new Table(
                id,
                name,
                List.of(new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null)),
                OptionalInt.of(0),
                List.of(),
                List.of());
    }

    @Test
    void temporaryTablesChangeNoPlanOfOtherSessions() {
        String schema = SchemaName.temporary(1, 7);
        String other = SchemaName.temporary(1, 8);
        String sql = "SELECT id FROM t";
        String marked = TemporaryMark.added(sql, schema);
        Program first = Program.recovered(registry(BEFORE.withTable(table(1, "T"))), ProcedureJars.NONE, PLAN);
        Program made = first.next(registry(first.catalog().withTable(table(2, schema + ".T"))), ProcedureJars.NONE);
        Program beside = made.next(registry(made.catalog().withTable(table(3, other + ".T"))), ProcedureJars.NONE);
        assertThat(first.plansLike(beside, sql)).isTrue();
        assertThat(first.plansLike(made, marked)).isFalse();
        assertThat(made.plansLike(beside, marked)).isTrue();
        assertThat(made.plansLike(beside, TemporaryMark.added(sql, other))).isFalse();
        Program dropped = beside.next(registry(beside.catalog().withoutTable("T")), ProcedureJars.NONE);
        assertThat(beside.plansLike(dropped, sql)).isFalse();
        assertThat(beside.plansLike(dropped, marked)).isFalse();
    }
}
