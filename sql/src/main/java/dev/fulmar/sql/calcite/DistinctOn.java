package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT DISTINCT ON (a) ... ORDER BY a, b} keeps the first row of each a: those whose ROW_NUMBER() OVER
 * (PARTITION BY a ORDER BY a, b) is 1 (PostgreSQL manual §7.3.3).
 */
final class DistinctOn {
    /** The name of the call that {@link CompletedTokens} makes of the keys. */
    static final String MARK = "#ON";

    private static final SqlShuttle COPY = new SqlShuttle() {
        @Override
        public SqlNode visit(SqlIdentifier name) {
            return name.clone(name.getParserPosition());
        }

        @Override
        public @Nullable SqlNode visit(SqlCall call) {
            CallCopyingArgHandler copied = new CallCopyingArgHandler(call, true);
            call.getOperator().acceptCall(this, call, false, copied);
            return copied.result();
        }
    };

    private DistinctOn() {}

    /** Changes the statement in place. */
    static void settle(@Nullable SqlNode node) {
        switch (node) {
            case SqlOrderBy order
            when sorted(order) instanceof SqlSelect select && isMarked(select) -> {
                settle(select, order.orderList);
                settle(order.query);
            }
            case SqlSelect select
            when isMarked(select) -> {
                settle(select, SqlNodeList.EMPTY);
                settle((SqlNode) select);
            }
            case SqlCall call -> call.getOperandList().forEach(DistinctOn::settle);
            case SqlNodeList list -> list.forEach(DistinctOn::settle);
            case null, default -> {}
        }
    }

    /** The query whose rows are sorted; WITH stands between. */
    static SqlNode sorted(SqlOrderBy order) {
        return order.query instanceof SqlWith with ? with.body : order.query;
    }

    private static boolean isMarked(SqlSelect select) {
        return !select.getSelectList().isEmpty()
                && select.getSelectList().get(0) instanceof SqlBasicCall call
                && call.getOperator().getName().equals(MARK);
    }

    private static void settle(SqlSelect select, SqlNodeList order) {
        SqlNodeList marked = select.getSelectList();
        SqlBasicCall mark = (SqlBasicCall) marked.get(0);
        SqlParserPos position = mark.getParserPosition();
        if (select.getQualify() != null || marked.size() == 1) {
            throw SqlErrors.at(
                    ErrorCode.SYNTAX,
                    at(position),
                    "SELECT DISTINCT ON (keys) is followed by columns, and by no QUALIFY");
        }
        SqlNodeList items = new SqlNodeList(marked.subList(1, marked.size()), marked.getParserPosition());
        SqlNodeList keys = new SqlNodeList(position);
        for (SqlNode said : mark.getOperandList()) {
            SqlNode key = meaning(said, items);
            if (keys.stream().noneMatch(each -> each.equalsDeep(key, Litmus.IGNORE))) {
                keys.add(copy(key));
            }
        }
        SqlNodeList sorted = new SqlNodeList(position);
        for (SqlNode item : order) {
            sorted.add(ordered(item, items));
        }
        check(keys, sorted, position);
        SqlWindow window = SqlWindow.create(
                null, null, keys, sorted, SqlLiteral.createBoolean(false, position), null, null, null, position);
        SqlNode place = SqlStdOperatorTable.OVER.createCall(
                position, SqlStdOperatorTable.ROW_NUMBER.createCall(position), window);
        select.setSelectList(items);
        select.setQualify(
                SqlStdOperatorTable.EQUALS.createCall(position, place, SqlLiteral.createExactNumeric("1", position)));
    }

    /** The rows of a key come together only if the order begins with the keys. */
    private static void check(SqlNodeList keys, SqlNodeList sorted, SqlParserPos position) {
        int common = Math.min(keys.size(), sorted.size());
        for (SqlNode item : sorted.subList(0, common)) {
            SqlNode value = bare(item);
            if (keys.stream().noneMatch(key -> key.equalsDeep(value, Litmus.IGNORE))) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_COLUMN_REFERENCE,
                        at(position),
                        "the keys of SELECT DISTINCT ON come first in ORDER BY");
            }
        }
    }

    /** The meaning of an item of ORDER BY, with its direction. */
    static SqlNode ordered(SqlNode item, SqlNodeList items) {
        return switch (item.getKind()) {
            case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
                SqlCall call = (SqlCall) item;
                yield call.getOperator().createCall(item.getParserPosition(), ordered(call.operand(0), items));
            }
            default -> copy(meaning(item, items));
        };
    }

    private static SqlNode bare(SqlNode item) {
        return switch (item.getKind()) {
            case DESCENDING, NULLS_FIRST, NULLS_LAST -> bare(((SqlCall) item).operand(0));
            default -> item;
        };
    }

    /** A number is the place of an item, and a name first that of one. */
    private static SqlNode meaning(SqlNode said, SqlNodeList items) {
        if (said instanceof SqlNumericLiteral number && number.isInteger()) {
            int place = number.intValue(true);
            List<SqlNode> before = new ArrayList<>(items.subList(0, Math.clamp(place, 0, items.size())));
            boolean isKnown =
                    place >= 1 && place <= items.size() && before.stream().noneMatch(DistinctOn::isStar);
            if (!isKnown) {
                throw unknown(said);
            }
            return value(items.get(place - 1));
        }
        if (said instanceof SqlIdentifier name && name.isSimple()) {
            for (SqlNode item : items) {
                if (name.getSimple().equals(named(item))) {
                    return value(item);
                }
            }
        }
        return said;
    }

    /** The name of an item; null for one without. */
    private static @Nullable String named(SqlNode item) {
        if (item.getKind() == SqlKind.AS) {
            return ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple();
        }
        return item instanceof SqlIdentifier column && !column.isStar() ? column.names.getLast() : null;
    }

    private static FulmarException unknown(SqlNode said) {
        return SqlErrors.at(
                ErrorCode.INVALID_COLUMN_REFERENCE,
                at(said.getParserPosition()),
                "there is no item " + said + " in the list of columns, or a star stands before it; name the column");
    }

    private static boolean isStar(SqlNode item) {
        return item instanceof SqlIdentifier name && name.isStar();
    }

    private static SqlNode value(SqlNode item) {
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    private static SqlNode copy(SqlNode node) {
        SqlNode copied = node.accept(COPY);
        return copied == null ? node : copied;
    }

    private static Position at(SqlParserPos position) {
        return new Position(position.getLineNum(), position.getColumnNum());
    }
}
