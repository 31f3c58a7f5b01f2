package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A function that yields several values. Its type is that of one of them. It stands in {@link RowsTable} alone. */
public final class ValuesFunction extends SqlFunction {
    static final ValuesFunction SERIES = new ValuesFunction(RowFunctions.SERIES_NAME, RowFunction.Kind.SERIES, 3);
    static final ValuesFunction ELEMENTS = new ValuesFunction(RowFunctions.ELEMENTS_NAME, RowFunction.Kind.ELEMENTS, 1);

    private static final int MOST_DIGITS = 38;

    private final RowFunction.Kind kind;

    private ValuesFunction(String name, RowFunction.Kind kind, int arguments) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                kind == RowFunction.Kind.SERIES ? ValuesFunction::ofSeries : ValuesFunction::ofElements,
                InferTypes.FIRST_KNOWN,
                new Arguments(kind, arguments),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.kind = kind;
    }

    /** The function by its name in plans. */
    public RowFunction.Kind rowKind() {
        return kind;
    }

    /** Calcite would look for a function of this name. */
    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
        return validateOperands(validator, scope, call);
    }

    /** Each call yields its own values. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    private static RelDataType ofElements(SqlOperatorBinding binding) {
        return ArrayType.element(binding.getTypeFactory(), binding.getOperandType(0));
    }

    private static RelDataType ofSeries(SqlOperatorBinding binding) {
        RelDataTypeFactory types = binding.getTypeFactory();
        List<RelDataType> operands = binding.collectOperandTypes();
        RelDataType type;
        if (operands.stream().anyMatch(SqlTypeUtil::isDatetime)) {
            boolean areTimestamps = has(operands, SqlTypeName.TIMESTAMP);
            type = types.createSqlType(
                    areTimestamps ? SqlTypeName.TIMESTAMP : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
        } else if (has(operands, SqlTypeName.DECIMAL)) {
            int scale = operands.stream()
                    .filter(operand -> operand.getSqlTypeName() == SqlTypeName.DECIMAL)
                    .mapToInt(RelDataType::getScale)
                    .max()
                    .orElse(0);
            type = types.createSqlType(SqlTypeName.DECIMAL, MOST_DIGITS, scale);
        } else {
            type = types.createSqlType(has(operands, SqlTypeName.BIGINT) ? SqlTypeName.BIGINT : SqlTypeName.INTEGER);
        }
        return types.createTypeWithNullability(type, true);
    }

    private static boolean has(List<RelDataType> operands, SqlTypeName name) {
        return operands.stream().anyMatch(operand -> operand.getSqlTypeName() == name);
    }

    /** The arguments that a call may have. */
    private record Arguments(RowFunction.Kind kind, int most) implements SqlOperandTypeChecker {
        private static final int STEP = 2;

        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
            List<RelDataType> operands = binding.collectOperandTypes();
            boolean fits =
                    kind == RowFunction.Kind.ELEMENTS ? ArrayType.is(operands.getFirst()) : areOfSeries(operands);
            if (!fits && throwOnFailure) {
                SqlParserPos place = binding.getCall().getParserPosition();
                String shown = operands.stream()
                        .map(operand -> ArrayType.is(operand)
                                ? TypeMapping.columnType(operand).toString()
                                : operand.getSqlTypeName().getName())
                        .collect(Collectors.joining(", "));
                throw SqlErrors.at(
                        ErrorCode.UNDEFINED_OPERATION,
                        new Position(place.getLineNum(), place.getColumnNum()),
                        RowFunctions.shown(kind) + " does not take (" + shown + "); "
                                + (kind == RowFunction.Kind.SERIES
                                        ? "it takes exact numbers, or two moments and an interval"
                                        : "it takes an array")
                                + ", and CAST helps");
            }
            return fits;
        }

        private static boolean areOfSeries(List<RelDataType> operands) {
            List<RelDataType> bounds = operands.subList(0, STEP);
            boolean areMoments = bounds.stream().allMatch(operand -> isMoment(operand) || isOpen(operand))
                    && bounds.stream().anyMatch(Arguments::isMoment);
            if (areMoments) {
                return operands.size() > STEP && (IntervalType.is(operands.get(STEP)) || isOpen(operands.get(STEP)));
            }
            return operands.stream().allMatch(operand -> SqlTypeUtil.isExactNumeric(operand) || isUnknown(operand));
        }

        private static boolean isMoment(RelDataType type) {
            return SqlTypeUtil.isDatetime(type) && type.getSqlTypeName() != SqlTypeName.TIME;
        }

        private static boolean isOpen(RelDataType type) {
            return isUnknown(type) || JsonType.isLiteral(type);
        }

        private static boolean isUnknown(RelDataType type) {
            return type.getSqlTypeName() == SqlTypeName.NULL || type.getSqlTypeName() == SqlTypeName.UNKNOWN;
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlOperandCountRanges.between(kind == RowFunction.Kind.SERIES ? STEP : 1, most);
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return RowFunctions.shown(kind);
        }

        @Override
        public Consistency getConsistency() {
            return Consistency.NONE;
        }

        @Override
        public boolean isOptional(int place) {
            return place >= STEP;
        }
    }
}
