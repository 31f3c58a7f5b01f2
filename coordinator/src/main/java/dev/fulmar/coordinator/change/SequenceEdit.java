package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.CreateSequence;
import dev.fulmar.engine.catalog.CatalogChange.DropSequence;
import dev.fulmar.engine.catalog.CatalogChange.Identity;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Builds the next catalog when a sequence is created or dropped. Sequences of identity columns come and go with their
 * columns.
 */
final class SequenceEdit {
    /** Ids that a sequence takes: its own and its key's. */
    private static final int IDS = 2;

    private SequenceEdit() {}

    static CatalogEdit create(CreateSequence create, Catalog catalog) {
        boolean isThere = catalog.tables().containsKey(create.name());
        if (isThere && create.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        checkFree(catalog, create.name());
        SchemaEdit.check(create.name(), catalog);
        Table sequence =
                create.rule().table(catalog.nextId(), create.name()).withPartitioningColumn(SequenceRule.PLACE);
        return new CatalogEdit(catalog.withTable(sequence), List.of(new StorageStep.CreateTable(sequence)));
    }

    private static void checkFree(Catalog catalog, String name) {
        if (catalog.tables().containsKey(name)) {
            throw CatalogEdit.exists("table or sequence", name);
        }
        CatalogEdit.checkNoView(catalog, name);
        CatalogEdit.checkNewIndex(catalog, name + "_PRIMARY_KEY");
    }

    static CatalogEdit drop(DropSequence drop, Catalog catalog) {
        Table sequence = catalog.tables().get(drop.name());
        if (sequence == null && drop.presence() == Presence.LENIENT) {
            return CatalogEdit.unchanged(catalog);
        }
        SequenceRule rule = sequence == null ? null : sequence.sequence().orElse(null);
        if (sequence == null || rule == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no sequence " + drop.name());
        }
        if (rule.owned()) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    "the sequence " + drop.name() + " belongs to an IDENTITY column and goes with it");
        }
        Catalog remaining =
                ViewEdit.withoutUsers(catalog, "sequence", drop.name(), false).withoutTable(drop.name());
        return new CatalogEdit(remaining, List.of(new StorageStep.DropTable(sequence)));
    }

    /** A new table with the sequences of its identity columns. */
    static CatalogEdit withIdentities(Table table, List<Identity> identities, Catalog catalog) {
        int next = 1 + table.indexes().stream().mapToInt(Index::id).max().orElse(table.id());
        List<Column> columns = new ArrayList<>(table.columns());
        List<Table> sequences = new ArrayList<>();
        for (Identity identity : identities) {
            int place = TableDraft.columnIndex(table.name(), table.columns(), identity.column());
            columns.set(
                    place, Column.identity(identity.column(), columns.get(place).type(), next, identity.always()));
            String name = table.name() + "_" + identity.column() + "_SEQUENCE";
            checkFree(catalog, name);
            sequences.add(identity.rule().table(next, name));
            next += IDS;
        }
        Table complete = table.withColumns(columns);
        Catalog changed = catalog.withTable(complete);
        List<StorageStep> steps = new ArrayList<>(List.of(new StorageStep.CreateTable(complete)));
        for (Table sequence : sequences) {
            changed = changed.withTable(sequence);
            steps.add(new StorageStep.CreateTable(sequence));
        }
        return new CatalogEdit(changed, steps);
    }

    /**
     * The sequences of the table's identity columns are partitioned as soon as it is: each partition then draws by
     * itself. A dense one has its place from the beginning.
     */
    static CatalogEdit partitioned(CatalogEdit edit, Table table) {
        Catalog changed = edit.catalog();
        List<StorageStep> steps = new ArrayList<>(edit.steps());
        for (Table before : edit.catalog().tables().values()) {
            boolean isDense = before.sequence().map(SequenceRule::isDense).orElse(false);
            if (before.isSequence() && !isDense && users(table).contains(before.id())) {
                Table after = before.withPartitioningColumn(SequenceRule.PLACE);
                changed = changed.withTable(after);
                steps.add(new StorageStep.RebuildEmptyTable(before, after));
            }
        }
        return new CatalogEdit(changed, steps);
    }

    private static Set<Integer> users(Table table) {
        Set<Integer> sequences = new TreeSet<>();
        table.columns().forEach(column -> column.drawsFrom().ifPresent(sequences::add));
        return sequences;
    }

    /** The catalog without the sequences of former identity columns. */
    static CatalogEdit withoutOrphans(CatalogEdit edit) {
        Set<Integer> used = new TreeSet<>();
        edit.catalog().tables().values().forEach(table -> used.addAll(users(table)));
        Catalog changed = edit.catalog();
        List<StorageStep> steps = new ArrayList<>(edit.steps());
        for (Table table : edit.catalog().tables().values()) {
            boolean isOrphan = table.sequence().map(SequenceRule::owned).orElse(false) && !used.contains(table.id());
            if (isOrphan) {
                changed = changed.withoutTable(table.name());
                steps.add(new StorageStep.DropTable(table));
            }
        }
        return new CatalogEdit(changed, steps);
    }

    /** Sequences are no tables but for the engine. */
    static void checkIsTable(CatalogChange change, Catalog catalog) {
        String name = switch (change) {
            case CatalogChange.AlterTable alter -> alter.table();
            case CatalogChange.DropTable drop -> drop.name();
            case CatalogChange.PartitionTable partition -> partition.table();
            case CatalogChange.CreateIndex create -> create.table();
            default -> "";
        };
        Table table = catalog.tables().get(name);
        if (table != null && table.isSequence()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    name + " is a sequence and no table; CREATE SEQUENCE and DROP SEQUENCE are all that changes one");
        }
    }
}
