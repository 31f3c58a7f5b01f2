package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.SeenPart;
import dev.fulmar.coordinator.transaction.StatementFragment;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.durability.ImageDigest;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.PartitionStatement;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Optional;

/**
 * A statement of a transaction that changes tables, as it was run on the tables of before. Each partition runs its part
 * of it again, under the locks of the change, and compares.
 */
record SeenStatement(CompiledStatement statement, CatalogEntry.Ran ran) {
    private static final int FIRST_BYTES = 4 << 10;

    /** The statement by its plan, which partitions must be able to run one by one. */
    static SeenStatement of(CatalogEntry.Ran ran, StatementPlan plan, Catalog catalog) {
        refusal(plan).ifPresent(why -> {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, why + ": " + ran.text());
        });
        return new SeenStatement(StatementCompiler.compile(catalog, plan), ran);
    }

    /** The reason why partitions cannot run it one by one, with what to do; empty if they can. */
    static Optional<String> refusal(StatementPlan plan) {
        if (plan.steps().isPresent() || plan.narrowing().isPresent()) {
            return Optional.of("a transaction that changes tables has no statement whose rows one partition looks up at"
                    + " another; send this one before BEGIN, or after COMMIT");
        }
        if (!UserFunctions.in(plan).isEmpty()) {
            return Optional.of("a statement in a transaction that changes tables calls no functions of users; send it"
                    + " before BEGIN, or after COMMIT");
        }
        return Drawing.happensIn(plan)
                ? Optional.of(
                        "a statement in a transaction that changes tables draws no numbers; write them, or send it"
                                + " after COMMIT")
                : Optional.empty();
    }

    /** Runs the partition's part, and fails if it yields something else; changes stay for the statements after it. */
    void compare(PartitionRuntime runtime, PartitionPlan plan) {
        PartitionStorage storage = runtime.storage();
        int partition = runtime.partition().id().number();
        for (SeenPart part : ran.parts()) {
            if (part.partition() == partition
                    && !digest(part.fragment(), storage, plan, partition).equals(part.digest())) {
                throw changed();
            }
        }
    }

    private ResultDigest digest(int fragment, PartitionStorage storage, PartitionPlan plan, int partition) {
        ExecutionContext context =
                new ExecutionContext(storage, plan, partition, AddedRows.MOST_INTERMEDIATE_BYTES, () -> {});
        context.setTransactionMicros(ran.micros());
        PartitionStatement here = statement.on(context);
        Bindings bindings = AddedRows.bindings(statement, ran.parameters());
        ResultBlockWriter rows = new ResultBlockWriter(FIRST_BYTES, AddedRows.MOST_RESULT_BYTES);
        UndoLog undo = storage.undoLog();
        long begin = undo.mark();
        long changedRows = fragment == StatementFragment.WHOLE
                ? here.run(bindings, rows)
                : here.runFragment(fragment, bindings, rows);
        long images = ran.comparesImages() && !statement.isQuery() ? new ImageDigest(storage).since(begin) : 0;
        return SeenPart.digest(
                statement.yieldsRows()
                        ? new FragmentResult(rows.toByteArray(), 0, images)
                        : FragmentResult.changed(changedRows, images));
    }

    private static FulmarException changed() {
        return new FulmarException(
                ErrorCode.SERIALIZATION_FAILURE,
                "another transaction has changed rows that this one, which changes tables, has read or changed; run it"
                        + " again from BEGIN on");
    }
}
