package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.expression.Expressions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Gives new rows of a table that is spread by row ids their ids, which no statement writes. */
final class RowIds {
    private RowIds() {}

    /** The rows with an id as their last value, if the table has ids. Each row of a statement has one of its own. */
    static Relation added(Relation rows, Table table) {
        if (!table.hasRowId()) {
            return rows;
        }
        if (!(rows instanceof Relation.Values values)) {
            throw Invariants.breach("rows of a query get their ids in steps");
        }
        ColumnType type = table.columns().getLast().type();
        List<ColumnType> types = new ArrayList<>(values.columns());
        types.add(type);
        List<List<Expression>> all = new ArrayList<>();
        for (List<Expression> row : values.rows()) {
            List<Expression> complete = new ArrayList<>(row);
            Expression number = new Expression.Literal(Expressions.BIGINT, (long) all.size());
            complete.add(Conversion.assign(id(number), type));
            all.add(complete);
        }
        return new Relation.Values(types, all);
    }

    private static Expression id(Expression number) {
        return new Expression.Call(ScalarFunction.ROW_ID, List.of(number), Expressions.BIGINT, false);
    }

    /** The changes of a statement in steps, as they are and as they are when each is given the ids of its rows. */
    record Given(List<StatementPlan> written, List<StatementPlan> changes) {
        Given {
            written = List.copyOf(written);
            changes = List.copyOf(changes);
        }

        static Given of(List<StatementPlan> written) {
            return new Given(
                    written, written.stream().map(GivenNumbers::withRowIds).toList());
        }

        private static int parameters(StatementPlan change) {
            return change.parameters().size();
        }

        /** Whether some of the changes are given ids. */
        boolean addsIds() {
            return IntStream.range(0, written.size())
                    .anyMatch(i -> parameters(changes.get(i)) != parameters(written.get(i)));
        }

        /**
         * The source's rows with the ids among the parameters of the changes, made of the numbers of the rows. Columns
         * behind these parameters stay.
         *
         * @param before columns before those parameters
         */
        Relation added(Relation rows, int before) {
            if (!addsIds()) {
                return rows;
            }
            List<Expression> columns = Expressions.references(rows.columns());
            Relation.WindowCall number = new Relation.WindowRank(Relation.Ranking.ROW_NUMBER, 0, Expressions.BIGINT);
            Relation.Window numbered =
                    new Relation.Window(ordered(rows, columns), List.of(), List.of(), List.of(number));
            Expression rowNumber = Expressions.references(numbered.columns()).getLast();
            List<Expression> values = new ArrayList<>(columns.subList(0, before));
            int next = before;
            for (int i = 0; i < written.size(); i++) {
                int own = parameters(written.get(i));
                values.addAll(columns.subList(next, next + own));
                next += own;
                for (int more = own; more < parameters(changes.get(i)); more++) {
                    values.add(id(rowNumber));
                }
            }
            values.addAll(columns.subList(next, columns.size()));
            return new Relation.Project(numbered, values);
        }

        /** Equal rows may have each other's numbers; all others have the same in each run. */
        private static Relation ordered(Relation rows, List<Expression> columns) {
            return new Relation.Sort(
                    rows,
                    columns.stream()
                            .map(column -> new Relation.SortKey(Conversion.sortable(column), false, false))
                            .toList());
        }
    }
}
