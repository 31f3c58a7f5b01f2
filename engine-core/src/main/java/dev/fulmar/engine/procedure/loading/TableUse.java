package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The tables that compiled statements depend on. While these stay as they are, the statements do too.
 *
 * @param asksForCatalog whether a statement reads what the catalog has, which is part of its plan
 */
record TableUse(List<Table> tables, boolean asksForCatalog) {
    /** A sequence may go, though no plan names it as a table. */
    private static final Pattern NEXT_VALUE =
            Pattern.compile("\\bNEXT\\b.*\\bVALUE\\b.*\\bFOR\\b|\\bNEXTVAL\\b", Pattern.DOTALL);

    private static final String CATALOG_SCHEMA = "INFORMATION_SCHEMA";

    TableUse {
        tables = List.copyOf(tables);
    }

    static TableUse of(List<StatementPlan> plans, TableConnections connections) {
        Catalog catalog = connections.catalog();
        SortedMap<Integer, Boolean> ids = new TreeMap<>();
        plans.forEach(plan -> collect(plan, ids));
        List<Table> used = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            if (ids.containsKey(table.id())) {
                used.add(table);
            }
        }
        used = connections.with(used);
        boolean asks = plans.stream()
                .map(plan -> plan.sql().toUpperCase(Locale.ROOT))
                .anyMatch(sql ->
                        sql.contains(CATALOG_SCHEMA) || NEXT_VALUE.matcher(sql).find());
        return new TableUse(used, asks);
    }

    /** The use of code that finds rows of one table by its key and does not ask for anything else. */
    static TableUse of(Table table, TableConnections connections) {
        return new TableUse(connections.with(List.of(table)), false);
    }

    /** Whether the catalog still has these tables, unchanged. */
    boolean holdsIn(TableConnections connections) {
        Catalog catalog = connections.catalog();
        boolean isSame =
                tables.stream().allMatch(table -> table.equals(catalog.tables().get(table.name())));
        return !asksForCatalog && isSame && connections.with(tables).size() == tables.size();
    }

    private static void collect(StatementPlan plan, SortedMap<Integer, Boolean> ids) {
        for (StatementPlan.Fragment fragment : plan.fragments()) {
            collect(fragment.operation(), ids);
        }
        plan.merge().ifPresent(merge -> collect(merge, ids));
        plan.steps().ifPresent(steps -> steps.changes().forEach(change -> collect(change, ids)));
    }

    private static void collect(Operation operation, SortedMap<Integer, Boolean> ids) {
        switch (operation) {
            case Operation.Query query -> collect(query.relation(), ids);
            case Operation.Insert insert -> {
                ids.put(insert.table(), true);
                collect(insert.source(), ids);
            }
            case Operation.Update update -> {
                ids.put(update.table(), true);
                collect(update.target(), ids);
            }
            case Operation.Delete delete -> {
                ids.put(delete.table(), true);
                collect(delete.target(), ids);
            }
        }
    }

    private static void collect(Relation relation, SortedMap<Integer, Boolean> ids) {
        switch (relation) {
            case Relation.TableScan scan -> ids.put(scan.table(), true);
            case Relation.IndexScan scan -> ids.put(scan.table(), true);
            case Relation.Filter filter -> collect(filter.input(), ids);
            case Relation.Project project -> collect(project.input(), ids);
            case Relation.NestedLoopJoin join -> {
                collect(join.left(), ids);
                collect(join.right(), ids);
            }
            case Relation.IndexJoin join -> {
                collect(join.left(), ids);
                collect(join.right(), ids);
            }
            case Relation.HashJoin join -> {
                collect(join.left(), ids);
                collect(join.right(), ids);
            }
            case Relation.Apply apply -> {
                collect(apply.left(), ids);
                collect(apply.right(), ids);
            }
            case Relation.Aggregate aggregate -> collect(aggregate.input(), ids);
            case Relation.Window window -> collect(window.input(), ids);
            case Relation.Sort sort -> collect(sort.input(), ids);
            case Relation.Limit limit -> collect(limit.input(), ids);
            case Relation.UnionAll union -> union.inputs().forEach(input -> collect(input, ids));
            case Relation.Recursion recursion -> {
                collect(recursion.seed(), ids);
                collect(recursion.step(), ids);
            }
            case Relation.WorkingRows rows -> {
                // Rows of the recursion's own.
            }
            case Relation.Values _, Relation.FunctionRows _ -> {
                // Constants, and values of a row around.
            }
            case Relation.Receive receive -> {
                // Its fragment is collected by itself.
            }
            case Relation.Measured measured -> collect(measured.input(), ids);
            case Relation.Annotated annotated -> collect(annotated.input(), ids);
        }
    }
}
