package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.engine.execution.ReferencePlaces.Referring;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Demand;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.Upkeep;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Adds to a write the statements that keep keys over partitions whole: global unique keys, and foreign keys whose rows
 * are not together. A write that changes no such key is left as it is.
 */
public final class UpkeepPlanner {
    /** Tables that refer twice to the one above would double them from table to table. */
    private static final int MOST_STATEMENTS = 200;

    /** Plans a statement of the same catalog that the action of a foreign key adds. */
    @FunctionalInterface
    public interface Nested {
        /** @param cascades by which it comes from the client's statement */
        StatementPlan plan(String sql, Cascades cascades);
    }

    private final Catalog catalog;
    private final Nested nested;
    private final Cascades cascades;
    private final Table table;
    private final List<Expression> keys = new ArrayList<>();
    private final List<StatementPlan> changes = new ArrayList<>();
    private final List<Demand> demands = new ArrayList<>();

    private UpkeepPlanner(Catalog catalog, Nested nested, Cascades cascades, Table table) {
        this.catalog = catalog;
        this.nested = nested;
        this.cascades = cascades;
        this.table = table;
    }

    /**
     * The write with what follows from it. One in steps is returned as it is, for its steps are such writes.
     *
     * @param nested plans statements of the same catalog
     * @param cascades by which the write comes from the client's statement
     */
    public static StatementPlan kept(StatementPlan plan, Catalog catalog, Nested nested, Cascades cascades) {
        boolean isWrite = plan.fragments().stream().noneMatch(each -> each.operation() instanceof Operation.Query);
        if (plan.steps().isPresent() || !isWrite) {
            return plan;
        }
        Invariants.check(plan.fragments().size() == 1, "a write that is not in steps has one fragment");
        return switch (plan.fragments().getFirst().operation()) {
            case Operation.Query _ -> plan;
            case Operation.Insert insert ->
                of(insert.table(), catalog, nested, cascades).insert(plan, insert.onConflict());
            case Operation.Update update ->
                of(update.table(), catalog, nested, cascades).update(plan, update);
            case Operation.Delete delete ->
                cascades.isOfClient()
                        ? delete(plan, delete.table(), catalog, nested)
                        : of(delete.table(), catalog, nested, cascades).delete(plan);
        };
    }

    /** A client's DELETE, which follows circles of tables as far as a plan may be long. */
    private static StatementPlan delete(StatementPlan plan, int table, Catalog catalog, Nested nested) {
        for (int levels : Cascades.LEVELS) {
            Cascades cascades = Cascades.ofLevels(levels);
            try {
                return of(table, catalog, nested, cascades).delete(plan);
            } catch (FulmarException tooComplex) {
                if (tooComplex.code() != ErrorCode.STATEMENT_TOO_COMPLEX || !cascades.hasCircle() || levels == 0) {
                    throw tooComplex;
                }
                PlanningTurn.goOn();
            }
        }
        throw Invariants.breach("a DELETE is planned, or fails");
    }

    private static UpkeepPlanner of(int id, Catalog catalog, Nested nested, Cascades cascades) {
        Table table = catalog.tables().values().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a planned table is in the catalog"));
        return new UpkeepPlanner(catalog, nested, cascades, table);
    }

    private StatementPlan insert(StatementPlan plan, ConflictAction onConflict) {
        if (onConflict instanceof ConflictAction.Replace
                && GlobalKeys.of(table).stream().anyMatch(Index::primary)) {
            throw SqlErrors.notSupported("UPSERT INTO " + table.name()
                    + " would look for its row on one partition, and the primary key does not say on which;"
                    + " use UPDATE and INSERT");
        }
        newKeys(column -> true, onConflict);
        return kept(plan);
    }

    private StatementPlan update(StatementPlan plan, Operation.Update update) {
        IntPredicate isGiven =
                column -> update.assignments().stream().anyMatch(assignment -> assignment.column() == column);
        IntPredicate isAssigned = column -> table.isChanged(column, isGiven);
        for (Referring each : followed()) {
            if (Arrays.stream(each.key().parentPlaces(table)).anyMatch(isAssigned)) {
                throw SqlErrors.notSupported("an UPDATE of " + each.key().parentColumns() + " of " + table.name()
                        + " is not possible while " + each.key().name() + " of "
                        + each.table().name()
                        + " refers to it over partitions; insert the new row, change what refers, delete the old one");
            }
        }
        newKeys(isAssigned, ConflictAction.FAIL);
        return kept(plan);
    }

    private StatementPlan delete(StatementPlan plan) {
        List<Referring> followed = followed();
        for (Referring each : followed) {
            if (each.key().onDelete() == ForeignKey.Action.CASCADE && cascades.endsAt(each, catalog)) {
                requireNone(
                        each,
                        "; ON DELETE CASCADE over partitions follows keys that lead back to their table "
                                + cascades.levels() + " levels down, so delete that row first");
            } else if (each.key().onDelete() != ForeignKey.Action.NO_ACTION) {
                act(each);
            }
        }
        followed.stream()
                .filter(each -> each.key().onDelete() == ForeignKey.Action.NO_ACTION)
                .forEach(each -> requireNone(each, "; delete or change that one first"));
        return kept(plan);
    }

    private StatementPlan kept(StatementPlan plan) {
        return changes.isEmpty() ? plan : plan.keptBy(new Upkeep(keys, changes, demands));
    }

    /**
     * The foreign keys to the table that its partitions do not follow by themselves. Those that no statement can
     * enforce are left to the partition, which refuses the write.
     */
    private List<Referring> followed() {
        return ReferencePlaces.overPartitions(table, catalog).stream()
                .filter(each -> ReferencePlaces.refusal(each, catalog).isEmpty())
                .toList();
    }

    /**
     * Looks at the keys with columns that the write sets.
     *
     * @param onConflict the treatment of a new row that has a unique key of another one
     */
    private void newKeys(IntPredicate isSet, ConflictAction onConflict) {
        List<Index> keys = GlobalKeys.of(table);
        keys.stream()
                .filter(index -> leavesOut(onConflict, index))
                .forEach(index -> newKey(index, isSet, Demand.Rows.ONE_OR_UNDONE));
        keys.stream()
                .filter(index -> !leavesOut(onConflict, index))
                .forEach(index -> newKey(index, isSet, Demand.Rows.AT_MOST_ONE));
        newReferences(isSet);
    }

    private boolean leavesOut(ConflictAction onConflict, Index key) {
        return onConflict instanceof ConflictAction.Skip(int index)
                && (index == ConflictAction.Skip.ANY
                        || index == key.id()
                        || (key.primary()
                                && table.indexes().stream().anyMatch(each -> each.id() == index && each.primary())));
    }

    private void newKey(Index index, IntPredicate isSet, Demand.Rows alone) {
        int[] places = index.columns().stream().mapToInt(IndexColumn::column).toArray();
        if (Arrays.stream(places).anyMatch(isSet)) {
            add(
                    places,
                    "SELECT 1 FROM " + quoted(table.name()) + where(table, places),
                    new Demand(
                            alone,
                            ErrorCode.UNIQUE_VIOLATION,
                            "table " + table.name() + " has a row with %s already, and "
                                    + (index.primary() ? "primary key " : "unique index ") + index.name()
                                    + " allows one",
                            names(table, places)));
        }
    }

    private void newReferences(IntPredicate isSet) {
        for (ForeignKey key : table.foreignKeys()) {
            int[] places = key.places(table);
            if (!ReferencePlaces.isTogether(table, key, catalog)
                    && Arrays.stream(places).anyMatch(isSet)) {
                Table parent = catalog.table(key.parent());
                add(
                        places,
                        "SELECT 1 FROM " + quoted(parent.name()) + where(parent, key.parentPlaces(parent)),
                        new Demand(
                                Demand.Rows.AT_LEAST_ONE,
                                ErrorCode.FOREIGN_KEY_VIOLATION,
                                "a row of " + table.name() + " with %s refers by " + key.name() + " to a row of "
                                        + parent.name() + " that is not there; insert that one first",
                                names(table, places)));
            }
        }
    }

    /** Does with the rows that refer to a deleted row what the key says. */
    private void act(Referring referring) {
        Table child = referring.table();
        int[] places = referring.key().places(child);
        String where = where(child, places);
        String statement = switch (referring.key().onDelete()) {
            case CASCADE -> "DELETE FROM " + quoted(child.name()) + where;
            case SET_NULL -> "UPDATE " + quoted(child.name()) + set(child, places, "NULL") + where;
            case SET_DEFAULT -> "UPDATE " + quoted(child.name()) + set(child, places, "DEFAULT") + where;
            case NO_ACTION -> throw Invariants.breach("a key without an action only demands");
        };
        add(referring.key().parentPlaces(table), statement, Demand.NOTHING, cascades.through(referring));
    }

    /** @param remedy the end of the message */
    private void requireNone(Referring referring, String remedy) {
        Table child = referring.table();
        int[] parentPlaces = referring.key().parentPlaces(table);
        add(
                parentPlaces,
                "SELECT 1 FROM " + quoted(child.name())
                        + where(child, referring.key().places(child)) + " LIMIT 1",
                new Demand(
                        Demand.Rows.NONE,
                        ErrorCode.FOREIGN_KEY_VIOLATION,
                        "a row of " + table.name() + " with %s is referred to by a row of " + child.name() + " ("
                                + referring.key().name() + ")" + remedy,
                        names(table, parentPlaces)));
    }

    private void add(int[] places, String statement, Demand demand) {
        add(places, statement, demand, cascades);
    }

    private void add(int[] places, String statement, Demand demand, Cascades way) {
        if (cascades.count() > MOST_STATEMENTS) {
            throw SqlErrors.tooComplex("a write of " + table.name() + " would be followed by more than "
                    + MOST_STATEMENTS + " statements for its keys over partitions; let fewer foreign keys lead from"
                    + " table to table by ON DELETE actions");
        }
        for (int place : places) {
            Column column = table.columns().get(place);
            keys.add(new Expression.ColumnReference(place, column.type(), column.nullable()));
        }
        changes.add(nested.plan(statement, way));
        demands.add(demand);
    }

    private static String where(Table table, int[] places) {
        return Arrays.stream(places)
                .mapToObj(place -> name(table, place) + " = ?")
                .collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    private static String set(Table table, int[] places, String value) {
        return Arrays.stream(places)
                .mapToObj(place -> name(table, place) + " = " + value)
                .collect(Collectors.joining(", ", " SET ", ""));
    }

    private static List<String> names(Table table, int[] places) {
        return Arrays.stream(places)
                .mapToObj(place -> table.columns().get(place))
                .map(Column::name)
                .toList();
    }

    private static String name(Table table, int place) {
        return quoted(table.columns().get(place).name());
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
