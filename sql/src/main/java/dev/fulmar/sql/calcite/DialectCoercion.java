package dev.fulmar.sql.calcite;

import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * Keeps Calcite from converting one text type to another implicitly, between CHAR and VARCHAR or to another length.
 * Else the list of an IN would make a CHAR a VARCHAR, whose blanks count, and cut what is longer. Which of two texts
 * becomes a CHAR is said by {@link DialectRexBuilder}, of comparisons, and {@link DialectTypeFactory}, of what yields
 * either.
 */
final class DialectCoercion extends TypeCoercionImpl {
    private static final Set<SqlTypeName> MOMENTS =
            Set.of(SqlTypeName.DATE, SqlTypeName.TIMESTAMP, SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE);

    DialectCoercion(RelDataTypeFactory typeFactory, SqlValidator validator) {
        super(typeFactory, validator);
    }

    @Override
    public @Nullable RelDataType commonTypeForBinaryComparison(@Nullable RelDataType one, @Nullable RelDataType other) {
        boolean areTexts =
                one != null && other != null && SqlTypeUtil.inCharFamily(one) && SqlTypeUtil.inCharFamily(other);
        return areTexts ? null : super.commonTypeForBinaryComparison(one, other);
    }

    /** Calcite converts the sides of IN alone. A date and a timestamp meet in {@code = ANY (SELECT ...)} too. */
    @Override
    public boolean inOperationCoercion(SqlCallBinding binding) {
        if (!(binding.getOperator() instanceof SqlQuantifyOperator)
                || !binding.operand(1).getKind().belongsTo(SqlKind.QUERY)
                || !areUnlikeMoments(binding)) {
            return super.inOperationCoercion(binding);
        }
        SqlCall call = binding.getCall();
        SqlCall membership = SqlStdOperatorTable.IN.createCall(call.getParserPosition(), call.getOperandList());
        boolean isConverted = super.inOperationCoercion(new SqlCallBinding(validator, binding.getScope(), membership));
        call.setOperand(0, membership.operand(0));
        return isConverted;
    }

    /** Whether the sides are a date or a timestamp each, and not the same. */
    private static boolean areUnlikeMoments(SqlCallBinding binding) {
        RelDataType row = binding.getOperandType(1);
        SqlTypeName left = binding.getOperandType(0).getSqlTypeName();
        SqlTypeName right = row.isStruct() && row.getFieldCount() == 1
                ? row.getFieldList().getFirst().getType().getSqlTypeName()
                : row.getSqlTypeName();
        return left != right && MOMENTS.contains(left) && MOMENTS.contains(right);
    }

    @Override
    protected boolean needToCast(
            SqlValidatorScope scope, SqlNode node, RelDataType toType, SqlTypeMappingRule mappingRule) {
        RelDataType type = validator.deriveType(scope, node);
        if ((JsonType.isAny(type) && !JsonType.isAny(toType)) || (IntervalType.is(type) && !IntervalType.is(toType))) {
            return false; // a document or interval is no text, and becomes a number by a CAST that is written
        }
        if (ArrayType.is(type) && !ArrayType.is(toType)) {
            return false; // as of a document
        }
        if (EnumType.isAny(type)) {
            return false; // a label is no text either
        }
        if (type.isStruct() && toType.isStruct() && hasOwnType(type)) {
            return false; // the CAST would name Calcite's type of the value, which is a text
        }
        boolean isText = SqlTypeUtil.inCharFamily(toType) && SqlTypeUtil.inCharFamily(type);
        return !isText && super.needToCast(scope, node, toType, mappingRule);
    }

    /** Whether a value of the row is of a type that is a text to Calcite. */
    private static boolean hasOwnType(RelDataType row) {
        return row.getFieldList().stream()
                .map(RelDataTypeField::getType)
                .anyMatch(type ->
                        JsonType.isAny(type) || IntervalType.is(type) || ArrayType.is(type) || EnumType.isAny(type));
    }
}
