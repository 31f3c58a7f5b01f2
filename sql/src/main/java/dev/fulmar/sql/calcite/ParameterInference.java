package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.ScalarFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlInternalOperators;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Infers the types of parameters from their places. Items that stand together (the sides of a comparison, the columns
 * of rows, the values of CASE) are of one type: that of the first whose type is known by itself, otherwise that of the
 * place of all. Where nothing tells, values that are only compared or passed on are text, as in PostgreSQL, and what is
 * computed with is an error. Invariant: a type that was told once stays, for Calcite asks again, and knows less.
 */
final class ParameterInference {
    private final DialectValidator validator;
    private final RelDataType unknown;
    private final RelDataTypeFactory types;

    /** By number: the validator copies parameters, as of NULLIF, whose value is compared and passed on. */
    private final Map<Integer, RelDataType> told = new HashMap<>();

    ParameterInference(DialectValidator validator) {
        this.validator = validator;
        this.unknown = validator.getUnknownType();
        this.types = validator.getTypeFactory();
    }

    /** The parameter's type, if it is asked for with that of its place; null if nothing tells. */
    @Nullable RelDataType typeOf(SqlDynamicParam parameter, RelDataType ofPlace) {
        if (!told.containsKey(parameter.getIndex())) {
            if (ofPlace.equals(unknown)) {
                return null;
            }
            // The fields of a column are cut when the value is stored, as in PostgreSQL.
            told.put(parameter.getIndex(), IntervalType.is(ofPlace) ? IntervalType.ofAll(types) : ofPlace);
        }
        return told.get(parameter.getIndex());
    }

    /** The parameter's type as it was told; null if it was not. */
    @Nullable RelDataType told(SqlDynamicParam parameter) {
        return told.get(parameter.getIndex());
    }

    /** Infers the types of parameters in the call before Calcite asks for that of the whole. */
    void prepare(RelDataType ofPlace, SqlValidatorScope scope, SqlCall call) {
        if (call instanceof SqlCase caseCall) {
            ofCase(ofPlace, scope, caseCall);
            return;
        }
        if (!hasParameter(call) || call.getKind().belongsTo(SqlKind.QUERY)) {
            return;
        }
        settleArrays(scope, call);
        if (isArithmetic(call)) {
            ofArithmetic(ofPlace, scope, call);
            return;
        }
        switch (call.getKind()) {
            case EQUALS,
                    NOT_EQUALS,
                    LESS_THAN,
                    LESS_THAN_OR_EQUAL,
                    GREATER_THAN,
                    GREATER_THAN_OR_EQUAL,
                    IS_DISTINCT_FROM,
                    IS_NOT_DISTINCT_FROM,
                    BETWEEN -> alikeInColumns(scope, call.getOperandList(), text());
            case IN, NOT_IN, SOME, ALL -> ofMembership(scope, call);
            case MINUS_PREFIX, PLUS_PREFIX -> alike(ofPlace, scope, call.getOperandList(), unknown);
            case MIN, MAX -> alike(ofPlace, scope, call.getOperandList(), text());
            case FILTER -> validator.infer(type(SqlTypeName.BOOLEAN), scope, call.operand(1));
            case CAST -> {
                if (isOpen(call.operand(0))) {
                    validator.infer(validator.deriveType(scope, call.operand(1)), scope, call.operand(0));
                }
            }
            default -> ofFunction(ofPlace, scope, call);
        }
        inferWithin(scope, call);
    }

    /** Calcite asks for the types of operands before it looks for parameters inside them. */
    private void inferWithin(SqlValidatorScope scope, SqlCall call) {
        boolean isCondition = call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
        for (SqlNode operand : call.getOperandList()) {
            if (operand instanceof SqlCall inner
                    && !inner.getKind().belongsTo(SqlKind.QUERY)
                    && inner.getKind() != SqlKind.ROW
                    && hasParameter(inner)
                    && !isOpen(inner)) {
                validator.infer(isCondition ? type(SqlTypeName.BOOLEAN) : unknown, scope, inner);
            }
        }
    }

    /** Of rows of values, each of whose columns is of one type. */
    void ofRows(SqlValidatorScope scope, List<SqlNode> rows) {
        alikeInColumns(scope, rows, unknown);
    }

    static boolean isArithmetic(SqlCall call) {
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD -> call.operandCount() == 2;
            default -> call.getOperator().getName().equals("||");
        };
    }

    static boolean hasParameter(SqlNode node) {
        try {
            node.accept(new SqlBasicVisitor<@Nullable Void>() {
                @Override
                public @Nullable Void visit(SqlDynamicParam parameter) {
                    throw Util.FoundOne.NULL;
                }
            });
            return false;
        } catch (Util.FoundOne e) {
            return true;
        }
    }

    private RelDataType type(SqlTypeName name) {
        return types.createSqlType(name);
    }

    private RelDataType text() {
        return type(SqlTypeName.VARCHAR);
    }

    /** Whether the type of the node is known by its place only. */
    private boolean isOpen(SqlNode node) {
        if (node instanceof SqlDynamicParam parameter) {
            return !told.containsKey(parameter.getIndex());
        }
        if (node instanceof SqlCase caseCall) {
            return values(caseCall).stream().allMatch(this::isOpenOrNull);
        }
        if (!(node instanceof SqlCall call)) {
            return false;
        }
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX ->
                call.getOperandList().stream().allMatch(each -> isOpen(each) || each instanceof SqlIntervalLiteral)
                        && call.getKind() != SqlKind.TIMES;
            case COALESCE, NULLIF, NVL -> call.getOperandList().stream().allMatch(this::isOpenOrNull);
            case FLOOR, CEIL -> isOpen(call.operand(0));
            default ->
                isExtreme(call)
                        ? call.getOperandList().stream().allMatch(this::isOpenOrNull)
                        : isOfNumber(call) && isOpen(call.operand(0));
        };
    }

    private static boolean isExtreme(SqlCall call) {
        return switch (call.getOperator().getName()) {
            case "GREATEST", "LEAST", "#GREATEST", "#LEAST" -> true;
            default -> false;
        };
    }

    private boolean isOpenOrNull(SqlNode node) {
        return SqlUtil.isNullLiteral(node, true) || isOpen(node);
    }

    private static boolean isOfNumber(SqlCall call) {
        return switch (call.getOperator().getName()) {
            case "ABS", "FLOOR", "CEIL", "ROUND", "TRUNCATE", "TRUNC", "SIGN" -> true;
            default -> false;
        };
    }

    /**
     * Gives items whose type only the place tells the type of the others. Without others it is that of the place, or
     * {@code otherwise}, unless that is unknown too.
     */
    private void alike(RelDataType ofPlace, SqlValidatorScope scope, List<SqlNode> nodes, RelDataType otherwise) {
        if (nodes.stream().noneMatch(this::isOpen)) {
            return;
        }
        RelDataType known = firstKnown(scope, nodes);
        RelDataType type = known != null ? known : ofPlace.equals(unknown) ? otherwise : ofPlace;
        if (!type.equals(unknown)) {
            nodes.stream().filter(this::isOpen).toList().forEach(node -> validator.infer(type, scope, node));
        }
    }

    private @Nullable RelDataType firstKnown(SqlValidatorScope scope, List<SqlNode> nodes) {
        for (SqlNode node : nodes) {
            if (!isOpen(node) && !SqlUtil.isNullLiteral(node, true)) {
                return known(scope, node);
            }
        }
        return null;
    }

    /** Null if it is a parameter of which nothing is known. */
    private @Nullable RelDataType known(SqlValidatorScope scope, SqlNode node) {
        if (node instanceof SqlDynamicParam parameter) {
            return told.get(parameter.getIndex());
        }
        if (hasParameter(node) && !node.getKind().belongsTo(SqlKind.QUERY)) {
            validator.infer(unknown, scope, node);
        }
        RelDataType type = validator.deriveType(scope, node);
        boolean isLiteralText = node instanceof SqlLiteral && SqlTypeUtil.inCharFamily(type);
        return isLiteralText ? text() : type;
    }

    /** As {@link #alike}, of each column of rows of values. */
    private void alikeInColumns(SqlValidatorScope scope, List<SqlNode> rows, RelDataType otherwise) {
        if (rows.stream().noneMatch(row -> row.getKind() == SqlKind.ROW)) {
            alike(unknown, scope, rows, otherwise);
            return;
        }
        int width = rows.stream()
                .filter(row -> row.getKind() == SqlKind.ROW)
                .mapToInt(row -> ((SqlCall) row).operandCount())
                .min()
                .orElse(0);
        for (int i = 0; i < width; i++) {
            List<SqlNode> column = new ArrayList<>();
            for (SqlNode row : rows) {
                if (row.getKind() == SqlKind.ROW) {
                    column.add(((SqlCall) row).operand(i));
                }
            }
            alike(columnOfQuery(scope, rows, i), scope, column, otherwise);
        }
    }

    private RelDataType columnOfQuery(SqlValidatorScope scope, List<SqlNode> rows, int column) {
        for (SqlNode row : rows) {
            if (row.getKind().belongsTo(SqlKind.QUERY)) {
                RelDataType type = validator.deriveType(scope, row);
                return type.isStruct() && column < type.getFieldCount()
                        ? type.getFieldList().get(column).getType()
                        : unknown;
            }
        }
        return unknown;
    }

    /**
     * Of {@code ? IN (a, b)} and {@code ? = ANY (SELECT a ...)}, where Calcite looks for one type of the whole right
     * side.
     */
    private void ofMembership(SqlValidatorScope scope, SqlCall call) {
        SqlNode left = call.operand(0);
        List<SqlNode> all = new ArrayList<>(List.of(left));
        if (call.operand(1) instanceof SqlNodeList list) {
            all.addAll(list);
            alikeInColumns(scope, all, text());
        } else if (left.getKind() == SqlKind.ROW) {
            all.add(call.operand(1));
            alikeInColumns(scope, all, text());
        } else if (call.operand(1).getKind().belongsTo(SqlKind.QUERY)) {
            alike(columnOfQuery(scope, call.getOperandList(), 0), scope, all, unknown);
        }
    }

    private void ofArithmetic(RelDataType ofPlace, SqlValidatorScope scope, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        RelDataType known = firstKnown(scope, operands);
        if (call.getOperator().getName().equals("||")) {
            RelDataType type = known != null
                            && (SqlTypeFamily.BINARY.contains(known) || JsonType.isAny(known) || ArrayType.is(known))
                    ? known
                    : text();
            operands.stream().filter(this::isOpen).toList().forEach(each -> validator.infer(type, scope, each));
            return;
        }
        if (known != null && IntervalType.is(known)) {
            boolean isScaled = call.getKind() == SqlKind.TIMES || call.getKind() == SqlKind.DIVIDE;
            RelDataType type = isScaled ? type(SqlTypeName.DOUBLE) : IntervalType.ofAll(types);
            operands.stream().filter(this::isOpen).toList().forEach(each -> validator.infer(type, scope, each));
            return;
        }
        boolean isSum = call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS;
        if (isSum && known != null && SqlTypeUtil.isDatetime(known) && known.getSqlTypeName() != SqlTypeName.DATE) {
            RelDataType type = call.getKind() == SqlKind.PLUS ? IntervalType.ofAll(types) : known;
            operands.stream().filter(this::isOpen).toList().forEach(each -> validator.infer(type, scope, each));
            return;
        }
        boolean isInterval = known != null && SqlTypeUtil.isInterval(known);
        if (isInterval && call.getKind() == SqlKind.TIMES) {
            operands.stream()
                    .filter(this::isOpen)
                    .toList()
                    .forEach(each -> validator.infer(type(SqlTypeName.INTEGER), scope, each));
        } else if (known != null && isInterval) {
            RelDataType moment = SqlTypeUtil.isDatetime(ofPlace) ? moment(ofPlace, known) : unknown;
            operands.stream().filter(this::isOpen).toList().forEach(each -> validator.infer(moment, scope, each));
        } else if (known != null && JsonType.isAny(known)) {
            alike(text(), scope, operands.subList(1, 2), text());
        } else if (known == null || SqlTypeFamily.NUMERIC.contains(known)) {
            alike(
                    known == null && !SqlTypeFamily.NUMERIC.contains(ofPlace) ? unknown : ofPlace,
                    scope,
                    operands,
                    unknown);
        }
    }

    /** A DATE plus hours is a TIMESTAMP. */
    private RelDataType moment(RelDataType ofPlace, RelDataType interval) {
        boolean hasTimeOfDay = switch (interval.getSqlTypeName()) {
            case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH, INTERVAL_DAY -> false;
            default -> true;
        };
        return ofPlace.getSqlTypeName() == SqlTypeName.DATE && hasTimeOfDay
                ? types.createSqlType(SqlTypeName.TIMESTAMP, 6)
                : ofPlace;
    }

    private static List<SqlNode> values(SqlCase caseCall) {
        List<SqlNode> values = new ArrayList<>();
        caseCall.getThenOperands().forEach(value -> values.add(bare(value)));
        SqlNode otherwise = caseCall.getElseOperand();
        if (otherwise != null) {
            values.add(bare(otherwise));
        }
        return values;
    }

    /** The operand of what COALESCE wraps around a value that it knows not to be null. */
    private static SqlNode bare(SqlNode value) {
        return value instanceof SqlCall call
                        && call.getOperator().equals(SqlInternalOperators.CAST_NOT_NULL)
                        && call.operand(0) instanceof SqlDynamicParam parameter
                ? parameter
                : value;
    }

    /**
     * Calcite asks for the type of the whole CASE before those of its parameters. NULLIF arrives as a CASE that
     * compares them, COALESCE as one that tests them for null, which says nothing of their type.
     */
    private void ofCase(RelDataType ofPlace, SqlValidatorScope scope, SqlCase caseCall) {
        RelDataType condition = type(SqlTypeName.BOOLEAN);
        List<SqlNode> tests = new ArrayList<>();
        for (SqlNode each : caseCall.getWhenOperands()) {
            boolean isTest = each.getKind() == SqlKind.IS_NOT_NULL || each.getKind() == SqlKind.IS_NULL;
            if (isTest) {
                tests.add(each);
            } else {
                validator.infer(condition, scope, each);
            }
        }
        List<SqlNode> values = values(caseCall);
        alike(ofPlace, scope, values, text());
        for (SqlNode value : values) {
            if (value instanceof SqlCall && hasParameter(value)) {
                validator.infer(ofPlace, scope, value);
            }
        }
        tests.forEach(each -> validator.infer(condition, scope, each));
    }

    /** The second argument of ROUND and its kind counts digits; all others are numerics. */
    private void ofNumeric(SqlValidatorScope scope, NumericFunction function, List<SqlNode> operands) {
        boolean counts = function.function() == ScalarFunction.ROUND || function.function() == ScalarFunction.TRUNCATE;
        for (int i = 0; i < operands.size(); i++) {
            if (isOpen(operands.get(i))) {
                RelDataType type = counts && i > 0 ? type(SqlTypeName.INTEGER) : NumericType.any(types, true);
                validator.infer(type, scope, operands.get(i));
            }
        }
    }

    private void ofFunction(RelDataType ofPlace, SqlValidatorScope scope, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        if (call.getOperator() instanceof NumericFunction function) {
            ofNumeric(scope, function, operands);
            return;
        }
        switch (call.getOperator().getName()) {
            case "COALESCE", "NULLIF", "GREATEST", "LEAST", "#GREATEST", "#LEAST", "NVL", "IFNULL" ->
                alike(ofPlace, scope, operands, text());
            case "ABS", "FLOOR", "CEIL", "SIGN" -> alike(number(ofPlace), scope, operands.subList(0, 1), unknown);
            case "ROUND", "TRUNCATE", "TRUNC" -> {
                RelDataType given =
                        operands.size() == 1 ? number(ofPlace) : types.createSqlType(SqlTypeName.DECIMAL, 38, 12);
                alike(given, scope, operands.subList(0, 1), unknown);
                ofArguments(scope, call.getOperator(), operands);
            }
            case "LAG", "LEAD" -> {
                if (operands.size() > 2) {
                    alike(unknown, scope, List.of(operands.get(0), operands.get(2)), text());
                }
                ofArguments(scope, call.getOperator(), operands);
            }
            default -> ofArguments(scope, call.getOperator(), operands);
        }
    }

    private RelDataType number(RelDataType ofPlace) {
        return SqlTypeFamily.NUMERIC.contains(ofPlace) ? ofPlace : type(SqlTypeName.DOUBLE);
    }

    private void ofArguments(SqlValidatorScope scope, SqlOperator operator, List<SqlNode> operands) {
        for (int i = 0; i < operands.size(); i++) {
            if (operator instanceof ArrayFunction array) {
                ofArray(scope, array, operands, i);
                continue;
            }
            if (operator instanceof JsonFunction document) {
                ofDocument(scope, document, operands.get(i), i);
                continue;
            }
            if (operator instanceof IntervalFunction interval) {
                ofInterval(scope, interval, operands.get(i), i);
            }
            if (operator instanceof EnumCast cast && isOpen(operands.get(i))) {
                validator.infer(cast.parameter(types), scope, operands.get(i));
                continue;
            }
            if (operator instanceof DialectAggregate aggregate && isOpen(operands.get(i))) {
                int place = i;
                aggregate.declared(types, i).ifPresent(type -> validator.infer(type, scope, operands.get(place)));
            }
            SqlTypeName name = argument(operator, operands.size(), i);
            if (isOpen(operands.get(i)) && name != null) {
                validator.infer(type(name), scope, operands.get(i));
            }
        }
        if (operator.getName().equals("MOD")) {
            alike(unknown, scope, operands, unknown);
        }
    }

    private void ofDocument(SqlValidatorScope scope, JsonFunction function, SqlNode operand, int place) {
        if (isOpen(operand)) {
            function.parameter(types, place).ifPresent(type -> validator.infer(type, scope, operand));
        }
    }

    private void ofInterval(SqlValidatorScope scope, IntervalFunction function, SqlNode operand, int place) {
        if (isOpen(operand)) {
            function.parameter(types, place).ifPresent(type -> validator.infer(type, scope, operand));
        }
    }

    /** An operator that documents, texts and arrays have is that of arrays beside one. */
    private void settleArrays(SqlValidatorScope scope, SqlCall call) {
        ArrayFunction function = ArraySyntax.ofArrays(call);
        if (function == null || !(call instanceof SqlBasicCall basic)) {
            return;
        }
        for (SqlNode operand : call.getOperandList()) {
            RelDataType type = isOpen(operand) ? null : known(scope, operand);
            if (type != null && ArrayType.is(type)) {
                basic.setOperator(function);
            }
        }
    }

    /** A parameter is of the type that the other operands have in common. */
    private void ofArray(SqlValidatorScope scope, ArrayFunction function, List<SqlNode> operands, int place) {
        if (!isOpen(operands.get(place))) {
            return;
        }
        List<RelDataType> known = new ArrayList<>();
        for (SqlNode operand : operands) {
            RelDataType type = isOpen(operand) ? null : known(scope, operand);
            known.add(type == null ? unknown : type);
        }
        function.parameter(types, known, place).ifPresent(type -> validator.infer(type, scope, operands.get(place)));
    }

    /** The type that the function takes at the place; null if it takes several types. */
    private static @Nullable SqlTypeName argument(SqlOperator operator, int count, int position) {
        return switch (operator) {
            case LibraryFunction function -> function.parameter(position).orElse(null);
            case DialectAggregate aggregate -> aggregate.parameter(position).orElse(null);
            default -> argument(operator.getName(), count, position);
        };
    }

    private static @Nullable SqlTypeName argument(String function, int count, int position) {
        return switch (function) {
            case "#AT" -> position == 1 ? SqlTypeName.VARCHAR : null;
            case "TIMEZONE" -> position == 0 ? SqlTypeName.VARCHAR : null;
            case "CONCAT",
                    "#TEXT",
                    "CONCAT_WS",
                    "FORMAT",
                    "#CONCAT",
                    "UPPER",
                    "LOWER",
                    "CHAR_LENGTH",
                    "CHARACTER_LENGTH",
                    "LENGTH",
                    "OCTET_LENGTH",
                    "REPLACE",
                    "POSITION",
                    "LIKE",
                    "NOT LIKE",
                    "ILIKE",
                    "NOT ILIKE",
                    "INITCAP",
                    "REVERSE",
                    "ASCII",
                    "STRPOS",
                    "TRANSLATE",
                    "TRANSLATE3",
                    "LTRIM",
                    "RTRIM",
                    "BTRIM" -> SqlTypeName.VARCHAR;
            case "TRIM" -> position == 0 && count == 3 ? null : SqlTypeName.VARCHAR;
            case "LEFT", "RIGHT", "#LEFT", "#RIGHT", "REPEAT", "LPAD", "RPAD" ->
                position == 1 ? SqlTypeName.INTEGER : SqlTypeName.VARCHAR;
            case "CHR", "NTILE" -> SqlTypeName.INTEGER;
            case "SUBSTRING", "SUBSTR" -> position == 0 ? SqlTypeName.VARCHAR : SqlTypeName.INTEGER;
            case "ROUND", "TRUNCATE", "TRUNC", "LAG", "LEAD", "NTH_VALUE" -> position == 1 ? SqlTypeName.INTEGER : null;
            case "SQRT",
                    "POWER",
                    "POW",
                    "EXP",
                    "LN",
                    "LOG10",
                    "LOG",
                    "SIN",
                    "COS",
                    "TAN",
                    "ASIN",
                    "ACOS",
                    "ATAN",
                    "ATAN2",
                    "COT",
                    "CBRT",
                    "DEGREES",
                    "RADIANS" -> SqlTypeName.DOUBLE;
            default -> null;
        };
    }
}
