package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Finds parameters that stand alone as result columns of a query, and types them as text where nothing else gives a
 * type.
 */
final class UntypedItems {
    private UntypedItems() {}

    /**
     * Makes text of those that the client gets, as PostgreSQL does; of a UNION where all branches have a parameter
     * there. In place.
     */
    static void settle(SqlNode statement) {
        switch (statement) {
            case SqlOrderBy order -> settle(order.query);
            case SqlWith with -> settle(with.body);
            case SqlCall call
            when call.getKind().belongsTo(SqlKind.QUERY) -> {
                List<SqlNodeList> branches = new ArrayList<>();
                if (collect(call, branches)) {
                    settleColumns(branches);
                }
            }
            default -> {}
        }
    }

    /** Whether an item of one of the queries is a parameter. */
    static boolean hasAny(List<SqlNode> queries) {
        for (SqlNode query : queries) {
            List<SqlNodeList> branches = new ArrayList<>();
            collect(query, branches);
            if (branches.stream().anyMatch(items -> items.stream().anyMatch(UntypedItems::isParameter))) {
                return true;
            }
        }
        return false;
    }

    /** The items of each branch; false if there is one whose items the text does not list. */
    private static boolean collect(SqlNode query, List<SqlNodeList> branches) {
        switch (query) {
            case SqlSelect select -> {
                branches.add(select.getSelectList());
                return true;
            }
            case SqlCall call
            when SqlKind.SET_QUERY.contains(call.getKind()) -> {
                boolean all = true;
                for (SqlNode operand : call.getOperandList()) {
                    all &= collect(operand, branches);
                }
                return all;
            }
            default -> {
                return false;
            }
        }
    }

    private static boolean isParameter(SqlNode item) {
        return item instanceof SqlDynamicParam
                || (item.getKind() == SqlKind.AS && ((SqlCall) item).operand(0) instanceof SqlDynamicParam);
    }

    private static void settleColumns(List<SqlNodeList> branches) {
        int width = branches.stream().mapToInt(SqlNodeList::size).min().orElse(0);
        for (int i = 0; i < width; i++) {
            int column = i;
            if (branches.stream().allMatch(items -> isParameter(items.get(column)))) {
                branches.forEach(items -> items.set(column, asText(items.get(column))));
            }
        }
    }

    private static SqlNode asText(SqlNode item) {
        if (item.getKind() == SqlKind.AS) {
            ((SqlCall) item).setOperand(0, asText(((SqlCall) item).operand(0)));
            return item;
        }
        SqlParserPos place = item.getParserPosition();
        SqlDataTypeSpec text = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, place), place);
        return SqlStdOperatorTable.CAST.createCall(place, item, text);
    }
}
