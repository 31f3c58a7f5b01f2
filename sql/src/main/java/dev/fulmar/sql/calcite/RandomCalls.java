package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the calls of RANDOM and GEN_RANDOM_UUID in a statement. Calcite copies what it rewrites, as in BETWEEN and
 * CASE, and copies of one call keep its number. So it is known that they are one value, or that there would be several.
 */
final class RandomCalls {
    /** A random number of 0 to 1. */
    static final SqlFunction NUMBER = of("#RANDOM", SqlTypeName.DOUBLE);

    /** A random UUID. */
    static final SqlFunction UUID = of("#UUID", SqlTypeName.UUID);

    private static final Map<String, SqlFunction> BY_NAME =
            Map.of("RANDOM", NUMBER, "GEN_RANDOM_UUID", UUID, "UUID_GENERATE_V4", UUID);

    private static final Set<String> SCHEMAS = Set.of("PUBLIC", "PG_CATALOG");

    private final Catalog catalog;
    private int calls;

    private RandomCalls(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Names that statements have for them. */
    static Set<String> names() {
        return BY_NAME.keySet();
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement, Catalog catalog) {
        boolean isOfQuery = SqlKind.QUERY.contains(statement.getKind()) || statement.getKind() == SqlKind.INSERT;
        new RandomCalls(catalog).in(statement, isOfQuery ? 0 : 1);
    }

    /** The calls of a default with numbers that no call of the statement and of another column has. */
    static RexNode ofColumn(RexNode value, int column, RexBuilder rex) {
        long first = (long) (column + 1) << Integer.SIZE;
        return value.accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                if (!call.getOperator().equals(NUMBER) && !call.getOperator().equals(UUID)) {
                    return super.visitCall(call);
                }
                long number = first + place(call);
                return rex.makeCall(
                        call.getType(), call.getOperator(), List.of(rex.makeExactLiteral(BigDecimal.valueOf(number))));
            }
        });
    }

    /** The number of the call in its statement. */
    static long place(RexCall call) {
        return RexLiteral.intValue(call.getOperands().getFirst());
    }

    private static SqlFunction of(String name, SqlTypeName type) {
        return new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.explicit(type),
                null,
                OperandTypes.NUMERIC,
                SqlFunctionCategory.SYSTEM) {
            @Override
            public boolean isDeterministic() {
                return false;
            }

            @Override
            public boolean isDynamicFunction() {
                return true;
            }
        };
    }

    /** @param queries around the node, those alone whose rows are not among the rows of the query around them */
    private void in(@Nullable SqlNode node, int queries) {
        int inner = node instanceof SqlSelect ? queries + 1 : queries;
        if (node instanceof SqlNodeList list) {
            for (int i = 0; i < list.size(); i++) {
                SqlNode item = list.get(i);
                SqlNode numbered = numbered(item, inner);
                if (numbered != null) {
                    list.set(i, numbered);
                }
                in(item, inner);
            }
        } else if (node instanceof SqlCall call) {
            List<SqlNode> operands = call.getOperandList();
            for (int i = 0; i < operands.size(); i++) {
                SqlNode operand = operands.get(i);
                boolean isSource = call instanceof SqlSelect && i == SqlSelect.FROM_OPERAND;
                if (isSource) {
                    in(operand, queries);
                    continue;
                }
                SqlNode numbered = numbered(operand, inner);
                if (numbered != null) {
                    call.setOperand(i, numbered);
                }
                in(operand, inner);
            }
        }
    }

    /** The call with its number, or null if it is another one. */
    private @Nullable SqlNode numbered(@Nullable SqlNode node, int queries) {
        if (!(node instanceof SqlCall call)
                || !(call.getOperator() instanceof SqlUnresolvedFunction function)
                || call.operandCount() > 0) {
            return null;
        }
        SqlFunction known = known(function.getNameAsId());
        if (known == null) {
            return null;
        }
        if (queries > 1) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    new Position(
                            call.getParserPosition().getLineNum(),
                            call.getParserPosition().getColumnNum()),
                    "random values are for the rows of a statement, and none of its subqueries; draw them in a statement"
                            + " before, or pass a parameter");
        }
        return known.createCall(
                call.getParserPosition(),
                SqlLiteral.createExactNumeric(Integer.toString(++calls), call.getParserPosition()));
    }

    private @Nullable SqlFunction known(SqlIdentifier name) {
        int parts = name.names.size();
        String last = name.names.get(parts - 1);
        boolean isOurs = parts == 1
                ? !catalog.functions().containsKey(last)
                : parts == 2 && SCHEMAS.contains(name.names.getFirst());
        return isOurs ? BY_NAME.get(last) : null;
    }
}
