package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The columns and conditions of an inner join of two tables, read from its plan to define a materialized view. They are
 * expressions over the columns of the first table and then those of the second, whichever way the join was planned.
 *
 * @param columns of the relation
 * @param conditions all that hold for a pair of rows that is among them
 */
record JoinedTables(List<Expression> columns, List<Expression> conditions) {
    JoinedTables {
        columns = List.copyOf(columns);
        conditions = List.copyOf(conditions);
    }

    /**
     * Empty if the relation is anything else.
     *
     * @param tables by the places of their ids
     */
    static Optional<JoinedTables> of(Relation relation, List<Table> tables, int firstId) {
        Reader reader = new Reader(tables, firstId);
        return reader.read(relation).filter(rows -> reader.met.size() == tables.size());
    }

    /** The columns of both tables that are equal in a pair, of a type whose equal values are the same bytes. */
    List<Aggregation.Equal> equal(int offset) {
        List<Aggregation.Equal> equal = new ArrayList<>();
        for (Expression condition : conditions) {
            Expression[] sides = JoinPlanner.sides(condition, offset);
            if (sides != null
                    && sides[0] instanceof Expression.ColumnReference first
                    && sides[1] instanceof Expression.ColumnReference second
                    && areAlike(first.type(), second.type())) {
                equal.add(new Aggregation.Equal(first.index(), second.index() - offset));
            }
        }
        return equal;
    }

    private static boolean areAlike(ColumnType one, ColumnType other) {
        return one.kind() == other.kind()
                && one.scale() == other.scale()
                && one.storage() == other.storage()
                && one.storage() != TypeKind.Storage.DOUBLE
                && (one.kind() != TypeKind.CHAR || one.precision() == other.precision());
    }

    /** The same expression over the tables' columns. */
    Expression resolve(Expression expression) {
        return Expressions.mapColumns(expression, reference -> columns.get(reference.index()));
    }

    /** The rows for which the condition holds too. */
    private JoinedTables with(@Nullable Expression condition) {
        List<Expression> more = new ArrayList<>(conditions);
        for (Expression conjunct : Expressions.conjuncts(condition)) {
            Expression resolved = resolve(conjunct);
            if (!more.contains(resolved)) {
                more.add(resolved);
            }
        }
        return new JoinedTables(columns, more);
    }

    /** All pairs. */
    private JoinedTables pairedWith(JoinedTables right) {
        List<Expression> both = new ArrayList<>(columns);
        both.addAll(right.columns);
        List<Expression> all = new ArrayList<>(conditions);
        all.addAll(right.conditions);
        return new JoinedTables(both, all);
    }

    /**
     * Reads relations, of which each table may be one only: the places of its columns say nothing of a second row of
     * it.
     */
    private static final class Reader {
        private final List<Table> tables;
        private final int firstId;
        private final Set<Integer> met = new TreeSet<>();

        Reader(List<Table> tables, int firstId) {
            this.tables = tables;
            this.firstId = firstId;
        }

        Optional<JoinedTables> read(Relation relation) {
            return switch (relation) {
                case Relation.TableScan scan ->
                    met.add(scan.table()) ? Optional.of(columns(scan).with(scan.filter())) : Optional.empty();
                case Relation.Filter filter -> read(filter.input()).map(rows -> rows.with(filter.condition()));
                case Relation.Project project ->
                    read(project.input())
                            .map(rows -> new JoinedTables(
                                    project.expressions().stream()
                                            .map(rows::resolve)
                                            .toList(),
                                    rows.conditions));
                case Relation.HashJoin join
                when join.kind() == JoinKind.INNER ->
                    read(join.left()).flatMap(left -> read(join.right()).map(right -> pairs(join, left, right)));
                case Relation.NestedLoopJoin join
                when join.kind() == JoinKind.INNER ->
                    read(join.left())
                            .flatMap(left -> read(join.right())
                                    .map(right -> left.pairedWith(right).with(join.condition())));
                default -> Optional.empty();
            };
        }

        private JoinedTables columns(Relation.TableScan scan) {
            int number = scan.table() - firstId;
            int offset = tables.subList(0, number).stream()
                    .mapToInt(table -> table.columns().size())
                    .sum();
            List<Expression> columns = new ArrayList<>();
            for (Column column : tables.get(number).visibleColumns()) {
                columns.add(new Expression.ColumnReference(offset + columns.size(), column.type(), column.nullable()));
            }
            return new JoinedTables(columns, List.of());
        }

        private static JoinedTables pairs(Relation.HashJoin join, JoinedTables left, JoinedTables right) {
            JoinedTables all = left.pairedWith(right);
            List<Expression> conditions = new ArrayList<>(all.conditions);
            for (int i = 0; i < join.leftKeys().size(); i++) {
                conditions.add(Expressions.strict(
                        ScalarFunction.EQUAL,
                        Expressions.BOOLEAN,
                        left.resolve(join.leftKeys().get(i)),
                        right.resolve(join.rightKeys().get(i))));
            }
            return new JoinedTables(all.columns, conditions).with(join.condition());
        }
    }
}
