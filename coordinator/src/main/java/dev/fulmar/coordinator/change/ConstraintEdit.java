package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.ValidateConstraint;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;

/** Builds the next catalog for ALTER TABLE ... VALIDATE CONSTRAINT. */
final class ConstraintEdit {
    private ConstraintEdit() {}

    static CatalogEdit validate(ValidateConstraint validate, Table before, Catalog catalog) {
        String name = validate.name();
        Optional<ForeignKey> key = before.foreignKeys().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        if (key.isPresent()) {
            Table after = before.withForeignKeys(before.foreignKeys().stream()
                    .map(each -> each.name().equals(name) ? each.withUnvalidatedSince(0) : each)
                    .toList());
            return edit(validate, key.get().unvalidatedSince(), before, after, catalog);
        }
        Optional<Index> index = before.indexes().stream()
                .filter(each -> each.isConstraint() && each.name().equals(name))
                .findFirst();
        if (index.isPresent()) {
            Table after = before.withIndexes(before.indexes().stream()
                    .map(each -> each.name().equals(name)
                                    || (each.primary() && index.get().primary())
                            ? each.withUnvalidatedSince(0)
                            : each)
                    .toList());
            return edit(validate, index.get().unvalidatedSince(), before, after, catalog);
        }
        if (before.checks().stream().anyMatch(check -> check.name().equals(name))) {
            return CatalogEdit.unchanged(catalog);
        }
        throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "table " + before.name() + " has no constraint " + name);
    }

    private static CatalogEdit edit(
            ValidateConstraint validate, long unvalidatedSince, Table before, Table after, Catalog catalog) {
        if (unvalidatedSince == 0) {
            return CatalogEdit.unchanged(catalog);
        }
        if (validate.since().isEmpty()) {
            StorageStep none = new StorageStep.VerifyEmpty(
                    before, "they have to be looked at; send VALIDATE CONSTRAINT outside of a transaction");
            return new CatalogEdit(
                    catalog.withTable(after), List.of(none, new StorageStep.RedefineTable(before, after)));
        }
        if (validate.since().getAsLong() != unvalidatedSince) {
            throw TableEdit.changedMeanwhile(before);
        }
        return new CatalogEdit(catalog.withTable(after), List.of(new StorageStep.RedefineTable(before, after)));
    }
}
