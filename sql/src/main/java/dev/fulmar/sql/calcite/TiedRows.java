package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.TiesClause;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * {@code ORDER BY a OFFSET m FETCH FIRST n ROWS WITH TIES} keeps n rows behind m others, and those that are equal to
 * the last one in what is ordered by (ISO 9075-2, 7.17). Their RANK() OVER (ORDER BY a) is m + n at most, and their
 * ROW_NUMBER is more than m.
 */
final class TiedRows extends SqlShuttle {
    private final Set<Position> numbers;

    /** Those of clauses of which a count of 0 takes nothing. */
    private final Set<Position> marked;

    private TiedRows(Set<Position> numbers, Set<Position> marked) {
        this.numbers = numbers;
        this.marked = marked;
    }

    /** The statement without the clause. */
    static SqlNode settled(SqlNode statement, String sql) {
        if (!TiesClause.isMentioned(sql)) {
            return statement;
        }
        Set<Position> numbers = TiesClause.numbers(sql);
        SqlNode settled =
                numbers.isEmpty() ? null : statement.accept(new TiedRows(numbers, TiesClause.markedNumbers(sql)));
        return settled == null ? statement : settled;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        SqlNode visited = super.visit(call);
        return visited instanceof SqlOrderBy order
                        && order.fetch != null
                        && numbers.contains(at(order.fetch.getParserPosition()))
                ? ranked(order, order.fetch, marked.contains(at(order.fetch.getParserPosition())))
                : visited;
    }

    private static SqlNode ranked(SqlOrderBy order, SqlNode fetch, boolean isMarked) {
        SqlParserPos position = fetch.getParserPosition();
        if (order.orderList.isEmpty()) {
            throw SqlErrors.syntax(at(position), "WITH TIES needs an ORDER BY, by which rows are equal");
        }
        if (!(DistinctOn.sorted(order) instanceof SqlSelect select)
                || select.isDistinct()
                || select.getQualify() != null) {
            throw refusal(position);
        }
        SqlNode count = number(fetch);
        SqlNode offset = order.offset;
        SqlNode last = offset == null ? count : SqlStdOperatorTable.PLUS.createCall(position, count, number(offset));
        SqlNode condition = SqlStdOperatorTable.LESS_THAN_OR_EQUAL.createCall(
                position, over(SqlStdOperatorTable.RANK, order.orderList, select, position), last);
        if (offset != null) {
            condition = SqlStdOperatorTable.AND.createCall(
                    position,
                    condition,
                    SqlStdOperatorTable.GREATER_THAN.createCall(
                            position,
                            over(SqlStdOperatorTable.ROW_NUMBER, order.orderList, select, position),
                            number(offset)));
            if (isMarked) {
                SqlNode none = SqlLiteral.createExactNumeric("0", position);
                condition = SqlStdOperatorTable.AND.createCall(
                        position,
                        condition,
                        SqlStdOperatorTable.GREATER_THAN.createCall(position, number(fetch), none));
            }
        }
        select.setQualify(condition);
        return new SqlOrderBy(order.getParserPosition(), order.query, order.orderList, null, null);
    }

    private static SqlNode over(SqlOperator function, SqlNodeList order, SqlSelect select, SqlParserPos position) {
        SqlNodeList keys = new SqlNodeList(position);
        order.forEach(item -> keys.add(DistinctOn.ordered(item, select.getSelectList())));
        SqlWindow window = SqlWindow.create(
                null,
                null,
                SqlNodeList.EMPTY,
                keys,
                SqlLiteral.createBoolean(false, position),
                null,
                null,
                null,
                position);
        return SqlStdOperatorTable.OVER.createCall(position, function.createCall(position), window);
    }

    /** A number of rows; a parameter has the type that it would have in FETCH. */
    private static SqlNode number(SqlNode rows) {
        SqlParserPos position = rows.getParserPosition();
        return rows instanceof SqlDynamicParam
                ? SqlStdOperatorTable.CAST.createCall(
                        position,
                        rows,
                        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.INTEGER, position), position))
                : rows;
    }

    private static Position at(SqlParserPos position) {
        return new Position(position.getLineNum(), position.getColumnNum());
    }

    private static FulmarException refusal(SqlParserPos position) {
        return SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                at(position),
                "WITH TIES is for a SELECT without DISTINCT and QUALIFY, and for no UNION or its kind; put such a query"
                        + " into FROM, and order its rows outside");
    }
}
