package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.ArrayFunction;
import dev.fulmar.sql.calcite.CatalogLookup;
import dev.fulmar.sql.calcite.EnumCast;
import dev.fulmar.sql.calcite.IntervalFunction;
import dev.fulmar.sql.calcite.JsonFunction;
import dev.fulmar.sql.calcite.LibraryFunction;
import dev.fulmar.sql.calcite.NumericFunction;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.calcite.UserFunctionOperator;
import dev.fulmar.sql.text.LibraryWords;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.ZoneOperators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.jspecify.annotations.Nullable;

/** Converts calls of functions by name. */
final class FunctionConverter {
    private static final Map<String, ScalarFunction> BY_NAME = Map.ofEntries(
            Map.entry("UPPER", ScalarFunction.UPPER),
            Map.entry("LOWER", ScalarFunction.LOWER),
            Map.entry("CHAR_LENGTH", ScalarFunction.CHAR_LENGTH),
            Map.entry("CHARACTER_LENGTH", ScalarFunction.CHAR_LENGTH),
            Map.entry("LENGTH", ScalarFunction.CHAR_LENGTH),
            Map.entry("OCTET_LENGTH", ScalarFunction.OCTET_LENGTH),
            Map.entry("BTRIM", ScalarFunction.TRIM_BOTH),
            Map.entry("LTRIM", ScalarFunction.TRIM_LEADING),
            Map.entry("RTRIM", ScalarFunction.TRIM_TRAILING),
            Map.entry("REPLACE", ScalarFunction.REPLACE),
            Map.entry("POSITION", ScalarFunction.POSITION),
            Map.entry("SUBSTRING", ScalarFunction.SUBSTRING),
            Map.entry("SUBSTR", ScalarFunction.SUBSTRING),
            Map.entry("||", ScalarFunction.CONCAT),
            Map.entry("CONCAT", ScalarFunction.CONCAT),
            Map.entry("ABS", ScalarFunction.ABS),
            Map.entry("SIGN", ScalarFunction.SIGN),
            Map.entry("ROUND", ScalarFunction.ROUND),
            Map.entry("#EVEN", ScalarFunction.ROUND_EVEN),
            Map.entry("TRUNCATE", ScalarFunction.TRUNCATE),
            Map.entry("TRUNC", ScalarFunction.TRUNCATE),
            Map.entry("SQRT", ScalarFunction.SQRT),
            Map.entry("POWER", ScalarFunction.POWER),
            Map.entry("POW", ScalarFunction.POWER),
            Map.entry("EXP", ScalarFunction.EXP),
            Map.entry("LN", ScalarFunction.LN),
            Map.entry("LOG10", ScalarFunction.LOG10),
            Map.entry("LOG", ScalarFunction.LOG10),
            Map.entry("SIN", ScalarFunction.SIN),
            Map.entry("COS", ScalarFunction.COS),
            Map.entry("TAN", ScalarFunction.TAN),
            Map.entry("COT", ScalarFunction.COT),
            Map.entry("ASIN", ScalarFunction.ASIN),
            Map.entry("ACOS", ScalarFunction.ACOS),
            Map.entry("ATAN", ScalarFunction.ATAN),
            Map.entry("ATAN2", ScalarFunction.ATAN2),
            Map.entry("DEGREES", ScalarFunction.DEGREES),
            Map.entry("RADIANS", ScalarFunction.RADIANS),
            Map.entry("CBRT", ScalarFunction.CBRT),
            Map.entry("LPAD", ScalarFunction.PAD_LEFT),
            Map.entry("RPAD", ScalarFunction.PAD_RIGHT),
            Map.entry("REPEAT", ScalarFunction.REPEAT),
            Map.entry("REVERSE", ScalarFunction.REVERSE),
            Map.entry("INITCAP", ScalarFunction.INITIAL_CAPITALS),
            Map.entry("ASCII", ScalarFunction.CODE_POINT),
            Map.entry("CHR", ScalarFunction.CHARACTER),
            Map.entry("TRANSLATE3", ScalarFunction.TRANSLATE),
            Map.entry("STRPOS", ScalarFunction.POSITION),
            Map.entry("#ELEMENT", ScalarFunction.ELEMENT),
            Map.entry("#HAS_ELEMENT", ScalarFunction.HAS_ELEMENT),
            Map.entry("#ELEMENT_COUNT", ScalarFunction.ELEMENT_COUNT),
            Map.entry("#JOIN_ELEMENTS", ScalarFunction.JOIN_ELEMENTS),
            Map.entry("GREATEST", ScalarFunction.GREATEST),
            Map.entry("LEAST", ScalarFunction.LEAST),
            Map.entry("#GREATEST", ScalarFunction.GREATEST_KNOWN),
            Map.entry("#LEAST", ScalarFunction.LEAST_KNOWN),
            Map.entry("LAST_DAY", ScalarFunction.LAST_DAY),
            Map.entry("NOW", ScalarFunction.CURRENT_TIMESTAMP),
            Map.entry("CURRENT_TIMESTAMP", ScalarFunction.CURRENT_TIMESTAMP),
            Map.entry("LOCALTIMESTAMP", ScalarFunction.CURRENT_TIMESTAMP),
            Map.entry("CURRENT_DATE", ScalarFunction.CURRENT_DATE),
            Map.entry("CURRENT_TIME", ScalarFunction.CURRENT_TIME),
            Map.entry("LOCALTIME", ScalarFunction.CURRENT_TIME));

    private static final Expression NO_TEXT = new Expression.Literal(ColumnType.varchar(1), "");
    private static final Expression PLUS = new Expression.Literal(ColumnType.varchar(1), "+");
    private static final Expression MINUS = new Expression.Literal(ColumnType.varchar(1), "-");
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    private static final ColumnType UUID = ColumnType.of(TypeKind.UUID);
    private static final Expression ONE = new Expression.Literal(Expressions.BIGINT, 1L);

    private final ExpressionConverter converter;

    FunctionConverter(ExpressionConverter converter) {
        this.converter = converter;
    }

    Expression convert(RexCall call) {
        return switch (call.getKind()) {
            case LIKE -> like(call);
            case TRIM -> trim(call);
            case FLOOR -> rounding(ScalarFunction.FLOOR, call);
            case CEIL -> rounding(ScalarFunction.CEIL, call);
            case EXTRACT -> extract(call);
            case COALESCE, NVL -> choice(ScalarFunction.COALESCE, call);
            default -> byName(call);
        };
    }

    private static Expression ofSequence(ScalarFunction function, RexCall call) {
        if (!(call.getOperands().getFirst() instanceof RexLiteral sequence)) {
            return refuse(call);
        }
        Long id = sequence.getValueAs(Long.class);
        return new Expression.Call(
                function, List.of(new Expression.Literal(Expressions.BIGINT, id)), Expressions.BIGINT, false);
    }

    /** Random bits, each with a place of its own. */
    private static List<Expression> bits(RexCall call, int count) {
        if (!(call.getOperands().getFirst() instanceof RexLiteral number)) {
            throw Invariants.breach("a call for a random value has a number");
        }
        long first = Objects.requireNonNull(number.getValueAs(Long.class), "a number");
        List<Expression> bits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bits.add(new Expression.Call(
                    ScalarFunction.RANDOM_BITS,
                    List.of(new Expression.Literal(Expressions.BIGINT, 2 * first + i)),
                    Expressions.BIGINT,
                    false));
        }
        return bits;
    }

    /** The text of a value as PostgreSQL writes it, which is in small letters for a boolean. */
    private static Expression textOf(Expression value, ColumnType type) {
        Expression text = Conversion.cast(value, type);
        return value.type().kind() == TypeKind.BOOLEAN ? Expressions.strict(ScalarFunction.LOWER, type, text) : text;
    }

    /** The texts that are not null, where the separator stands between two of them. */
    private Expression concatenation(Expression separator, List<Expression> values, RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        List<Expression> arguments = new ArrayList<>(List.of(separator));
        for (Expression value : values) {
            arguments.add(shortTextOf(value, type));
        }
        return call(ScalarFunction.CONCAT_KNOWN, arguments, call);
    }

    /** The text of a value, which is t or f for a boolean. */
    private static Expression shortTextOf(Expression value, ColumnType type) {
        Expression text = textOf(value, type);
        boolean isBoolean = value.type().kind() == TypeKind.BOOLEAN;
        return isBoolean ? Expressions.strict(ScalarFunction.SUBSTRING, type, text, ONE, ONE) : text;
    }

    /** The function gets a NULL as a text of its own, for it shows those. */
    private Expression format(RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        List<Expression> operands = converter.operands(call);
        List<Expression> arguments = new ArrayList<>(List.of(textOf(operands.getFirst(), type)));
        for (Expression value : operands.subList(1, operands.size())) {
            Expression text = Expressions.strict(ScalarFunction.CONCAT, type, PLUS, shortTextOf(value, type));
            arguments.add(new Expression.Call(ScalarFunction.COALESCE, List.of(text, MINUS), type, false));
        }
        return call(ScalarFunction.FORMAT, arguments, call);
    }

    /** {@code ~} and its kind. */
    private Expression matching(ScalarFunction function, boolean isNegated, RexCall call) {
        Expression matches = call(function, converter.operands(call), call);
        return isNegated
                ? new Expression.Call(ScalarFunction.NOT, List.of(matches), Expressions.BOOLEAN, matches.nullable())
                : matches;
    }

    /** The answer of the catalog for a key: a CASE of all that it knows, or, of a constant, just that. */
    private Expression lookup(CatalogLookup lookup, RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        Expression key = converter.operands(call).getFirst();
        List<Expression> arguments = new ArrayList<>();
        lookup.values().forEach((known, value) -> {
            Expression equal = new Expression.Call(
                    ScalarFunction.EQUAL,
                    List.of(key, new Expression.Literal(key.type(), known)),
                    Expressions.BOOLEAN,
                    key.nullable());
            arguments.add(equal);
            arguments.add(new Expression.Literal(type, value));
        });
        arguments.add(new Expression.Literal(type, null));
        return new Expression.Call(ScalarFunction.CASE, arguments, type, true);
    }

    /** To LIKE, and to nothing else, a CHAR(n) has the blanks that make it n characters (ISO 9075-2, 8.5). */
    private Expression like(RexCall call) {
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        arguments.set(0, PaddedText.of(arguments.getFirst()));
        return switch (call.getOperator().getName()) {
            case "LIKE" -> call(ScalarFunction.LIKE, arguments, call);
            case "ILIKE" ->
                call(
                        ScalarFunction.LIKE,
                        arguments.stream().map(FunctionConverter::inLowerCase).toList(),
                        call);
            default -> refuse(call);
        };
    }

    private static Expression inLowerCase(Expression text) {
        return new Expression.Call(ScalarFunction.LOWER, List.of(text), text.type(), text.nullable());
    }

    private static Expression refuse(RexCall call) {
        throw SqlErrors.notSupported("the function " + name(call.getOperator().getName())
                + " is not supported here; docs/SQL.md lists the functions");
    }

    /** The name of an operator for messages: Calcite's own names are often none that a statement has. */
    private static String name(String operator) {
        return switch (operator) {
            default ->
                LibraryWords.shown(
                        operator.startsWith("$") ? operator.substring(1).replace('_', ' ') : operator, "in this place");
        };
    }

    /** A function that is more than one of ours, or null. */
    private @Nullable Expression written(RexCall call) {
        return switch (call.getOperator().getName().toUpperCase(Locale.ROOT)) {
            case "POSIX REGEX CASE SENSITIVE" -> matching(ScalarFunction.MATCHES, false, call);
            case "NEGATED POSIX REGEX CASE SENSITIVE" -> matching(ScalarFunction.MATCHES, true, call);
            case "POSIX REGEX CASE INSENSITIVE" -> matching(ScalarFunction.MATCHES_IN_ANY_CASE, false, call);
            case "NEGATED POSIX REGEX CASE INSENSITIVE" -> matching(ScalarFunction.MATCHES_IN_ANY_CASE, true, call);
            case "LEFT" -> TextEnds.first(converter.operands(call), call);
            case "RIGHT" -> TextEnds.last(converter.operands(call), call);
            case "#LEFT" -> TextEnds.firstOrOthers(converter.operands(call), call);
            case "#RIGHT" -> TextEnds.lastOrOthers(converter.operands(call), call);
            case "PI" -> pi(call);
            case "OVERLAY" -> overlay(call);
            case "SIMILAR TO" -> similar(call);
            case ZoneOperators.AT_ZONE, "TIMEZONE", ZoneOperators.INSTANT -> ofZone(call);
            case "#TEXT" -> textOf(converter.operands(call).getFirst(), TypeMapping.columnType(call.getType()));
            case "ENUM_FIRST" -> EnumRules.end(converter.operands(call).getFirst(), true);
            case "ENUM_LAST" -> EnumRules.end(converter.operands(call).getFirst(), false);
            case "ENUM_RANGE" ->
                throw SqlErrors.notSupported(
                        "ENUM_RANGE yields an array, which is no value here; pg_enum lists the labels of types");
            case "#CONCAT" -> concatenation(NO_TEXT, converter.operands(call), call);
            case "CONCAT_WS" -> {
                List<Expression> operands = converter.operands(call);
                yield concatenation(operands.getFirst(), operands.subList(1, operands.size()), call);
            }
            case "FORMAT" -> format(call);
            case "#N" -> ofSequence(ScalarFunction.NEXT_VALUE, call);
            case "#RANDOM" -> new Expression.Call(ScalarFunction.RANDOM_FRACTION, bits(call, 1), DOUBLE, false);
            case "#UUID" -> new Expression.Call(ScalarFunction.RANDOM_UUID, bits(call, 2), UUID, false);
            case "#C" -> ofSequence(ScalarFunction.CURRENT_VALUE, call);
            case "#L" -> new Expression.Call(ScalarFunction.LAST_VALUE, List.of(), Expressions.BIGINT, false);
            default -> null;
        };
    }

    private Expression byName(RexCall call) {
        if (call.getOperator() instanceof CatalogLookup lookup) {
            return lookup(lookup, call);
        }
        if (call.getOperator() instanceof UserFunctionOperator ofUsers) {
            return UserCalls.of(ofUsers.function(), converter.operands(call));
        }
        if (call.getOperator() instanceof LibraryFunction library) {
            return LibraryCalls.of(
                    library,
                    converter.operands(call),
                    TypeMapping.columnType(call.getType()),
                    call.getType().isNullable());
        }
        if (call.getOperator() instanceof NumericFunction numeric) {
            return converter.plain(numeric.function(), call);
        }
        if (call.getOperator() instanceof ArrayFunction array) {
            return ArrayCalls.of(array, converter.operands(call), call, converter.types());
        }
        if (call.getOperator() instanceof JsonFunction document) {
            return JsonCalls.of(document, converter.operands(call), TypeMapping.columnType(call.getType()));
        }
        if (call.getOperator() instanceof IntervalFunction interval) {
            return IntervalCalls.of(interval, converter.operands(call), TypeMapping.columnType(call.getType()));
        }
        if (call.getOperator() instanceof EnumCast cast) {
            return EnumRules.explicit(converter.operands(call).getFirst(), ColumnType.of(cast.enumeration()));
        }
        Expression written = written(call);
        if (written != null) {
            return written;
        }
        ScalarFunction function = BY_NAME.get(call.getOperator().getName().toUpperCase(Locale.ROOT));
        if (function == null) {
            return refuse(call);
        }
        return switch (function) {
            case POWER -> power(call);
            case SQRT, EXP, LN, LOG10, SIN, COS, TAN, COT, ASIN, ACOS, ATAN, ATAN2, DEGREES, RADIANS, CBRT ->
                floating(function, converter.operands(call), call);
            case ABS, SIGN, ROUND, TRUNCATE -> numeric(function, call);
            case ROUND_EVEN -> roundEven(call);
            case SUBSTRING -> substring(call);
            case POSITION -> position(call);
            case PAD_LEFT, PAD_RIGHT -> withBlank(function, 2, call);
            case TRIM_BOTH, TRIM_LEADING, TRIM_TRAILING -> withBlank(function, 1, call);
            case GREATEST, LEAST, GREATEST_KNOWN, LEAST_KNOWN -> choice(function, call);
            default -> converter.plain(function, call);
        };
    }

    private Expression ofZone(RexCall call) {
        List<Expression> operands = converter.operands(call);
        boolean nullable = call.getType().isNullable();
        return switch (call.getOperator().getName()) {
            case ZoneOperators.AT_ZONE -> ZonedConversion.inZone(operands.getFirst(), operands.get(1), nullable);
            case "TIMEZONE" -> ZonedConversion.inZone(operands.get(1), operands.getFirst(), nullable);
            default -> Conversion.cast(operands.getFirst(), TypeMapping.columnType(call.getType()));
        };
    }

    private static Expression call(ScalarFunction function, List<Expression> arguments, RexCall call) {
        return new Expression.Call(
                function,
                arguments,
                TypeMapping.columnType(call.getType()),
                call.getType().isNullable());
    }

    private static Expression floating(ScalarFunction function, List<Expression> arguments, RexCall call) {
        ColumnType type = ColumnType.of(TypeKind.DOUBLE);
        return Conversion.cast(
                new Expression.Call(
                        function,
                        arguments.stream()
                                .map(argument -> Conversion.cast(argument, type))
                                .toList(),
                        type,
                        call.getType().isNullable()),
                TypeMapping.columnType(call.getType()));
    }

    /** To whole numbers; ROUND counts digits, and rounds exact numbers. */
    private Expression roundEven(RexCall call) {
        List<Expression> arguments = converter.operands(call);
        TypeKind kind = arguments.getFirst().type().kind();
        return (kind == TypeKind.DOUBLE || kind == TypeKind.REAL) && arguments.size() == 1
                ? floating(ScalarFunction.ROUND_EVEN, arguments, call)
                : numeric(ScalarFunction.ROUND, call);
    }

    /** Calcite writes SQRT(x) as POWER(x, 0.5). */
    private Expression power(RexCall call) {
        List<Expression> arguments = converter.operands(call);
        if (arguments.get(1) instanceof Expression.Literal literal
                && literal.value() instanceof BigDecimal half
                && half.compareTo(new BigDecimal("0.5")) == 0) {
            return floating(ScalarFunction.SQRT, arguments.subList(0, 1), call);
        }
        return floating(ScalarFunction.POWER, arguments, call);
    }

    /** The number has the type of the result. */
    private Expression numeric(ScalarFunction function, RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        arguments.set(0, Conversion.cast(arguments.getFirst(), type));
        if (arguments.size() > 1) {
            arguments.set(1, Conversion.cast(arguments.get(1), ColumnType.of(TypeKind.INTEGER)));
        }
        return call(function, arguments, call);
    }

    /** On integers these change nothing; of a decimal the result is a whole number of the same precision. */
    private Expression rounding(ScalarFunction function, RexCall call) {
        if (call.getOperands().size() != 1) {
            throw SqlErrors.notSupported(function + " of a date or time is not supported; use EXTRACT");
        }
        Expression argument = converter.operands(call).getFirst();
        ColumnType type = TypeMapping.columnType(call.getType());
        if (argument.type().kind().isInteger()) {
            return Conversion.cast(argument, type);
        }
        return call(function, List.of(argument), call);
    }

    private Expression substring(RexCall call) {
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        for (int i = 1; i < arguments.size(); i++) {
            arguments.set(i, Conversion.cast(arguments.get(i), ColumnType.of(TypeKind.INTEGER)));
        }
        return call(ScalarFunction.SUBSTRING, arguments, call);
    }

    private Expression position(RexCall call) {
        if (call.getOperands().size() != 2) {
            return refuse(call);
        }
        List<Expression> arguments = converter.operands(call);
        return call.getOperator().getName().equals("STRPOS")
                ? call(ScalarFunction.POSITION, arguments.reversed(), call)
                : call(ScalarFunction.POSITION, arguments, call);
    }

    /** The function with a blank as its last argument, where nothing else is said. */
    private Expression withBlank(ScalarFunction function, int count, RexCall call) {
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        if (arguments.size() == count) {
            arguments.add(new Expression.Literal(ColumnType.varchar(1), " "));
        }
        return call(function, arguments, call);
    }

    /** The backslash is the escape character, where no other one is said. */
    private Expression similar(RexCall call) {
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        arguments.set(0, PaddedText.of(arguments.getFirst()));
        if (arguments.size() == 2) {
            arguments.add(new Expression.Literal(ColumnType.varchar(1), "\\"));
        }
        return call(ScalarFunction.SIMILAR, arguments, call);
    }

    /** The places are whole numbers. */
    private Expression overlay(RexCall call) {
        List<Expression> arguments = new ArrayList<>(converter.operands(call));
        for (int i = 2; i < arguments.size(); i++) {
            arguments.set(i, Conversion.cast(arguments.get(i), Expressions.BIGINT));
        }
        return call(ScalarFunction.OVERLAY, arguments, call);
    }

    private static Expression pi(RexCall call) {
        return Conversion.cast(
                new Expression.Literal(ColumnType.of(TypeKind.DOUBLE), Math.PI),
                TypeMapping.columnType(call.getType()));
    }

    private Expression trim(RexCall call) {
        SqlTrimFunction.Flag flag = ((RexLiteral) call.getOperands().getFirst()).getValueAs(SqlTrimFunction.Flag.class);
        ScalarFunction function = switch (flag) {
            case LEADING -> ScalarFunction.TRIM_LEADING;
            case TRAILING -> ScalarFunction.TRIM_TRAILING;
            case null, default -> ScalarFunction.TRIM_BOTH;
        };
        Expression characters = converter.convertExpanded(call.getOperands().get(1));
        Expression text = converter.convertExpanded(call.getOperands().get(2));
        return call(function, List.of(text, characters), call);
    }

    private Expression choice(ScalarFunction function, RexCall call) {
        ColumnType type = TypeMapping.columnType(call.getType());
        return call(
                function,
                converter.operands(call).stream()
                        .map(argument -> Conversion.cast(argument, type))
                        .toList(),
                call);
    }

    private Expression extract(RexCall call) {
        TimeUnitRange unit = ((RexLiteral) call.getOperands().getFirst()).getValueAs(TimeUnitRange.class);
        if (unit == TimeUnitRange.EPOCH) {
            return epoch(call);
        }
        ScalarFunction function = switch (unit) {
            case YEAR -> ScalarFunction.EXTRACT_YEAR;
            case MONTH -> ScalarFunction.EXTRACT_MONTH;
            case DAY -> ScalarFunction.EXTRACT_DAY;
            case HOUR -> ScalarFunction.EXTRACT_HOUR;
            case MINUTE -> ScalarFunction.EXTRACT_MINUTE;
            case MICROSECOND -> ScalarFunction.EXTRACT_MICROSECOND;
            case SECOND -> ScalarFunction.EXTRACT_SECOND;
            case DOW -> ScalarFunction.EXTRACT_DAY_OF_WEEK;
            case DOY -> ScalarFunction.EXTRACT_DAY_OF_YEAR;
            case WEEK -> ScalarFunction.EXTRACT_WEEK;
            case QUARTER -> ScalarFunction.EXTRACT_QUARTER;
            case DECADE, CENTURY, MILLENNIUM -> ScalarFunction.EXTRACT_YEAR;
            case null, default -> throw SqlErrors.notSupported("EXTRACT of " + unit + " is not supported");
        };
        Expression moment = ZonedConversion.local(
                converter.convertExpanded(call.getOperands().get(1)));
        Expression field = call(function, List.of(moment), call);
        return switch (unit) {
            case DECADE -> yearsIn(field, 10, 0);
            case CENTURY -> yearsIn(field, 100, 99);
            case MILLENNIUM -> yearsIn(field, 1_000, 999);
            case null, default -> field;
        };
    }

    /** The number of the years' span; the first century begins with the year 1. */
    private static Expression yearsIn(Expression year, long span, long more) {
        Expression sum =
                Expressions.strict(ScalarFunction.PLUS, year.type(), year, new Expression.Literal(year.type(), more));
        return Expressions.strict(ScalarFunction.DIVIDE, year.type(), sum, new Expression.Literal(year.type(), span));
    }

    /** Whole seconds, of which the fraction is cut off as of those of EXTRACT(SECOND ...). */
    private Expression epoch(RexCall call) {
        Expression moment = converter.convertExpanded(call.getOperands().get(1));
        boolean nullable = call.getType().isNullable();
        Expression seconds = LibraryCalls.epoch(moment, ColumnType.decimal(20, 6), nullable);
        Expression whole =
                new Expression.Call(ScalarFunction.FLOOR, List.of(seconds), ColumnType.decimal(20, 0), nullable);
        return Conversion.cast(whole, TypeMapping.columnType(call.getType()));
    }
}
