package dev.fulmar.sql.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Gives SUM and AVG of PostgreSQL's statements their functions. The sum of BIGINTs is a NUMERIC, and so is the average
 * of exact numbers. Of other values they are those of all clients.
 */
final class NumericAggregates {
    private static final String SUM = "#SUM";
    private static final String AVERAGE = "#AVG";

    private NumericAggregates() {}

    /** Gives the call its operator, in place. */
    static void settle(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        String name = call.getOperator().getName();
        boolean isSum = name.equals(SUM);
        if ((!isSum && !name.equals(AVERAGE)) || call.operandCount() != 1) {
            return;
        }
        RelDataType type =
                call.operand(0) instanceof SqlDynamicParam ? null : validator.deriveType(scope, call.operand(0));
        boolean isNumeric = type != null
                && (isSum ? type.getSqlTypeName() == SqlTypeName.BIGINT : SqlTypeUtil.isExactNumeric(type));
        if (!isNumeric) {
            call.setOperator(isSum ? SqlStdOperatorTable.SUM : SqlStdOperatorTable.AVG);
        }
    }

    /** Of a window's function, which Calcite does not look at by itself. */
    static void settleWindow(SqlValidator validator, SqlValidatorScope scope, SqlCall over) {
        if (over.operand(0) instanceof SqlBasicCall call) {
            settle(validator, scope, call);
        }
    }
}
