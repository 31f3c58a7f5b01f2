package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.plan.Relation;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Compiles a relation so that all its rows are read before the first is passed on: an INSERT must not read its own
 * rows.
 */
public final class KeptRows {
    private KeptRows() {}

    /**
     * Compiles the relation.
     *
     * @param kept what is kept of its columns, as many values of the same types
     * @param next takes what is kept
     */
    public static Producer of(
            RelationCompiler relations,
            Relation relation,
            UnaryOperator<List<Evaluator>> kept,
            Function<List<Evaluator>, Consumer> next) {
        int source = relations.newSource();
        TupleLayout layout = new TupleLayout(relation.columns());
        Consumer consumer = next.apply(layout.columns(source));
        OperatorContext context = relations.context();
        AddressList rows = new AddressList(context.retained());
        Producer input = relations.compile(relation, columns -> {
            TupleWriter writer = new TupleWriter(layout, kept.apply(columns));
            return frame -> {
                rows.add(writer.write(frame, context.retained()));
                return true;
            };
        });
        return frame -> {
            rows.clear();
            input.run(frame);
            long mark = frame.temporary.position();
            for (int i = 0; i < rows.size(); i++) {
                context.budget().spendRow();
                frame.rows[source] = rows.get(i);
                if (!consumer.accept(frame)) {
                    return false;
                }
                frame.temporary.reset(mark);
            }
            return true;
        };
    }
}
