package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.text.FunctionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** A function of the engine whose arguments have types of their own, whatever is around the call. */
public final class LibraryFunction extends SqlFunction {
    private final transient ScalarFunction function;
    private final transient List<SqlTypeName> parameters;

    private LibraryFunction(
            String name,
            ScalarFunction function,
            SqlReturnTypeInference type,
            SqlOperandTypeChecker operands,
            List<SqlTypeName> parameters) {
        super(name, SqlKind.OTHER_FUNCTION, type, null, operands, SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.function = function;
        this.parameters = List.copyOf(parameters);
    }

    /** The function by its name in plans. */
    public ScalarFunction function() {
        return function;
    }

    /** The type to which an argument is converted; empty where it stays as it is. */
    public Optional<SqlTypeName> parameter(int place) {
        return place < parameters.size() && parameters.get(place) != SqlTypeName.ANY
                ? Optional.of(parameters.get(place))
                : Optional.empty();
    }

    /** The functions, by which a statement finds them. */
    static List<LibraryFunction> all() {
        List<LibraryFunction> all = new ArrayList<>(ofPostgres());
        all.addAll(List.of(
                of("SPLIT_PART", ScalarFunction.SPLIT_PART, text(), "TTI", 3),
                of("STARTS_WITH", ScalarFunction.STARTS_WITH, ReturnTypes.BOOLEAN_NULLABLE, "TT", 2),
                of("MD5", ScalarFunction.MD5, text(), "*", 1),
                of("SHA224", ScalarFunction.SHA224, bytes(), "B", 1),
                of("SHA256", ScalarFunction.SHA256, bytes(), "B", 1),
                of("SHA384", ScalarFunction.SHA384, bytes(), "B", 1),
                of("SHA512", ScalarFunction.SHA512, bytes(), "B", 1),
                of("ENCODE", ScalarFunction.ENCODE, text(), "BT", 2),
                of("DECODE", ScalarFunction.DECODE, bytes(), "TT", 2),
                of("#ENCODE", ScalarFunction.ENCODE_LINES, text(), "BT", 2),
                of("#DECODE", ScalarFunction.DECODE_WHOLE, bytes(), "TT", 2),
                of("QUOTE_LITERAL", ScalarFunction.QUOTE_LITERAL, text(), "T", 1),
                of("QUOTE_IDENT", ScalarFunction.QUOTE_IDENT, text(), "T", 1),
                of("TO_HEX", ScalarFunction.TO_HEX, text(), "i", 1),
                of("REGEXP_LIKE", ScalarFunction.REGEXP_LIKE, ReturnTypes.BOOLEAN_NULLABLE, "TTT", 2),
                of("REGEXP_COUNT", ScalarFunction.REGEXP_COUNT, ReturnTypes.INTEGER_NULLABLE, "TTIT", 2),
                of("REGEXP_INSTR", ScalarFunction.REGEXP_INSTR, ReturnTypes.INTEGER_NULLABLE, "TTIIITI", 2),
                of("REGEXP_SUBSTR", ScalarFunction.REGEXP_SUBSTR, DialectFunctions.TEXT_OR_NULL, "TTIITI", 2),
                of("REGEXP_REPLACE", ScalarFunction.REGEXP_REPLACE, text(), "TTT*IT", 3),
                of(FunctionNames.TRUNCATION, ScalarFunction.DATE_TRUNC, moment(), "TMT", 2),
                of("TO_CHAR", ScalarFunction.TO_CHAR_OF_TIME, LibraryFunction::textOrNull, "*T", 2),
                of("TO_NUMBER", ScalarFunction.TO_NUMBER, of(SqlTypeName.DECIMAL, 38, 12), "TT", 2),
                of("#TO_NUMBER", ScalarFunction.TO_NUMBER, numeric(), "TT", 2),
                of("TO_DATE", ScalarFunction.TO_DATE, ReturnTypes.DATE_NULLABLE, "TT", 2),
                of("TO_TIMESTAMP", ScalarFunction.TO_TIMESTAMP, instant(), "TT", 2),
                of("MAKE_DATE", ScalarFunction.MAKE_DATE, ReturnTypes.DATE_NULLABLE, "III", 3),
                of("MAKE_TIME", ScalarFunction.MAKE_TIME, of(SqlTypeName.TIME, 6), "IID", 3),
                of("MAKE_TIMESTAMP", ScalarFunction.MAKE_TIMESTAMP, of(SqlTypeName.TIMESTAMP, 6), "IIIIID", 6),
                of("#ROUNDED", ScalarFunction.CAST, ReturnTypes.ARG0_NULLABLE, "MI", 2),
                of("#EPOCH", ScalarFunction.EPOCH, of(SqlTypeName.DECIMAL, 20, 6), "MM", 1),
                of("#MOMENT", ScalarFunction.OF_EPOCH, instant(), "D", 1),
                of("GCD", ScalarFunction.GCD, ReturnTypes.LEAST_RESTRICTIVE, "LL", 2),
                of("LCM", ScalarFunction.LCM, ReturnTypes.LEAST_RESTRICTIVE, "LL", 2),
                of("FACTORIAL", ScalarFunction.FACTORIAL, of(SqlTypeName.DECIMAL, 38, 0), "L", 1),
                of("DIV", ScalarFunction.DIV, of(SqlTypeName.DECIMAL, 38, 0), "NN", 2)));
        return all;
    }

    /** A value as it is, which may be null. */
    static final LibraryFunction NULLABLE = of(
            "#NULLABLE", ScalarFunction.COALESCE, ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE), "*", 1);

    /** Those that ISO 9075 and other dialects do not have. */
    private static List<LibraryFunction> ofPostgres() {
        return List.of(
                of("MAKE_TIMESTAMPTZ", ScalarFunction.MAKE_INSTANT, instant(), "IIIIIDT", 6),
                of("ISFINITE", ScalarFunction.EQUAL, ReturnTypes.BOOLEAN_NULLABLE, "*", 1),
                of("#PART", ScalarFunction.MOMENT_FIELD, LibraryFunction::field, "T*", 2),
                NULLABLE,
                of("#PG_TYPEOF", ScalarFunction.NAMED, text(), "*", 1),
                of("#CLOCK", ScalarFunction.COALESCE, LibraryFunction::withClock, "*", 1),
                of("SINH", ScalarFunction.SINH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("COSH", ScalarFunction.COSH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("TANH", ScalarFunction.TANH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ASINH", ScalarFunction.ASINH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ACOSH", ScalarFunction.ACOSH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ATANH", ScalarFunction.ATANH, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("SIND", ScalarFunction.SIND, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("COSD", ScalarFunction.COSD, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("TAND", ScalarFunction.TAND, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("COTD", ScalarFunction.COTD, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ASIND", ScalarFunction.ASIND, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ACOSD", ScalarFunction.ACOSD, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ATAND", ScalarFunction.ATAND, ReturnTypes.DOUBLE_NULLABLE, "D", 1),
                of("ATAN2D", ScalarFunction.ATAN2D, ReturnTypes.DOUBLE_NULLABLE, "DD", 2),
                of("FLOAT4SEND", ScalarFunction.REAL_BYTES, bytes(), "D", 1),
                of("FLOAT8SEND", ScalarFunction.DOUBLE_BYTES, bytes(), "D", 1),
                of("GET_BYTE", ScalarFunction.GET_BYTE, ReturnTypes.INTEGER_NULLABLE, "BI", 2),
                of("SET_BYTE", ScalarFunction.SET_BYTE, bytes(), "BII", 3),
                of("GET_BIT", ScalarFunction.GET_BIT, ReturnTypes.INTEGER_NULLABLE, "BL", 2),
                of("SET_BIT", ScalarFunction.SET_BIT, bytes(), "BLI", 3),
                of("BIT_COUNT", ScalarFunction.BIT_COUNT, ReturnTypes.BIGINT_NULLABLE, "B", 1),
                of("#SIMILAR_PART", ScalarFunction.SIMILAR_PART, DialectFunctions.TEXT_OR_NULL, "TTT", 3),
                of("#EXPRESSION_PART", ScalarFunction.EXPRESSION_PART, DialectFunctions.TEXT_OR_NULL, "TT", 2),
                of("#PATTERN", ScalarFunction.CONCAT, text(), "T", 1),
                of("UNISTR", ScalarFunction.UNISTR, text(), "T", 1));
    }

    /** The function of the name. */
    static LibraryFunction named(String name) {
        return all().stream()
                .filter(function -> function.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * A function of the name.
     *
     * @param types a letter for each parameter: a text, an INTEGER, a BIGINT, an integer of its own type, a double,
     *     bytes, a number or moment of its own type, or whatever comes
     * @param least how many of the parameters a call has at least
     */
    private static LibraryFunction of(
            String name, ScalarFunction function, SqlReturnTypeInference type, String types, int least) {
        List<Character> letters =
                types.chars().mapToObj(letter -> (char) letter).toList();
        SqlOperandTypeChecker operands = OperandTypes.family(
                letters.stream().map(LibraryFunction::family).toList(), place -> place >= least);
        return new LibraryFunction(
                name,
                function,
                type,
                operands,
                letters.stream().map(LibraryFunction::type).toList());
    }

    private static SqlTypeFamily family(char letter) {
        return switch (letter) {
            case 'T' -> SqlTypeFamily.CHARACTER;
            case 'I', 'L', 'i' -> SqlTypeFamily.INTEGER;
            case 'D' -> SqlTypeFamily.NUMERIC;
            case 'N' -> SqlTypeFamily.EXACT_NUMERIC;
            case 'B' -> SqlTypeFamily.BINARY;
            case 'M' -> SqlTypeFamily.DATETIME;
            default -> SqlTypeFamily.ANY;
        };
    }

    private static SqlTypeName type(char letter) {
        return switch (letter) {
            case 'T' -> SqlTypeName.VARCHAR;
            case 'I' -> SqlTypeName.INTEGER;
            case 'L' -> SqlTypeName.BIGINT;
            case 'D' -> SqlTypeName.DOUBLE;
            case 'B' -> SqlTypeName.VARBINARY;
            default -> SqlTypeName.ANY;
        };
    }

    private static SqlReturnTypeInference text() {
        return of(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH);
    }

    private static SqlReturnTypeInference bytes() {
        return of(SqlTypeName.VARBINARY, TypeMapping.MAX_LENGTH);
    }

    private static SqlReturnTypeInference of(SqlTypeName name, int precision) {
        return ReturnTypes.explicit(name, precision).andThen(SqlTypeTransforms.TO_NULLABLE);
    }

    private static SqlReturnTypeInference of(SqlTypeName name, int precision, int scale) {
        SqlReturnTypeInference type = binding -> binding.getTypeFactory().createSqlType(name, precision, scale);
        return type.andThen(SqlTypeTransforms.TO_NULLABLE);
    }

    private static SqlReturnTypeInference numeric() {
        SqlReturnTypeInference type = binding -> NumericType.any(binding.getTypeFactory(), false);
        return type.andThen(SqlTypeTransforms.TO_NULLABLE);
    }

    private static SqlReturnTypeInference instant() {
        return of(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
    }

    /** Infinity has infinite ones, and others none, so that they are null. */
    private static RelDataType field(SqlOperatorBinding binding) {
        return binding.getTypeFactory()
                .createTypeWithNullability(NumericType.any(binding.getTypeFactory(), false), true);
    }

    /** That of an infinite moment is null. */
    private static RelDataType textOrNull(SqlOperatorBinding binding) {
        RelDataTypeFactory types = binding.getTypeFactory();
        return types.createTypeWithNullability(types.createSqlType(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH), true);
    }

    /** A date is the timestamp at its begin; all else stays as it is. */
    private static RelDataType withClock(SqlOperatorBinding binding) {
        RelDataType type = binding.getOperandType(0);
        RelDataTypeFactory types = binding.getTypeFactory();
        return type.getSqlTypeName() == SqlTypeName.DATE
                ? types.createTypeWithNullability(types.createSqlType(SqlTypeName.TIMESTAMP, 6), type.isNullable())
                : type;
    }

    /** A timestamp stays one; all else becomes an instant, as in PostgreSQL. */
    private static SqlReturnTypeInference moment() {
        SqlReturnTypeInference type = binding -> {
            boolean isTimestamp = binding.getOperandType(1).getSqlTypeName() == SqlTypeName.TIMESTAMP;
            return binding.getTypeFactory()
                    .createSqlType(isTimestamp ? SqlTypeName.TIMESTAMP : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
        };
        return type.andThen(SqlTypeTransforms.TO_NULLABLE);
    }
}
