package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Moves the WITH query of an INSERT into a subquery in FROM, in the syntax tree, because Calcite fails on it otherwise.
 * {@code INSERT INTO t WITH ... SELECT ...} becomes {@code INSERT INTO t SELECT * FROM (WITH ... SELECT ...)}. Calcite
 * converts the values of a SELECT to the types of the columns, and fails at that where a WITH stands before it.
 */
final class InsertedQueries {
    private static final String NAME = "$INSERTED";

    private InsertedQueries() {}

    /** Does so in place. */
    static void settle(SqlNode statement) {
        if (statement instanceof SqlInsert insert && insert.getSource() instanceof SqlWith with) {
            SqlParserPos place = with.getParserPosition();
            List<SqlNode> operands = new ArrayList<>(List.of(with, new SqlIdentifier(NAME, place)));
            for (int i = 0; i < columnCount(with.body); i++) {
                operands.add(new SqlIdentifier("C" + (i + 1), place));
            }
            SqlNode from = new SqlBasicCall(SqlStdOperatorTable.AS, operands, place);
            SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(place));
            insert.setSource(new SqlSelect(
                    place, null, all, from, null, null, null, null, null, null, null, null, SqlNodeList.EMPTY));
        }
    }

    /** The number of columns that the query lists, so that they get names of their own; 0 if it does not say. */
    private static int columnCount(SqlNode query) {
        if (!(query instanceof SqlSelect select)) {
            return 0;
        }
        boolean isListed = select.getSelectList().stream()
                .noneMatch(item -> item instanceof SqlIdentifier identifier && identifier.isStar());
        return isListed ? select.getSelectList().size() : 0;
    }
}
