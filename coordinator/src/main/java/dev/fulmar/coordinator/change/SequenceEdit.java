package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AlterSequence;
import dev.fulmar.engine.catalog.CatalogChange.CreateSequence;
import dev.fulmar.engine.catalog.CatalogChange.DropSequence;
import dev.fulmar.engine.catalog.CatalogChange.Identity;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.RestartSequence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
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
        CatalogEdit.checkTemporary(name, catalog);
        CatalogEdit.checkNewIndex(catalog, KeyName.usual(name));
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
        checkDrawn(catalog, remaining);
        return new CatalogEdit(remaining, List.of(new StorageStep.DropTable(sequence)));
    }

    /** No column draws from a sequence that goes. */
    static void checkDrawn(Catalog before, Catalog after) {
        Set<Integer> gone = new TreeSet<>();
        before.tables().values().forEach(table -> gone.add(table.id()));
        after.tables().values().forEach(table -> gone.remove(table.id()));
        for (Table table : after.tables().values()) {
            for (Column column : table.columns()) {
                if (column.drawsFrom().isPresent()
                        && gone.contains(column.drawsFrom().getAsInt())) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            "column " + column.name() + " of " + table.name()
                                    + " draws from the sequence by its DEFAULT "
                                    + column.defaultText() + "; ALTER TABLE ... ALTER COLUMN " + column.name()
                                    + " DROP DEFAULT first");
                }
            }
        }
    }

    /**
     * The sequence goes on under another id, at a place without a count. So no number that a node has drawn ahead under
     * the former id fits a statement that is planned from now on.
     */
    static CatalogEdit restart(RestartSequence restart, Catalog catalog) {
        Table before = catalog.tables().get(restart.name());
        SequenceRule rule = before == null ? null : before.sequence().orElse(null);
        if (before == null || rule == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no sequence " + restart.name());
        }
        if (!rule.isDense()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the sequence " + restart.name()
                            + " has no CACHE, so partitions count by themselves and no number is the next; make one with CACHE");
        }
        return anew(before, rule.from(first(restart, rule)), catalog);
    }

    /** The sequence under another id, at a place without a count. */
    private static CatalogEdit anew(Table before, SequenceRule rule, Catalog catalog) {
        Table after = rule.table(catalog.nextId(), before.name()).withPartitioningColumn(SequenceRule.PLACE);
        Catalog changed = catalog.withTable(after);
        List<StorageStep> steps =
                new ArrayList<>(List.of(new StorageStep.DropTable(before), new StorageStep.CreateTable(after)));
        for (Table user : catalog.tables().values()) {
            if (users(user).contains(before.id())) {
                Table drawing = drawingFrom(after.id(), user, before.id());
                changed = changed.withTable(drawing);
                steps.add(new StorageStep.RedefineTable(user, drawing));
            }
        }
        return new CatalogEdit(changed, steps);
    }

    /**
     * Another rule. Where the numbers go on as they would have, the count stays; else the sequence begins anew. That is
     * for one that has drawn nothing, unless a restart is asked for.
     */
    static CatalogEdit alter(AlterSequence alter, Catalog catalog) {
        Table before = catalog.tables().get(alter.name());
        SequenceRule rule = before == null ? null : before.sequence().orElse(null);
        if (before == null || rule == null || !rule.equals(alter.basis())) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "the sequence " + alter.name() + " changed while the statement waited for its turn; try again");
        }
        SequenceRule after = alter.rule();
        if (!alter.restarts() && goesOn(rule, after)) {
            Table same = before.withSequence(after);
            return new CatalogEdit(catalog.withTable(same), List.of(new StorageStep.RedefineTable(before, same)));
        }
        CatalogEdit edit = anew(before, after, catalog);
        if (alter.restarts()) {
            return edit;
        }
        List<StorageStep> steps = new ArrayList<>(List.of(new StorageStep.VerifyEmpty(
                before, "a sequence that has drawn numbers changes so with a RESTART; say RESTART WITH a number")));
        steps.addAll(edit.steps());
        return new CatalogEdit(edit.catalog(), steps);
    }

    private static boolean goesOn(SequenceRule before, SequenceRule after) {
        boolean isWider = before.increment() > 0 ? after.last() >= before.last() : after.last() <= before.last();
        return before.start() == after.start()
                && before.increment() == after.increment()
                && before.isDense() == after.isDense()
                && isWider
                && (!before.bounds().cycles() || before.bounds().equals(after.bounds()));
    }

    private static long first(RestartSequence restart, SequenceRule rule) {
        if (!rule.bounds().contains(restart.value())) {
            throw new FulmarException(
                    restart.yieldsValue() ? ErrorCode.VALUE_OUT_OF_RANGE : ErrorCode.INVALID_ARGUMENT,
                    restart.value() + " is no number of the sequence " + restart.name() + "; it has those from "
                            + rule.bounds().least() + " to " + rule.bounds().greatest());
        }
        if (!restart.isDrawn()) {
            return restart.value();
        }
        try {
            return rule.from(restart.value()).number(1);
        } catch (ArithmeticException isLast) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "behind " + restart.value() + " the sequence " + restart.name() + " has no numbers left");
        }
    }

    private static Table drawingFrom(int sequence, Table user, int formerSequence) {
        List<Column> columns = new ArrayList<>(user.columns());
        columns.replaceAll(column -> column.drawsFrom().equals(OptionalInt.of(formerSequence))
                ? column.withDefault(Column.nextValue(sequence), column.defaultText())
                : column);
        return user.withColumns(columns);
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

    /** A column of a table that is there becomes an identity column. */
    static CatalogEdit addIdentity(TableAlteration.AddIdentity identity, Table table, Catalog catalog) {
        int place = TableDraft.columnIndex(table.name(), table.columns(), identity.column());
        Column column = table.columns().get(place);
        if (column.nullable() || column.defaultValue() != null || column.isGenerated()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "column " + column.name() + " of " + table.name() + " has a default or takes NULL, so it cannot get"
                            + " numbers; ALTER COLUMN " + column.name() + " DROP DEFAULT and SET NOT NULL first");
        }
        String name = table.name() + "_" + column.name() + "_SEQUENCE";
        checkFree(catalog, name);
        Table sequence = identity.rule().table(catalog.nextId(), name).withPartitioningColumn(SequenceRule.PLACE);
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(place, Column.identity(column.name(), column.type(), sequence.id(), identity.always()));
        Table drawing = table.withColumns(columns);
        return new CatalogEdit(
                catalog.withTable(sequence).withTable(drawing),
                List.of(new StorageStep.CreateTable(sequence), new StorageStep.RedefineTable(table, drawing)));
    }

    /** An identity column draws in another way, and so does its sequence. */
    static CatalogEdit alterIdentity(TableAlteration.AlterIdentity identity, Table table, Catalog catalog) {
        int place = TableDraft.columnIndex(table.name(), table.columns(), identity.column());
        Column column = table.columns().get(place);
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(
                place,
                Column.identity(
                        column.name(),
                        column.type(),
                        column.drawsFrom().orElseThrow(),
                        identity.always().orElse(column.isAlwaysDrawn())));
        Table drawing = table.withColumns(columns);
        List<StorageStep> steps = new ArrayList<>(List.of(new StorageStep.RedefineTable(table, drawing)));
        Catalog changed = catalog.withTable(drawing);
        if (identity.sequence().isPresent()) {
            CatalogEdit edit = alter(identity.sequence().get(), changed);
            steps.addAll(edit.steps());
            changed = edit.catalog();
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

    /**
     * The same where numbers may have been drawn. A sequence goes on under another id, and each partition behind all
     * numbers that were drawn by all of them together.
     */
    static CatalogEdit spread(Table before, Table after, Catalog catalog) {
        Catalog changed = catalog;
        List<StorageStep> steps = new ArrayList<>();
        boolean isSpread = before.isReplicated() && !after.isReplicated();
        for (int id : isSpread ? users(before) : Set.<Integer>of()) {
            Table joint = catalog.tables().values().stream()
                    .filter(table -> table.id() == id)
                    .findFirst()
                    .orElseThrow();
            SequenceRule rule = joint.sequence().orElseThrow();
            if (!rule.isDense()) {
                Table apart = rule.table(changed.nextId(), joint.name()).withPartitioningColumn(SequenceRule.PLACE);
                changed = changed.withTable(apart)
                        .withTable(drawingFrom(apart.id(), changed.table(after.name()), joint.id()));
                steps.add(new StorageStep.SpreadSequence(joint, apart));
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
            case CatalogChange.AlterTable(var _, var _, var _, TableAlteration.Nothing _) -> "";
            case CatalogChange.AlterTable(var _, var _, var _, TableAlteration.RenameTable _) -> "";
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
