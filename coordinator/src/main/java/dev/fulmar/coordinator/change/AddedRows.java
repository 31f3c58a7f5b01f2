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
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.BitSet;
import java.util.Optional;

/**
 * Rows of an INSERT that come with a change of the catalog. The statement reads no rows, so each partition adds those
 * that belong to it by itself: at the commit, in a recovery, and on a copy.
 *
 * @param table that gets them
 * @param micros the time of their transaction, since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record AddedRows(CompiledStatement statement, Table table, byte[] parameters, long micros) {
    private static final int FIRST_BYTES = 64;
    private static final int MOST_BYTES = 1 << 10;
    private static final long MOST_INTERMEDIATE_BYTES = 1 << 20;

    /** The rows of the entry, by the statement's plan; refuses a statement that a partition cannot run alone. */
    public static AddedRows of(CatalogEntry.Rows entry, StatementPlan plan, Catalog catalog) {
        refusal(plan).ifPresent(why -> {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, why + ": " + entry.text());
        });
        int id = insert(plan).table();
        Table table = catalog.tables().values().stream()
                .filter(each -> each.id() == id)
                .findFirst()
                .orElseThrow();
        AddedRows rows =
                new AddedRows(StatementCompiler.compile(catalog, plan), table, entry.parameters(), entry.micros());
        rows.bindings(); // fails for parameters that do not fit
        return rows;
    }

    private static Optional<String> refusal(StatementPlan plan) {
        if (plan.steps().filter(StatementPlan.Steps::isUpkeep).isPresent()) {
            return Optional.of("a table with keys over partitions gets no rows in the transaction that changes tables;"
                    + " INSERT them after its COMMIT");
        }
        boolean isPlain = plan.steps().isEmpty()
                && plan.merge().isEmpty()
                && plan.fragments().size() == 1
                && plan.fragments().getFirst().operation() instanceof Operation.Insert insert
                && insert.onConflict() instanceof ConflictAction.Fail
                && insert.returning().isEmpty()
                && insert.source() instanceof Relation.Values;
        if (!isPlain) {
            return Optional.of("a transaction that changes tables has no other statements than INSERT of VALUES;"
                    + " send this one before BEGIN, or after COMMIT");
        }
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

    /** The number of rows. */
    public int count() {
        return ((Relation.Values) insert(statement.plan()).source()).rows().size();
    }

    private Bindings bindings() {
        Bindings bindings = statement.newBindings();
        bindings.readFrom(new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(parameters, 0, parameters.length));
        return bindings;
    }

    /** Adds those that belong to the partition, for the undo log to undo or to make final. */
    void add(PartitionStorage storage, PartitionPlan plan, int partition) {
        Bindings bindings = bindings();
        BitSet partitions = new BitSet();
        statement.newRouter().partitions(0, plan, bindings, partitions);
        if (partitions.get(partition)) {
            ExecutionContext context =
                    new ExecutionContext(storage, plan, partition, MOST_INTERMEDIATE_BYTES, () -> {});
            context.setTransactionMicros(micros);
            statement.on(context).runFragment(0, bindings, new ResultBlockWriter(FIRST_BYTES, MOST_BYTES));
        }
    }
}
