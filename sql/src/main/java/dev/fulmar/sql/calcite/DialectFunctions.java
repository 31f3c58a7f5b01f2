package dev.fulmar.sql.calcite;

import dev.fulmar.sql.text.ZoneOperators;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransform;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** The functions that a statement may name. */
public final class DialectFunctions {
    /** The type of texts that may be null. */
    static final SqlReturnTypeInference TEXT_OR_NULL =
            ReturnTypes.explicit(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH).andThen(SqlTypeTransforms.FORCE_NULLABLE);

    /** Another name of CURRENT_TIMESTAMP. */
    public static final SqlFunction NOW = new SqlFunction(
            "NOW",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 6),
            null,
            OperandTypes.NILADIC,
            SqlFunctionCategory.TIMEDATE);

    /** A timestamp in a time zone as an instant, or an instant as what clocks show there. */
    static final SqlFunction AT_ZONE = new SqlFunction(
            ZoneOperators.AT_ZONE,
            SqlKind.OTHER_FUNCTION,
            inZone(0),
            null,
            OperandTypes.family(SqlTypeFamily.DATETIME, SqlTypeFamily.CHARACTER),
            SqlFunctionCategory.TIMEDATE);

    /** The same as PostgreSQL calls it, with the zone first. */
    static final SqlFunction TIMEZONE = new SqlFunction(
            "TIMEZONE",
            SqlKind.OTHER_FUNCTION,
            inZone(1),
            null,
            OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME),
            SqlFunctionCategory.TIMEDATE);

    /** The text of an instant as one. */
    static final SqlFunction INSTANT = new SqlFunction(
            ZoneOperators.INSTANT,
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6),
            null,
            OperandTypes.CHARACTER,
            SqlFunctionCategory.TIMEDATE);

    /** The next number of the sequence with the id; its name is one that no statement has. */
    public static final SqlFunction NEXT_VALUE = ofSequence("#N", OperandTypes.NUMERIC);

    /** The last number of the sequence with the id on the connection. */
    public static final SqlFunction CURRENT_VALUE = ofSequence("#C", OperandTypes.NUMERIC);

    /** The last number of any sequence on the connection. */
    public static final SqlFunction LAST_VALUE = ofSequence("#L", OperandTypes.NILADIC);

    /** The text of a value as PostgreSQL writes it. */
    static final SqlFunction TEXT = new SqlFunction(
            "#TEXT",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH).andThen(SqlTypeTransforms.TO_NULLABLE),
            null,
            OperandTypes.ANY,
            SqlFunctionCategory.SYSTEM);

    /** An element of an array that is given as text. */
    static final SqlFunction ELEMENT =
            ofArray("#ELEMENT", TEXT_OR_NULL, SqlTypeFamily.CHARACTER, SqlTypeFamily.NUMERIC);

    /** Whether an array that is given as text has an element. */
    static final SqlFunction HAS_ELEMENT = ofArray(
            "#HAS_ELEMENT", ReturnTypes.BOOLEAN_FORCE_NULLABLE, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER);

    /** Elements of an array that is given as text. */
    static final SqlFunction ELEMENT_COUNT =
            ofArray("#ELEMENT_COUNT", ReturnTypes.INTEGER_NULLABLE, SqlTypeFamily.CHARACTER);

    /** The elements of an array that is given as text, one behind another. */
    static final SqlFunction JOIN_ELEMENTS =
            ofArray("#JOIN_ELEMENTS", TEXT_OR_NULL, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER);

    /** The type of dates beside timestamps. */
    private static final SqlReturnTypeInference OF_DAYS = binding -> {
        boolean areDays = binding.collectOperandTypes().stream()
                .map(RelDataType::getSqlTypeName)
                .allMatch(
                        type -> type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP || type == SqlTypeName.NULL);
        return areDays ? binding.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, 6) : null;
    };

    /** The greatest value, or null if one is: Calcite's own would become a CASE that holds each value many times. */
    static final SqlFunction GREATEST = ofAlike("GREATEST", SqlTypeTransforms.TO_NULLABLE);

    static final SqlFunction LEAST = ofAlike("LEAST", SqlTypeTransforms.TO_NULLABLE);

    /** The greatest value that is not null, as GREATEST is in PostgreSQL. */
    static final SqlFunction GREATEST_KNOWN = ofAlike("#GREATEST", SqlTypeTransforms.TO_NULLABLE_ALL);

    static final SqlFunction LEAST_KNOWN = ofAlike("#LEAST", SqlTypeTransforms.TO_NULLABLE_ALL);

    /** The texts of the values that are not null, as CONCAT is in PostgreSQL. */
    static final SqlFunction CONCAT_KNOWN = new SqlFunction(
            "#CONCAT",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH),
            null,
            OperandTypes.ONE_OR_MORE,
            SqlFunctionCategory.STRING);

    /** The same with the first value between two others. */
    static final SqlFunction CONCAT_WITH_SEPARATOR = new SqlFunction(
            "CONCAT_WS",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH).andThen(SqlTypeTransforms.ARG0_NULLABLE),
            null,
            OperandTypes.variadic(SqlOperandCountRanges.from(2)),
            SqlFunctionCategory.STRING);

    /** A text with values in it, as a format says. */
    static final SqlFunction FORMAT = new SqlFunction(
            "FORMAT",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.explicit(SqlTypeName.VARCHAR, TypeMapping.MAX_LENGTH).andThen(SqlTypeTransforms.ARG0_NULLABLE),
            null,
            OperandTypes.variadic(SqlOperandCountRanges.from(1)),
            SqlFunctionCategory.STRING);

    /** TRIM(BOTH ...) as PostgreSQL has it besides. */
    static final SqlFunction BTRIM = new SqlFunction(
            "BTRIM",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.ARG0_NULLABLE_VARYING,
            null,
            OperandTypes.CHARACTER.or(OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)),
            SqlFunctionCategory.STRING);

    static final SqlFunction LTRIM = ofEnd("LTRIM");
    static final SqlFunction RTRIM = ofEnd("RTRIM");

    /** The first characters of a text or, by a negative number, all but the last ones. */
    static final SqlFunction FIRST_CHARACTERS = ofPart("#LEFT");

    /** The last characters of a text or, by a negative number, all but the first ones. */
    static final SqlFunction LAST_CHARACTERS = ofPart("#RIGHT");

    /** ROUND, but of an approximate number half-way between two whole ones the even one. */
    static final SqlFunction ROUND_EVEN = new SqlFunction(
            "#EVEN",
            SqlKind.OTHER_FUNCTION,
            SqlStdOperatorTable.ROUND.getReturnTypeInference(),
            null,
            SqlStdOperatorTable.ROUND.getOperandTypeChecker(),
            SqlFunctionCategory.NUMERIC);

    /** The logarithm to the base 10. */
    static final SqlFunction LOG = new SqlFunction(
            "LOG",
            SqlKind.OTHER_FUNCTION,
            ReturnTypes.DOUBLE_NULLABLE,
            null,
            OperandTypes.NUMERIC,
            SqlFunctionCategory.NUMERIC);

    /** Functions that the reader of a statement's text knows before Calcite does. */
    private static final Set<String> DRAWN =
            Set.of("NEXTVAL", "CURRVAL", "LASTVAL", "SETVAL", "DATE_TRUNC", "CONCAT", "GREATEST", "LEAST");

    private DialectFunctions() {}

    /** TRIM of an end; without characters it is blanks that are cut off. */
    private static SqlFunction ofEnd(String name) {
        return new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.ARG0_NULLABLE_VARYING,
                null,
                OperandTypes.CHARACTER.or(OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)),
                SqlFunctionCategory.STRING);
    }

    private static SqlFunction ofPart(String name) {
        return new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.ARG0_NULLABLE_VARYING,
                null,
                OperandTypes.CBSTRING_INTEGER,
                SqlFunctionCategory.STRING);
    }

    private static SqlFunction ofAlike(String name, SqlTypeTransform nullability) {
        return new SqlFunction(
                name,
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.LEAST_RESTRICTIVE.orElse(OF_DAYS).andThen(nullability),
                null,
                OperandTypes.ONE_OR_MORE,
                SqlFunctionCategory.SYSTEM);
    }

    /** An instant becomes a timestamp, and all else an instant. */
    private static SqlReturnTypeInference inZone(int moment) {
        SqlReturnTypeInference type = binding -> {
            boolean isTimestamp = binding.getOperandType(moment).getSqlTypeName() == SqlTypeName.TIMESTAMP;
            return binding.getTypeFactory()
                    .createSqlType(isTimestamp ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP, 6);
        };
        return type.andThen(SqlTypeTransforms.TO_NULLABLE);
    }

    private static SqlFunction ofArray(String name, SqlReturnTypeInference type, SqlTypeFamily... operands) {
        return new SqlFunction(
                name, SqlKind.OTHER_FUNCTION, type, null, OperandTypes.family(operands), SqlFunctionCategory.SYSTEM);
    }

    private static SqlFunction ofSequence(String name, SqlOperandTypeChecker operands) {
        return new SqlFunction(
                name, SqlKind.OTHER_FUNCTION, ReturnTypes.BIGINT, null, operands, SqlFunctionCategory.SYSTEM) {
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

    /** Whether SQL has a function or an operator of the name, which is in upper case. */
    public static boolean areBuiltIn(String name) {
        return DRAWN.contains(name)
                || RandomCalls.names().contains(name)
                || AggregateForms.isName(name)
                || operatorTable().getOperatorList().stream()
                        .anyMatch(operator -> operator.getName().equalsIgnoreCase(name));
    }

    static SqlOperatorTable operatorTable() {
        return SqlOperatorTables.chain(
                SqlStdOperatorTable.instance(),
                SqlOperatorTables.of(LibraryFunction.all()),
                SqlOperatorTables.of(JsonFunctions.all()),
                SqlOperatorTables.of(NumericOperators.all()),
                SqlOperatorTables.of(IntervalFunctions.all()),
                SqlOperatorTables.of(EnumOperators.FUNCTIONS),
                SqlOperatorTables.of(List.of(LTRIM, RTRIM, FIRST_CHARACTERS, LAST_CHARACTERS, ROUND_EVEN)),
                SqlOperatorTables.of(List.of(
                        NOW,
                        AT_ZONE,
                        TIMEZONE,
                        INSTANT,
                        NEXT_VALUE,
                        CURRENT_VALUE,
                        LAST_VALUE,
                        RandomCalls.NUMBER,
                        RandomCalls.UUID,
                        TEXT,
                        GroupFrames.DISTANCE,
                        ELEMENT,
                        HAS_ELEMENT,
                        ELEMENT_COUNT,
                        JOIN_ELEMENTS,
                        GREATEST,
                        LEAST,
                        GREATEST_KNOWN,
                        LEAST_KNOWN,
                        CONCAT_KNOWN,
                        CONCAT_WITH_SEPARATOR,
                        FORMAT,
                        BTRIM,
                        LOG,
                        SqlStdOperatorTable.TRUNCATE.withName("TRUNC"),
                        SqlLibraryOperators.NVL,
                        SqlLibraryOperators.IFNULL,
                        SqlLibraryOperators.SUBSTR_POSTGRESQL,
                        SqlLibraryOperators.CONCAT_FUNCTION,
                        SqlLibraryOperators.LENGTH,
                        SqlLibraryOperators.POW,
                        SqlLibraryOperators.IF,
                        SqlLibraryOperators.LEFT,
                        SqlLibraryOperators.RIGHT,
                        SqlLibraryOperators.LPAD,
                        SqlLibraryOperators.RPAD,
                        SqlLibraryOperators.REPEAT,
                        SqlLibraryOperators.REVERSE,
                        SqlLibraryOperators.CHR,
                        SqlLibraryOperators.TRANSLATE3,
                        SqlLibraryOperators.STRPOS,
                        SqlLibraryOperators.BOOL_AND,
                        SqlLibraryOperators.BOOL_OR,
                        SqlLibraryOperators.ILIKE,
                        SqlLibraryOperators.NOT_ILIKE,
                        SqlLibraryOperators.INFIX_CAST)));
    }
}
