package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;

/**
 * A tree of inner joins and filters, taken apart: inputs in any order, and conditions. Columns are counted through all
 * inputs in the order in which the statement names them.
 */
final class JoinGraph {
    private final ExpressionConverter converter;
    private final List<JoinInput> inputs = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();
    private final List<Expression> conditions = new ArrayList<>();
    private final EqualColumns equalColumns;
    private final int columns;

    JoinGraph(RelNode rel, ExpressionConverter converter) {
        this.converter = converter;
        columns = rel.getRowType().getFieldCount();
        collect(rel, 0);
        equalColumns = new EqualColumns(columns, conditions);
        List<Expression> all = new ArrayList<>(equalColumns.implied());
        all.addAll(conditions);
        conditions.clear();
        distribute(all);
    }

    private void collect(RelNode rel, int offset) {
        if (rel instanceof Filter filter) {
            addConditions(converter.convert(filter.getCondition()), offset);
            collect(filter.getInput(), offset);
        } else if (rel instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
            addConditions(converter.convert(join.getCondition()), offset);
            collect(join.getLeft(), offset);
            collect(join.getRight(), offset + join.getLeft().getRowType().getFieldCount());
        } else {
            inputs.add(JoinInput.of(rel, converter));
            offsets.add(offset);
        }
    }

    private void addConditions(Expression condition, int offset) {
        for (Expression conjunct : Expressions.conjuncts(condition)) {
            Expression moved = Expressions.renumber(conjunct, column -> column + offset);
            if (!conditions.contains(moved)) {
                conditions.add(moved);
            }
        }
    }

    /** Gives each condition on one input to that input, and drops those that now follow. */
    private void distribute(List<Expression> all) {
        for (Expression condition : all) {
            BitSet inputsUsed = inputsOf(Expressions.columns(condition));
            if (inputsUsed.cardinality() > 1) {
                if (!isImplied(condition)) {
                    conditions.add(condition);
                }
            } else {
                int input = Math.max(0, inputsUsed.nextSetBit(0));
                int offset = offsets.get(input);
                inputs.set(
                        input,
                        inputs.get(input).with(List.of(Expressions.renumber(condition, column -> column - offset))));
            }
        }
    }

    /** Both sides equal the same constant, and each input checks that. */
    private boolean isImplied(Expression condition) {
        return condition instanceof Expression.Call call
                && call.function() == ScalarFunction.EQUAL
                && call.arguments().getFirst() instanceof Expression.ColumnReference left
                && call.arguments().get(1) instanceof Expression.ColumnReference right
                && equalColumns.impliesConstant(left)
                && equalColumns.impliesConstant(right);
    }

    List<JoinInput> inputs() {
        return inputs;
    }

    /** First column of the input. */
    int offset(int input) {
        return offsets.get(input);
    }

    /** Conditions over more than one input. */
    List<Expression> conditions() {
        return conditions;
    }

    EqualColumns equalColumns() {
        return equalColumns;
    }

    int columns() {
        return columns;
    }

    /** The input that has the column. */
    int inputOf(int column) {
        int input = inputs.size() - 1;
        while (offsets.get(input) > column) {
            input--;
        }
        return input;
    }

    BitSet inputsOf(BitSet columnSet) {
        BitSet set = new BitSet();
        columnSet.stream().forEach(column -> set.set(inputOf(column)));
        return set;
    }
}
