package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.function.ValueFunctions;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Expression.Call;
import dev.fulmar.engine.plan.Expression.ColumnReference;
import dev.fulmar.engine.plan.Expression.Literal;
import dev.fulmar.engine.plan.Expression.OuterReference;
import dev.fulmar.engine.plan.Expression.Parameter;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Turns typed expressions over the columns of one input into evaluators. */
public final class ExpressionCompiler {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    private static final ColumnType BOOLEAN = ColumnType.of(TypeKind.BOOLEAN);

    private final List<Evaluator> columns;
    private final Map<Integer, List<Evaluator>> outerRows;

    /** @param columns evaluators of the input's columns */
    public ExpressionCompiler(List<Evaluator> columns) {
        this(columns, Map.of());
    }

    /** @param outerRows evaluators of the columns of the rows around, by the number of the row */
    public ExpressionCompiler(List<Evaluator> columns, Map<Integer, List<Evaluator>> outerRows) {
        this.columns = columns;
        this.outerRows = outerRows;
    }

    public Evaluator compile(Expression expression) {
        return switch (expression) {
            case ColumnReference column -> columns.get(column.index());
            case OuterReference outer -> outer(outer);
            case Parameter parameter -> Constants.parameter(parameter.index(), parameter.type());
            case Literal literal -> Constants.literal(literal);
            case Call call -> NumericCalls.isOne(call) ? ofNumerics(call) : call(call);
        };
    }

    private Evaluator ofNumerics(Call call) {
        return NumericCalls.compile(
                call, call.arguments().stream().map(this::compile).toList());
    }

    private Evaluator outer(OuterReference reference) {
        List<Evaluator> row = outerRows.get(reference.row());
        if (row == null) {
            throw Invariants.breach("an expression reads rows around it only");
        }
        return row.get(reference.column());
    }

    /** A condition; null counts as not true. */
    public LongEvaluator condition(Expression expression) {
        return (LongEvaluator) as(expression, BOOLEAN);
    }

    /** The value converted to the type where the planner left them different. */
    public Evaluator as(Expression expression, ColumnType type) {
        ColumnType from = expression.type();
        if (expression instanceof Literal literal && literal.value() == null) {
            return Constants.nothing(type);
        }
        return converted(compile(expression), from, type);
    }

    private static Evaluator converted(Evaluator value, ColumnType from, ColumnType type) {
        boolean same = from.storage() == type.storage() && from.scale() == type.scale() && sameMeaning(from, type);
        return same ? value : Casts.compile(value, from, type);
    }

    /** {@link #stored} for an expression. */
    public Evaluator storedIn(Expression expression, ColumnType type) {
        return expression instanceof Literal literal && literal.value() == null
                ? Constants.nothing(type)
                : stored(compiledFor(expression, type), expression.type(), type);
    }

    /**
     * The value in the form in which a column of the type stores it, with its range checked where the row does not
     * check it.
     */
    public static Evaluator stored(Evaluator value, ColumnType from, ColumnType type) {
        boolean trims = type.kind() == TypeKind.CHAR && from.kind() != TypeKind.CHAR;
        boolean narrows = type.kind() == TypeKind.DECIMAL
                && type.storage() == from.storage()
                && from.precision() - from.scale() > type.precision() - type.scale();
        boolean rounds = type.hasFewerDigits() && !from.equals(type);
        return trims || narrows || rounds ? Casts.compile(value, from, type) : converted(value, from, type);
    }

    /** Longs of different kinds stand for different things, except among exact numbers. */
    private static boolean sameMeaning(ColumnType from, ColumnType to) {
        return (from.kind() == to.kind() && !from.isArray() && (isAny(to) || keepsAll(from, to)))
                || from.equals(to)
                || (from.storage() != TypeKind.Storage.LONG
                        && !to.kind().isJson()
                        && !from.isArray()
                        && !to.isArray()
                        && (!from.kind().isJson() || to.kind().isText())
                        && from.kind() != TypeKind.UUID
                        && to.kind() != TypeKind.UUID
                        && from.kind() != TypeKind.INTERVAL
                        && to.kind() != TypeKind.INTERVAL
                        && from.kind() != TypeKind.NUMERIC
                        && to.kind() != TypeKind.NUMERIC)
                || (ExactNumbers.isExact(from) && ExactNumbers.isExact(to));
    }

    private static boolean isAny(ColumnType type) {
        return type.kind() != TypeKind.INTERVAL && type.kind() != TypeKind.NUMERIC;
    }

    /** Whether no value of the first type of intervals or numerics has what the other one cuts off. */
    private static boolean keepsAll(ColumnType from, ColumnType to) {
        return to.precision() == 0 || from.equals(to);
    }

    private Evaluator call(Call call) {
        ScalarFunction function = call.function();
        return switch (function) {
            case PLUS, MINUS, TIMES, DIVIDE, MODULO -> arithmetic(call);
            case NEGATE -> Arithmetic.negate(argument(call, 0), type(call, 0), call.type());
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                Comparisons.compile(function, argument(call, 0), type(call, 0), argument(call, 1), type(call, 1));
            case IS_NOT_DISTINCT_FROM ->
                Comparisons.notDistinct(argument(call, 0), type(call, 0), argument(call, 1), type(call, 1));
            case AND -> Logic.and(conditions(call));
            case OR -> Logic.or(conditions(call));
            case NOT -> Logic.not(condition(call.arguments().getFirst()));
            case IS_NULL -> Logic.isNull(argument(call, 0));
            case IS_NOT_NULL -> Logic.isNotNull(argument(call, 0));
            case IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE ->
                Logic.is(function, condition(call.arguments().getFirst()));
            case CASE -> caseOf(call);
            case CAST -> cast(call);
            case COALESCE -> Conditionals.coalesce(arguments(call, call.type()), call.type());
            case IN -> in(call);
            case GREATEST, LEAST, GREATEST_KNOWN, LEAST_KNOWN ->
                Extremes.compile(function, arguments(call, call.type()), call.type());
            case LIKE,
                    CONCAT,
                    CONCAT_KNOWN,
                    SUBSTRING,
                    UPPER,
                    LOWER,
                    CHAR_LENGTH,
                    OCTET_LENGTH,
                    POSITION,
                    REPLACE,
                    TRIM_BOTH,
                    TRIM_LEADING,
                    TRIM_TRAILING -> textual(call);
            case PAD_LEFT, PAD_RIGHT, REPEAT, REVERSE, INITIAL_CAPITALS, CODE_POINT, CHARACTER, TRANSLATE ->
                moreTextual(call);
            case MATCHES, MATCHES_IN_ANY_CASE, ELEMENT, HAS_ELEMENT, ELEMENT_COUNT, JOIN_ELEMENTS -> structured(call);
            case ABS, SIGN, ROUND, TRUNCATE, FLOOR, CEIL, SQRT, POWER, EXP, LN, LOG10 -> numeric(call);
            case SIN, COS, TAN, COT, ASIN, ACOS, ATAN, DEGREES, RADIANS, CBRT, ROUND_EVEN, ATAN2 ->
                floatingFunction(call);
            case EXTRACT_YEAR,
                    EXTRACT_MONTH,
                    EXTRACT_DAY,
                    EXTRACT_HOUR,
                    EXTRACT_MINUTE,
                    EXTRACT_SECOND,
                    EXTRACT_DAY_OF_WEEK,
                    EXTRACT_DAY_OF_YEAR,
                    EXTRACT_WEEK,
                    EXTRACT_QUARTER,
                    EXTRACT_MICROSECOND -> field(call);
            case ADD_MONTHS, MONTHS_BETWEEN, LAST_DAY, AT_ZONE -> calendar(call);
            case NAMED, NEXT_VALUE, NEXT_RANGE, CURRENT_VALUE, LAST_VALUE, ROW_ID, GIVEN_NUMBER -> withConstant(call);
            case CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME -> TemporalFunctions.now(function);
            default -> computed(call);
        };
    }

    private Evaluator computed(Call call) {
        return switch (call.function()) {
            case USER_DEFINED -> ofUsers(call);
            case RANDOM_BITS -> new KnownToNode();
            case RANDOM_OF_ROW -> new RandomOfRow(longArgument(call, 0));
            case ARRAY_OF ->
                ArrayElements.made(
                        arguments(call, call.type().element()), call.type().element());
            case ARRAY_ELEMENT -> ArrayElements.at(text(call, 0), integer(call, 1), call.type());
            case ARRAY_CONCAT -> ArrayElements.joined(text(call, 0), text(call, 1));
            default -> IntervalEvaluators.haveOne(call.function()) ? ofIntervals(call) : ofValues(call);
        };
    }

    private Evaluator ofValues(Call call) {
        List<ColumnType> types = call.arguments().stream().map(Expression::type).toList();
        List<Evaluator> arguments = call.arguments().stream().map(this::compile).toList();
        return ComputedValues.compile(ValueFunctions.of(call.function()), arguments, types, call.type());
    }

    private Evaluator ofUsers(Call call) {
        if (!(call.arguments().getFirst() instanceof Literal(ColumnType _, UserFunction function))) {
            throw Invariants.breach("the function of a call is known when a statement is planned");
        }
        if (function.body() instanceof UserFunction.Formula) {
            return as(call.arguments().get(1), function.result());
        }
        List<Evaluator> values = new ArrayList<>();
        for (int i = 1; i < call.arguments().size(); i++) {
            values.add(
                    as(call.arguments().get(i), function.parameters().get(i - 1).type()));
        }
        return UserFunctionValues.compile(function, values);
    }

    private Evaluator field(Call call) {
        boolean mayBeInfinite = call.function() == ScalarFunction.EXTRACT_YEAR
                && call.type().kind() == TypeKind.DOUBLE
                && type(call, 0).kind() != TypeKind.INTERVAL;
        return mayBeInfinite
                ? TemporalFunctions.year(longArgument(call, 0), type(call, 0))
                : Casts.compile(extract(call), BIGINT, call.type());
    }

    private LongEvaluator extract(Call call) {
        return type(call, 0).kind() == TypeKind.INTERVAL
                ? IntervalEvaluators.extract(call.function(), argument(call, 0))
                : TemporalFunctions.extract(call.function(), longArgument(call, 0), type(call, 0));
    }

    private Evaluator ofIntervals(Call call) {
        boolean isMoved =
                call.function() == ScalarFunction.INTERVAL_AFTER || call.function() == ScalarFunction.INTERVAL_BEFORE;
        List<Evaluator> arguments =
                call.arguments().stream().limit(2).map(this::compile).toList();
        return IntervalEvaluators.compile(
                call.function(),
                arguments,
                type(call, 0),
                call.type(),
                isMoved && call.arguments().size() > 2 ? zone(call, 2) : null);
    }

    private Evaluator calendar(Call call) {
        return switch (call.function()) {
            case ADD_MONTHS ->
                TemporalFunctions.addMonths(longArgument(call, 0), type(call, 0), integer(call, 1), call.type());
            case MONTHS_BETWEEN ->
                Casts.compile(
                        TemporalFunctions.monthsBetween(timestamp(call, 0), timestamp(call, 1)), BIGINT, call.type());
            case AT_ZONE -> Zones.compile(argument(call, 0), type(call, 0), zone(call, 1), call.type());
            default -> TemporalFunctions.lastDay(timestamp(call, 0));
        };
    }

    private Zones.Zone zone(Call call, int place) {
        return call.arguments().get(place) instanceof Literal literal && literal.value() instanceof String name
                ? Zones.Zone.named(name)
                : Zones.Zone.computed(text(call, place));
    }

    private Evaluator cast(Call call) {
        Expression argument = call.arguments().getFirst();
        return argument instanceof Literal literal && literal.value() == null
                ? Constants.nothing(call.type())
                : cast(compiledFor(argument, call.type()), argument.type(), call);
    }

    /** The zone of instants in an array and its text is an argument besides. */
    private static Evaluator cast(Evaluator value, ColumnType from, Call call) {
        return call.arguments().size() > 1 && call.arguments().get(1) instanceof Literal(ColumnType _, String zone)
                ? ArrayCasts.compile(
                        value, from, call.type(), ZonedTime.zone(zone).orElse(ZoneOffset.UTC))
                : Casts.compile(value, from, call.type());
    }

    /** A number of a sequence that becomes an INTEGER is drawn among those that one can have. */
    private Evaluator compiledFor(Expression value, ColumnType type) {
        return type.kind() == TypeKind.INTEGER
                        && value instanceof Call call
                        && call.function() == ScalarFunction.NEXT_VALUE
                        && call.arguments().getFirst() instanceof Literal(ColumnType _, Long sequence)
                ? Draw.ofInteger(sequence.intValue())
                : compile(value);
    }

    /** Functions with what only the planner writes: the place of a value, a sequence, or the number of a row. */
    private Evaluator withConstant(Call call) {
        return switch (call.function()) {
            case NAMED -> named(call);
            case CURRENT_VALUE, LAST_VALUE -> new KnownToNode();
            case ROW_ID -> new RowId(longArgument(call, 0));
            case GIVEN_NUMBER -> new GivenNumber(constant(call, 0), constant(call, 1), longArgument(call, 2));
            default -> draw(call);
        };
    }

    private static int constant(Call call, int argument) {
        if (call.arguments().get(argument) instanceof Literal(ColumnType _, Long value)) {
            return value.intValue();
        }
        throw Invariants.breach("the place of a number is known when a statement is planned");
    }

    private Evaluator named(Call call) {
        if (call.arguments().get(1) instanceof Literal(ColumnType _, String place)) {
            return NamedValues.at(place, argument(call, 0));
        }
        throw Invariants.breach("where a value belongs is known when a statement is planned");
    }

    private Evaluator arithmetic(Call call) {
        ColumnType leftType = type(call, 0);
        ColumnType rightType = type(call, 1);
        boolean temporal = TemporalFunctions.takes(leftType) || TemporalFunctions.takes(rightType);
        if (!temporal && !(ExactNumbers.isNumber(leftType) && ExactNumbers.isNumber(rightType))) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    call.function() + " of a " + leftType + " and a " + rightType
                            + " is not possible; CAST them to numbers");
        }
        return Arithmetic.compile(
                call.function(), argument(call, 0), leftType, argument(call, 1), rightType, call.type());
    }

    /** condition, value, condition, value, ..., otherwise. */
    private Evaluator caseOf(Call call) {
        List<Expression> arguments = call.arguments();
        List<LongEvaluator> conditions = new ArrayList<>();
        List<Evaluator> values = new ArrayList<>();
        int last = arguments.size() - 1;
        for (int i = 0; i + 1 <= last; i += 2) {
            conditions.add(condition(arguments.get(i)));
            values.add(as(arguments.get(i + 1), call.type()));
        }
        values.add(arguments.size() % 2 == 1 ? as(arguments.get(last), call.type()) : Constants.nothing(call.type()));
        return Conditionals.choose(conditions, values, call.type());
    }

    private Evaluator in(Call call) {
        List<Expression> others = call.arguments().subList(1, call.arguments().size());
        Evaluator value = argument(call, 0);
        ColumnType valueType = type(call, 0);
        boolean constants = value instanceof LongEvaluator
                && others.stream()
                        .allMatch(other -> other instanceof Literal literal
                                && literal.value() != null
                                && literal.type().storage() == TypeKind.Storage.LONG
                                && literal.type().scale() == valueType.scale());
        if (constants && value instanceof LongEvaluator number) {
            long[] values = new long[others.size()];
            // Literals evaluate without a row.
            Frame none = new Frame(0, new dev.fulmar.engine.execution.value.ScratchMemory(0), new ParameterSlots());
            for (int i = 0; i < values.length; i++) {
                values[i] = ((LongEvaluator) compile(others.get(i))).evaluate(none);
            }
            return Conditionals.inConstants(number, values);
        }
        List<LongEvaluator> equalities = new ArrayList<>();
        for (Expression other : others) {
            equalities.add(
                    other instanceof Literal literal && literal.value() == null
                            ? (LongEvaluator) Constants.nothing(BOOLEAN)
                            : Comparisons.compile(
                                    ScalarFunction.EQUAL, value, valueType, compile(other), other.type()));
        }
        return Logic.or(equalities);
    }

    private Evaluator textual(Call call) {
        return switch (call.function()) {
            case LIKE ->
                Like.compile(text(call, 0), text(call, 1), call.arguments().size() > 2 ? text(call, 2) : null);
            case CONCAT -> TextFunctions.concat(texts(call, 0));
            case CONCAT_KNOWN -> TextFunctions.concatKnown(text(call, 0), texts(call, 1));
            case SUBSTRING ->
                call.arguments().size() > 2
                        ? TextFunctions.substring(text(call, 0), integer(call, 1), integer(call, 2))
                        : TextFunctions.substring(text(call, 0), integer(call, 1));
            case UPPER -> TextFunctions.upper(text(call, 0));
            case LOWER -> TextFunctions.lower(text(call, 0));
            case CHAR_LENGTH -> TextFunctions.characterLength(text(call, 0));
            case OCTET_LENGTH -> TextFunctions.octetLength(text(call, 0));
            case POSITION -> TextFunctions.position(text(call, 0), text(call, 1));
            case REPLACE -> TextFunctions.replace(text(call, 0), text(call, 1), text(call, 2));
            case TRIM_BOTH -> TextFunctions.trim(text(call, 0), text(call, 1), true, true);
            case TRIM_LEADING -> TextFunctions.trim(text(call, 0), text(call, 1), true, false);
            case TRIM_TRAILING -> TextFunctions.trim(text(call, 0), text(call, 1), false, true);
            default -> throw Invariants.breach(call.function() + " is a function of text");
        };
    }

    private Evaluator moreTextual(Call call) {
        return switch (call.function()) {
            case PAD_LEFT -> MoreTextFunctions.pad(text(call, 0), integer(call, 1), text(call, 2), true);
            case PAD_RIGHT -> MoreTextFunctions.pad(text(call, 0), integer(call, 1), text(call, 2), false);
            case REPEAT -> MoreTextFunctions.repeat(text(call, 0), integer(call, 1));
            case REVERSE -> MoreTextFunctions.reverse(text(call, 0));
            case INITIAL_CAPITALS -> MoreTextFunctions.initialCapitals(text(call, 0));
            case CODE_POINT -> Casts.compile(MoreTextFunctions.codePoint(text(call, 0)), BIGINT, call.type());
            case CHARACTER -> MoreTextFunctions.character(integer(call, 0));
            case TRANSLATE -> MoreTextFunctions.translate(text(call, 0), text(call, 1), text(call, 2));
            default -> throw Invariants.breach(call.function() + " is a function of text");
        };
    }

    /** Functions of text that is an array or a regular expression. */
    private Evaluator structured(Call call) {
        return switch (call.function()) {
            case MATCHES -> Matches.compile(text(call, 0), text(call, 1), false);
            case MATCHES_IN_ANY_CASE -> Matches.compile(text(call, 0), text(call, 1), true);
            case ELEMENT -> ArrayText.element(text(call, 0), integer(call, 1));
            case HAS_ELEMENT -> ArrayText.hasElement(text(call, 0), text(call, 1));
            case JOIN_ELEMENTS -> ArrayText.join(text(call, 0), text(call, 1));
            case ELEMENT_COUNT -> Casts.compile(ArrayText.count(text(call, 0)), BIGINT, call.type());
            default -> throw Invariants.breach(call.function() + " is a function of text");
        };
    }

    private Evaluator floatingFunction(Call call) {
        for (int argument = 0; argument < (call.function() == ScalarFunction.ATAN2 ? 2 : 1); argument++) {
            if (!ExactNumbers.isNumber(type(call, argument))) {
                throw NumericFunctions.notANumber(call.function(), type(call, argument));
            }
        }
        DoubleEvaluator result = call.function() == ScalarFunction.ATAN2
                ? NumericFunctions.angle(floating(call, 0), floating(call, 1))
                : NumericFunctions.ofDouble(call.function(), floating(call, 0), call.type());
        return Casts.compile(result, DOUBLE, call.type());
    }

    private LongEvaluator draw(Call call) {
        if (call.arguments().getFirst() instanceof Literal(ColumnType type, Long sequence)) {
            return new Draw(
                    sequence.intValue(), call.function() == ScalarFunction.NEXT_RANGE ? longArgument(call, 1) : null);
        }
        throw Invariants.breach("a sequence is known when a statement is planned");
    }

    private LongEvaluator timestamp(Call call, int argument) {
        return (LongEvaluator) as(call.arguments().get(argument), ColumnType.of(TypeKind.TIMESTAMP));
    }

    private Evaluator numeric(Call call) {
        ScalarFunction function = call.function();
        ColumnType argumentType = type(call, 0);
        if (!ExactNumbers.isNumber(argumentType)) {
            throw NumericFunctions.notANumber(function, argumentType);
        }
        return switch (function) {
            case ABS -> NumericFunctions.abs(argument(call, 0), argumentType, call.type());
            case SIGN -> NumericFunctions.sign(argument(call, 0), argumentType, call.type());
            case ROUND, TRUNCATE, FLOOR, CEIL ->
                NumericFunctions.round(
                        function,
                        argument(call, 0),
                        argumentType,
                        call.arguments().size() > 1 ? integer(call, 1) : null,
                        call.type());
            case SQRT, EXP, LN, LOG10 ->
                Casts.compile(NumericFunctions.ofDouble(function, floating(call, 0), call.type()), DOUBLE, call.type());
            case POWER ->
                Casts.compile(
                        NumericFunctions.power(floating(call, 0), floating(call, 1), call.type()), DOUBLE, call.type());
            default -> throw Invariants.breach(function + " is a function of numbers");
        };
    }

    private ColumnType type(Call call, int argument) {
        return call.arguments().get(argument).type();
    }

    private Evaluator argument(Call call, int argument) {
        return compile(call.arguments().get(argument));
    }

    private List<Evaluator> arguments(Call call, ColumnType type) {
        return call.arguments().stream().map(argument -> as(argument, type)).toList();
    }

    private List<LongEvaluator> conditions(Call call) {
        return call.arguments().stream().map(this::condition).toList();
    }

    private DoubleEvaluator floating(Call call, int argument) {
        return ExactNumbers.toDouble(argument(call, argument), type(call, argument));
    }

    private LongEvaluator integer(Call call, int argument) {
        return (LongEvaluator) as(call.arguments().get(argument), BIGINT);
    }

    private LongEvaluator longArgument(Call call, int argument) {
        return (LongEvaluator) as(call.arguments().get(argument), type(call, argument));
    }

    private List<BytesEvaluator> texts(Call call, int first) {
        List<BytesEvaluator> texts = new ArrayList<>();
        for (int i = first; i < call.arguments().size(); i++) {
            texts.add(text(call, i));
        }
        return texts;
    }

    private BytesEvaluator text(Call call, int argument) {
        Expression expression = call.arguments().get(argument);
        if (expression.type().storage() == TypeKind.Storage.BYTES) {
            return (BytesEvaluator) compile(expression);
        }
        return (BytesEvaluator) as(expression, ColumnType.varchar(0));
    }
}
