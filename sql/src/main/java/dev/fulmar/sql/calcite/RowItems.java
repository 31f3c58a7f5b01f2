package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Functions that yield several rows, as items of a SELECT (PostgreSQL manual §38.5.8). Each row of the query is there
 * once for each of the values: the functions become a table that the query's tables are joined with. Those of one level
 * run side by side, and those in arguments of others before these. A query with groups becomes one in FROM.
 */
final class RowItems {
    private static final String TABLE = "#V";
    private static final String QUERY = "#Q";

    /** The place of its windows among the operands of a SELECT. */
    private static final int WINDOWS = 6;

    private final SqlSelect select;
    private final SqlParserPos place;

    /** The tables that are joined, by how deep their functions stand in arguments of others; the deepest first. */
    private final List<List<SqlNode>> levels = new ArrayList<>();

    private RowItems(SqlSelect select) {
        this.select = select;
        this.place = select.getParserPosition();
    }

    /** Changes the query in place. */
    static void settle(SqlSelect select) {
        if (select.getSelectList().stream().anyMatch(RowItems::hasFunction)) {
            new RowItems(select).settle();
        }
    }

    /** Whether a call of such a function is in the node, outside of queries. */
    private static boolean hasFunction(@Nullable SqlNode node) {
        return switch (node) {
            case SqlCall call ->
                !SqlKind.QUERY.contains(call.getKind())
                        && (RowFunctions.values(call) != null
                                || call.getOperandList().stream().anyMatch(RowItems::hasFunction));
            case SqlNodeList list -> list.stream().anyMatch(RowItems::hasFunction);
            case null, default -> false;
        };
    }

    private void settle() {
        boolean groups = select.getGroup() != null
                || select.getHaving() != null
                || select.getQualify() != null
                || select.getSelectList().stream().anyMatch(RowItems::computesOfRows);
        if (groups) {
            nest();
        }
        SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier star && star.isStar() && star.names.size() == 1) {
                stars(select.getFrom(), star, items);
            } else {
                items.add(hasFunction(item) ? item(item) : item);
            }
        }
        select.setSelectList(items);
        for (int i = levels.size() - 1; i >= 0; i--) {
            join(table(i));
        }
    }

    /** Whether the node has an aggregate, or a function of a window. */
    private static boolean computesOfRows(@Nullable SqlNode node) {
        return switch (node) {
            case SqlCall call ->
                !SqlKind.QUERY.contains(call.getKind())
                        && (call.getKind() == SqlKind.OVER
                                || GroupedKeys.AGGREGATES.contains(
                                        call.getOperator().getName())
                                || call.getOperandList().stream().anyMatch(RowItems::computesOfRows));
            case SqlNodeList list -> list.stream().anyMatch(RowItems::computesOfRows);
            case null, default -> false;
        };
    }

    private SqlNode item(SqlNode item) {
        if (item.getKind() == SqlKind.AS) {
            SqlCall named = (SqlCall) item;
            named.setOperand(0, replaced(named.operand(0), 0));
            return named;
        }
        List<SqlNode> values = RowFunctions.values(item);
        SqlNode column = replaced(item, 0);
        return values == null
                ? column
                : as(column, RowFunctions.columnName(values.getFirst()), item.getParserPosition());
    }

    private static SqlNode as(SqlNode node, String name, SqlParserPos position) {
        return SqlStdOperatorTable.AS.createCall(position, node, new SqlIdentifier(name, position));
    }

    /** The node with columns of the tables in place of the functions. */
    private SqlNode replaced(SqlNode node, int depth) {
        if (!hasFunction(node)) {
            return node;
        }
        if (node instanceof SqlNodeList list) {
            list.replaceAll(item -> replaced(item, depth));
            return list;
        }
        SqlCall call = (SqlCall) node;
        List<SqlNode> values = RowFunctions.values(call);
        int inner = values == null ? depth : depth + 1;
        List<SqlNode> operands = call.getOperandList();
        for (int i = 0; i < operands.size(); i++) {
            if (operands.get(i) != null) {
                call.setOperand(i, replaced(operands.get(i), inner));
            }
        }
        if (values == null) {
            if (call.getKind() == SqlKind.CASE || call.getKind() == SqlKind.COALESCE) {
                throw refused("in CASE and COALESCE");
            }
            return call;
        }
        List<SqlNode> settled = RowFunctions.values(call);
        if (settled == null || settled.size() > 1) {
            throw refused("of several arrays in a list of columns");
        }
        while (levels.size() <= depth) {
            levels.add(new ArrayList<>());
        }
        levels.get(depth).add(settled.getFirst());
        return new SqlIdentifier(
                List.of(TABLE + depth, "#" + (levels.get(depth).size() - 1)), call.getParserPosition());
    }

    private FulmarException refused(String where) {
        return SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                RowFunctions.at(place),
                "a function that yields several rows is not supported " + where + "; move it to FROM");
    }

    private SqlNode table(int depth) {
        List<SqlNode> operands = new ArrayList<>();
        operands.add(RowFunctions.lateral(levels.get(depth), false, place));
        operands.add(new SqlIdentifier(TABLE + depth, place));
        for (int i = 0; i < levels.get(depth).size(); i++) {
            operands.add(new SqlIdentifier("#" + i, place));
        }
        return SqlStdOperatorTable.AS.createCall(place, operands);
    }

    private void join(SqlNode table) {
        SqlNode from = select.getFrom();
        select.setFrom(
                from == null
                        ? table
                        : new SqlJoin(
                                place,
                                from,
                                SqlLiteral.createBoolean(false, place),
                                JoinType.COMMA.symbol(place),
                                table,
                                JoinConditionType.NONE.symbol(place),
                                null));
    }

    /** The columns of the tables as they were before others were joined. */
    private void stars(@Nullable SqlNode from, SqlIdentifier star, SqlNodeList items) {
        switch (from) {
            case SqlJoin join
            when !join.isNatural() && join.getConditionType() != JoinConditionType.USING -> {
                stars(join.getLeft(), star, items);
                stars(join.getRight(), star, items);
            }
            case SqlIdentifier name -> items.add(starOf(name.names.getLast(), star));
            case SqlCall call
            when call.getKind() == SqlKind.AS -> items.add(starOf(((SqlIdentifier) call.operand(1)).getSimple(), star));
            case null, default -> throw refused("beside the star of this FROM");
        }
    }

    private static SqlNode starOf(String table, SqlIdentifier star) {
        SqlParserPos position = star.getParserPosition();
        return SqlIdentifier.star(List.of(table, ""), position, List.of(position, position));
    }

    /** Makes the query with its groups one in FROM, of which the functions read columns. */
    private void nest() {
        SqlNodeList inner = new SqlNodeList(place);
        SqlNodeList outer = new SqlNodeList(place);
        for (SqlNode item : select.getSelectList()) {
            SqlNode value = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
            SqlNode moved = moved(value, inner);
            String name = item.getKind() == SqlKind.AS
                    ? ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple()
                    : item instanceof SqlIdentifier column && !column.isStar() ? column.names.getLast() : null;
            outer.add(name == null ? moved : as(moved, name, item.getParserPosition()));
        }
        SqlSelect grouped = new SqlSelect(
                place,
                null,
                inner,
                select.getFrom(),
                select.getWhere(),
                select.getGroup(),
                select.getHaving(),
                select.getWindowList(),
                select.getQualify(),
                null,
                null,
                null,
                null);
        select.setSelectList(outer);
        select.setFrom(as(grouped, QUERY, place));
        select.setWhere(null);
        select.setGroupBy(null);
        select.setHaving(null);
        select.setQualify(null);
        select.setOperand(WINDOWS, new SqlNodeList(place));
    }

    /** A column of the inner query, or the function with such columns as arguments. */
    private SqlNode moved(SqlNode value, SqlNodeList inner) {
        if (value instanceof SqlLiteral) {
            return value;
        }
        if (!hasFunction(value)) {
            if (value instanceof SqlIdentifier name && name.isStar()) {
                throw refused("beside a star and groups");
            }
            String name = "#" + inner.size();
            inner.add(as(value, name, value.getParserPosition()));
            return new SqlIdentifier(List.of(QUERY, name), value.getParserPosition());
        }
        SqlCall call = (SqlCall) value;
        List<SqlNode> operands = call.getOperandList();
        for (int i = 0; i < operands.size(); i++) {
            if (operands.get(i) instanceof SqlCall || operands.get(i) instanceof SqlIdentifier) {
                call.setOperand(i, moved(operands.get(i), inner));
            }
        }
        return call;
    }
}
