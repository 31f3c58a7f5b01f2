package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Yields the rows of its input, and then what each operator of the input did. */
final class MeasuredProducer implements Producer {
    private static final TupleLayout LAYOUT = new TupleLayout(Relation.Measured.FIGURES);

    private final PartFigures figures;
    private final RowBudget budget;
    private final long part;
    private final long partition;
    private final ScratchMemory memory;
    private final int dataSource;
    private final int figuresSource;
    private final Consumer next;
    private @Nullable Producer input;

    private MeasuredProducer(
            OperatorContext context, PartFigures figures, int part, int dataSource, int figuresSource, Consumer next) {
        this.figures = figures;
        this.budget = context.budget();
        this.part = part;
        this.partition = context.place().partition();
        this.memory = context.retained();
        this.dataSource = dataSource;
        this.figuresSource = figuresSource;
        this.next = next;
    }

    static Producer compile(
            RelationCompiler relations, Relation.Measured measured, Function<List<Evaluator>, Consumer> next) {
        OperatorContext context = relations.context();
        PartFigures figures = new PartFigures(measured.input(), context.place().clock());
        int dataSource = relations.newSource();
        int figuresSource = relations.newSource();
        MeasuredProducer[] made = new MeasuredProducer[1];
        Producer input = relations.measuring(figures).compile(measured.input(), columns -> {
            List<Evaluator> all = new ArrayList<>(JoinCompiler.absentAt(columns, dataSource));
            all.addAll(LAYOUT.columns(figuresSource));
            made[0] =
                    new MeasuredProducer(context, figures, measured.part(), dataSource, figuresSource, next.apply(all));
            return made[0].new Data();
        });
        made[0].input = input;
        return made[0];
    }

    /** Takes the input's rows. */
    private final class Data implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            frame.rows[dataSource] = 1;
            frame.rows[figuresSource] = 0;
            return next.accept(frame);
        }

        @Override
        public boolean resume(Frame frame) {
            return next.resume(frame);
        }
    }

    private Producer required() {
        Producer rows = input;
        if (rows == null) {
            throw Invariants.breach("what is measured has an input");
        }
        return rows;
    }

    @Override
    public boolean run(Frame frame) {
        figures.clear();
        return required().run(frame) && tell(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        return required().resume(frame) && tell(frame);
    }

    private boolean tell(Frame frame) {
        frame.rows[dataSource] = 0;
        for (int i = 0; i < figures.count(); i++) {
            budget.spendRow();
            OperatorFigures operator = figures.get(i);
            frame.rows[figuresSource] = tuple(part, partition, i, operator.rows(), operator.nanos());
            if (!next.accept(frame)) {
                return false;
            }
        }
        return true;
    }

    private long tuple(long... values) {
        long row = memory.allocate(LAYOUT.fixedBytes());
        OffHeap.putInt(row, LAYOUT.fixedBytes());
        OffHeap.putByte(row + Integer.BYTES, (byte) 0);
        for (int i = 0; i < values.length; i++) {
            OffHeap.putLong(row + LAYOUT.offset(i), values[i]);
        }
        return row;
    }
}
