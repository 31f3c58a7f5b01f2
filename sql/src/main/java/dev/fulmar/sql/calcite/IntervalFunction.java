package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A function or operator of intervals. Its arguments are of types that a letter for each says. I is an interval or the
 * literal of one, i what becomes one, N a number or the literal of one, W an integer, M a moment, D a date, T a text.
 */
public final class IntervalFunction extends SqlFunction {
    private final transient ScalarFunction function;
    private final String parameters;
    private final String shown;

    private IntervalFunction(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                type,
                null,
                new Arguments(shown, parameters, least),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
        this.parameters = parameters;
        this.shown = shown;
    }

    static IntervalFunction of(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        return new IntervalFunction(name, shown, function, parameters, least, type);
    }

    /** The function by its name in plans. */
    public ScalarFunction function() {
        return function;
    }

    /** The letter of the argument at the place. */
    public char letter(int place) {
        return parameters.charAt(Math.min(place, parameters.length() - 1));
    }

    /** The type of a parameter at the place; empty where that is open. */
    Optional<RelDataType> parameter(RelDataTypeFactory types, int place) {
        return switch (letter(place)) {
            case 'I', 'i' -> Optional.of(IntervalType.ofAll(types));
            case 'N' -> Optional.of(types.createSqlType(SqlTypeName.DOUBLE));
            case 'W' -> Optional.of(types.createSqlType(SqlTypeName.INTEGER));
            case 'T' -> Optional.of(types.createSqlType(SqlTypeName.VARCHAR));
            default -> Optional.empty();
        };
    }

    /** The function as the statement writes it. */
    public String shown() {
        return shown;
    }

    /** The arguments that a call may have. */
    private record Arguments(String shown, String parameters, int least) implements SqlOperandTypeChecker {
        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
            for (int i = 0; i < binding.getOperandCount(); i++) {
                if (!takes(parameters.charAt(i), binding.getOperandType(i))) {
                    if (throwOnFailure) {
                        SqlParserPos place = binding.getCall().getParserPosition();
                        String types = binding.collectOperandTypes().stream()
                                .map(Arguments::text)
                                .collect(Collectors.joining(", "));
                        throw SqlErrors.at(
                                ErrorCode.UNDEFINED_OPERATION,
                                new Position(place.getLineNum(), place.getColumnNum()),
                                shown + " does not take (" + types
                                        + "); docs/SQL.md lists what it takes, and CAST helps");
                    }
                    return false;
                }
            }
            return true;
        }

        private static String text(RelDataType type) {
            return switch (type) {
                case JsonType json -> json.kind().name();
                case IntervalType interval -> interval.columnType().toString();
                default -> type.getSqlTypeName().getName();
            };
        }

        private static boolean takes(char letter, RelDataType type) {
            SqlTypeName name = type.getSqlTypeName();
            boolean isOpen = name == SqlTypeName.NULL || name == SqlTypeName.UNKNOWN || letter == 'i';
            return isOpen
                    || switch (letter) {
                        case 'I' -> IntervalType.is(type) || JsonType.isLiteral(type);
                        case 'N' -> SqlTypeUtil.isNumeric(type) || JsonType.isLiteral(type);
                        case 'W' -> SqlTypeUtil.isIntType(type);
                        case 'M' -> SqlTypeUtil.isDatetime(type);
                        case 'D' -> name == SqlTypeName.DATE;
                        default -> SqlTypeUtil.inCharFamily(type) && !JsonType.isAny(type) && !IntervalType.is(type);
                    };
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlOperandCountRanges.between(least, parameters.length());
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return shown;
        }

        @Override
        public Consistency getConsistency() {
            return Consistency.NONE;
        }

        @Override
        public boolean isOptional(int place) {
            return place >= least;
        }
    }
}
