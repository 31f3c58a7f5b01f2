package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.Producer;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.plan.Operation.Delete;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import org.jspecify.annotations.Nullable;

/** Deletes rows while they are walked: cursors stay right when the row they stand on goes. */
final class DeleteCode implements FragmentCode {
    private final TableWriter table;
    private final Frame frame;
    private final Producer producer;
    private final @Nullable ReturnedRows returned;
    private final @Nullable References references;
    private long count;

    DeleteCode(
            RelationCompiler relations,
            OperatorContext operators,
            ExecutionContext context,
            Delete delete,
            ResultLayout yielded) {
        table = new TableWriter(context, operators.catalog(), operators.table(delete.table()));
        references = References.ofDelete(context, operators.catalog(), table.table());
        returned = ReturnedRows.of(delete.returning(), yielded, table.layout(), relations.newSource());
        TargetRows target = TargetRows.of(delete.target());
        producer = relations.compile(target.relation(), columns -> {
            int source = target.source(relations, columns);
            return current -> {
                if (returned != null) {
                    returned.add(current, current.rows[source]);
                }
                if (references != null) {
                    references.deleted(current.rows[source]);
                }
                table.rows().delete(current.rows[source]);
                count++;
                return true;
            };
        });
        frame = new Frame(relations.sourceCount(), context.temporary(), new ParameterSlots());
    }

    /** The rows that the write returns; null for a count. */
    @Nullable ReturnedRows returned() {
        return returned;
    }

    @Override
    public Frame frame() {
        return frame;
    }

    @Override
    public long run(Frame current, ResultBlockWriter rows, boolean alone) {
        count = 0;
        return Undoing.run(table.undo(), () -> {
            table.rows().begin();
            if (references == null) {
                producer.run(current);
            } else {
                references.begin();
                producer.run(current);
                references.finish();
            }
            table.rows().finish();
            return count;
        });
    }
}
