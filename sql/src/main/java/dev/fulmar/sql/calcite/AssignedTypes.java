package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Says which value of an UPDATE is of a type that its column does not take. */
final class AssignedTypes {
    private AssignedTypes() {}

    /**
     * The error of the first such value.
     *
     * @param source the types of the table's columns, and behind them those of the values
     * @param otherwise what to throw if all values are of types that their columns take
     */
    static RuntimeException unlike(
            SqlUpdate update, RelDataType source, RelDataType table, RuntimeException otherwise) {
        int values = update.getTargetColumnList().size();
        int first = source.getFieldCount() - values;
        for (int i = 0; i < values && first >= 0; i++) {
            String column = ((SqlIdentifier) update.getTargetColumnList().get(i)).getSimple();
            RelDataTypeField target = table.getField(column, true, false);
            RelDataType given = source.getFieldList().get(first + i).getType();
            if (target != null
                    && !SqlTypeUtil.inCharFamily(given)
                    && !SqlTypeUtil.canAssignFrom(target.getType(), given)) {
                SqlNode value = update.getSourceExpressionList().get(i);
                return SqlErrors.at(
                        ErrorCode.TYPE_MISMATCH,
                        new Position(
                                value.getParserPosition().getLineNum(),
                                value.getParserPosition().getColumnNum()),
                        CalciteErrors.assigned(
                                column, target.getType().getFullTypeString(), given.getFullTypeString()));
            }
        }
        return otherwise;
    }
}
