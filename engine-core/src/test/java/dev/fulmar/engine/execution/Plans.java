package dev.fulmar.engine.execution;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds plans by hand, for tests and measurements. */
final class Plans {
    static final ColumnType BOOLEAN = ColumnType.of(TypeKind.BOOLEAN);
    static final ColumnType TINYINT = ColumnType.of(TypeKind.TINYINT);
    static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);
    static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    static final ColumnType REAL = ColumnType.of(TypeKind.REAL);
    static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    static final ColumnType DATE = ColumnType.of(TypeKind.DATE);
    static final ColumnType TIME = ColumnType.of(TypeKind.TIME);
    static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);
    static final ColumnType UUID = ColumnType.of(TypeKind.UUID);
    static final ColumnType TEXT = ColumnType.varchar(100);
    static final ColumnType BINARY = new ColumnType(TypeKind.VARBINARY, 16, 0);

    private Plans() {}

    static Expression column(int index, ColumnType type) {
        return new Expression.ColumnReference(index, type, true);
    }

    static Expression parameter(int index, ColumnType type) {
        return new Expression.Parameter(index, type);
    }

    static Expression literal(ColumnType type, @Nullable Object value) {
        return new Expression.Literal(type, value);
    }

    static Expression integer(long value) {
        return literal(BIGINT, value);
    }

    static Expression text(String value) {
        return literal(TEXT, value);
    }

    static Expression call(ScalarFunction function, ColumnType type, Expression... arguments) {
        return new Expression.Call(function, List.of(arguments), type, true);
    }

    static Expression compare(ScalarFunction function, Expression left, Expression right) {
        return call(function, BOOLEAN, left, right);
    }

    static Expression equal(Expression left, Expression right) {
        return compare(ScalarFunction.EQUAL, left, right);
    }

    static StatementPlan query(Relation relation, ColumnType... parameters) {
        return query(relation, List.of(parameters));
    }

    static StatementPlan query(Relation relation, List<ColumnType> parameters) {
        return plan(parameters, relation, new PartitionScope.Any(), new Operation.Query(relation));
    }

    static StatementPlan write(Operation operation, ColumnType... parameters) {
        return write(new PartitionScope.Any(), operation, parameters);
    }

    static StatementPlan write(PartitionScope scope, Operation operation, ColumnType... parameters) {
        return plan(List.of(parameters), null, scope, operation);
    }

    private static StatementPlan plan(
            List<ColumnType> parameters, @Nullable Relation result, PartitionScope scope, Operation operation) {
        return new StatementPlan(
                "a statement made by hand",
                parameters,
                result == null ? List.of() : resultColumns(result),
                List.of(new StatementPlan.Fragment(scope, operation)),
                Optional.empty());
    }

    static List<ResultColumn> resultColumns(Relation relation) {
        List<ResultColumn> columns = new ArrayList<>();
        for (ColumnType type : relation.columns()) {
            columns.add(new ResultColumn("C" + columns.size(), type, true));
        }
        return columns;
    }

    static Relation.Values values(List<ColumnType> types, List<List<Expression>> rows) {
        return new Relation.Values(types, rows);
    }

    /** One row of parameters. */
    static Relation.Values parameters(List<ColumnType> types) {
        List<Expression> row = new ArrayList<>();
        for (ColumnType type : types) {
            row.add(parameter(row.size(), type));
        }
        return values(types, List.of(row));
    }

    static Relation.IndexKey key(int index, Expression... equal) {
        return new Relation.IndexKey(index, List.of(equal), Optional.empty(), Optional.empty());
    }
}
