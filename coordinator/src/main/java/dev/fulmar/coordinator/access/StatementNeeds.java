package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The rights that a statement needs: a privilege for each of its accesses to a table, read from its plan. */
public final class StatementNeeds {
    private static final String ESCAPED_NAME = "U&\"";

    private final Map<Integer, String> names = new TreeMap<>();

    /** The tables of identity columns, by the ids of their sequences. */
    private final Map<Integer, Integer> owners = new TreeMap<>();

    /** The tables to which the statement adds rows. */
    private final Set<Integer> growing = new TreeSet<>();

    private final Set<AccessRight> needs = new TreeSet<>();
    private final boolean isOfSession;

    /** The tables and sequences to which it has accesses. */
    private final Set<Integer> accessed = new TreeSet<>();

    /** The tables whose rows it reads, other than those that a write returns. */
    private final Set<Integer> read = new TreeSet<>();

    /** The tables that it changes, and those of whose rows it may change some that are there. */
    private final Set<Integer> changed = new TreeSet<>();

    private final Set<Integer> rewritten = new TreeSet<>();

    /** The tables to which it adds rows whose keys are not there yet. */
    private final Set<Integer> skipping = new TreeSet<>();

    /** @param isOfSession whether a session of a node has made the statement */
    private StatementNeeds(Catalog catalog, boolean isOfSession) {
        this.isOfSession = isOfSession;
        for (Table table : catalog.tables().values()) {
            names.put(table.id(), table.name());
            table.columns().stream()
                    .filter(Column::isIdentity)
                    .forEach(column -> owners.put(column.drawsFrom().orElseThrow(), table.id()));
        }
    }

    /** Reading is SELECT, also of the rows that an UPDATE or a DELETE looks for: what it finds tells what there is. */
    public static List<AccessRight> of(StatementPlan plan, Catalog catalog) {
        StatementNeeds needs =
                new StatementNeeds(catalog, TemporaryMark.of(plan.sql()).equals(SchemaName.NO_SESSION));
        needs.collect(plan);
        if (!catalog.functions().isEmpty()) {
            UserFunctions.in(plan).keySet().forEach(name -> needs.needs.add(new AccessRight(Privilege.EXECUTE, name)));
        }
        if (mayNameTheCatalog(plan.sql().toUpperCase(Locale.ROOT))) {
            needs.needs.add(
                    AccessRight.onEverything(Privilege.DDL)); // it tells of all tables, whatever its rows are made of
        }
        return List.copyOf(new ArrayList<>(needs.needs));
    }

    /** Whether the plan has accesses to tables or sequences, whatever rights they need. */
    public static boolean hasAccesses(StatementPlan plan, Catalog catalog) {
        return !accessed(plan, catalog).isEmpty();
    }

    /** The ids of the tables and sequences to which the plan has accesses, whatever rights they need. */
    public static Set<Integer> accessed(StatementPlan plan, Catalog catalog) {
        StatementNeeds needs = new StatementNeeds(catalog, false);
        needs.collect(plan);
        return needs.accessed;
    }

    /** The tables that the plan reads and changes, and those whose rows follow. */
    public static TouchedTables touched(StatementPlan plan, Catalog catalog) {
        StatementNeeds needs = new StatementNeeds(catalog, false);
        needs.collect(plan);
        return TouchedTables.of(needs.read, needs.skipping, needs.changed, needs.rewritten, catalog);
    }

    /** A name with escaped characters may be any name. */
    private static boolean mayNameTheCatalog(String sql) {
        return sql.contains(SchemaName.INFORMATION)
                || sql.contains(SchemaName.POSTGRES_CATALOG)
                || sql.contains(ESCAPED_NAME);
    }

    private void collect(StatementPlan plan) {
        noteGrowing(plan);
        plan.fragments().forEach(fragment -> collect(fragment.operation()));
        plan.merge().ifPresent(this::collect);
        plan.onOnePartition().ifPresent(this::collect);
        // An upkeep belongs to the tables: its write is among the fragments, and who declared the keys allowed the
        // rest.
        plan.steps().filter(steps -> !steps.isUpkeep()).ifPresent(steps -> {
            collect(steps.source());
            steps.changes().forEach(this::collect);
        });
    }

    private void noteGrowing(StatementPlan plan) {
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            if (fragment.operation() instanceof Operation.Insert insert) {
                growing.add(insert.table());
            }
        }
        plan.steps().ifPresent(steps -> steps.changes().forEach(this::noteGrowing));
    }

    private void collect(Operation operation) {
        switch (operation) {
            case Operation.Query query -> collect(query.relation());
            case Operation.Insert insert -> {
                need(Privilege.INSERT, insert.table());
                changed.add(insert.table());
                switch (insert.onConflict()) {
                    case ConflictAction.Fail _ -> {
                        // Changes no row that is there.
                    }
                    case ConflictAction.Skip _ -> skipping.add(insert.table());
                    case ConflictAction.Replace _ -> {
                        need(Privilege.UPDATE, insert.table());
                        rewrites(insert.table());
                    }
                    case ConflictAction.Change _ -> {
                        need(Privilege.UPDATE, insert.table());
                        rewrites(insert.table());
                        need(Privilege.SELECT, insert.table());
                    }
                }
                needForRows(insert.table(), insert.returning());
                collect(insert.source());
            }
            case Operation.Update update -> {
                need(Privilege.UPDATE, update.table());
                rewrites(update.table());
                needForRows(update.table(), update.returning());
                collect(update.target());
            }
            case Operation.Delete delete -> {
                need(Privilege.DELETE, delete.table());
                rewrites(delete.table());
                needForRows(delete.table(), delete.returning());
                collect(delete.target());
            }
        }
    }

    /** A write of rows that are there depends on them. */
    private void rewrites(int table) {
        read.add(table);
        changed.add(table);
        rewritten.add(table);
    }

    /** A write that returns values of its rows also reads them. */
    private void needForRows(int table, List<Expression> returning) {
        if (!returning.isEmpty()) {
            need(Privilege.SELECT, table);
        }
    }

    private void collect(Relation relation) {
        switch (relation) {
            case Relation.TableScan scan -> reads(scan.table());
            case Relation.IndexScan scan -> reads(scan.table());
            case Relation.Filter filter -> collect(filter.input());
            case Relation.Project project -> {
                project.expressions().forEach(this::collect);
                collect(project.input());
            }
            case Relation.NestedLoopJoin join -> both(join.left(), join.right());
            case Relation.IndexJoin join -> both(join.left(), join.right());
            case Relation.HashJoin join -> both(join.left(), join.right());
            case Relation.Apply apply -> both(apply.left(), apply.right());
            case Relation.Aggregate aggregate -> collect(aggregate.input());
            case Relation.Window window -> collect(window.input());
            case Relation.Sort sort -> collect(sort.input());
            case Relation.Limit limit -> collect(limit.input());
            case Relation.UnionAll union -> union.inputs().forEach(this::collect);
            case Relation.Recursion recursion -> both(recursion.seed(), recursion.step());
            case Relation.WorkingRows rows -> {
                // Rows of the recursion's own.
            }
            case Relation.Values values -> values.rows().forEach(row -> row.forEach(this::collect));
            case Relation.FunctionRows rows ->
                rows.functions().forEach(function -> function.arguments().forEach(this::collect));
            case Relation.Receive receive -> {
                // Its fragment is collected by itself.
            }
            case Relation.Measured measured -> collect(measured.input());
            case Relation.Annotated annotated -> collect(annotated.input());
        }
    }

    /**
     * A draw from a sequence changes it; one for an identity column is part of the INSERT. What the client's own
     * connection has drawn of such a sequence, everybody may ask.
     */
    private void collect(Expression expression) {
        if (expression instanceof Expression.Call call) {
            call.arguments().forEach(this::collect);
            boolean isOfSequence =
                    call.function() == ScalarFunction.NEXT_VALUE || call.function() == ScalarFunction.CURRENT_VALUE;
            if (isOfSequence
                    && call.arguments().getFirst() instanceof Expression.Literal(ColumnType type, Long sequence)
                    && !isFree(call.function(), sequence.intValue())) {
                boolean draws = call.function() == ScalarFunction.NEXT_VALUE;
                need(draws ? Privilege.UPDATE : Privilege.SELECT, sequence.intValue());
            }
        }
    }

    private boolean isFree(ScalarFunction function, int sequence) {
        Integer owner = owners.get(sequence);
        return owner != null && (function == ScalarFunction.CURRENT_VALUE || growing.contains(owner));
    }

    private void reads(int table) {
        read.add(table);
        need(Privilege.SELECT, table);
    }

    private void both(Relation left, Relation right) {
        collect(left);
        collect(right);
    }

    /**
     * Adds a need. Temporary tables need none, for their session alone sees them. Each user may see who has advisory
     * locks, and sessions of nodes note a change under a lock: no client's own text has their mark. A table that the
     * catalog does not know needs a right that no user has been given by name.
     */
    private void need(Privilege privilege, int table) {
        accessed.add(table);
        String name = names.getOrDefault(table, "table number " + table);
        boolean isOfLocks = privilege == Privilege.SELECT
                ? SchemaName.of(name).equals(SchemaName.LOCKS)
                : privilege == Privilege.INSERT && name.equals(SchemaName.LOCKS_USED) && isOfSession;
        if (!isOfLocks && !SchemaName.isInTemporary(name)) {
            needs.add(new AccessRight(privilege, name));
        }
    }
}
