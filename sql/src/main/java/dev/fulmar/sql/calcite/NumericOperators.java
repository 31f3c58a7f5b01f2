package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Gives operators and functions that have a NUMERIC those of {@link NumericFunction}. Names that begin with # are of
 * PostgreSQL's statements, where a DECIMAL is a numeric too: their quotients, roots and logarithms are numerics.
 * {@code a / "#/" / b} is such a quotient.
 */
final class NumericOperators {
    /** The mark of a quotient, between two operators of division. */
    private static final String QUOTIENT_MARK = "#/";

    /** The name of the type in a CAST, with its digits behind it. */
    static final String TYPE = "#NUMBER";

    private static final Map<String, NumericFunction> FUNCTIONS = new HashMap<>();

    /** Operators of calls in PostgreSQL's statements where none of the operands is a numeric. */
    private static final Map<String, SqlOperator> OTHERWISE = new HashMap<>();

    /** A quotient of PostgreSQL's statements, until the types of its operands are known. */
    private static final SqlFunction QUOTIENT = new SqlFunction(
            QUOTIENT_MARK,
            SqlKind.DIVIDE,
            ReturnTypes.QUOTIENT_NULLABLE,
            null,
            OperandTypes.DIVISION_OPERATOR,
            SqlFunctionCategory.NUMERIC);

    static {
        add("SQRT", ScalarFunction.SQRT, 1, 1, SqlStdOperatorTable.SQRT);
        add("EXP", ScalarFunction.EXP, 1, 1, SqlStdOperatorTable.EXP);
        add("LN", ScalarFunction.LN, 1, 1, SqlStdOperatorTable.LN);
        add("LOG10", ScalarFunction.LOG10, 1, 1, SqlStdOperatorTable.LOG10);
        add("POWER", ScalarFunction.POWER, 2, 2, SqlStdOperatorTable.POWER);
        add("POW", ScalarFunction.POWER, 2, 2, SqlStdOperatorTable.POWER);
        add("ROUND", ScalarFunction.ROUND, 1, 2, SqlStdOperatorTable.ROUND);
        add("ROUND EVEN", ScalarFunction.ROUND, 1, 2, DialectFunctions.ROUND_EVEN);
        add("CUT", ScalarFunction.TRUNCATE, 1, 2, SqlStdOperatorTable.TRUNCATE);
        add("SIGN", ScalarFunction.SIGN, 1, 1, SqlStdOperatorTable.SIGN);
        add("FLOOR", ScalarFunction.FLOOR, 1, 1, SqlStdOperatorTable.FLOOR);
        add("CEIL", ScalarFunction.CEIL, 1, 1, SqlStdOperatorTable.CEIL);
        add("ABS", ScalarFunction.ABS, 1, 1, SqlStdOperatorTable.ABS);
        add("LOG", ScalarFunction.LOG, 1, 2, DialectFunctions.LOG);
        add("GCD", ScalarFunction.GCD, 2, 2, LibraryFunction.named("GCD"));
        add("LCM", ScalarFunction.LCM, 2, 2, LibraryFunction.named("LCM"));
        add("DIV", ScalarFunction.DIV, 2, 2, LibraryFunction.named("DIV"));
        OTHERWISE.put(QUOTIENT_MARK, SqlStdOperatorTable.DIVIDE);
        FUNCTIONS.put("/", NumericFunction.of("#QUOTIENT", ScalarFunction.DIVIDE, 2, 2));
        FUNCTIONS.put("TRUNC", FUNCTIONS.get("CUT"));
        FUNCTIONS.put("TRUNCATE", FUNCTIONS.get("CUT"));
        FUNCTIONS.put("CEILING", FUNCTIONS.get("CEIL"));
    }

    private NumericOperators() {}

    private static void add(String name, ScalarFunction function, int least, int most, SqlOperator otherwise) {
        FUNCTIONS.put(name, NumericFunction.of("#" + name, function, least, most));
        OTHERWISE.put("#" + name, otherwise);
    }

    /** The functions, by which a statement finds them. */
    static List<SqlFunction> all() {
        List<SqlFunction> all = new ArrayList<>(FUNCTIONS.values());
        all.add(QUOTIENT);
        all.add(NumericFunction.ofInteger("SCALE", ScalarFunction.SCALE, 1));
        all.add(NumericFunction.ofInteger("MIN_SCALE", ScalarFunction.MIN_SCALE, 1));
        all.add(NumericFunction.of("TRIM_SCALE", ScalarFunction.TRIM_SCALE, 1, 1));
        all.add(NumericFunction.of("#FACTORIAL", ScalarFunction.FACTORIAL, 1, 1));
        all.add(NumericFunction.ofInteger("WIDTH_BUCKET", ScalarFunction.WIDTH_BUCKET, 4));
        all.add(NumericFunction.ofInteger("#WIDTH_BUCKET", ScalarFunction.WIDTH_BUCKET_BY_TYPE, 4));
        return List.copyOf(new java.util.LinkedHashSet<>(all));
    }

    /** The call in its form; itself if it is no quotient of PostgreSQL's statements. */
    static SqlNode settled(SqlCall call) {
        if (call.getOperator().equals(SqlStdOperatorTable.DIVIDE)
                && call.operandCount() == 2
                && call.operand(0) instanceof SqlBasicCall left
                && left.getOperator().equals(SqlStdOperatorTable.DIVIDE)
                && left.operandCount() == 2
                && left.operand(1) instanceof SqlIdentifier mark
                && mark.isSimple()
                && mark.getSimple().equals(QUOTIENT_MARK)) {
            return QUOTIENT.createCall(mark.getParserPosition(), left.operand(0), call.operand(1));
        }
        return call;
    }

    /** The type with a name that Calcite knows; null if it is no NUMERIC. */
    static @Nullable SqlDataTypeSpec known(SqlDataTypeSpec spec) {
        if (!(spec.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec name)
                || !name.getTypeName().isSimple()) {
            return null;
        }
        String word = name.getTypeName().getSimple();
        SqlParserPos place = spec.getParserPosition();
        if (word.toUpperCase(Locale.ROOT).equals("NUMBER")) {
            return new SqlDataTypeSpec(new TypeName(0, 0, place), place);
        }
        String[] parts = word.split(" ", -1);
        return parts[0].equals(TYPE)
                ? new SqlDataTypeSpec(
                        new TypeName(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), place), place)
                : null;
    }

    /** NUMBER as a CAST names it. */
    private static final class TypeName extends SqlBasicTypeNameSpec {
        private final int digits;
        private final int scale;

        TypeName(int digits, int scale, SqlParserPos place) {
            super(SqlTypeName.DECIMAL, place);
            this.digits = digits;
            this.scale = scale;
        }

        @Override
        public RelDataType deriveType(SqlValidator validator) {
            return digits == 0
                    ? NumericType.any(validator.getTypeFactory(), true)
                    : NumericType.of(
                            validator.getTypeFactory(),
                            dev.fulmar.foundation.data.ColumnType.numeric(digits, scale),
                            true);
        }
    }

    /** Gives the call its operator, in place. */
    static void settle(SqlValidator validator, SqlValidatorScope scope, SqlBasicCall call) {
        if (call.getOperator() instanceof NumericFunction) {
            withTypes(call);
        } else if (isOperator(call) && hasOpen(call) && hasNumeric(validator, scope, call)) {
            withTypes(call);
        }
        String name = call.getOperator().getName();
        boolean isOfPostgres = name.startsWith("#");
        NumericFunction function = FUNCTIONS.get(isOfPostgres ? name.substring(1) : name);
        if (function == null || (isOfPostgres && !OTHERWISE.containsKey(name)) || call.operandCount() == 0) {
            return;
        }
        List<RelDataType> types = new ArrayList<>();
        for (SqlNode operand : call.getOperandList()) {
            RelDataType type = operand instanceof SqlDynamicParam || isOpen(operand) || !isValue(operand)
                    ? null
                    : validator.deriveType(scope, operand);
            if (type != null && type.getSqlTypeName() != SqlTypeName.NULL) {
                types.add(type);
            }
        }
        boolean isNumeric = NumericType.areExact(types)
                && types.stream().anyMatch(type -> NumericType.is(type) || (isOfPostgres && isDecimal(type)));
        boolean hasBase = name.equals("#LOG") && call.operandCount() == 2 && NumericType.areExact(types);
        if (isNumeric || hasBase) {
            call.setOperator(isLogarithm(call) ? FUNCTIONS.get("LOG10") : function);
            withTypes(call);
        } else if (isOfPostgres) {
            call.setOperator(isLog(name) && call.operandCount() == 2 ? function : OTHERWISE.get(name));
        }
    }

    /** Texts that stand for numbers are numerics, which may be infinite. */
    private static void withTypes(SqlBasicCall call) {
        for (int i = 0; i < call.operandCount(); i++) {
            SqlNode operand = call.operand(i);
            if (operand instanceof SqlCharStringLiteral) {
                call.setOperand(i, cast(operand));
            } else if (operand instanceof SqlNodeList list) {
                list.replaceAll(item -> item instanceof SqlCharStringLiteral ? cast(item) : item);
            }
        }
    }

    private static SqlNode cast(SqlNode literal) {
        SqlParserPos place = literal.getParserPosition();
        SqlDataTypeSpec type = new SqlDataTypeSpec(new TypeName(0, 0, place), place);
        return SqlStdOperatorTable.CAST.createCall(place, literal, type);
    }

    private static boolean isOperator(SqlCall call) {
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD, BETWEEN, IN, NOT_IN, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> true;
            default -> SqlKind.COMPARISON.contains(call.getKind());
        };
    }

    private static boolean hasOpen(SqlCall call) {
        return call.getOperandList().stream()
                .anyMatch(operand -> isOpen(operand)
                        || (operand instanceof SqlNodeList list && list.stream().anyMatch(NumericOperators::isOpen)));
    }

    private static boolean hasNumeric(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        return call.getOperandList().stream()
                .filter(operand -> !(operand instanceof SqlDynamicParam)
                        && !(operand instanceof SqlNodeList)
                        && !operand.getKind().belongsTo(SqlKind.QUERY)
                        && operand.getKind() != SqlKind.ROW
                        && isValue(operand)
                        && !isOpen(operand))
                .map(operand -> validator.deriveType(scope, operand))
                .anyMatch(NumericType::is);
    }

    private static boolean isLog(String name) {
        return name.equals("#LOG");
    }

    /** LOG of one number is that to the base 10. */
    private static boolean isLogarithm(SqlCall call) {
        return call.getOperator().getName().endsWith("LOG") && call.operandCount() == 1;
    }

    private static boolean isDecimal(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DECIMAL;
    }

    /** Whether it is a text that becomes what is beside it. */
    private static boolean isOpen(@Nullable SqlNode operand) {
        return operand instanceof SqlCharStringLiteral;
    }

    /** Whether it is a value, and no unit of FLOOR(moment TO DAY). */
    private static boolean isValue(SqlNode operand) {
        return operand.getKind() != SqlKind.INTERVAL_QUALIFIER && operand.getKind() != SqlKind.DEFAULT;
    }
}
