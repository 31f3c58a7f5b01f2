package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Texts of a result that are made of literals alone. Calcite gives them the length of the longest one, and to a client
 * they are texts of any length, as in PostgreSQL.
 */
final class ShownTexts {
    private ShownTexts() {}

    /**
     * The type of the column as a client sees it.
     *
     * @param statement that is validated
     */
    static ColumnType type(SqlNode statement, RelNode rel, RelDataTypeField field) {
        int column = field.getIndex();
        ColumnType type = TypeMapping.columnType(field.getType());
        boolean isBounded = type.kind() == TypeKind.VARCHAR && type.precision() < TypeMapping.MAX_LENGTH;
        return isBounded && !isCast(item(statement, column)) && isOfLiterals(rel, column)
                ? ColumnType.varchar(TypeMapping.MAX_LENGTH)
                : type;
    }

    private static @Nullable SqlNode item(SqlNode statement, int column) {
        return switch (statement) {
            case SqlOrderBy order -> item(order.query, column);
            case SqlWith with -> item(with.body, column);
            case SqlSelect select
            when column < select.getSelectList().size() ->
                select.getSelectList().get(column);
            default -> null;
        };
    }

    private static boolean isCast(@Nullable SqlNode item) {
        return item instanceof SqlBasicCall call
                && (call.getKind() == SqlKind.AS
                        ? isCast(call.operand(0))
                        : call.getKind() == SqlKind.CAST
                                || call.getOperator().getName().equals("::"));
    }

    private static boolean isOfLiterals(RelNode rel, int column) {
        return switch (rel) {
            case Project project -> isOfLiterals(project.getProjects().get(column), project.getInput());
            case Filter filter -> isOfLiterals(filter.getInput(), column);
            case Sort sort -> isOfLiterals(sort.getInput(), column);
            case SetOp union -> union.getInputs().stream().allMatch(input -> isOfLiterals(input, column));
            case Aggregate aggregate ->
                column < aggregate.getGroupCount()
                        && isOfLiterals(
                                aggregate.getInput(), aggregate.getGroupSet().nth(column));
            case Join join -> {
                int width = join.getLeft().getRowType().getFieldCount();
                yield column < width
                        ? isOfLiterals(join.getLeft(), column)
                        : isOfLiterals(join.getRight(), column - width);
            }
            case Values values -> true;
            default -> false;
        };
    }

    private static boolean isOfLiterals(RexNode value, RelNode input) {
        return switch (value) {
            case RexLiteral literal -> true;
            case RexInputRef column -> isOfLiterals(input, column.getIndex());
            case RexCall call
            when call.getKind() == SqlKind.CASE -> {
                boolean are = true;
                for (int i = 0; i < call.getOperands().size(); i++) {
                    boolean isValue = i % 2 == 1 || i == call.getOperands().size() - 1;
                    are &= !isValue || isOfLiterals(call.getOperands().get(i), input);
                }
                yield are;
            }
            case RexCall call
            when call.getKind() == SqlKind.CAST
                    && call.getOperands().getFirst().getType().getSqlTypeName() == SqlTypeName.CHAR ->
                isOfLiterals(call.getOperands().getFirst(), input);
            default -> false;
        };
    }
}
