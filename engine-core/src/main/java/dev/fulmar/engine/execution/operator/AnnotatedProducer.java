package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.check.Invariants;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects what operators did, and yields the lines of an explanation that tell it. */
final class AnnotatedProducer implements Producer {
    private static final double NANOS_PER_MILLI = 1e6;

    private final OperatorContext context;
    private final TupleLayout layout;
    private final List<Relation.Line> lines;
    private final List<LongEvaluator> columns;
    private final int source;
    private final Consumer next;
    private final Map<Operator, Sum> sums = new HashMap<>();
    private @Nullable Producer input;

    /** An operator of a part. */
    private record Operator(long part, long number) {}

    /** The figures of one operator over all its partitions. */
    private record Sum(long partitions, long rows, long fewestRows, long mostRows, long mostNanos) {
        Sum with(Sum other) {
            return new Sum(
                    partitions + other.partitions,
                    rows + other.rows,
                    Math.min(fewestRows, other.fewestRows),
                    Math.max(mostRows, other.mostRows),
                    Math.max(mostNanos, other.mostNanos));
        }

        String text() {
            String time = String.format(Locale.ROOT, "%.3f ms", Math.max(0, mostNanos) / NANOS_PER_MILLI);
            return partitions == 1
                    ? " [rows " + rows + ", time " + time + "]"
                    : " [rows " + rows + ", time " + time + " at most, partitions " + partitions + ", rows of each "
                            + fewestRows + " to " + mostRows + "]";
        }
    }

    private AnnotatedProducer(
            OperatorContext context,
            Relation.Annotated annotated,
            TupleLayout layout,
            List<LongEvaluator> columns,
            int source,
            Consumer next) {
        this.context = context;
        this.layout = layout;
        this.lines = annotated.lines();
        this.columns = columns;
        this.source = source;
        this.next = next;
    }

    static Producer compile(
            RelationCompiler relations, Relation.Annotated annotated, Function<List<Evaluator>, Consumer> next) {
        int source = relations.newSource();
        TupleLayout layout = new TupleLayout(annotated.columns());
        AnnotatedProducer[] made = new AnnotatedProducer[1];
        Producer input = relations.compile(annotated.input(), columns -> {
            List<LongEvaluator> figures =
                    columns.stream().map(LongEvaluator.class::cast).toList();
            made[0] = new AnnotatedProducer(
                    relations.context(), annotated, layout, figures, source, next.apply(layout.columns(source)));
            return made[0]::collect;
        });
        made[0].input = input;
        return made[0];
    }

    private boolean collect(Frame frame) {
        long part = columns.getFirst().evaluate(frame);
        if (!frame.isNull) {
            long number = columns.get(2).evaluate(frame);
            long rows = columns.get(3).evaluate(frame);
            long nanos = columns.get(4).evaluate(frame);
            sums.merge(new Operator(part, number), new Sum(1, rows, rows, rows, nanos), Sum::with);
        }
        return true;
    }

    private Producer required() {
        Producer rows = input;
        if (rows == null) {
            throw Invariants.breach("what is annotated has an input");
        }
        return rows;
    }

    @Override
    public boolean run(Frame frame) {
        sums.clear();
        return required().run(frame) && tell(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        return required().resume(frame) && tell(frame);
    }

    private boolean tell(Frame frame) {
        for (Relation.Line line : lines) {
            context.budget().spendRow();
            Sum sum = sums.get(new Operator(line.part(), line.operator()));
            String figures = sum == null ? "" : sum.text();
            frame.rows[source] = tuple((line.text() + figures).getBytes(StandardCharsets.UTF_8));
            if (!next.accept(frame)) {
                return false;
            }
        }
        return true;
    }

    private long tuple(byte[] text) {
        int total = layout.fixedBytes() + text.length;
        long row = context.retained().allocate(total);
        OffHeap.putInt(row, total);
        OffHeap.putByte(row + Integer.BYTES, (byte) 0);
        OffHeap.putInt(row + layout.offset(0), layout.fixedBytes());
        OffHeap.putInt(row + layout.offset(0) + Integer.BYTES, text.length);
        OffHeap.copy(text, 0, row + layout.fixedBytes(), text.length);
        return row;
    }
}
