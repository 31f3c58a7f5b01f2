package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.JsonKeys;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.data.PartitioningHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row that a query seeks by all columns of a unique key. It is told as a number, the same for all queries that seek
 * it by that key. Rows that are not there have numbers too. Two rows seldom have the same one. One thread.
 */
public final class SoughtRow {
    private static final int TEMPORARY_BYTES = 1 << 20;

    private final long start;
    private final List<Evaluator> key;
    private final Frame frame = new Frame(0, new ScratchMemory(TEMPORARY_BYTES), new ParameterSlots());

    private SoughtRow(long start, List<Evaluator> key) {
        this.start = start;
        this.key = key;
    }

    /** Whether the query seeks one row of one table by a unique key, and yields that row or none. */
    public static boolean isAllOf(StatementPlan plan, Catalog catalog) {
        return of(plan, catalog) != null
                && plan.merge().isEmpty()
                && plan.fragments().getFirst().operation() instanceof Operation.Query(Relation relation)
                && yieldsItsRows(relation);
    }

    private static boolean yieldsItsRows(Relation relation) {
        return switch (relation) {
            case Relation.Filter filter -> yieldsItsRows(filter.input());
            case Relation.Project project -> yieldsItsRows(project.input());
            case Relation.Sort sort -> yieldsItsRows(sort.input());
            case Relation.Limit limit -> yieldsItsRows(limit.input());
            case Relation.IndexScan _ -> true;
            default -> false;
        };
    }

    /** Null if the statement is no query of one table, or seeks its rows in another way. */
    static @Nullable SoughtRow of(StatementPlan plan, Catalog catalog) {
        if (plan.fragments().size() != 1
                || !(plan.fragments().getFirst().operation() instanceof Operation.Query(Relation relation))
                || !(source(relation) instanceof Relation.IndexScan scan)) {
            return null;
        }
        for (Table table : catalog.tables().values()) {
            if (table.id() == scan.table()) {
                return of(scan, table);
            }
        }
        return null;
    }

    private static @Nullable SoughtRow of(Relation.IndexScan scan, Table table) {
        for (Index index : table.indexes()) {
            if (index.id() == scan.key().index()
                    && index.isConstraint()
                    && index.columns().size() == scan.key().equal().size()
                    && !UserFunctions.areCalled(scan.key().equal())) { // which only a partition calls
                ExpressionCompiler expressions = new ExpressionCompiler(List.of());
                long start = PartitioningHash.ofLong(table.id());
                for (IndexColumn column : index.columns()) {
                    start = PartitioningHash.ofWide(start, column.column());
                }
                return new SoughtRow(
                        start,
                        scan.key().equal().stream()
                                .map(value -> JsonKeys.comparable(expressions.compile(value), value.type()))
                                .toList());
            }
        }
        return null;
    }

    /** The relation whose rows the others only choose from, or reckon with. */
    static Relation source(Relation relation) {
        return switch (relation) {
            case Relation.Filter filter -> source(filter.input());
            case Relation.Project project -> source(project.input());
            case Relation.Sort sort -> source(sort.input());
            case Relation.Limit limit -> source(limit.input());
            case Relation.Aggregate aggregate -> source(aggregate.input());
            case Relation.Window window -> source(window.input());
            default -> relation;
        };
    }

    /** The row's number; 0 if a value of the key is null, as no row has it then. */
    public long number(Bindings bindings) {
        frame.parameters = bindings.slots();
        frame.temporary.reset(0);
        long number = start;
        for (Evaluator value : key) {
            long hash = hash(value, frame);
            if (frame.isNull) {
                return 0;
            }
            number = PartitioningHash.ofWide(number, hash);
        }
        return number;
    }

    /** Hash of the value, which means nothing if {@link Frame#isNull} says that there is none. */
    static long hash(Evaluator value, Frame frame) {
        return switch (value) {
            case LongEvaluator number -> PartitioningHash.ofLong(number.evaluate(frame));
            case DoubleEvaluator number -> PartitioningHash.ofDouble(number.evaluate(frame));
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                yield PartitioningHash.ofWide(frame.wide.high(), frame.wide.low());
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                yield frame.isNull ? 0 : PartitioningHash.ofNative(frame.bytesAddress, frame.bytesLength);
            }
        };
    }
}
