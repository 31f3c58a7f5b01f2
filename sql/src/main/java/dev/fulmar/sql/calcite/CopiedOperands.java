package dev.fulmar.sql.calcite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlInternalOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites COALESCE and NULLIF of subqueries as CASE in the syntax tree, with a copy of each operand that the CASE has
 * twice. Calcite would write the same CASE, but share what is in the subqueries, and what a name in a shared subquery
 * means is known for one of the two places only.
 */
final class CopiedOperands {
    private CopiedOperands() {}

    /** Changes the statement in place. */
    static void copy(SqlNode statement) {
        Deque<SqlNode> open = new ArrayDeque<>();
        open.push(statement);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node instanceof SqlNodeList list) {
                for (int i = 0; i < list.size(); i++) {
                    SqlNode written = written(list.get(i));
                    if (written != null) {
                        list.set(i, written);
                    }
                    open.push(list.get(i));
                }
            } else if (node instanceof SqlCall call) {
                ofCall(call, open);
            }
        }
    }

    private static void ofCall(SqlCall call, Deque<SqlNode> open) {
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        for (int i = 0; i < operands.size(); i++) {
            SqlNode operand = operands.get(i);
            if (operand == null) {
                continue;
            }
            SqlNode written = written(operand);
            if (written != null) {
                call.setOperand(i, written);
                operand = written;
            }
            open.push(operand);
        }
    }

    /** The replacement of the node, or null if the node may stay. */
    private static @Nullable SqlNode written(SqlNode node) {
        if (!(node instanceof SqlCall call)) {
            return null;
        }
        List<SqlNode> operands = call.getOperandList();
        return switch (call.getOperator().getName()) {
            case "COALESCE" -> operands.size() > 1 && hasQuery(call) ? coalesce(call) : null;
            case "NULLIF" -> operands.size() == 2 && hasQuery(operands.getFirst()) ? nullIf(call) : null;
            default -> null;
        };
    }

    private static SqlNode coalesce(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        SqlNodeList conditions = new SqlNodeList(position);
        SqlNodeList values = new SqlNodeList(position);
        List<SqlNode> operands = call.getOperandList();
        for (SqlNode operand : operands.subList(0, operands.size() - 1)) {
            conditions.add(SqlStdOperatorTable.IS_NOT_NULL.createCall(position, operand));
            values.add(SqlInternalOperators.CAST_NOT_NULL.createCall(position, copied(operand)));
        }
        return SqlCase.createSwitched(position, null, conditions, values, operands.getLast());
    }

    private static SqlNode nullIf(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        return SqlCase.createSwitched(
                position,
                call.operand(0),
                SqlNodeList.of(call.operand(1)),
                SqlNodeList.of(SqlLiteral.createNull(SqlParserPos.ZERO)),
                copied(call.operand(0)));
    }

    private static boolean hasQuery(SqlNode node) {
        return switch (node) {
            case SqlCall call ->
                SqlKind.QUERY.contains(call.getKind())
                        || call.getOperandList().stream().anyMatch(operand -> operand != null && hasQuery(operand));
            case SqlNodeList list -> list.stream().anyMatch(item -> item != null && hasQuery(item));
            default -> false;
        };
    }

    /** A copy of all but constants and parameters. */
    static SqlNode copied(SqlNode node) {
        return node.accept(new SqlShuttle() {
            @Override
            public @Nullable SqlNode visit(SqlCall call) {
                CallCopyingArgHandler copy = new CallCopyingArgHandler(call, true);
                call.getOperator().acceptCall(this, call, false, copy);
                return copy.result();
            }

            @Override
            public SqlNode visit(SqlIdentifier name) {
                return name.clone(name.getParserPosition());
            }

            @Override
            public SqlNode visit(SqlNodeList list) {
                SqlNodeList items = new SqlNodeList(list.getParserPosition());
                list.forEach(item -> items.add(item == null ? null : item.accept(this)));
                return items;
            }
        });
    }
}
