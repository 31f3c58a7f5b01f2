package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.CreateIndex;
import dev.fulmar.engine.catalog.CatalogChange.CreateProcedure;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.DropIndex;
import dev.fulmar.engine.catalog.CatalogChange.DropProcedure;
import dev.fulmar.engine.catalog.CatalogChange.DropTable;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.PartitionTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CatalogEditTest {
    private static final Column ID = new Column("ID", ColumnType.of(TypeKind.BIGINT), true, null);
    private static final Column REGION = new Column("REGION", ColumnType.of(TypeKind.INTEGER), false, null);
    private static final Column MAIL = new Column("MAIL", ColumnType.varchar(50), true, null);
    private static final CreateTable USERS = new CreateTable(
            "USERS",
            List.of(ID, REGION, MAIL),
            List.of("ID", "REGION"),
            Optional.empty(),
            List.of(new Unique("MAIL_ONCE", List.of("MAIL", "REGION"))),
            Presence.STRICT);

    private Catalog catalog = Catalog.empty();

    private List<StorageStep> apply(CatalogChange change) {
        CatalogEdit edit = CatalogEdit.of(change, catalog);
        catalog = edit.catalog();
        return edit.steps();
    }

    @Test
    void aTableGetsIdsBothPrimaryIndexesAndKeysThatAreNotNull() {
        List<StorageStep> steps = apply(USERS);
        Table table = catalog.table("USERS");
        assertThat(steps).containsExactly(new StorageStep.CreateTable(table));
        assertThat(table.columns().get(0).nullable()).isFalse();
        assertThat(table.columns().get(2).nullable()).isTrue();
        assertThat(table.indexes())
                .extracting(Index::kind, Index::unique, Index::primary)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(IndexKind.HASH, true, true),
                        org.assertj.core.groups.Tuple.tuple(IndexKind.ORDERED, true, true),
                        org.assertj.core.groups.Tuple.tuple(IndexKind.HASH, true, false));
        assertThat(table.indexes())
                .extracting(Index::id)
                .doesNotHaveDuplicates()
                .doesNotContain(table.id());
        apply(new CreateTable("T2", List.of(ID), List.of(), Optional.empty(), List.of(), Presence.STRICT));
        assertThat(catalog.table("T2").id())
                .isGreaterThan(table.indexes().getLast().id());
    }

    /** A name that was only written, as in texts of earlier builds, counts for nothing. */
    @Test
    void aPrimaryKeyHasTheNameThatItIsGiven() {
        apply(keyed("A", new KeyName.Given("PK")));
        apply(keyed("B", new KeyName.Written("PK")));
        assertThat(indexes("A")).containsExactly("PK", "PK_ORDER");
        assertThat(indexes("B")).containsExactly("B_PRIMARY_KEY", "B_PRIMARY_KEY_ORDER");
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(keyed("C", new KeyName.Given("PK"))));
        fails(ErrorCode.NOT_SUPPORTED, () -> apply(new DropIndex("PK", Presence.STRICT)));
        apply(new CatalogChange.RenameIndex("PK", "OTHER"));
        assertThat(indexes("A")).containsExactly("OTHER", "PK_ORDER");
        apply(keyed("C", new KeyName.Given("PK"))); // nobody has said the name of the second index
        assertThat(indexes("C")).containsExactly("PK", "PK_ORDER1");
        alter("C", new TableAlteration.DropConstraint("PK", Presence.STRICT));
        assertThat(indexes("C")).isEmpty();
        alter(
                "C",
                new TableAlteration.AddPrimaryKey(
                        new KeyName.Given("NEW"), List.of("ID"), Optional.empty(), Validity.NOW, false));
        assertThat(indexes("C")).containsExactly("NEW", "NEW_ORDER");
    }

    private static CreateTable keyed(String table, KeyName name) {
        return new CreateTable(
                table,
                List.of(ID),
                List.of("ID"),
                name,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                new TablePartitioning.Unsaid(),
                Presence.STRICT);
    }

    private List<String> indexes(String table) {
        return catalog.table(table).indexes().stream().map(Index::name).toList();
    }

    private void alter(String table, TableAlteration alteration) {
        apply(new AlterTable(table, Presence.STRICT, Optional.of(catalog.table(table)), alteration));
    }

    @Test
    void namesAreTakenOnce() {
        apply(USERS);
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(USERS));
        fails(
                ErrorCode.OBJECT_EXISTS,
                () -> apply(new CreateTable(
                        "T",
                        List.of(ID),
                        List.of(),
                        Optional.empty(),
                        List.of(new Unique("MAIL_ONCE", List.of("ID"))),
                        Presence.STRICT)));
        fails(
                ErrorCode.OBJECT_EXISTS,
                () -> apply(new CreateTable(
                        "T", List.of(ID, ID), List.of(), Optional.empty(), List.of(), Presence.STRICT)));
    }

    @Test
    void lenientChangesOfWhatIsThereChangeNothing() {
        apply(USERS);
        Catalog before = catalog;
        assertThat(apply(new CreateTable(
                        "USERS", List.of(ID), List.of(), Optional.empty(), List.of(), Presence.LENIENT)))
                .isEmpty();
        assertThat(apply(new DropTable("NONE", Presence.LENIENT))).isEmpty();
        assertThat(apply(new DropIndex("NONE", Presence.LENIENT))).isEmpty();
        assertThat(apply(new DropProcedure("NONE", Presence.LENIENT))).isEmpty();
        assertThat(catalog).isSameAs(before);
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new DropTable("NONE", Presence.STRICT)));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new DropIndex("NONE", Presence.STRICT)));
        fails(ErrorCode.UNKNOWN_PROCEDURE, () -> apply(new DropProcedure("NONE", Presence.STRICT)));
    }

    @Test
    void aTableIsPartitionedWhileItHasNoRows() {
        apply(USERS);
        Table before = catalog.table("USERS");
        List<StorageStep> steps = apply(new PartitionTable("USERS", "REGION"));
        assertThat(steps).containsExactly(new StorageStep.RebuildEmptyTable(before, catalog.table("USERS")));
        assertThat(catalog.table("USERS").partitioningColumn()).hasValue(1);
        Table first = catalog.table("USERS");
        assertThat(apply(new PartitionTable("USERS", "REGION"))).isEmpty();
        assertThat(catalog.table("USERS")).isSameAs(first);
        assertThat(apply(new PartitionTable("USERS", "ID")))
                .containsExactly(
                        new StorageStep.VerifyEmpty(
                                first,
                                "they have to be copied to where they belong; ALTER TABLE USERS PARTITION ON COLUMN does so"),
                        new StorageStep.ConvertTable(first, catalog.table("USERS"), List.of(0, 1, 2)));
        assertThat(catalog.table("USERS").partitioningColumn()).hasValue(0);
        fails(ErrorCode.NOT_SUPPORTED, () -> apply(new PartitionTable("USERS", "MAIL")));
    }

    @Test
    void aPartitioningColumnIsNeverNull() {
        apply(USERS);
        fails(ErrorCode.NOT_SUPPORTED, () -> apply(new PartitionTable("USERS", "MAIL")));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new PartitionTable("USERS", "NONE")));
    }

    @Test
    void aGlobalKeyComesToATableWithoutRows() {
        apply(USERS);
        apply(new PartitionTable("USERS", "REGION"));
        List<StorageStep> steps = apply(index("BY_ID", true, "ID"));
        Table with = catalog.table("USERS");
        assertThat(steps)
                .containsExactly(
                        StorageStep.VerifyEmpty.before(with, "unique index BY_ID"),
                        new StorageStep.CreateIndex(with, with.indexes().getLast()));
        assertThat(apply(index("BY_REGION", true, "REGION", "ID")))
                .noneMatch(StorageStep.VerifyEmpty.class::isInstance);
    }

    @Test
    void aConstraintIsValidIfItsOwnRowsWereLookedAt() {
        apply(USERS);
        apply(new PartitionTable("USERS", "REGION"));
        CreateIndex late = new CreateIndex(
                "BY_ID",
                "USERS",
                IndexKind.HASH,
                true,
                List.of(new NamedColumn("ID", false)),
                Presence.STRICT,
                Optional.empty(),
                Validity.LATER);
        assertThat(apply(late)).noneMatch(StorageStep.VerifyEmpty.class::isInstance);
        long first = catalog.table("USERS").indexes().getLast().unvalidatedSince();
        apply(new DropIndex("BY_ID", Presence.STRICT));
        apply(late);
        long second = catalog.table("USERS").indexes().getLast().unvalidatedSince();
        assertThat(second).isGreaterThan(first);
        fails(ErrorCode.TRANSACTION_RESTART, () -> apply(validate(OptionalLong.of(first))));
        assertThat(CatalogEdit.of(validate(OptionalLong.empty()), catalog).steps())
                .anyMatch(StorageStep.VerifyEmpty.class::isInstance);
        apply(validate(OptionalLong.of(second)));
        assertThat(catalog.table("USERS").indexes().getLast().isValidated()).isTrue();
    }

    private AlterTable validate(OptionalLong since) {
        return new AlterTable(
                "USERS",
                Presence.STRICT,
                Optional.of(catalog.table("USERS")),
                new TableAlteration.ValidateConstraint("BY_ID", since));
    }

    @Test
    void indexesComeAndGo() {
        apply(USERS);
        List<StorageStep> steps = apply(index("BY_MAIL", false, "MAIL"));
        Table with = catalog.table("USERS");
        assertThat(steps)
                .containsExactly(
                        new StorageStep.CreateIndex(with, with.indexes().getLast()));
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(index("BY_MAIL", false, "ID")));
        fails(ErrorCode.SYNTAX, () -> apply(index("TWICE", false, "ID", "ID")));
        fails(ErrorCode.NOT_SUPPORTED, () -> apply(new DropIndex("USERS_PRIMARY_KEY", Presence.STRICT)));
        steps = apply(new DropIndex("BY_MAIL", Presence.STRICT));
        assertThat(steps)
                .containsExactly(new StorageStep.DropIndex(
                        catalog.table("USERS"), with.indexes().getLast()));
        assertThat(catalog.table("USERS").indexes()).hasSize(3);
    }

    @Test
    void automaticProceduresGoWithTheirTable() {
        apply(USERS);
        apply(new CreateProcedure(
                new ProcedureDefinition(
                        "USERS.insert",
                        Optional.empty(),
                        new ProcedureDefinition.RowAccess("USERS", ProcedureDefinition.RowAccess.Operation.INSERT)),
                false));
        List<StorageStep> steps = apply(new DropTable("USERS", Presence.STRICT));
        assertThat(steps).hasSize(1);
        assertThat(catalog.tables()).isEmpty();
        assertThat(catalog.procedures()).isEmpty();
    }

    @Test
    void proceduresAreReplacedOnlyWhereAskedFor() {
        ProcedureDefinition definition =
                new ProcedureDefinition("p", Optional.empty(), new ProcedureDefinition.Sql(List.of("SELECT 1")));
        apply(new CreateProcedure(definition, false));
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(new CreateProcedure(definition, false)));
        apply(new CreateProcedure(definition, true));
        apply(new DropProcedure("P", Presence.STRICT));
        assertThat(catalog.procedures()).isEmpty();
    }

    private static CreateIndex index(String name, boolean unique, String... columns) {
        return new CreateIndex(
                name,
                "USERS",
                IndexKind.ORDERED,
                unique,
                List.of(columns).stream()
                        .map(column -> new NamedColumn(column, false))
                        .toList(),
                Presence.STRICT);
    }

    private static void fails(ErrorCode code, ThrowingCallable body) {
        assertThatThrownBy(body)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
