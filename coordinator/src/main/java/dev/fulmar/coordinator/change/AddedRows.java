package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.repeat.StatementScan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Expectation;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Changes of rows by a statement that comes with a change of the catalog. The statement reads rows of one partition
 * only, and does the same whenever it runs on the same rows. So each partition makes its part by itself: at the commit,
 * in a recovery, and on a copy.
 *
 * @param micros the time of their transaction, since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record AddedRows(CompiledStatement statement, byte[] parameters, long micros) {
    /** A statement that has run within the limits of all others runs again whatever it takes. */
    static final long MOST_INTERMEDIATE_BYTES = 1L << 30;

    static final int MOST_RESULT_BYTES = 1 << 30;
    private static final int FIRST_BYTES = 64;

    /** The changes of the entry, by the statement's plan; refuses a statement that a partition cannot run alone. */
    public static AddedRows of(CatalogEntry.Rows entry, StatementPlan plan, Catalog catalog) {
        if (!isPlain(plan)) {
            return of(
                    new CatalogEntry.Ran(entry.text(), entry.parameters(), entry.micros(), 0, true, false, List.of()),
                    plan,
                    catalog);
        }
        refusal(plan).ifPresent(why -> {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, why + ": " + entry.text());
        });
        AddedRows rows = new AddedRows(StatementCompiler.compile(catalog, plan), entry.parameters(), entry.micros());
        bindings(rows.statement, rows.parameters); // fails for parameters that do not fit
        return rows;
    }

    /** Refuses a statement about rows that does not go with a change of tables. */
    public static void check(CatalogEntry.Ran ran, StatementPlan plan, Catalog catalog) {
        if (ran.changesRows()) {
            of(ran, plan, catalog);
        } else {
            SeenStatement.of(ran, plan, catalog);
        }
    }

    /** The changes of a statement that was run before, by its plan for the catalog that the transaction leads to. */
    public static AddedRows of(CatalogEntry.Ran ran, StatementPlan plan, Catalog catalog) {
        SeenStatement.refusal(plan)
                .or(() -> StatementScan.reason(plan, Expectation.ANY, catalog))
                .ifPresent(why -> {
                    throw new FulmarException(ErrorCode.NOT_SUPPORTED, why + ": " + ran.text());
                });
        if (plan.fragments().size() != 1) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a transaction that changes tables changes rows where it finds them only; send this statement"
                            + " before BEGIN, or after COMMIT: " + ran.text());
        }
        return new AddedRows(StatementCompiler.compile(catalog, plan), ran.parameters(), ran.micros());
    }

    /** The table of which the plan changes rows. */
    public static Table table(StatementPlan plan, Catalog catalog) {
        int id = switch (plan.fragments().getFirst().operation()) {
            case Operation.Insert insert -> insert.table();
            case Operation.Update update -> update.table();
            case Operation.Delete delete -> delete.table();
            case Operation.Query query -> throw Invariants.breach("a statement that changes rows is no query");
        };
        return catalog.tables().values().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
    }

    /** Whether the plan is an INSERT of values, which reads no rows. */
    public static boolean isPlain(StatementPlan plan) {
        return plan.steps().isEmpty()
                && plan.merge().isEmpty()
                && plan.fragments().size() == 1
                && plan.fragments().getFirst().operation() instanceof Operation.Insert insert
                && insert.onConflict() instanceof ConflictAction.Fail
                && insert.returning().isEmpty()
                && insert.source() instanceof Relation.Values;
    }

    private static Optional<String> refusal(StatementPlan plan) {
        if (!UserFunctions.in(plan).isEmpty()) {
            return Optional.of("an INSERT in a transaction that changes tables calls no functions of users; write the"
                    + " values, or INSERT after COMMIT");
        }
        return Drawing.happensIn(insert(plan).source())
                ? Optional.of("an INSERT in a transaction that changes tables draws no numbers; write them, or INSERT"
                        + " after COMMIT")
                : Optional.empty();
    }

    private static Operation.Insert insert(StatementPlan plan) {
        return (Operation.Insert) plan.fragments().getFirst().operation();
    }

    /** Whether the plan makes the same of the same rows, whatever follows them by itself. */
    public boolean isSameAs(StatementPlan other) {
        return operation(statement.plan()).equals(operation(other));
    }

    private static Operation operation(StatementPlan plan) {
        return plan.fragments().getFirst().operation();
    }

    /** The number of rows. */
    public int count() {
        return ((Relation.Values) insert(statement.plan()).source()).rows().size();
    }

    static Bindings bindings(CompiledStatement statement, byte[] parameters) {
        Bindings bindings = statement.newBindings();
        bindings.readFrom(new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(parameters, 0, parameters.length));
        return bindings;
    }

    /** Makes those that belong to the partition, for the undo log to undo or to make final. */
    void add(PartitionStorage storage, PartitionPlan plan, int partition) {
        Bindings bindings = bindings(statement, parameters);
        BitSet partitions = new BitSet();
        statement.newRouter().partitions(0, plan, bindings, partitions);
        if (partitions.get(partition)) {
            ExecutionContext context =
                    new ExecutionContext(storage, plan, partition, MOST_INTERMEDIATE_BYTES, () -> {});
            context.setTransactionMicros(micros);
            statement.on(context).runFragment(0, bindings, new ResultBlockWriter(FIRST_BYTES, MOST_RESULT_BYTES));
        }
    }
}
