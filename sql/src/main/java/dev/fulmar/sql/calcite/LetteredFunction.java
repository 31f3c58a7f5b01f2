package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
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

/**
 * A function or operator whose arguments are of types that a letter for each says. A plus sign behind the last letter
 * says that there may be any number of such arguments.
 */
abstract class LetteredFunction extends SqlFunction {
    private final transient ScalarFunction function;
    private final String parameters;
    private final String shown;

    /** Meaning of the letters. */
    @FunctionalInterface
    interface Letters {
        /** Whether the argument of the letter may be of the type. */
        boolean take(char letter, RelDataType type);
    }

    /**
     * @param shown the function as the statement writes it
     * @param parameters letters of the arguments
     * @param least arguments of a call
     */
    LetteredFunction(
            String name,
            String shown,
            ScalarFunction function,
            String parameters,
            int least,
            SqlReturnTypeInference type,
            Letters letters) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                type,
                null,
                new Arguments(shown, parameters, least, letters),
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
        this.parameters = parameters;
        this.shown = shown;
    }

    /** The function by its name in plans. */
    public final ScalarFunction function() {
        return function;
    }

    /** The letter of the argument at the place. */
    public final char letter(int place) {
        return letter(parameters, place);
    }

    /** The function as the statement writes it. */
    public final String shown() {
        return shown;
    }

    final String parameters() {
        return parameters;
    }

    private static boolean isVariadic(String parameters) {
        return parameters.length() > 1 && parameters.endsWith("+");
    }

    static char letter(String parameters, int place) {
        int last = parameters.length() - (isVariadic(parameters) ? 2 : 1);
        return parameters.charAt(Math.min(place, last));
    }

    /** The arguments that a call may have. */
    private record Arguments(String shown, String parameters, int least, Letters letters)
            implements SqlOperandTypeChecker {
        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
            for (int i = 0; i < binding.getOperandCount(); i++) {
                if (!letters.take(letter(parameters, i), binding.getOperandType(i))) {
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
                default ->
                    ArrayType.is(type)
                            ? TypeMapping.columnType(type).toString()
                            : type.getSqlTypeName().getName();
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
