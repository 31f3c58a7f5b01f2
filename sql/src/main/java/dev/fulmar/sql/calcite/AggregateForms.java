package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.AggregateFunction.Family;
import dev.fulmar.engine.userfunction.UserAggregate;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * Gives calls of aggregates the form of {@link DialectAggregate}: {@code STRING_AGG(value, separator ORDER BY ...)},
 * {@code PERCENTILE_CONT(fraction) WITHIN GROUP (ORDER BY value)} and those that are known by their names. In a window
 * FILTER becomes a CASE of the argument.
 */
final class AggregateForms {
    private static final Map<String, AggregateFunction> BY_NAME = byName();

    private static final String PAIR_COUNT = "REGR_COUNT";

    private AggregateForms() {}

    private static Map<String, AggregateFunction> byName() {
        Map<String, AggregateFunction> functions = new HashMap<>();
        for (AggregateFunction function : AggregateFunction.values()) {
            if (function.family() != Family.PLAIN && function != AggregateFunction.USER_DEFINED) {
                functions.put(function.name(), function);
            }
        }
        functions.put("STDDEV", AggregateFunction.STDDEV_SAMP);
        functions.put("VARIANCE", AggregateFunction.VAR_SAMP);
        for (String name : List.of("STDDEV", "VARIANCE", "STDDEV_SAMP", "STDDEV_POP", "VAR_SAMP", "VAR_POP")) {
            functions.put("#" + name, functions.get(name));
        }
        functions.put("#SUM", AggregateFunction.SUM);
        functions.put("#AVG", AggregateFunction.AVG);
        return Map.copyOf(functions);
    }

    /** Whether a call that is not validated yet is one of an aggregate. */
    static boolean isAggregate(SqlCall call) {
        String name = call.getOperator().getName();
        return call.getOperator().isAggregator()
                || GroupedKeys.AGGREGATES.contains(name)
                || BY_NAME.containsKey(name)
                || name.equals(PAIR_COUNT);
    }

    /** Whether an aggregate has the name, which is in upper case. */
    static boolean isName(String name) {
        return BY_NAME.containsKey(name) || name.equals(PAIR_COUNT);
    }

    /** The call in its form; itself if it is no such call. */
    static SqlNode settled(SqlCall call, Catalog catalog) {
        if (call.getKind() == SqlKind.OVER) {
            return inWindow(call, catalog);
        }
        UserFunction user = ofUsers(call, catalog);
        if (user != null) {
            return made(call, user, catalog);
        }
        if (call.getKind() == SqlKind.WITHIN_GROUP) {
            return withinGroup(call, call.operand(0), call.operand(1));
        }
        if (call.getOperator().getName().equals(PAIR_COUNT)) {
            return countOfPairs(call);
        }
        AggregateFunction function = function(call);
        if (function == null) {
            return call;
        }
        if (isOrderedSet(function)) {
            throw refusal(
                    call,
                    "write " + function + (function == AggregateFunction.MODE ? "()" : "(fraction)")
                            + " WITHIN GROUP (ORDER BY value)");
        }
        List<SqlNode> arguments = new ArrayList<>(call.getOperandList());
        List<SqlNode> keys = keysTaken(arguments);
        checkCount(call, function, arguments);
        if (isDistinct(call)) {
            checkKeys(call, arguments, keys);
        }
        return made(call, function, arguments, keys);
    }

    private static @Nullable UserFunction ofUsers(SqlCall call, Catalog catalog) {
        String marked = ordered(call);
        if (marked.isEmpty() && !(call.getOperator() instanceof SqlUnresolvedFunction)) {
            return null;
        }
        String name = marked.isEmpty() ? call.getOperator().getName() : marked;
        UserFunction function = catalog.functions().get(name.toUpperCase(Locale.ROOT));
        if (function != null && function.isAggregate()) {
            return function;
        }
        if (!marked.isEmpty()) {
            throw refusal(
                    call,
                    marked + " takes no order in its parentheses; STRING_AGG, ARRAY_AGG and aggregates of users do");
        }
        return null;
    }

    /** The name that {@link OrderedCalls} has put before the arguments; empty for none. */
    private static String ordered(SqlCall call) {
        return call.operandCount() > 1
                        && call.operand(0) instanceof SqlIdentifier name
                        && name.isSimple()
                        && name.getSimple().startsWith(OrderedCalls.MARK)
                ? name.getSimple().substring(OrderedCalls.MARK.length())
                : "";
    }

    private static SqlNode made(SqlCall call, UserFunction user, Catalog catalog) {
        List<SqlNode> arguments = new ArrayList<>(call.getOperandList());
        if (!ordered(call).isEmpty()) {
            arguments.removeFirst();
        }
        List<SqlNode> keys = keysTaken(arguments);
        int wanted = user.parameters().size();
        if (arguments.size() != wanted || arguments.stream().anyMatch(AggregateForms::isStar)) {
            throw SqlErrors.at(
                    ErrorCode.WRONG_PARAMETERS,
                    at(call.getParserPosition()),
                    user + " takes " + wanted + (wanted == 1 ? " argument" : " arguments"));
        }
        if (isDistinct(call)) {
            checkKeys(call, arguments, keys);
        }
        return DialectAggregate.ofUsers(
                        UserAggregate.of(user, catalog.functions()),
                        keys.stream().map(AggregateForms::direction).toList())
                .createCall(call.getFunctionQuantifier(), call.getParserPosition(), operands(arguments, keys));
    }

    /** Takes the list of keys from the end of the operands. */
    private static List<SqlNode> keysTaken(List<SqlNode> operands) {
        if (!operands.isEmpty() && operands.getLast() instanceof SqlNodeList order) {
            operands.removeLast();
            return List.copyOf(order);
        }
        return List.of();
    }

    private static List<SqlNode> operands(List<SqlNode> arguments, List<SqlNode> keys) {
        List<SqlNode> operands = new ArrayList<>(arguments);
        keys.forEach(key -> operands.add(value(key)));
        return operands;
    }

    private static @Nullable AggregateFunction function(SqlCall call) {
        return call.getOperator() instanceof DialectAggregate
                ? null
                : BY_NAME.get(call.getOperator().getName());
    }

    /**
     * STRING_AGG of other operands than those of the call.
     *
     * @param operands the text, the separator and, last, a list of keys if there is an order
     */
    static SqlNode listed(SqlCall call, List<SqlNode> operands) {
        SqlNodeList keys = operands.getLast() instanceof SqlNodeList order ? order : SqlNodeList.EMPTY;
        return made(call, AggregateFunction.STRING_AGG, operands.subList(0, 2), List.copyOf(keys));
    }

    /** The same in place of ARRAY_AGG, of texts. */
    static SqlNode texts(SqlCall call, List<SqlNode> operands) {
        SqlNodeList keys = operands.getLast() instanceof SqlNodeList order ? order : SqlNodeList.EMPTY;
        String name = AggregateFunction.STRING_AGG.name();
        return made(call, name, AggregateFunction.STRING_AGG, operands.subList(0, 2), List.copyOf(keys));
    }

    /** Pairs without nulls: {@code COUNT(CASE WHEN y IS NOT NULL AND x IS NOT NULL THEN 1 END)}. */
    private static SqlNode countOfPairs(SqlCall call) {
        if (call.operandCount() != 2 || isDistinct(call)) {
            throw refusal(call, PAIR_COUNT + " takes 2 arguments and no DISTINCT");
        }
        SqlParserPos position = call.getParserPosition();
        SqlNode first = call.operand(0);
        SqlNode second = call.operand(1);
        SqlNode areKnown = SqlStdOperatorTable.AND.createCall(
                position,
                SqlStdOperatorTable.IS_NOT_NULL.createCall(position, first),
                SqlStdOperatorTable.IS_NOT_NULL.createCall(position, second));
        SqlNode one = SqlLiteral.createExactNumeric("1", position);
        return SqlStdOperatorTable.COUNT.createCall(position, when(areKnown, one, position));
    }

    /** The value where the condition holds, or null. */
    private static SqlNode when(SqlNode condition, SqlNode value, SqlParserPos position) {
        return SqlCase.createSwitched(
                position, null, SqlNodeList.of(condition), SqlNodeList.of(value), SqlLiteral.createNull(position));
    }

    private static boolean isOrderedSet(AggregateFunction function) {
        return function.family() == Family.LIST && function != AggregateFunction.STRING_AGG;
    }

    static boolean isDistinct(SqlCall call) {
        SqlLiteral quantifier = call.getFunctionQuantifier();
        return quantifier != null && quantifier.toValue() != null && "DISTINCT".equals(quantifier.toValue());
    }

    private static SqlNode withinGroup(SqlCall whole, SqlNode inner, SqlNodeList order) {
        AggregateFunction function = inner instanceof SqlCall call ? function(call) : null;
        if (function == null || !(inner instanceof SqlCall call) || !isOrderedSet(function)) {
            throw refusal(
                    whole,
                    "WITHIN GROUP is for MODE, PERCENTILE_CONT and PERCENTILE_DISC; the order of STRING_AGG stands"
                            + " in its parentheses: STRING_AGG(value, ',' ORDER BY key)");
        }
        if (isDistinct(call)) {
            throw refusal(whole, "DISTINCT does not go with WITHIN GROUP; aggregate a SELECT DISTINCT");
        }
        if (order.size() != 1) {
            throw refusal(whole, function + " takes one value: WITHIN GROUP (ORDER BY value)");
        }
        checkCount(call, function, call.getOperandList());
        if (function != AggregateFunction.MODE) {
            checkFraction(call, function, call.operand(0));
        }
        return made(call, function, call.getOperandList(), List.copyOf(order));
    }

    private static SqlNode made(SqlCall call, AggregateFunction function, List<SqlNode> arguments, List<SqlNode> keys) {
        String written = call.getOperator().getName();
        String name = function == AggregateFunction.STRING_AGG && !written.equals(DialectAggregate.OF_ARRAYS)
                ? function.name()
                : written;
        return made(call, name, function, arguments, keys);
    }

    private static SqlNode made(
            SqlCall call, String name, AggregateFunction function, List<SqlNode> arguments, List<SqlNode> keys) {
        List<DialectAggregate.Direction> order =
                keys.stream().map(AggregateForms::direction).toList();
        return DialectAggregate.of(name, function, order)
                .createCall(call.getFunctionQuantifier(), call.getParserPosition(), operands(arguments, keys));
    }

    private static DialectAggregate.Direction direction(SqlNode key) {
        return switch (key.getKind()) {
            case NULLS_FIRST -> new DialectAggregate.Direction(isDescending(((SqlCall) key).operand(0)), true);
            case NULLS_LAST -> new DialectAggregate.Direction(isDescending(((SqlCall) key).operand(0)), false);
            default -> new DialectAggregate.Direction(isDescending(key), isDescending(key));
        };
    }

    private static boolean isDescending(SqlNode key) {
        return key.getKind() == SqlKind.DESCENDING;
    }

    private static SqlNode value(SqlNode key) {
        return switch (key.getKind()) {
            case NULLS_FIRST, NULLS_LAST, DESCENDING -> value(((SqlCall) key).operand(0));
            default -> key;
        };
    }

    private static void checkCount(SqlCall call, AggregateFunction function, List<SqlNode> arguments) {
        int wanted = DialectAggregate.arguments(function);
        if (arguments.size() != wanted || arguments.stream().anyMatch(AggregateForms::isStar)) {
            throw refusal(
                    call,
                    call.getOperator().getName() + " takes " + wanted + (wanted == 1 ? " argument" : " arguments"));
        }
    }

    private static boolean isStar(SqlNode node) {
        return node instanceof SqlIdentifier name && name.isStar();
    }

    /** Rows that are equal but for another key would leave the order open. */
    private static void checkKeys(SqlCall call, List<SqlNode> arguments, List<SqlNode> keys) {
        for (SqlNode key : keys) {
            SqlNode value = value(key);
            if (arguments.stream().noneMatch(each -> each.equalsDeep(value, Litmus.IGNORE))) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_COLUMN_REFERENCE,
                        at(key.getParserPosition()),
                        "an aggregate with DISTINCT is ordered by its arguments only; order by one of those of "
                                + call.getOperator().getName());
            }
        }
    }

    /** A fraction is the same for all rows of a group. */
    private static void checkFraction(SqlCall call, AggregateFunction function, SqlNode fraction) {
        if (fraction instanceof SqlNumericLiteral number) {
            BigDecimal value = number.bigDecimalValue();
            if (value != null && (value.signum() < 0 || value.compareTo(BigDecimal.ONE) > 0)) {
                throw SqlErrors.at(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        at(call.getParserPosition()),
                        function + " takes a fraction between 0 and 1, not " + value.toPlainString());
            }
        } else if (!isConstant(fraction)) {
            throw refusal(call, "the fraction of " + function + " is a constant or a parameter");
        }
    }

    private static boolean isConstant(@Nullable SqlNode node) {
        return switch (node) {
            case SqlIdentifier ignored -> false;
            case SqlCall call ->
                !call.getKind().belongsTo(SqlKind.QUERY)
                        && call.getKind() != SqlKind.ARRAY_VALUE_CONSTRUCTOR
                        && call.getOperandList().stream().allMatch(AggregateForms::isConstant);
            case SqlNodeList list -> list.stream().allMatch(AggregateForms::isConstant);
            case null, default -> true;
        };
    }

    private static SqlNode inWindow(SqlCall over, Catalog catalog) {
        SqlNode called = over.operand(0);
        if (called instanceof SqlCall filter && filter.getKind() == SqlKind.FILTER) {
            over.setOperand(0, filtered(filter, filter.operand(0), filter.operand(1)));
            called = over.operand(0);
        }
        boolean isWithin = called.getKind() == SqlKind.WITHIN_GROUP;
        AggregateFunction function = called instanceof SqlCall call ? function(call) : null;
        boolean isOfArray = called.getKind() == SqlKind.ARRAY_AGG;
        boolean isOfUsers = called instanceof SqlCall call && ofUsers(call, catalog) != null;
        if (isWithin || isOfArray || isOfUsers || (function != null && function.family() == Family.LIST)) {
            throw refusal(
                    over,
                    "STRING_AGG, ARRAY_AGG, MODE, percentiles and aggregates of users have no OVER; aggregate with GROUP"
                            + " BY, and join the result");
        }
        return over;
    }

    /** Rows that do not count give the aggregate a null. */
    private static SqlNode filtered(SqlCall filter, SqlNode aggregate, SqlNode condition) {
        if (!(aggregate instanceof SqlCall call) || !isAggregate(call) || call.operandCount() == 0) {
            throw refusal(filter, "FILTER is for aggregates");
        }
        SqlParserPos position = call.getParserPosition();
        SqlNode argument = isStar(call.operand(0)) ? SqlLiteral.createExactNumeric("1", position) : call.operand(0);
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        operands.set(0, when(condition, argument, position));
        return call.getOperator().createCall(call.getFunctionQuantifier(), position, operands);
    }

    private static Position at(SqlParserPos position) {
        return new Position(position.getLineNum(), position.getColumnNum());
    }

    private static FulmarException refusal(SqlCall call, String message) {
        return SqlErrors.at(ErrorCode.NOT_SUPPORTED, at(call.getParserPosition()), message);
    }
}
