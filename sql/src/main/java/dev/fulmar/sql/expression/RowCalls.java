package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.sql.calcite.RowsTable;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.calcite.ValuesFunction;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;

/** Converts calls of functions that yield several values. */
public final class RowCalls {
    private static final ColumnType INTERVAL = IntervalShape.ANY.type();

    private static final int STEP = 2;

    private RowCalls() {}

    /** Whether the last column of the table is the number of the row. */
    public static boolean isNumbered(RexNode table) {
        return table instanceof RexCall call && call.getOperator() instanceof RowsTable rows && rows.isNumbered();
    }

    /** The rows of a table of functions. */
    public static Relation.FunctionRows rows(RexNode table, ExpressionConverter converter) {
        if (!(table instanceof RexCall call) || !(call.getOperator() instanceof RowsTable)) {
            throw SqlErrors.notSupported("a function in FROM is not supported");
        }
        List<RowFunction> functions = new ArrayList<>();
        for (RexNode operand : call.getOperands()) {
            if (!(operand instanceof RexCall values) || !(values.getOperator() instanceof ValuesFunction function)) {
                throw SqlErrors.notSupported("a function in FROM is not supported");
            }
            ColumnType type = TypeMapping.columnType(values.getType());
            List<Expression> arguments =
                    values.getOperands().stream().map(converter::convert).toList();
            functions.add(
                    switch (function.rowKind()) {
                        case SERIES -> new RowFunction(function.rowKind(), series(arguments, type), type);
                        case ELEMENTS -> new RowFunction(function.rowKind(), arguments, type);
                    });
        }
        return new Relation.FunctionRows(functions);
    }

    private static List<Expression> series(List<Expression> written, ColumnType type) {
        boolean isOfInstants = type.kind() == TypeKind.TIMESTAMP_TZ;
        List<Expression> arguments = new ArrayList<>();
        arguments.add(Conversion.cast(written.getFirst(), type));
        arguments.add(Conversion.cast(written.get(1), type));
        if (isOfInstants || type.kind() == TypeKind.TIMESTAMP) {
            Expression step = written.get(STEP);
            arguments.add(
                    IntervalRules.interval(step, step.type().kind() == TypeKind.INTERVAL ? step.type() : INTERVAL));
        } else {
            Expression step =
                    written.size() > STEP ? written.get(STEP) : new Expression.Literal(Expressions.BIGINT, 1L);
            arguments.add(Conversion.cast(step, type));
        }
        if (isOfInstants) {
            String zone = ZonedTime.name(StatementZone.current());
            arguments.add(new Expression.Literal(ColumnType.varchar(zone.length()), zone));
        }
        return arguments;
    }
}
