package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.CreateIndex;
import dev.fulmar.engine.catalog.CatalogChange.DropIndex;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TableAlteration.AddCheck;
import dev.fulmar.engine.catalog.TableAlteration.AddColumn;
import dev.fulmar.engine.catalog.TableAlteration.AddForeignKey;
import dev.fulmar.engine.catalog.TableAlteration.AddIdentity;
import dev.fulmar.engine.catalog.TableAlteration.AddPrimaryKey;
import dev.fulmar.engine.catalog.TableAlteration.AddUnique;
import dev.fulmar.engine.catalog.TableAlteration.ChangeColumn;
import dev.fulmar.engine.catalog.TableAlteration.DropColumn;
import dev.fulmar.engine.catalog.TableAlteration.DropConstraint;
import dev.fulmar.engine.catalog.TableAlteration.Nothing;
import dev.fulmar.engine.catalog.TableAlteration.RenameTable;
import dev.fulmar.engine.catalog.TableAlteration.Repartition;
import dev.fulmar.engine.catalog.TableAlteration.SetExpiry;
import dev.fulmar.engine.catalog.TableAlteration.ValidateConstraint;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Builds the next catalog for ALTER TABLE. */
final class TableEdit {
    private final Catalog catalog;
    private final Table before;

    private TableEdit(Catalog catalog, Table before) {
        this.catalog = catalog;
        this.before = before;
    }

    static CatalogEdit of(AlterTable alter, Catalog catalog) {
        boolean isAbsent = !catalog.tables().containsKey(alter.table()) && alter.presence() == Presence.LENIENT;
        if (isAbsent || alter.alteration() instanceof Nothing) {
            return CatalogEdit.unchanged(catalog);
        }
        Table before = catalog.table(alter.table());
        if (!alter.basis().equals(Optional.of(before))) {
            throw changedMeanwhile(before);
        }
        TableEdit edit = new TableEdit(catalog, before);
        return switch (alter.alteration()) {
            case AddCheck add -> edit.addCheck(add.check());
            case AddUnique add -> edit.addUnique(add.unique(), add.validity());
            case AddPrimaryKey add when add.places() -> RepartitioningEdit.withKey(add, before, catalog);
            case AddPrimaryKey add -> PrimaryKeyEdit.add(add, before, catalog);
            case AddForeignKey add -> ForeignKeyEdit.add(add.key(), add.validity(), before, catalog);
            case ValidateConstraint validate -> ConstraintEdit.validate(validate, before, catalog);
            case DropConstraint drop -> edit.dropConstraint(drop);
            case RenameTable rename -> edit.renameTable(rename);
            case AddColumn add -> ColumnEdit.add(catalog, before, add);
            case DropColumn drop -> ColumnEdit.drop(catalog, before, drop);
            case ChangeColumn change -> ColumnEdit.change(catalog, before, change);
            case Repartition place -> RepartitioningEdit.of(place, before, catalog);
            case AddIdentity identity -> SequenceEdit.addIdentity(identity, before, catalog);
            case TableAlteration.AlterIdentity identity -> SequenceEdit.alterIdentity(identity, before, catalog);
            case SetExpiry set -> ExpiryEdit.set(catalog, before, set);
            case Nothing _ -> CatalogEdit.unchanged(catalog);
        };
    }

    static FulmarException changedMeanwhile(Table table) {
        return new FulmarException(
                ErrorCode.TRANSACTION_RESTART,
                "table " + table.name() + " was changed while the statement waited for its turn; try again");
    }

    private CatalogEdit addCheck(Check check) {
        checkNewConstraint(before, check.name());
        List<Check> checks = new ArrayList<>(before.checks());
        checks.add(check);
        Table after = before.withChecks(checks);
        return new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.VerifyCheck(after, check)));
    }

    private CatalogEdit addUnique(Unique unique, Validity validity) {
        checkNewConstraint(before, unique.name());
        List<NamedColumn> columns = unique.columns().stream()
                .map(column -> new NamedColumn(column, false))
                .toList();
        return CatalogEdit.createIndex(
                new CreateIndex(
                        unique.name(),
                        before.name(),
                        IndexKind.HASH,
                        true,
                        columns,
                        Presence.STRICT,
                        Optional.empty(),
                        validity),
                catalog);
    }

    /** A table's constraints have different names. */
    static void checkNewConstraint(Table table, String name) {
        boolean isTaken = table.checks().stream().anyMatch(check -> check.name().equals(name))
                || table.foreignKeys().stream().anyMatch(key -> key.name().equals(name))
                || table.indexes().stream().anyMatch(index -> index.name().equals(name));
        if (isTaken) {
            throw CatalogEdit.exists("constraint", name);
        }
    }

    private CatalogEdit dropConstraint(DropConstraint drop) {
        String name = drop.name();
        if (before.checks().stream().anyMatch(check -> check.name().equals(name))) {
            List<Check> rest = before.checks().stream()
                    .filter(check -> !check.name().equals(name))
                    .toList();
            return new CatalogEdit(catalog.withTable(before.withChecks(rest)), List.of());
        }
        if (before.foreignKeys().stream().anyMatch(key -> key.name().equals(name))) {
            return new CatalogEdit(
                    catalog.withTable(before.withForeignKeys(before.foreignKeys().stream()
                            .filter(key -> !key.name().equals(name))
                            .toList())),
                    List.of());
        }
        if (PrimaryKeyEdit.isName(name, before)) {
            return PrimaryKeyEdit.drop(before, catalog);
        }
        if (before.indexes().stream()
                .anyMatch(index -> index.isConstraint() && index.name().equals(name))) {
            return CatalogEdit.dropIndex(new DropIndex(name, Presence.STRICT), catalog);
        }
        if (drop.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "table " + before.name() + " has no constraint " + name);
    }

    /** The text of a default names the sequence that it draws from. */
    private void checkNoDefault() {
        for (Table table : catalog.tables().values()) {
            for (Column column : table.columns()) {
                if (!column.isIdentity() && column.drawsFrom().equals(OptionalInt.of(before.id()))) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            "the default of column " + column.name() + " of " + table.name() + " draws from "
                                    + before.name() + "; drop the default first, and set it anew then");
                }
            }
        }
    }

    private CatalogEdit renameTable(RenameTable rename) {
        if (catalog.tables().containsKey(rename.name())) {
            throw CatalogEdit.exists("table", rename.name());
        }
        checkNoDefault();
        CatalogEdit.checkNoView(catalog, rename.name());
        SchemaEdit.check(rename.name(), catalog);
        if (!SchemaName.isPending(before.name())
                && SchemaName.isInTemporary(before.name()) != SchemaName.isInTemporary(rename.name())) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a temporary table stays one, and a permanent table too; use CREATE TABLE AS: " + before.name());
        }
        if (before.foreignKeys().stream().anyMatch(key -> key.parent().equals(before.name()))) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    before.name() + " refers to itself by a foreign key; drop the constraint first");
        }
        Table after = before.withName(rename.name())
                .withChecks(rename.checks())
                .withGenerations(rename.generations())
                .withIndexes(isNamedAfterIt() ? published(rename.name()) : before.indexes());
        return new CatalogEdit(
                catalog.withRenamed(before, after), List.of(new StorageStep.RedefineTable(before, after)));
    }

    private boolean isNamedAfterIt() {
        return SchemaName.isPending(before.name()) || before.isSequence();
    }

    /** The indexes of a table that others are about to see, or of a sequence: called after it, as of any new one. */
    private List<Index> published(String name) {
        List<Index> indexes = new ArrayList<>();
        for (Index index : before.indexes()) {
            String own = name + index.name().substring(before.name().length());
            CatalogEdit.checkNewIndex(catalog, own);
            indexes.add(index.withName(own));
        }
        return indexes;
    }
}
