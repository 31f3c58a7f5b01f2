package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.sql.text.ComplexityCheck;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.util.Static;
import org.jspecify.annotations.Nullable;

/**
 * The dialect's validator. It knows the types of parameters in more places than Calcite: inside CASE, and as arguments
 * of functions on text.
 */
final class DialectValidator extends SqlValidatorImpl {
    /** The queries of a statement together may select so many times the columns that a result may have. */
    private static final int SELECTED_PER_RESULT_COLUMN = 4;

    /**
     * Calls whose inside has been looked at; a second look finds nothing new, and looks at every level would double the
     * work at each.
     */
    private final Set<SqlNode> prepared = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Calls whose operands were looked at for documents and intervals; a second look at each level would double the
     * work too.
     */
    private final Set<SqlNode> ofDocuments = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Calcite asks once for each column whether its query aggregates, and looks at all columns each time. */
    private final Map<SqlSelect, KnownAggregate> aggregates = new IdentityHashMap<>();

    /** Columns of all queries of the statement so far. */
    private int selected;

    /** The finding for a list of columns; another list of the same query is looked at again. */
    private record KnownAggregate(List<SqlNode> columns, boolean isAggregate) {}

    private final ParameterInference parameters;

    private final SharedNames names = new SharedNames();

    DialectValidator(
            SqlOperatorTable operators, CalciteCatalogReader reader, DialectTypeFactory typeFactory, Config config) {
        super(operators, reader, typeFactory, config);
        parameters = new ParameterInference(this);
    }

    /** The names of columns as a client sees them. */
    SharedNames names() {
        return names;
    }

    /** Calcite looks for the wrong value of an UPDATE among as many as the table has columns. */
    @Override
    protected void checkTypeAssignment(
            @Nullable SqlValidatorScope scope,
            SqlValidatorTable table,
            RelDataType source,
            RelDataType target,
            SqlNode statement) {
        try {
            super.checkTypeAssignment(scope, table, source, target, statement);
        } catch (IndexOutOfBoundsException e) {
            throw statement instanceof SqlUpdate update
                    ? AssignedTypes.unlike(update, source, table.getRowType(), e)
                    : e;
        }
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
        names.column(expression, fieldList.getLast().getKey());
    }

    @Override
    protected RelDataType validateSelectList(SqlNodeList items, SqlSelect select, RelDataType targetRowType) {
        settleRows(select, items);
        return super.validateSelectList(items, select, targetRowType);
    }

    @Override
    protected void validateWhereClause(SqlSelect select) {
        settleRows(select, select.getWhere());
        super.validateWhereClause(select);
    }

    private void settleRows(SqlSelect select, @Nullable SqlNode node) {
        SelectScope scope = getRawSelectScope(select);
        if (scope != null) {
            WholeRows.settle(getCatalogReader().nameMatcher(), scope, names, node);
        }
    }

    /** Calcite refuses two names of the same window, and a name that a query around this one declares too. */
    @Override
    protected void validateWindowClause(SqlSelect select) {
        SqlValidatorScope scope = getFromScope(select);
        Set<String> declared = new HashSet<>();
        for (SqlNode node : select.getWindowList()) {
            SqlWindow window = (SqlWindow) node;
            SqlIdentifier name = Objects.requireNonNull(window.getDeclName());
            if (!declared.add(name.getSimple())) {
                throw newValidationError(name, Static.RESOURCE.duplicateWindowName());
            }
            window.setOrderList((SqlNodeList) expand(window.getOrderList(), scope));
            window.getOrderList().validate(this, scope);
            window.setPartitionList((SqlNodeList) expand(window.getPartitionList(), scope));
            window.getPartitionList().validate(this, scope);
        }
        select.getWindowList().validate(this, scope);
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

    /**
     * A DATE that hours, minutes or seconds are added to is a TIMESTAMP at the beginning of the day, as in PostgreSQL.
     */
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
        if (node instanceof SqlBasicCall call && ofDocuments.add(call)) {
            NumericOperators.settle(this, scope, call);
            NumericAggregates.settle(this, scope, call);
            JsonOperators.settle(this, scope, call);
            IntervalOperators.settle(this, scope, call);
            ArraySyntax.settle(this, scope, call);
            EnumOperators.check(this, scope, call);
        }
        if (node.getKind() == SqlKind.OVER) {
            IntervalOperators.settleWindow(this, scope, (SqlCall) node);
            NumericAggregates.settleWindow(this, scope, (SqlCall) node);
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
            call.setOperand(moment, timestamp(date));
        }
    }

    private static SqlNode timestamp(SqlNode date) {
        SqlDataTypeSpec type = new SqlDataTypeSpec(
                new SqlBasicTypeNameSpec(SqlTypeName.TIMESTAMP, 6, SqlParserPos.ZERO), SqlParserPos.ZERO);
        return SqlStdOperatorTable.CAST.createCall(date.getParserPosition(), date, type);
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
            when ParameterInference.isArithmetic(call) || call.getOperator().equals(SqlStdOperatorTable.UNARY_MINUS) ->
                call.getOperandList().stream().anyMatch(DialectValidator::hasTimeOfDay);
            default -> false;
        };
    }

    @Override
    protected void inferUnknownTypes(RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
        if (node instanceof SqlDynamicParam parameter) {
            // A parameter keeps its digits, whatever the column beside it rounds to.
            RelDataType open = NumericType.is(inferredType) ? NumericType.any(typeFactory, true) : inferredType;
            RelDataType type = parameters.typeOf(parameter, open);
            super.inferUnknownTypes(type == null ? unknownType : type, scope, parameter);
            return;
        }
        if (node instanceof SqlCall call && prepared.add(call)) {
            parameters.prepare(inferredType, scope, call);
        }
        super.inferUnknownTypes(inferredType, scope, node);
    }

    /** Calcite looks for parameters only in what it writes anew of an order. */
    @Override
    protected void validateOrderList(SqlSelect select) {
        SqlNodeList order = select.getOrderList();
        if (order != null) {
            order.stream()
                    .filter(ParameterInference::hasParameter)
                    .forEach(item -> inferUnknownTypes(unknownType, getOrderScope(select), item));
        }
        super.validateOrderList(select);
    }

    /** Rows of values that are no INSERT's say the types of each other's parameters. */
    @Override
    protected void validateValues(SqlCall node, RelDataType targetRowType, SqlValidatorScope scope) {
        if (!targetRowType.isStruct()) {
            parameters.ofRows(scope, node.getOperandList());
        }
        super.validateValues(node, targetRowType, scope);
        List<SqlCall> rows = node.getOperandList().stream()
                .filter(SqlCall.class::isInstance)
                .map(SqlCall.class::cast)
                .toList();
        for (int column = 0; column < rows.getFirst().operandCount(); column++) {
            widenDates(scope, rows, column);
        }
    }

    /** A date beside timestamps becomes one; Calcite has no literal of the one type with a value of the other. */
    private void widenDates(SqlValidatorScope scope, List<SqlCall> rows, int column) {
        List<SqlTypeName> types = rows.stream()
                .map(row -> deriveType(scope, row.operand(column)).getSqlTypeName())
                .toList();
        for (int i = 0; i < rows.size() && types.contains(SqlTypeName.TIMESTAMP); i++) {
            if (types.get(i) == SqlTypeName.DATE) {
                SqlNode cast = timestamp(rows.get(i).operand(column));
                deriveType(scope, cast);
                rows.get(i).setOperand(column, cast);
            }
        }
    }

    /** So do the branches of a UNION and its kind. */
    @Override
    public void validateQuery(SqlNode node, @Nullable SqlValidatorScope scope, RelDataType targetRowType) {
        if (SqlKind.SET_QUERY.contains(node.getKind())
                && !targetRowType.isStruct()
                && UntypedItems.hasAny(((SqlCall) node).getOperandList())) {
            super.validateQuery(node, scope, columnsOfBranches(((SqlCall) node).getOperandList(), scope));
        } else {
            super.validateQuery(node, scope, targetRowType);
        }
    }

    private RelDataType columnsOfBranches(List<SqlNode> branches, @Nullable SqlValidatorScope scope) {
        List<RelDataType> known = new ArrayList<>();
        for (SqlNode branch : branches) {
            if (!UntypedItems.hasAny(List.of(branch))) {
                validateQuery(branch, scope, unknownType);
                known.add(getValidatedNodeType(branch));
            }
        }
        if (known.isEmpty()) {
            return unknownType;
        }
        RelDataType row = typeFactory.leastRestrictive(known);
        return row == null ? known.getFirst() : row;
    }

    /** The type of the parameter as its place has told it; null if none has. */
    @Nullable RelDataType toldType(SqlDynamicParam parameter) {
        return parameters.told(parameter);
    }

    /** As {@link #inferUnknownTypes}, for what infers them. */
    void infer(RelDataType type, SqlValidatorScope scope, SqlNode node) {
        inferUnknownTypes(type, scope, node);
    }
}
