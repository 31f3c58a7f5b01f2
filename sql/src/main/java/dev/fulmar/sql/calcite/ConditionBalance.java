package dev.fulmar.sql.calcite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Turns chains of AND and of OR into trees of logarithmic depth. The parser builds them as deep as they are long, and
 * everything behind the parser recurses over them.
 */
final class ConditionBalance {
    private ConditionBalance() {}

    /** Balances the chains inside the statement, in place. */
    static void balance(SqlNode statement) {
        Deque<SqlNode> open = new ArrayDeque<>();
        open.push(statement);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node instanceof SqlNodeList list) {
                for (int i = 0; i < list.size(); i++) {
                    SqlNode item = list.get(i);
                    if (isChain(item)) {
                        list.set(i, balanced((SqlCall) item));
                    }
                    open.push(list.get(i));
                }
            } else if (node instanceof SqlCall call) {
                balanceOperands(call, open);
            }
        }
    }

    private static void balanceOperands(SqlCall call, Deque<SqlNode> open) {
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        for (int i = 0; i < operands.size(); i++) {
            SqlNode operand = operands.get(i);
            if (isChain(operand) && operand.getKind() != call.getKind()) {
                operand = balanced((SqlCall) operand);
                call.setOperand(i, operand);
            }
            if (operand != null) {
                open.push(operand);
            }
        }
    }

    private static boolean isChain(SqlNode node) {
        return node instanceof SqlCall call
                && (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR)
                && call.operandCount() == 2
                && (call.operand(0).getKind() == call.getKind()
                        || call.operand(1).getKind() == call.getKind());
    }

    private static SqlNode balanced(SqlCall chain) {
        List<SqlNode> terms = new ArrayList<>();
        Deque<SqlNode> open = new ArrayDeque<>();
        open.push(chain);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (node.getKind() == chain.getKind() && node instanceof SqlCall call) {
                open.push(call.operand(1));
                open.push(call.operand(0));
            } else {
                terms.add(node);
            }
        }
        return tree(chain, terms);
    }

    private static SqlNode tree(SqlCall chain, List<SqlNode> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        int middle = terms.size() / 2;
        return chain.getOperator()
                .createCall(
                        chain.getParserPosition(),
                        tree(chain, terms.subList(0, middle)),
                        tree(chain, terms.subList(middle, terms.size())));
    }
}
