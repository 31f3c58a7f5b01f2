package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Converts the values of an INSERT of several rows to the types of their columns, each value by itself: {@code VALUES} alone would look for one type of all the
 * rows' values first, and there is none of a text and a date.
 */
final class InsertedRows {
    private final SqlParser.Config parser;

    InsertedRows(SqlParser.Config parser) {
        this.parser = parser;
    }

    /** Does so in place. */
    void settle(SqlInsert insert, Table table) throws SqlParseException {
        if (!(insert.getSource() instanceof SqlBasicCall values)
                || values.getKind() != SqlKind.VALUES
                || values.operandCount() < 2) {
            return;
        }
        List<SqlNode> named = insert.getTargetColumnList();
        int count = named == null ? table.columns().size() : named.size();
        for (int i = 0; i < count; i++) {
            int place = named == null ? i : table.columnIndex(((SqlIdentifier) named.get(i)).getSimple());
            if (place >= 0) {
                settle(values.getOperandList(), i, table.columns().get(place).type());
            }
        }
    }

    private void settle(List<SqlNode> rows, int place, ColumnType type) throws SqlParseException {
        boolean isMixed = !type.kind().isCharacter()
                && rows.stream().anyMatch(row -> isText(row, place))
                && rows.stream().anyMatch(row -> !isText(row, place));
        if (!isMixed) {
            return;
        }
        for (SqlNode row : rows) {
            if (row instanceof SqlCall call && place < call.operandCount() && isConverted(call.operand(place))) {
                SqlCall cast = (SqlCall)
                        SqlParser.create("CAST(NULL AS " + type + ")", parser).parseExpression();
                SqlNode value = call.operand(place);
                call.setOperand(
                        place, cast.getOperator().createCall(value.getParserPosition(), value, cast.operand(1)));
            }
        }
    }

    private static boolean isText(SqlNode row, int place) {
        return row instanceof SqlCall call
                && place < call.operandCount()
                && call.operand(place) instanceof SqlLiteral literal
                && SqlTypeName.CHAR_TYPES.contains(literal.getTypeName());
    }

    /** What stands for no value of its own, or takes its type from the column, stays. */
    private static boolean isConverted(SqlNode value) {
        return switch (value.getKind()) {
            case DEFAULT, DYNAMIC_PARAM -> false;
            default -> !SqlUtil.isNullLiteral(value, false);
        };
    }
}
