package dev.fulmar.coordinator.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Demand;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.Upkeep;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a plan does to which tables is what it needs rights for; no part of a plan is overlooked. */
class StatementNeedsTest {
    private static final List<ColumnType> COLUMNS = List.of(ColumnType.of(TypeKind.BIGINT));
    private static final Relation READ_A = new Relation.TableScan(1, COLUMNS, null);
    private static final Relation READ_B = new Relation.TableScan(2, COLUMNS, null);
    private static final AccessRight SELECT_A = new AccessRight(Privilege.SELECT, "A");
    private static final AccessRight SELECT_B = new AccessRight(Privilege.SELECT, "B");

    private final Catalog catalog = Catalog.empty().withTable(table(1, "A")).withTable(table(2, "B"));

    private static Table table(int id, String name) {
        return new Table(
                id,
                name,
                List.of(new Column("ID", COLUMNS.getFirst(), true, null)),
                OptionalInt.empty(),
                List.of(),
                List.of());
    }

    private static StatementPlan.Fragment fragment(Operation operation) {
        return new StatementPlan.Fragment(new PartitionScope.Any(), operation);
    }

    private static StatementPlan plan(Operation operation) {
        return new StatementPlan("", List.of(), List.of(), List.of(fragment(operation)), Optional.empty());
    }

    private List<AccessRight> needs(Operation operation) {
        return StatementNeeds.of(plan(operation), catalog);
    }

    /** A write returns rows of its own, and so reads none for that. */
    @Test
    void tablesAreReadOrChanged() {
        Relation rows = new Relation.Values(COLUMNS, List.of());
        TouchedTables insert = StatementNeeds.touched(plan(new Operation.Insert(1, READ_B, false)), catalog);
        assertThat(insert.read()).containsExactly("B");
        assertThat(insert.changed()).containsExactly("A");
        assertThat(insert.skipping()).isEmpty();
        TouchedTables delete = StatementNeeds.touched(plan(new Operation.Delete(1, READ_A)), catalog);
        assertThat(delete.read()).containsExactly("A");
        assertThat(delete.changed()).containsExactly("A");
        TouchedTables replace = StatementNeeds.touched(plan(new Operation.Insert(1, rows, true)), catalog);
        assertThat(replace.read()).containsExactly("A");
        TouchedTables query = StatementNeeds.touched(plan(new Operation.Query(rows)), catalog);
        assertThat(query.read()).isEmpty();
    }

    /** Sessions of nodes note what was changed under a lock; a client's own text has no mark. */
    @Test
    void onlySessionsOfNodesNoteChangesUnderLocks() {
        Catalog locks = Catalog.empty().withTable(table(1, SchemaName.LOCKS_USED));
        StatementPlan.Fragment insert =
                fragment(new Operation.Insert(1, new Relation.Values(COLUMNS, List.of()), false));
        for (String sql : List.of("INSERT", TemporaryMark.added("INSERT", SchemaName.NO_SESSION))) {
            StatementPlan plan = new StatementPlan(sql, List.of(), List.of(), List.of(insert), Optional.empty());
            assertThat(StatementNeeds.of(plan, locks)).hasSize(sql.equals("INSERT") ? 1 : 0);
        }
    }

    @Test
    void statementsThatKeepKeysWholeNeedNoRight() {
        StatementPlan look = new StatementPlan(
                "", COLUMNS, List.of(), List.of(fragment(new Operation.Query(READ_B))), Optional.empty());
        Expression key = new Expression.ColumnReference(0, COLUMNS.getFirst(), true);
        Demand demand = new Demand(Demand.Rows.AT_LEAST_ONE, ErrorCode.FOREIGN_KEY_VIOLATION, "%s", List.of("ID"));
        StatementPlan write = plan(new Operation.Insert(1, new Relation.Values(COLUMNS, List.of()), false))
                .keptBy(new Upkeep(List.of(key), List.of(look), List.of(demand)));
        AccessRight insert = new AccessRight(Privilege.INSERT, "A");
        assertThat(StatementNeeds.of(write, catalog)).containsExactly(insert);
        StatementPlan returning =
                write.returning(List.of(new ResultColumn("ID", COLUMNS.getFirst(), true)), List.of(key));
        assertThat(StatementNeeds.of(returning, catalog)).containsExactlyInAnyOrder(insert, SELECT_A);
        assertThat(returning.columns()).hasSize(1);
    }

    @Test
    void aQueryNeedsWhatItReadsWhereverThatIs() {
        Relation join = new Relation.NestedLoopJoin(READ_A, READ_B, Relation.JoinKind.SEMI, null);
        assertThat(needs(new Operation.Query(new Relation.Limit(join, null, null))))
                .containsExactlyInAnyOrder(SELECT_A, SELECT_B);
        assertThat(needs(new Operation.Query(new Relation.UnionAll(List.of(READ_A, READ_B)))))
                .containsExactlyInAnyOrder(SELECT_A, SELECT_B);
        Relation.IndexScan inner = new Relation.IndexScan(
                2, COLUMNS, new Relation.IndexKey(9, List.of(), Optional.empty(), Optional.empty()), false, null);
        assertThat(needs(new Operation.Query(new Relation.IndexJoin(READ_A, inner, Relation.JoinKind.ANTI, null))))
                .containsExactlyInAnyOrder(SELECT_A, SELECT_B);
        StatementPlan merged = new StatementPlan(
                "",
                List.of(),
                List.of(),
                List.of(fragment(new Operation.Query(READ_A))),
                Optional.of(READ_B),
                Optional.empty());
        assertThat(StatementNeeds.of(merged, catalog)).containsExactlyInAnyOrder(SELECT_A, SELECT_B);
        StatementPlan alternative = new StatementPlan(
                "",
                List.of(),
                List.of(),
                List.of(fragment(new Operation.Query(READ_A))),
                Optional.empty(),
                Optional.of(READ_B));
        assertThat(StatementNeeds.of(alternative, catalog)).containsExactlyInAnyOrder(SELECT_A, SELECT_B);
    }

    @Test
    void aWriteNeedsWhatItChangesAndWhatItReads() {
        assertThat(needs(new Operation.Insert(1, READ_B, false)))
                .containsExactlyInAnyOrder(new AccessRight(Privilege.INSERT, "A"), SELECT_B);
        assertThat(needs(new Operation.Insert(1, new Relation.Values(COLUMNS, List.of()), true)))
                .containsExactlyInAnyOrder(
                        new AccessRight(Privilege.INSERT, "A"), new AccessRight(Privilege.UPDATE, "A"));
        Relation row = new Relation.Values(COLUMNS, List.of());
        assertThat(needs(new Operation.Insert(1, row, new ConflictAction.Skip(3), List.of())))
                .containsExactlyInAnyOrder(new AccessRight(Privilege.INSERT, "A"));
        assertThat(needs(new Operation.Insert(1, row, new ConflictAction.Change(3, List.of(), null), List.of())))
                .containsExactlyInAnyOrder(
                        new AccessRight(Privilege.INSERT, "A"), new AccessRight(Privilege.UPDATE, "A"), SELECT_A);
        assertThat(needs(new Operation.Update(1, READ_A, List.of())))
                .containsExactlyInAnyOrder(new AccessRight(Privilege.UPDATE, "A"), SELECT_A);
        assertThat(needs(new Operation.Delete(1, READ_A)))
                .containsExactlyInAnyOrder(new AccessRight(Privilege.DELETE, "A"), SELECT_A);
        assertThat(needs(new Operation.Insert(1, new Relation.Values(COLUMNS, List.of()), false)
                        .returning(List.of(new Expression.Literal(COLUMNS.getFirst(), null)))))
                .as("what an INSERT returns")
                .containsExactlyInAnyOrder(new AccessRight(Privilege.INSERT, "A"), SELECT_A);
    }

    @Test
    void aWriteInStepsNeedsWhatEachStepDoes() {
        StatementPlan steps = StatementPlan.inSteps(
                "",
                List.of(),
                new StatementPlan.Steps(
                        plan(new Operation.Query(READ_B)), List.of(plan(new Operation.Delete(1, READ_A)))));
        assertThat(StatementNeeds.of(steps, catalog))
                .containsExactlyInAnyOrder(new AccessRight(Privilege.DELETE, "A"), SELECT_A, SELECT_B);
    }

    @Test
    void whatIsNotKnownIsNeededAllTheSame() {
        assertThat(needs(new Operation.Query(new Relation.TableScan(7, COLUMNS, null))))
                .hasSize(1);
    }

    @Test
    void temporaryTablesNeedNoRight() {
        Catalog more = catalog.withTable(table(3, SchemaName.temporary(1, 7) + ".A"));
        StatementPlan joined = plan(new Operation.Insert(3, READ_B, false));
        assertThat(StatementNeeds.of(joined, more)).containsExactly(SELECT_B);
    }
}
