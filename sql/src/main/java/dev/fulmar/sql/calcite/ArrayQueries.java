package dev.fulmar.sql.calcite;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * {@code ARRAY(SELECT x FROM t WHERE c ORDER BY k)} as {@code COALESCE((SELECT ARRAY_AGG(x ORDER BY k) FROM t WHERE c),
 * '{}')}. Invariant: the query is one of rows, without groups and without a number of rows, or it is refused.
 */
final class ArrayQueries {
    private ArrayQueries() {}

    static SqlNode settled(SqlCall call) {
        SqlNode query = call.operand(0);
        SqlNodeList keys = SqlNodeList.EMPTY;
        if (query instanceof SqlOrderBy order && order.offset == null && order.fetch == null) {
            query = order.query;
            keys = order.orderList;
        }
        if (!(query instanceof SqlSelect select) || !isOfRows(select)) {
            throw ArraySyntax.refused(
                    call,
                    "ARRAY takes a query of one column, without groups, LIMIT and UNION; write (SELECT ARRAY_AGG(column)"
                            + " FROM (query) AS q)");
        }
        SqlParserPos place = call.getParserPosition();
        SqlNode item = select.getSelectList().get(0);
        SqlNode value = value(item);
        List<SqlNode> operands = new ArrayList<>(List.of(value));
        if (!keys.isEmpty()) {
            operands.add(new SqlNodeList(
                    keys.stream().map(key -> key(key, item, value)).toList(), keys.getParserPosition()));
        }
        SqlLiteral quantifier = select.isDistinct() ? SqlSelectKeyword.DISTINCT.symbol(place) : null;
        SqlNode array = ArraySyntax.aggregate(SqlLibraryOperators.ARRAY_AGG.createCall(quantifier, place, operands));
        SqlSelect whole = new SqlSelect(
                select.getParserPosition(),
                null,
                SqlNodeList.of(array),
                select.getFrom(),
                select.getWhere(),
                null,
                null,
                SqlNodeList.EMPTY,
                null,
                null,
                null,
                null,
                null);
        return SqlStdOperatorTable.COALESCE.createCall(place, whole, SqlLiteral.createCharString("{}", place));
    }

    private static boolean isOfRows(SqlSelect select) {
        return select.getGroup() == null
                && select.getHaving() == null
                && select.getQualify() == null
                && select.getWindowList().isEmpty()
                && select.getOrderList() == null
                && select.getFetch() == null
                && select.getOffset() == null
                && select.getSelectList().size() == 1
                && !aggregates(select.getSelectList().get(0));
    }

    private static boolean aggregates(SqlNode item) {
        try {
            item.accept(new SqlBasicVisitor<@Nullable Void>() {
                @Override
                public @Nullable Void visit(SqlCall call) {
                    boolean isOther = AggregateForms.isAggregate(call) || call.getKind() == SqlKind.OVER;
                    if (isOther) {
                        throw Util.FoundOne.NULL;
                    }
                    return call.getKind().belongsTo(SqlKind.QUERY) ? null : super.visit(call);
                }

                @Override
                public @Nullable Void visit(SqlIdentifier name) {
                    if (name.isStar()) {
                        throw Util.FoundOne.NULL;
                    }
                    return null;
                }
            });
            return false;
        } catch (Util.FoundOne e) {
            return true;
        }
    }

    /** The value of an item, without its name. */
    private static SqlNode value(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    /** A key, where the number and the name of the item stand for its value. */
    private static SqlNode key(SqlNode key, SqlNode item, SqlNode value) {
        return switch (key.getKind()) {
            case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
                SqlCall call = (SqlCall) key;
                yield call.getOperator().createCall(call.getParserPosition(), key(call.operand(0), item, value));
            }
            default -> isItem(key, item) ? value : key;
        };
    }

    private static boolean isItem(SqlNode key, SqlNode item) {
        if (key instanceof SqlNumericLiteral number) {
            BigDecimal place = number.bigDecimalValue();
            return place != null && place.compareTo(BigDecimal.ONE) == 0;
        }
        return key instanceof SqlIdentifier name
                && name.isSimple()
                && item.getKind() == SqlKind.AS
                && ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple().equals(name.getSimple());
    }
}
