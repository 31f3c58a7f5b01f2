package dev.fulmar.engine.procedure.repeat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.plan.StatementPlan.Fragment;
import dev.fulmar.procedure.Expectation;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Says why a statement might do or yield something else when it is run again on a partition with the same rows. */
public final class StatementScan {
    private final StatementPlan plan;
    private final Catalog catalog;
    private final RelationScan relations;

    private StatementScan(StatementPlan plan, Catalog catalog) {
        this.plan = plan;
        this.catalog = catalog;
        this.relations = new RelationScan(catalog, plan.fragments());
    }

    /** The reason, which names the statement and what to do; empty if the rows of the tables determine what it does. */
    public static Optional<String> reason(StatementPlan plan, Expectation expectation, Catalog catalog) {
        return new StatementScan(plan, catalog).reason(expectation);
    }

    private Optional<String> reason(Expectation expectation) {
        if (plan.isReadOnly()) {
            return queryReason(expectation);
        }
        if (plan.steps().isPresent()) {
            return stepsReason(plan.steps().get());
        }
        for (Fragment fragment : plan.fragments()) {
            Optional<String> reason = switch (fragment.operation()) {
                case Operation.Query query -> Optional.empty();
                case Operation.Insert insert -> insertReason(insert);
                case Operation.Update update -> updateReason(update);
                case Operation.Delete delete -> deleteReason(delete);
            };
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    private Optional<String> queryReason(Expectation expectation) {
        if (plan.narrowing().isPresent()) {
            Optional<String> reason = reason(plan.narrowing().get().narrow(), expectation, catalog);
            if (reason.isPresent()) {
                return reason;
            }
        }
        Relation result = plan.onOnePartition().or(plan::merge).orElse(null);
        if (result == null && plan.fragments().getFirst().operation() instanceof Operation.Query(Relation relation)) {
            result = relation;
        }
        if (result == null) {
            return Optional.empty();
        }
        RowsFacts facts = relations.facts(result);
        boolean one = switch (expectation) {
            case EMPTY, ONE_ROW, ZERO_OR_ONE_ROW, SCALAR -> true;
            case ANY, NON_EMPTY -> false;
        };
        return switch (facts.order()) {
            case DETERMINED -> Optional.empty();
            case UNORDERED -> one ? Optional.empty() : because(facts.cause(), "add ORDER BY over a unique key");
            case UNDETERMINED -> undetermined(facts);
        };
    }

    /** The rows of the source must come in an order that they determine: the changes follow it. */
    private static boolean keepsKeys(StatementPlan.Steps steps) {
        return steps.isUpkeep()
                || steps.changes().stream()
                        .anyMatch(change ->
                                change.steps().filter(StatementScan::keepsKeys).isPresent());
    }

    private Optional<String> stepsReason(StatementPlan.Steps steps) {
        if (keepsKeys(steps)) {
            return because(
                    "keeps keys over partitions whole", "and so reads rows of others; its changes are logged by value");
        }
        StatementPlan source = steps.source();
        Relation rows = source.merge().orElse(null);
        if (rows == null && source.fragments().getFirst().operation() instanceof Operation.Query(Relation relation)) {
            rows = relation;
        }
        RowsFacts facts = rows == null ? RowsFacts.determined(false) : relations.facts(rows);
        return facts.order() == RowOrder.DETERMINED
                ? Optional.empty()
                : because(facts.cause(), "and changes rows in that order; give the table a primary key of exact types");
    }

    private Optional<String> undetermined(RowsFacts facts) {
        return facts.order() == RowOrder.UNDETERMINED
                ? because(facts.cause(), "add ORDER BY over a unique key, or an index that gives the order")
                : Optional.empty();
    }

    private Optional<String> deleteReason(Operation.Delete delete) {
        RowsFacts target = relations.facts(delete.target());
        return returned(delete.returning(), target).or(() -> undetermined(target));
    }

    /** Rows come back in the order in which they are changed. */
    private Optional<String> returned(List<Expression> returning, RowsFacts rows) {
        return returning.isEmpty() || rows.order() != RowOrder.UNORDERED
                ? Optional.empty()
                : because(rows.cause(), "and returns them in that order; let it find them by a key");
    }

    private Optional<String> insertReason(Operation.Insert insert) {
        RowsFacts source = relations.facts(insert.source());
        Optional<String> returned = returned(insert.returning(), source);
        if (returned.isPresent()) {
            return returned;
        }
        Table table = relations.table(insert.table());
        if (source.order() == RowOrder.UNORDERED && !(insert.onConflict() instanceof ConflictAction.Fail)) {
            return because(source.cause(), "and one of several rows with one key counts; add ORDER BY");
        }
        if (source.order() == RowOrder.UNORDERED && table.primaryKey().isEmpty()) {
            return because(
                    source.cause(), "and numbers the rows of " + table.name() + "; add ORDER BY or a primary key");
        }
        boolean draws = source.order() == RowOrder.UNORDERED && Drawing.happensIn(insert.source());
        return draws
                ? because(source.cause(), "and draws a number for each in that order; add ORDER BY over a unique key")
                : undetermined(source);
    }

    private Optional<String> updateReason(Operation.Update update) {
        RowsFacts target = relations.facts(update.target());
        Optional<String> returned = returned(update.returning(), target);
        if (returned.isPresent()) {
            return returned;
        }
        Table table = relations.table(update.table());
        IntPredicate isAssigned =
                column -> update.assignments().stream().anyMatch(assignment -> assignment.column() == column);
        boolean numbersAnew = table.primaryKey().isEmpty()
                && IntStream.range(0, table.columns().size())
                        .anyMatch(column -> table.isChanged(column, isAssigned) && moves(table, column));
        return target.order() == RowOrder.UNORDERED && numbersAnew
                ? because(target.cause(), "and numbers the rows of " + table.name() + " anew; add a primary key")
                : undetermined(target);
    }

    /** Whether a row whose column changes is taken out and comes back. */
    private static boolean moves(Table table, int column) {
        boolean unique = table.indexes().stream().filter(Index::unique).anyMatch(index -> index.dependsOn(column));
        return unique || table.partitioningColumn().orElse(-1) == column;
    }

    private Optional<String> because(String cause, String remedy) {
        return Optional.of("\"" + plan.sql().strip().replaceAll("\\s+", " ") + "\" " + cause + "; " + remedy);
    }
}
