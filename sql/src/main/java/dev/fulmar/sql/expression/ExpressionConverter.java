package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Converts expressions over the columns of an input row. */
public final class ExpressionConverter {
    private final RexBuilder rexBuilder;
    private final List<ColumnType> parameters;
    private final FunctionConverter functions = new FunctionConverter(this);
    private final IntervalConverter intervals = new IntervalConverter(this);

    public ExpressionConverter(RexBuilder rexBuilder, List<ColumnType> parameters) {
        this.rexBuilder = rexBuilder;
        this.parameters = List.copyOf(parameters);
    }

    /** Our expression of the same value. */
    public Expression convert(RexNode node) {
        return convertExpanded(RexUtil.expandSearch(rexBuilder, null, node));
    }

    /** As {@link #convert}, cast to the node's own type as the validator sees it. */
    public Expression convertAs(RexNode node, ColumnType type) {
        return Conversion.cast(convert(node), type);
    }

    Expression convertExpanded(RexNode node) {
        PlanningTurn.goOn();
        return switch (node) {
            case RexInputRef reference ->
                new Expression.ColumnReference(
                        reference.getIndex(),
                        TypeMapping.columnType(reference.getType()),
                        reference.getType().isNullable());
            case RexLiteral literal -> LiteralConverter.convert(literal);
            case RexDynamicParam parameter ->
                Conversion.choice(
                        new Expression.Parameter(parameter.getIndex(), parameters.get(parameter.getIndex())),
                        TypeMapping.columnType(parameter.getType()));
            case RexFieldAccess access
            when access.getReferenceExpr() instanceof RexCorrelVariable outer ->
                new Expression.OuterReference(
                        outer.id.getId(),
                        access.getField().getIndex(),
                        TypeMapping.columnType(access.getType()),
                        access.getType().isNullable());
            case RexSubQuery query ->
                throw SqlErrors.notSupported(
                        "a subquery in this place is not supported; query first, and pass its result as a"
                                + " parameter");
            case RexOver window -> throw SqlErrors.notSupported("window functions (OVER) are not supported");
            case RexCall call ->
                EnumRules.checked(ArrayRules.checked(IntervalRules.checked(JsonRules.checked(call(call)))));
            default ->
                throw SqlErrors.notSupported(
                        "an expression of this kind is not supported; a subquery that refers to an outer row is possible in simple EXISTS, IN"
                                + " and scalar forms only");
        };
    }

    RelDataTypeFactory types() {
        return rexBuilder.getTypeFactory();
    }

    List<Expression> operands(RexCall call) {
        List<Expression> operands = new ArrayList<>(call.getOperands().size());
        for (RexNode operand : call.getOperands()) {
            operands.add(convertExpanded(operand));
        }
        return operands;
    }

    private Expression call(RexCall call) {
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, MOD -> arithmetic(call);
            case MINUS_PREFIX -> negate(call);
            case PLUS_PREFIX -> convertExpanded(call.getOperands().getFirst());
            case EQUALS -> comparison(ScalarFunction.EQUAL, call);
            case NOT_EQUALS -> comparison(ScalarFunction.NOT_EQUAL, call);
            case LESS_THAN -> comparison(ScalarFunction.LESS, call);
            case LESS_THAN_OR_EQUAL -> comparison(ScalarFunction.LESS_OR_EQUAL, call);
            case GREATER_THAN -> comparison(ScalarFunction.GREATER, call);
            case GREATER_THAN_OR_EQUAL -> comparison(ScalarFunction.GREATER_OR_EQUAL, call);
            case IS_NOT_DISTINCT_FROM -> sameness(call);
            case IS_DISTINCT_FROM -> not(sameness(call));
            case AND -> conjunction(call);
            case OR -> Disjunctions.of(operands(call));
            case NOT -> not(convertExpanded(call.getOperands().getFirst()));
            case IS_NULL -> plain(ScalarFunction.IS_NULL, call);
            case IS_NOT_NULL -> plain(ScalarFunction.IS_NOT_NULL, call);
            case IS_TRUE -> plain(ScalarFunction.IS_TRUE, call);
            case IS_NOT_TRUE -> plain(ScalarFunction.IS_NOT_TRUE, call);
            case IS_FALSE -> plain(ScalarFunction.IS_FALSE, call);
            case IS_NOT_FALSE -> plain(ScalarFunction.IS_NOT_FALSE, call);
            case CASE -> caseCall(call);
            case CAST, REINTERPRET -> cast(call);
            // What is searched for may be a search itself, which expanding the outer one leaves as it is.
            case SEARCH -> convert(call);
            default -> functions.convert(call);
        };
    }

    /** A parameter has the type that it is cast to; copies of it that say otherwise do not cut its text. */
    private Expression cast(RexCall call) {
        RexNode value = call.getOperands().getFirst();
        Expression operand = IntervalConverter.isInterval(value) ? intervals.amount(value) : convertExpanded(value);
        ColumnType type = TypeMapping.columnType(call.getType());
        return operand instanceof Expression.Parameter
                ? Conversion.choice(operand, type)
                : Conversion.cast(operand, type);
    }

    private Expression conjunction(RexCall call) {
        List<Expression> conjuncts = new ArrayList<>();
        operands(call).forEach(operand -> conjuncts.addAll(Expressions.conjuncts(operand)));
        Expression all = Expressions.and(conjuncts);
        return all == null ? Expressions.TRUE : all;
    }

    private static Expression not(Expression condition) {
        return new Expression.Call(ScalarFunction.NOT, List.of(condition), Expressions.BOOLEAN, condition.nullable());
    }

    /** Without nulls it is equality, which indexes and hash tables know. */
    private Expression sameness(RexCall call) {
        boolean nullable =
                call.getOperands().stream().anyMatch(each -> each.getType().isNullable());
        return comparison(nullable ? ScalarFunction.IS_NOT_DISTINCT_FROM : ScalarFunction.EQUAL, call);
    }

    private Expression comparison(ScalarFunction function, RexCall call) {
        List<Expression> operands = operands(call);
        List<Expression> alike = Conversion.alike(operands.getFirst(), operands.get(1));
        return new Expression.Call(
                function, alike, Expressions.BOOLEAN, call.getType().isNullable());
    }

    /** A call whose operands need no conversion. */
    Expression plain(ScalarFunction function, RexCall call) {
        return new Expression.Call(
                function,
                operands(call),
                TypeMapping.columnType(call.getType()),
                call.getType().isNullable());
    }

    private Expression negate(RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        Expression operand = Conversion.cast(convertExpanded(call.getOperands().getFirst()), type);
        return ConstantFolding.fold(new Expression.Call(
                ScalarFunction.NEGATE, List.of(operand), type, call.getType().isNullable()));
    }

    private Expression arithmetic(RexCall call) {
        boolean ofInterval = call.getOperands().stream().anyMatch(IntervalConverter::isInterval);
        if (ofInterval && !IntervalConverter.isInterval(call) && SqlTypeUtil.isDatetime(call.getType())) {
            return intervals.moved(call);
        }
        ScalarFunction function = switch (call.getKind()) {
            case PLUS -> ScalarFunction.PLUS;
            case MINUS -> ScalarFunction.MINUS;
            case TIMES -> ScalarFunction.TIMES;
            case DIVIDE -> ScalarFunction.DIVIDE;
            default -> ScalarFunction.MODULO;
        };
        ColumnType type = TypeMapping.columnType(call.getType());
        List<Expression> operands = operands(call);
        if (!operands.stream().allMatch(operand -> Conversion.isNumeric(operand.type()))
                || !Conversion.isNumeric(type)) {
            throw SqlErrors.notSupported(
                    "arithmetic on dates, times and intervals is not supported; compute in the procedure");
        }
        boolean nullable = call.getType().isNullable();
        if (type.kind() == TypeKind.DECIMAL || type.kind() == TypeKind.NUMERIC) {
            return new Expression.Call(function, operands, type, nullable);
        }
        ColumnType meeting =
                Conversion.common(operands.getFirst().type(), operands.get(1).type());
        return function == ScalarFunction.MODULO && meeting != null
                ? Conversion.cast(arithmetic(function, operands, meeting, nullable), type)
                : arithmetic(function, operands, type, nullable);
    }

    private static Expression arithmetic(
            ScalarFunction function, List<Expression> operands, ColumnType type, boolean nullable) {
        List<Expression> converted =
                operands.stream().map(operand -> Conversion.cast(operand, type)).toList();
        return ConstantFolding.fold(new Expression.Call(function, converted, type, nullable));
    }

    private Expression caseCall(RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        List<Expression> operands = operands(call);
        List<Expression> arguments = new ArrayList<>(operands.size());
        for (int i = 0; i < operands.size(); i++) {
            boolean condition = i % 2 == 0 && i < operands.size() - 1;
            arguments.add(condition ? operands.get(i) : Conversion.choice(operands.get(i), type));
        }
        return new Expression.Call(
                ScalarFunction.CASE, arguments, type, call.getType().isNullable());
    }
}
