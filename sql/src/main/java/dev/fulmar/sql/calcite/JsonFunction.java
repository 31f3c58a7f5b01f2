package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.TypeKind;
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
 * A function or operator of documents. Its arguments are of types that a letter for each says. J is a JSON, B a JSONB,
 * D one of the two, j and b what becomes one, T a text, K a text or an integer, M one of these or an array of texts.
 * P is keys and indexes as an array of texts or the text of one, Z a BOOLEAN, * anything. A plus sign behind the last
 * letter says that there may be any number of such arguments.
 */
public final class JsonFunction extends SqlFunction {
    private final transient ScalarFunction function;
    private final String parameters;
    private final String shown;

    private JsonFunction(
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

    static JsonFunction of(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type) {
        return new JsonFunction(name, shown, function, parameters, least, type);
    }

    /** The function by its name in plans. */
    public ScalarFunction function() {
        return function;
    }

    /** The letter of the argument at the place. */
    public char letter(int place) {
        return letter(parameters, place);
    }

    private static boolean isVariadic(String parameters) {
        return parameters.length() > 1 && parameters.endsWith("+");
    }

    private static char letter(String parameters, int place) {
        int last = parameters.length() - (isVariadic(parameters) ? 2 : 1);
        return parameters.charAt(Math.min(place, last));
    }

    /** The type of a parameter at the place; empty where that is open. */
    Optional<RelDataType> parameter(RelDataTypeFactory types, int place) {
        return switch (letter(place)) {
            case 'J', 'j' -> Optional.of(JsonType.of(types, TypeKind.JSON, true));
            case 'B', 'b' -> Optional.of(JsonType.of(types, TypeKind.JSONB, true));
            case 'T', 'K', 'M', 'P' -> Optional.of(types.createSqlType(SqlTypeName.VARCHAR));
            case 'Z' -> Optional.of(types.createSqlType(SqlTypeName.BOOLEAN));
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
                if (!takes(letter(parameters, i), binding.getOperandType(i))) {
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
            return type instanceof JsonType json
                    ? json.kind().name()
                    : ArrayType.is(type)
                            ? TypeMapping.columnType(type).toString()
                            : type.getSqlTypeName().getName();
        }

        private static boolean takes(char letter, RelDataType type) {
            boolean isOpen = type.getSqlTypeName() == SqlTypeName.NULL
                    || type.getSqlTypeName() == SqlTypeName.UNKNOWN
                    || letter == '*'
                    || letter == 'j'
                    || letter == 'b';
            boolean isText = SqlTypeUtil.inCharFamily(type) && !JsonType.isAny(type) && !ArrayType.is(type);
            return isOpen
                    || switch (letter) {
                        case 'J' -> JsonType.is(type, TypeKind.JSON) || JsonType.isLiteral(type);
                        case 'B' -> JsonType.is(type, TypeKind.JSONB) || JsonType.isLiteral(type);
                        case 'D' -> JsonType.isAny(type);
                        case 'K' -> isText || SqlTypeUtil.isIntType(type);
                        case 'M' -> isText || SqlTypeUtil.isIntType(type) || ArrayType.is(type);
                        case 'P' -> isText || ArrayType.is(type);
                        case 'Z' -> type.getSqlTypeName() == SqlTypeName.BOOLEAN;
                        default -> isText;
                    };
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return isVariadic(parameters)
                    ? SqlOperandCountRanges.from(least)
                    : SqlOperandCountRanges.between(least, parameters.length());
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
