package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.change.StorageStep.NewReference;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Several edits of a catalog, one after another, as one edit. Its steps run as those of a single one: steps with an
 * effect at the commit only come last, with the definitions that the catalog has in the end. A table that the edits
 * make has no rows before, so it is created as it is in the end. Not thread-safe.
 */
public final class JointEdit {
    private final Catalog before;
    private final List<CatalogEdit> edits = new ArrayList<>();
    private Catalog catalog;

    /** Tables that the edits so far make, and that have no rows before. */
    private Set<Integer> empty = Set.of();

    /** Tables that they make with the rows of others. */
    private Set<Integer> made = Set.of();

    /** No edit yet. */
    public JointEdit(Catalog before) {
        this.before = before;
        this.catalog = before;
    }

    /** The catalog after the edits so far. */
    public Catalog catalog() {
        return catalog;
    }

    /**
     * Adds an edit of the catalog as it is after those so far. If it fails, for the steps do not fit together, nothing
     * was added.
     */
    public void add(CatalogEdit next) {
        Order order = new Order();
        edits.add(next);
        try {
            order.of(edits, next.catalog(), List.of());
        } catch (FulmarException refusal) {
            edits.removeLast();
            throw refusal;
        }
        catalog = next.catalog();
        empty = order.empty;
        made = order.made;
    }

    /** Adds a change of rows of a table that the edits have made, at this place among them. */
    public void add(Table table, AddedRows rows) {
        add(new CatalogEdit(catalog, List.of(new StorageStep.ChangeRows(table, rows))));
    }

    /** Whether the edits so far make the table with the rows of another one, which nobody sees before the commit. */
    public boolean isConverted(int id) {
        return made.contains(id);
    }

    /** Whether the edits leave the table as it was, or make it, so that rows can be added with them. */
    public boolean mayGetRows(Table table) {
        return empty.contains(table.id()) || table.equals(before.tables().get(table.name()));
    }

    /** Whether the edits so far make the table without rows of others. */
    public boolean isMade(int id) {
        return empty.contains(id);
    }

    /** Whether the edits leave the table of before as it was. */
    public boolean leaves(int id) {
        return before.tables().values().stream()
                .filter(table -> table.id() == id)
                .anyMatch(table -> table.equals(catalog.tables().get(table.name())));
    }

    /**
     * The whole.
     *
     * @param seen statements whose results are compared before all else
     * @param rows that are changed when all else is done but what only comes with the commit; they may read a table
     *     that goes then
     */
    CatalogEdit toEdit(List<SeenStatement> seen, List<AddedRows> rows) {
        List<StorageStep> steps = new ArrayList<>();
        if (!seen.isEmpty()) {
            steps.add(new StorageStep.CompareSeen(seen));
        }
        List<StorageStep> added = rows.isEmpty() ? List.of() : List.of(new StorageStep.AddRows(rows));
        steps.addAll(new Order().of(edits, catalog, added));
        // Partitions know by the version that they have the rows, and have compared.
        boolean isUnsaid = catalog == before && !(seen.isEmpty() && rows.isEmpty());
        return new CatalogEdit(isUnsaid ? catalog.withAccess(catalog.access()) : catalog, steps);
    }

    /** Puts the steps in their order. */
    private final class Order {
        /** Tables that the edits make, without rows. */
        final Set<Integer> empty = new TreeSet<>();

        /** Tables with rows that the edits make. */
        final Set<Integer> made = new TreeSet<>();

        /** The definitions that the storage has, before the commit, of tables that were there and of those made. */
        private final Map<Integer, Table> stored = new TreeMap<>();

        /** Tables that are another thing after the commit than they are before. */
        private final Set<Integer> redefined = new TreeSet<>();

        private final List<StorageStep> early = new ArrayList<>();
        private final List<StorageStep> late = new ArrayList<>();

        List<StorageStep> of(List<CatalogEdit> all, Catalog after, List<StorageStep> rows) {
            before.tables().values().forEach(table -> stored.put(table.id(), table));
            all.forEach(edit -> edit.steps().forEach(this::take));
            Map<Integer, Table> last = new TreeMap<>();
            after.tables().values().forEach(table -> last.put(table.id(), table));
            List<StorageStep> steps = new ArrayList<>();
            for (int id : empty) {
                Table table = last.get(id);
                if (table == null) {
                    throw refused("a table that the transaction made");
                }
                steps.add(new StorageStep.CreateTable(table));
            }
            early.forEach(this::checkTables);
            steps.addAll(early);
            steps.addAll(rows);
            late.forEach(step -> steps.add(finished(step, last)));
            return all.size() == 1 && rows.isEmpty() ? all.getFirst().steps() : steps;
        }

        private void take(StorageStep step) {
            switch (step) {
                case StorageStep.CreateTable create -> empty.add(create.table().id());
                case StorageStep.DropTable drop -> {
                    if (!empty.remove(drop.table().id())) {
                        later(step, drop.table());
                    }
                }
                case StorageStep.RebuildEmptyTable rebuild -> {
                    if (!empty.contains(rebuild.before().id())) {
                        sooner(step, rebuild.before());
                        stored.put(rebuild.after().id(), rebuild.after());
                    }
                }
                case StorageStep.ConvertTable convert -> convert(step, convert.before(), convert.after());
                case StorageStep.SpreadSequence spread -> convert(step, spread.before(), spread.after());
                case StorageStep.CreateIndex create -> takeIndex(create);
                case StorageStep.DropIndex drop -> {
                    if (!empty.contains(drop.table().id())) {
                        later(step, drop.table());
                    }
                }
                case StorageStep.RedefineTable redefine -> {
                    if (!empty.contains(redefine.before().id())) {
                        later(step, redefine.before());
                    }
                }
                case StorageStep.ChangeRows change -> {
                    if (!empty.contains(change.table().id())
                            && !made.contains(change.table().id())) {
                        throw refused("rows of table " + change.table().name());
                    }
                    sooner(step, change.table());
                }
                case StorageStep.FillView fill -> {
                    fill.sources().forEach(this::checkStays);
                    early.add(fill);
                    add(fill.view());
                }
                case StorageStep.VerifyReference verify -> verify(step, verify.reference());
                case StorageStep.VerifyAlike verify -> verify(step, verify.reference());
                case StorageStep.VerifyNotNull verify -> verify(step, verify.table());
                case StorageStep.VerifyCheck verify -> verify(step, verify.table());
                case StorageStep.VerifyEmpty verify -> verify(step, verify.table());
                case StorageStep.HandOver _, StorageStep.AddRows _, StorageStep.CompareSeen _ -> throw refused("rows");
            }
        }

        private void convert(StorageStep step, Table from, Table to) {
            if (empty.remove(from.id())) {
                empty.add(to.id());
            } else {
                sooner(step, from);
                add(to);
            }
        }

        private void add(Table table) {
            made.add(table.id());
            stored.put(table.id(), table);
        }

        /** The index goes on the table as it is stored then, without what comes with the commit. */
        private void takeIndex(StorageStep.CreateIndex create) {
            if (empty.contains(create.table().id())) {
                return;
            }
            Table table = stored.get(create.table().id());
            if (table == null) {
                throw refused("table " + create.table().name());
            }
            create.reference().ifPresent(reference -> {
                checkStays(reference.parent());
                checkStays(reference.table());
            });
            List<Index> indexes = new ArrayList<>(table.indexes());
            indexes.add(create.index());
            Table indexed = redefined.contains(table.id()) ? table.withIndexes(indexes) : create.table();
            stored.put(indexed.id(), indexed);
            early.add(new StorageStep.CreateIndex(indexed, create.index(), create.reference()));
        }

        private void verify(StorageStep step, NewReference reference) {
            if (!empty.contains(reference.table().id())) {
                checkStays(reference.parent());
                early.add(step);
            }
        }

        private void verify(StorageStep step, Table table) {
            if (!empty.contains(table.id())) {
                early.add(step);
            }
        }

        private void sooner(StorageStep step, Table table) {
            checkStays(table);
            early.add(step);
        }

        private void later(StorageStep step, Table table) {
            redefined.add(table.id());
            late.add(step);
        }

        /** The rows are read by a definition that has no change which only comes with the commit. */
        private void checkStays(Table table) {
            if (redefined.contains(table.id())) {
                throw refused("table " + table.name());
            }
        }

        /** The tables of a step that is made before the commit are there then. */
        private void checkTables(StorageStep step) {
            List<Table> needed = switch (step) {
                case StorageStep.FillView fill -> fill.sources();
                case StorageStep.CreateIndex create ->
                    create.reference()
                            .map(reference -> List.of(reference.parent()))
                            .orElse(List.of());
                case StorageStep.VerifyReference verify ->
                    List.of(verify.reference().parent());
                case StorageStep.VerifyAlike verify ->
                    List.of(verify.reference().parent());
                default -> List.of();
            };
            for (Table table : needed) {
                if (!empty.contains(table.id()) && !stored.containsKey(table.id())) {
                    throw refused("table " + table.name());
                }
            }
        }

        /** The step with the definition that its table has in the end, unless the table goes. */
        private StorageStep finished(StorageStep step, Map<Integer, Table> last) {
            return switch (step) {
                case StorageStep.RedefineTable(Table former, Table after) ->
                    new StorageStep.RedefineTable(former, or(last.get(after.id()), after));
                case StorageStep.DropIndex(Table table, Index index) ->
                    new StorageStep.DropIndex(or(last.get(table.id()), table), index);
                default -> step;
            };
        }

        private static Table or(@Nullable Table last, Table usual) {
            return last == null ? usual : last;
        }
    }

    private static FulmarException refused(String subject) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "what the transaction does to " + subject
                        + " cannot be one change with what it did before; COMMIT, and send the statement in another one");
    }
}
