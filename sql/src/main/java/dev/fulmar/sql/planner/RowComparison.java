package dev.fulmar.sql.planner;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Takes comparisons of rows apart, but for equality, which Calcite does: {@code (a, b) > (x, y)} is
 * {@code a > x OR (a = x AND b > y)} (ISO 9075-2, 8.2). It adds what follows from that for the first values,
 * {@code a >= x}, for an index to serve it.
 */
final class RowComparison {
    private RowComparison() {}

    static boolean isOne(RexCall call) {
        return call.getOperands().stream().allMatch(operand -> row(operand) != null);
    }

    /** The ROW, perhaps under casts to rows of other types. */
    private static @Nullable RexCall row(RexNode value) {
        return value instanceof RexCall call
                ? switch (call.getKind()) {
                    case ROW -> call;
                    case CAST -> row(call.getOperands().getFirst());
                    default -> null;
                }
                : null;
    }

    static RexNode of(RexCall call, RexBuilder rexBuilder) {
        List<RexNode> left = values(call.getOperands().getFirst(), rexBuilder);
        List<RexNode> right = values(call.getOperands().get(1), rexBuilder);
        if (call.getKind() == SqlKind.NOT_EQUALS) {
            return unequal(left, right, rexBuilder);
        }
        boolean isLess = call.getKind() == SqlKind.LESS_THAN || call.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
        SqlOperator strict = isLess ? SqlStdOperatorTable.LESS_THAN : SqlStdOperatorTable.GREATER_THAN;
        int last = left.size() - 1;
        RexNode condition = rexBuilder.makeCall(call.getOperator(), left.get(last), right.get(last));
        for (int i = last - 1; i >= 0; i--) {
            RexNode equal = rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, left.get(i), right.get(i));
            condition = RexUtil.composeDisjunction(
                    rexBuilder,
                    List.of(
                            rexBuilder.makeCall(strict, left.get(i), right.get(i)),
                            RexUtil.composeConjunction(rexBuilder, List.of(equal, condition))));
        }
        SqlOperator bound = isLess ? SqlStdOperatorTable.LESS_THAN_OR_EQUAL : SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
        RexNode first = rexBuilder.makeCall(bound, left.getFirst(), right.getFirst());
        return last == 0 ? condition : RexUtil.composeConjunction(rexBuilder, List.of(first, condition));
    }

    private static RexNode unequal(List<RexNode> left, List<RexNode> right, RexBuilder rexBuilder) {
        List<RexNode> terms = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            terms.add(rexBuilder.makeCall(SqlStdOperatorTable.NOT_EQUALS, left.get(i), right.get(i)));
        }
        return RexUtil.composeDisjunction(rexBuilder, terms);
    }

    private static List<RexNode> values(RexNode row, RexBuilder rexBuilder) {
        RexCall call = (RexCall) row;
        if (call.getKind() == SqlKind.ROW) {
            return call.getOperands();
        }
        List<RexNode> inner = values(call.getOperands().getFirst(), rexBuilder);
        List<RexNode> values = new ArrayList<>(inner.size());
        for (int i = 0; i < inner.size(); i++) {
            RexNode value = inner.get(i);
            RelDataType type = call.getType().getFieldList().get(i).getType();
            boolean isSame = SqlTypeUtil.equalSansNullability(rexBuilder.getTypeFactory(), value.getType(), type);
            values.add(isSame ? value : rexBuilder.makeCast(type, value));
        }
        return values;
    }
}
