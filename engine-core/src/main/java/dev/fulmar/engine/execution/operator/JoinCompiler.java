package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.Apply;
import dev.fulmar.engine.plan.Relation.HashJoin;
import dev.fulmar.engine.plan.Relation.IndexJoin;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.Relation.NestedLoopJoin;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compiles joins. */
final class JoinCompiler {
    private final RelationCompiler relations;

    JoinCompiler(RelationCompiler relations) {
        this.relations = relations;
    }

    Producer nestedLoop(NestedLoopJoin join, Function<List<Evaluator>, Consumer> next) {
        return kept(join.left(), join.right(), join.kind(), List.of(), List.of(), join.condition(), next);
    }

    Producer hash(HashJoin join, Function<List<Evaluator>, Consumer> next) {
        return kept(join.left(), join.right(), join.kind(), join.leftKeys(), join.rightKeys(), join.condition(), next);
    }

    private Producer kept(
            Relation left,
            Relation right,
            JoinKind kind,
            List<Expression> leftKeys,
            List<Expression> rightKeys,
            @Nullable Expression condition,
            Function<List<Evaluator>, Consumer> next) {
        int rightSource = relations.newSource();
        int leftPresence = relations.newSource();
        TupleLayout layout = new TupleLayout(right.columns());
        List<Evaluator> rightColumns = layout.columns(rightSource);
        JoinProducer[] made = new JoinProducer[1];
        JoinSide[] side = new JoinSide[1];
        @Nullable KeyEncoder[] rightKey = new KeyEncoder[1];
        Producer rightInput = relations.compile(right, columns -> {
            side[0] = new JoinSide(layout, columns, relations.context().retained());
            rightKey[0] = rightKeys.isEmpty() ? null : key(rightKeys, leftKeys, columns);
            return frame -> made[0].keep(frame);
        });
        Producer leftInput = relations.compile(left, columns -> {
            List<Evaluator> leftColumns = kind == JoinKind.FULL ? absentAt(columns, leftPresence) : columns;
            List<Evaluator> both = new ArrayList<>(leftColumns);
            both.addAll(rightColumns);
            made[0] = new JoinProducer(
                    relations.context(),
                    kind,
                    side[0],
                    rightSource,
                    leftPresence,
                    relations.condition(both, condition),
                    leftKeys.isEmpty() ? null : key(leftKeys, rightKeys, columns),
                    rightKey[0],
                    next.apply(yieldsRight(kind) ? both : leftColumns));
            return made[0].prober();
        });
        made[0].setInputs(leftInput, rightInput);
        return made[0];
    }

    private static boolean yieldsRight(JoinKind kind) {
        return kind != JoinKind.SEMI && kind != JoinKind.ANTI;
    }

    static List<Evaluator> absentAt(List<Evaluator> columns, int source) {
        return columns.stream()
                .map(column -> Nulls.unlessAbsent(column, source))
                .toList();
    }

    /** The keys, in a form that both sides share. */
    private KeyEncoder key(List<Expression> keys, List<Expression> others, List<Evaluator> columns) {
        ExpressionCompiler expressions = relations.expressions(columns);
        List<Evaluator> values = new ArrayList<>();
        List<ColumnType> types = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            ColumnType type = shared(keys.get(i).type(), others.get(i).type());
            values.add(expressions.as(keys.get(i), type));
            types.add(type);
        }
        return KeyEncoder.ofEquality(values, types);
    }

    /** A type in which values of both types are exact, or DOUBLE. */
    static ColumnType shared(ColumnType left, ColumnType right) {
        boolean sameForm = left.storage() == right.storage() && left.scale() == right.scale();
        if (left.kind() == TypeKind.NUMERIC && right.kind() == TypeKind.NUMERIC) {
            return ColumnType.of(TypeKind.NUMERIC);
        }
        if (sameForm) {
            return left;
        }
        if (left.storage() == TypeKind.Storage.DOUBLE || right.storage() == TypeKind.Storage.DOUBLE) {
            return ColumnType.of(TypeKind.DOUBLE);
        }
        return ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, Math.max(left.scale(), right.scale()));
    }

    Producer index(IndexJoin join, Function<List<Evaluator>, Consumer> next) {
        int rightSource = relations.newSource();
        List<Evaluator> plainRight = relations.columns(join.right(), rightSource);
        List<Evaluator> rightColumns = join.kind() == JoinKind.LEFT ? absentAt(plainRight, rightSource) : plainRight;
        return relations.compile(join.left(), left -> {
            List<Evaluator> both = new ArrayList<>(left);
            both.addAll(rightColumns);
            IndexJoinConsumer consumer = new IndexJoinConsumer(
                    join.kind(),
                    rightSource,
                    relations.condition(both, join.condition()),
                    relations.context().budget(),
                    next.apply(yieldsRight(join.kind()) ? both : left));
            LongEvaluator filter = relations.condition(plainRight, join.right().filter());
            consumer.setRight(relations.measured(
                    join.right(),
                    each -> relations.indexScan(join.right(), rightSource, left, filter, each.apply(plainRight)),
                    columns -> consumer.matcher()));
            return consumer;
        });
    }

    Producer apply(Apply apply, Function<List<Evaluator>, Consumer> next) {
        int presence = relations.newSource();
        OperatorContext context = relations.context();
        ScratchMemory memory = new ScratchMemory(context.retained().limitBytes());
        return relations.compile(apply.left(), left -> {
            ApplyConsumer[] made = new ApplyConsumer[1];
            Producer right = relations.within(apply.row(), left, memory).compile(apply.right(), columns -> {
                List<Evaluator> both = new ArrayList<>(left);
                both.addAll(apply.kind() == JoinKind.LEFT ? absentAt(columns, presence) : columns);
                made[0] = new ApplyConsumer(
                        apply.kind(),
                        presence,
                        memory,
                        context.budget(),
                        next.apply(yieldsRight(apply.kind()) ? both : left));
                return made[0].matcher();
            });
            made[0].setRight(right);
            return made[0];
        });
    }
}
