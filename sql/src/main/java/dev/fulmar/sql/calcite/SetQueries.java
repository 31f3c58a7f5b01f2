package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code UPDATE t SET (a, b) = (SELECT x, y ...)}: each column takes a column of the query's row, by a copy of the
 * query. {@link SetLists} marks the columns.
 */
final class SetQueries {
    /** The name of the call that stands for a column's value. */
    static final String MARK = "#SET";

    private static final String ROW = "#ROW";

    private SetQueries() {}

    /** Changes the statement in place. */
    static void settle(SqlNode statement) {
        if (!(statement instanceof SqlUpdate update)) {
            return;
        }
        SqlNodeList values = update.getSourceExpressionList();
        for (int i = 0; i < values.size(); i++) {
            if (isMark(values.get(i)) && ((SqlCall) values.get(i)).operandCount() == 2) {
                SqlNode query = ((SqlCall) values.get(i)).operand(1);
                int end = i + 1;
                while (end < values.size()
                        && isMark(values.get(end))
                        && ((SqlCall) values.get(end)).operandCount() == 1) {
                    end++;
                }
                spread(values, i, end, query);
            }
        }
    }

    private static boolean isMark(SqlNode node) {
        return node instanceof SqlCall call && call.getOperator().getName().equals(MARK);
    }

    private static void spread(SqlNodeList values, int from, int end, SqlNode query) {
        if (query instanceof SqlSelect select
                && select.getSelectList().stream()
                        .noneMatch(item -> item instanceof SqlIdentifier name && name.isStar())
                && select.getSelectList().size() != end - from) {
            SqlParserPos position = query.getParserPosition();
            throw SqlErrors.at(
                    ErrorCode.SYNTAX,
                    new Position(position.getLineNum(), position.getColumnNum()),
                    "the query yields " + select.getSelectList().size() + " columns for " + (end - from)
                            + "; SET (a, b) = (SELECT x, y) takes one for each");
        }
        for (int i = from; i < end; i++) {
            values.set(i, column(i - from, end - from, i == from ? query : CopiedOperands.copied(query)));
        }
    }

    private static SqlNode column(int number, int count, SqlNode query) {
        SqlParserPos position = query.getParserPosition();
        List<SqlNode> row = new ArrayList<>(List.of(query, new SqlIdentifier(ROW, position)));
        for (int i = 0; i < count; i++) {
            row.add(name(i, position));
        }
        return new SqlSelect(
                position,
                null,
                SqlNodeList.of(name(number, position)),
                SqlStdOperatorTable.AS.createCall(position, row),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static SqlIdentifier name(int number, SqlParserPos position) {
        return new SqlIdentifier("C" + number, position);
    }
}
