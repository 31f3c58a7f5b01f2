package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.DropTable;
import dev.fulmar.engine.catalog.CatalogChange.PartitionTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.RenameTable;
import dev.fulmar.engine.catalog.TableAlteration.Repartition;
import dev.fulmar.engine.catalog.TableAlteration.RepartitioningStage;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two changes of the catalog between which the rows of a table are copied to where they belong. */
class RepartitioningEditTest {
    private static final String SUCCESSOR = ".0123456789ABCDEF";
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private Catalog catalog = Catalog.empty();

    private List<StorageStep> apply(CatalogChange change) {
        CatalogEdit edit = CatalogEdit.of(change, catalog);
        catalog = edit.catalog();
        return edit.steps();
    }

    @BeforeEach
    void create() {
        apply(new CreateTable(
                "USERS",
                List.of(
                        new Column("ID", BIGINT, false, null),
                        new Column("REGION", BIGINT, false, null),
                        new Column("MAIL", BIGINT, true, null)),
                List.of("ID"),
                Optional.empty(),
                List.of(new Unique("MAIL_ONCE", List.of("MAIL"))),
                Presence.STRICT));
        apply(new PartitionTable("USERS", "ID"));
    }

    private AlterTable place(TablePartitioning partitioning, RepartitioningStage stage) {
        return new AlterTable(
                "USERS", Presence.STRICT, Optional.of(catalog.table("USERS")), new Repartition(partitioning, stage));
    }

    private AlterTable byRegion(RepartitioningStage stage) {
        return place(new TablePartitioning.OnColumn("REGION"), stage);
    }

    private List<StorageStep> begin() {
        return apply(byRegion(new RepartitioningStage.Begin(SUCCESSOR)));
    }

    private List<StorageStep> end() {
        return apply(byRegion(new RepartitioningStage.End(SUCCESSOR)));
    }

    @Test
    void theSuccessorHasTheRowsAndTheTableItsNames() {
        Table before = catalog.table("USERS");
        List<StorageStep> begun = begin();
        Table successor = catalog.table(SUCCESSOR);
        assertThat(begun).containsExactly(new StorageStep.CreateTable(successor));
        assertThat(catalog.table("USERS")).isEqualTo(before);
        assertThat(catalog.successor("USERS")).contains(successor);
        assertThat(GlobalKeys.of(successor))
                .as("keys of rows that are unique already")
                .isEmpty();
        List<StorageStep> ended = end();
        Table after = catalog.table("USERS");
        assertThat(ended)
                .containsExactly(new StorageStep.RedefineTable(successor, after), new StorageStep.DropTable(before));
        assertThat(catalog.tables()).containsOnlyKeys("USERS");
        assertThat(after.id()).isEqualTo(successor.id());
        assertThat(after.partitioningColumn()).hasValue(1);
        assertThat(after.indexes())
                .extracting(Index::id)
                .isEqualTo(successor.indexes().stream().map(Index::id).toList());
        assertThat(after.indexes())
                .extracting(Index::name)
                .isEqualTo(before.indexes().stream().map(Index::name).toList());
        assertThat(after.successorOf()).isEmpty();
        assertThat(GlobalKeys.of(after)).extracting(Index::name).containsExactly("USERS_PRIMARY_KEY", "MAIL_ONCE");
    }

    @Test
    void theTableIsAsItWasWithoutTheSuccessor() {
        Table before = catalog.table("USERS");
        begin();
        apply(new DropTable(SUCCESSOR, Presence.LENIENT));
        assertThat(catalog.table("USERS")).isEqualTo(before);
        assertThat(catalog.successor("USERS")).isEmpty();
        fails(ErrorCode.UNKNOWN_OBJECT, this::end);
    }

    @Test
    void theTableStaysAsItIsWhileItsRowsAreCopied() {
        begin();
        fails(ErrorCode.SERVER_BUSY, () -> apply(new DropTable("USERS", Presence.STRICT)));
        fails(
                ErrorCode.SERVER_BUSY,
                () -> apply(new AlterTable(
                        "USERS",
                        Presence.STRICT,
                        Optional.of(catalog.table("USERS")),
                        new RenameTable("PEOPLE", List.of(), Map.of()))));
        fails(ErrorCode.SERVER_BUSY, () -> apply(byRegion(new RepartitioningStage.Begin(".FEDCBA9876543210"))));
        apply(new CreateTable(
                "OTHER",
                List.of(new Column("ID", BIGINT, false, null)),
                List.of(),
                Optional.empty(),
                List.of(),
                Presence.STRICT));
        end();
        apply(new DropTable("USERS", Presence.STRICT));
    }

    @Test
    void theSuccessorTakesNoOtherPlace() {
        begin();
        TablePartitioning replicated = new TablePartitioning.Replicated();
        fails(ErrorCode.TRANSACTION_RESTART, () -> apply(place(replicated, new RepartitioningStage.End(SUCCESSOR))));
    }

    @Test
    void rowsThatLieSoStay() {
        Catalog before = catalog;
        assertThat(apply(place(new TablePartitioning.OnColumn("ID"), new RepartitioningStage.All())))
                .isEmpty();
        assertThat(apply(place(new TablePartitioning.ByKey(), new RepartitioningStage.All())))
                .isEmpty();
        assertThat(catalog).isSameAs(before);
        assertThat(Repartitioning.of(place(new TablePartitioning.ByKey(), new RepartitioningStage.All()), catalog))
                .isEmpty();
    }

    @Test
    void byItselfTheChangeIsForATableWithoutRows() {
        Table before = catalog.table("USERS");
        List<StorageStep> steps = apply(byRegion(new RepartitioningStage.All()));
        assertThat(steps).hasSize(2);
        assertThat(steps.getFirst())
                .isInstanceOfSatisfying(
                        StorageStep.VerifyEmpty.class,
                        verify -> assertThat(verify.table()).isEqualTo(before));
        assertThat(steps.getLast())
                .isEqualTo(new StorageStep.ConvertTable(before, catalog.table("USERS"), List.of(0, 1, 2)));
    }

    @Test
    void onlyANodeCopiesRows() {
        ClientChange.check(byRegion(new RepartitioningStage.All()));
        fails(ErrorCode.SYNTAX, () -> ClientChange.check(byRegion(new RepartitioningStage.Begin(SUCCESSOR))));
        fails(ErrorCode.SYNTAX, () -> ClientChange.check(byRegion(new RepartitioningStage.End(SUCCESSOR))));
    }

    /** Such a change finds room in a catalog that takes no others. */
    @Test
    void whatEndsAPlacementIsKnownByItsText() {
        Repartitioning repartitioning = new Repartitioning(catalog.table("USERS"), Optional.of("REGION"));
        ChangeHandle handle = new ChangeHandle(7, 1);
        assertThat(new CatalogEntry.Statement(repartitioning.begin(SUCCESSOR)).isEnding())
                .isFalse();
        assertThat(new CatalogEntry.Statement(repartitioning.end(SUCCESSOR)).isEnding())
                .isTrue();
        assertThat(new CatalogEntry.Statement(repartitioning.end(SUCCESSOR))
                        .askedUnder(handle)
                        .isEnding())
                .isTrue();
        assertThat(new CatalogEntry.Statement(CreateTableAsPlan.removal(SUCCESSOR)).isEnding())
                .isTrue();
        assertThat(new CatalogEntry.Statement(CreateTableAsPlan.removal("USERS")).isEnding())
                .isFalse();
    }

    private static void fails(ErrorCode code, ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
