package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.sql.text.ComplexityCheck;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlInternalOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/** Knows the types of parameters in more places than Calcite: inside CASE, and as arguments of functions on text. */
final class DialectValidator extends SqlValidatorImpl {
    /** The queries of a statement together may select so many times the columns that a result may have. */
    private static final int SELECTED_PER_RESULT_COLUMN = 4;

    /** Calls whose inside has been looked at; a second look finds nothing new, and looks at every level would double the work at each. */
    private final Set<SqlNode> prepared = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Calcite asks once for each column whether its query aggregates, and looks at all columns each time. */
    private final Map<SqlSelect, KnownAggregate> aggregates = new IdentityHashMap<>();

    /** Columns of all queries of the statement so far. */
    private int selected;

    /** The finding for a list of columns; another list of the same query is looked at again. */
    private record KnownAggregate(List<SqlNode> columns, boolean isAggregate) {}

    /** Parameters of COALESCE, whose test for null says no more of their type. */
    private final Set<SqlNode> settled = Collections.newSetFromMap(new IdentityHashMap<>());

    DialectValidator(
            SqlOperatorTable operators, CalciteCatalogReader reader, DialectTypeFactory typeFactory, Config config) {
        super(operators, reader, typeFactory, config);
    }

    /** A star may stand for any number of columns, so what it stands for is counted as soon as that is known. */
    @Override
    protected void addToSelectList(
            List<SqlNode> list,
            Set<String> aliases,
            List<Map.Entry<String, RelDataType>> fieldList,
            SqlNode expression,
            SelectScope scope,
            boolean includeSystemVars) {
        if (list.size() >= StatementLimits.DEFAULT.columns()) {
            throw SqlErrors.tooComplex(ComplexityCheck.tooManyColumns(StatementLimits.DEFAULT));
        }
        if (++selected > SELECTED_PER_RESULT_COLUMN * StatementLimits.DEFAULT.columns()) {
            throw SqlErrors.tooComplex("the queries of the statement select more than "
                    + SELECTED_PER_RESULT_COLUMN * StatementLimits.DEFAULT.columns()
                    + " columns together; keep intermediate results in a table");
        }
        super.addToSelectList(list, aliases, fieldList, expression, scope, includeSystemVars);
    }

    /** Calcite loses the frame of a window that names another one, and what that has from a third. */
    @Override
    public SqlWindow resolveWindow(SqlNode windowOrName, SqlValidatorScope scope) {
        SqlWindow resolved = super.resolveWindow(windowOrName, scope);
        SqlWindow written = windowOrName instanceof SqlIdentifier name
                ? scope.lookupWindow(name.getSimple())
                : (SqlWindow) windowOrName;
        if (written == null || (written.getRefName() == null && SqlWindow.isExcludeNoOthers(written.getExclude()))) {
            return resolved;
        }
        return ResolvedWindow.of(written, scope, this);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // whether it is the very list that was looked at
    public boolean isAggregate(SqlSelect select) {
        SelectScope scope = getRawSelectScope(select);
        List<SqlNode> expanded = scope == null ? null : scope.getExpandedSelectList();
        List<SqlNode> columns = expanded == null ? select.getSelectList() : expanded;
        KnownAggregate known = aggregates.get(select);
        if (known == null || known.columns != columns) {
            known = new KnownAggregate(columns, super.isAggregate(select));
            aggregates.put(select, known);
        }
        return known.isAggregate;
    }

    /**
     * Planning takes time and memory for each column of each row on the way, so a joined row has a limit as a
     * result has.
     */
    @Override
    protected void validateJoin(SqlJoin join, SqlValidatorScope scope) {
        super.validateJoin(join, scope);
        int columns = widthOf(join.getLeft()) + widthOf(join.getRight());
        if (columns > StatementLimits.DEFAULT.joinedColumns()) {
            throw SqlErrors.tooComplex("the tables joined have " + columns + " columns together, the limit is "
                    + StatementLimits.DEFAULT.joinedColumns()
                    + "; join queries instead, (SELECT the columns needed FROM the table)");
        }
    }

    private int widthOf(SqlNode joined) {
        SqlValidatorNamespace namespace = getNamespace(joined);
        return namespace == null ? 0 : namespace.getRowType().getFieldCount();
    }

    /** A DATE that hours, minutes or seconds are added to is a TIMESTAMP at the beginning of the day, as in PostgreSQL. */
    @Override
    public RelDataType deriveType(SqlValidatorScope scope, SqlNode node) {
        PlanningTurn.goOn();
        if (node instanceof SqlBasicCall call
                && (call.getOperator().equals(SqlStdOperatorTable.PLUS)
                        || call.getOperator().equals(SqlStdOperatorTable.MINUS))
                && call.operandCount() == 2) {
            widenDate(scope, call, 0, 1);
            widenDate(scope, call, 1, 0);
        }
        RelDataType type = super.deriveType(scope, node);
        if (node.getKind() == SqlKind.OVER && ((SqlCall) node).operand(0).getKind() == SqlKind.NTH_VALUE) {
            // A frame that is never empty may be shorter than the number.
            type = typeFactory.createTypeWithNullability(type, true);
            setValidatedNodeType(node, type);
        }
        return type;
    }

    private void widenDate(SqlValidatorScope scope, SqlBasicCall call, int moment, int interval) {
        SqlNode date = call.operand(moment);
        if (!hasTimeOfDay(call.operand(interval)) || date instanceof SqlDynamicParam) {
            return;
        }
        if (deriveType(scope, date).getSqlTypeName() == SqlTypeName.DATE) {
            SqlDataTypeSpec timestamp = new SqlDataTypeSpec(
                    new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, 6, SqlParserPos.ZERO), SqlParserPos.ZERO);
            call.setOperand(moment, SqlStdOperatorTable.CAST.createCall(date.getParserPosition(), date, timestamp));
        }
    }

    /** Whether it is an interval with hours, minutes or seconds, by itself or times a number. */
    private static boolean hasTimeOfDay(SqlNode node) {
        return switch (node) {
            case SqlIntervalLiteral literal -> {
                SqlIntervalLiteral.IntervalValue value = literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
                yield value != null
                        && switch (value.getIntervalQualifier().typeName()) {
                            case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH, INTERVAL_DAY -> false;
                            default -> true;
                        };
            }
            case SqlBasicCall call
            when isArithmetic(call) || call.getOperator().equals(SqlStdOperatorTable.UNARY_MINUS) ->
                call.getOperandList().stream().anyMatch(DialectValidator::hasTimeOfDay);
            default -> false;
        };
    }

    @Override
    protected void inferUnknownTypes(RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
        boolean isUnknown = inferredType.equals(unknownType);
        if (node instanceof SqlDynamicParam
                && (settled.contains(node) || (isUnknown && getValidatedNodeTypeIfKnown(node) != null))) {
            return;
        }
        if (node instanceof SqlCall call && prepared.add(call)) {
            prepare(inferredType, isUnknown, scope, call);
        }
        super.inferUnknownTypes(inferredType, scope, node);
    }

    private void prepare(RelDataType inferredType, boolean isUnknown, SqlValidatorScope scope, SqlCall call) {
        if (call instanceof SqlCase caseCall) {
            inferCase(inferredType, isUnknown, scope, caseCall);
            return;
        }
        inferOfArithmetic(scope, call);
        inferOfMembership(scope, call);
        if (call.getOperator().getOperandTypeInference() == null || isOfText(call.getOperator())) {
            inferOfFunction(scope, call);
        }
    }

    /**
     * Of {@code ? IN (a, b)} and {@code ? = ANY (SELECT a ...)}, where Calcite looks for one type of the whole right
     * side.
     */
    private void inferOfMembership(SqlValidatorScope scope, SqlCall call) {
        boolean isMembership = switch (call.getKind()) {
            case IN, NOT_IN, SOME, ALL -> true;
            default -> false;
        };
        if (!isMembership || !(call.operand(0) instanceof SqlDynamicParam parameter)) {
            return;
        }
        SqlNode right = call.operand(1);
        RelDataType known = null;
        if (right instanceof SqlNodeList list) {
            known = firstKnown(scope, list);
        } else if (right.getKind().belongsTo(SqlKind.QUERY)) {
            RelDataType row = deriveType(scope, right);
            known = row.isStruct() && row.getFieldCount() == 1
                    ? row.getFieldList().getFirst().getType()
                    : null;
        }
        if (known != null) {
            super.inferUnknownTypes(known, scope, parameter);
        }
    }

    /** Whether it is a function on text whose arguments Calcite would give the type of its result. */
    private static boolean isOfText(SqlOperator operator) {
        return switch (operator.getName()) {
            case "CONCAT",
                    "LPAD",
                    "RPAD",
                    "LEFT",
                    "RIGHT",
                    "REPEAT",
                    "REVERSE",
                    "STRPOS",
                    "INITCAP",
                    "ASCII",
                    "LIKE",
                    "NOT LIKE" -> true;
            default -> false;
        };
    }

    /** Calcite asks for the types of a call's arguments before it looks for parameters inside them. */
    private void inferOfArithmetic(SqlValidatorScope scope, SqlCall call) {
        for (SqlNode operand : call.getOperandList()) {
            if (operand instanceof SqlCall inner
                    && isArithmetic(inner)
                    && inner.getOperandList().stream().anyMatch(each -> !(each instanceof SqlDynamicParam))) {
                inferUnknownTypes(unknownType, scope, inner);
            }
        }
    }

    private static boolean isArithmetic(SqlCall call) {
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD -> true;
            default -> call.getOperator().getName().equals("||");
        };
    }

    /** Calcite asks for the type of the whole CASE before those of its parameters; COALESCE arrives as a CASE that tests them for null. */
    private void inferCase(RelDataType inferredType, boolean isUnknown, SqlValidatorScope scope, SqlCase caseCall) {
        List<SqlNode> values = new ArrayList<>();
        caseCall.getThenOperands().forEach(value -> values.add(bare(value)));
        SqlNode otherwise = caseCall.getElseOperand();
        if (otherwise != null) {
            values.add(bare(otherwise));
        }
        for (SqlNode value : values) {
            if (value instanceof SqlCall) {
                inferUnknownTypes(inferredType, scope, value);
            }
        }
        RelDataType known = isUnknown ? firstKnown(scope, values) : inferredType;
        for (SqlNode value : values) {
            if (known != null && value instanceof SqlDynamicParam) {
                inferUnknownTypes(known, scope, value);
            }
        }
        for (SqlNode condition : caseCall.getWhenOperands()) {
            if (known != null
                    && condition.getKind() == SqlKind.IS_NOT_NULL
                    && condition instanceof SqlCall test
                    && test.operand(0) instanceof SqlDynamicParam parameter) {
                inferUnknownTypes(known, scope, parameter);
                settled.add(parameter);
            }
            inferUnknownTypes(typeFactory.createSqlType(SqlTypeName.BOOLEAN), scope, condition);
        }
    }

    /** The operand of what COALESCE wraps around a value that it knows not to be null. */
    private static SqlNode bare(SqlNode value) {
        return value instanceof SqlCall call
                        && call.getOperator().equals(SqlInternalOperators.CAST_NOT_NULL)
                        && call.operand(0) instanceof SqlDynamicParam parameter
                ? parameter
                : value;
    }

    private void inferOfFunction(SqlValidatorScope scope, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        for (int i = 0; i < operands.size(); i++) {
            if (operands.get(i) instanceof SqlDynamicParam parameter) {
                RelDataType type = typeOfArgument(scope, call.getOperator(), operands, i);
                if (type != null && getValidatedNodeTypeIfKnown(parameter) == null) {
                    super.inferUnknownTypes(type, scope, parameter);
                }
            }
        }
    }

    private @Nullable RelDataType typeOfArgument(
            SqlValidatorScope scope, SqlOperator operator, List<SqlNode> operands, int position) {
        return switch (operator.getName()) {
            case "||",
                    "CONCAT",
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
                    "INITCAP",
                    "REVERSE",
                    "ASCII",
                    "STRPOS",
                    "TRANSLATE",
                    "TRANSLATE3",
                    "TRIM",
                    "LTRIM",
                    "RTRIM" -> typeFactory.createSqlType(SqlTypeName.VARCHAR);
            case "LEFT", "RIGHT", "REPEAT", "LPAD", "RPAD" ->
                typeFactory.createSqlType(position == 1 ? SqlTypeName.INTEGER : SqlTypeName.VARCHAR);
            case "CHR" -> typeFactory.createSqlType(SqlTypeName.INTEGER);
            case "SUBSTRING", "SUBSTR" ->
                typeFactory.createSqlType(position == 0 ? SqlTypeName.VARCHAR : SqlTypeName.INTEGER);
            case "ROUND", "TRUNCATE" -> position == 1 ? typeFactory.createSqlType(SqlTypeName.INTEGER) : null;
            case "MOD", "COALESCE", "NULLIF", "GREATEST", "LEAST", "NVL", "IFNULL" -> firstKnown(scope, operands);
            case "SQRT",
                    "POWER",
                    "POW",
                    "EXP",
                    "LN",
                    "LOG10",
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
                    "RADIANS" -> typeFactory.createSqlType(SqlTypeName.DOUBLE);
            default -> null;
        };
    }

    private @Nullable RelDataType firstKnown(SqlValidatorScope scope, List<SqlNode> operands) {
        for (SqlNode operand : operands) {
            if (!(operand instanceof SqlDynamicParam) && !SqlUtil.isNullLiteral(operand, true)) {
                return deriveType(scope, operand);
            }
        }
        return null;
    }
}
