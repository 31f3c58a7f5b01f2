package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.LibraryFunction;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Calls of functions with types of their own. Those of instants get the time zone in which the statement shows them.
 */
final class LibraryCalls {
    private static final ColumnType INSTANT = ColumnType.of(TypeKind.TIMESTAMP_TZ);
    private static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);

    /** The begin of a regular expression that is read as PostgreSQL does. */
    private static final String DIRECTOR = "***:";

    /** Arguments that make a timestamp. */
    private static final int TIMESTAMP_PARTS = 6;

    private LibraryCalls() {}

    /** @param operands as they are written, one for each argument */
    static Expression of(LibraryFunction function, List<Expression> operands, ColumnType type, boolean nullable) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            Expression operand = operands.get(i);
            arguments.add(function.parameter(i)
                    .map(parameter -> converted(operand, parameter))
                    .orElse(operand));
        }
        return switch (function.function()) {
            case DATE_TRUNC -> new Expression.Call(ScalarFunction.DATE_TRUNC, truncation(arguments), type, nullable);
            case TO_CHAR_OF_TIME -> byTemplate(function, arguments, type, nullable);
            case TO_TIMESTAMP -> {
                arguments.add(name(StatementZone.current()));
                yield new Expression.Call(ScalarFunction.TO_TIMESTAMP, arguments, type, nullable);
            }
            case EPOCH ->
                arguments.size() > 1
                        ? difference(arguments, type, nullable)
                        : epoch(arguments.getFirst(), type, nullable);
            case CAST -> rounded(arguments);
            case NAMED -> new Expression.Literal(type, NamedTypes.of(arguments.getFirst()));
            case CONCAT -> expression(arguments.getFirst(), type, nullable);
            case COALESCE ->
                type.kind() == TypeKind.TIMESTAMP ? Conversion.cast(arguments.getFirst(), type) : arguments.getFirst();
            case MAKE_INSTANT -> instant(arguments, type, nullable);
            case MOMENT_FIELD -> field(arguments, type);
            case EQUAL -> {
                checkKind(function, arguments.getFirst(), LibraryCalls::isMoment);
                yield isFinite(arguments.getFirst(), type, nullable);
            }
            case TO_HEX -> hexadecimal(arguments, type, nullable);
            case MD5 -> {
                checkKind(function, arguments.getFirst(), kind -> kind.isCharacter() || kind == TypeKind.VARBINARY);
                yield new Expression.Call(ScalarFunction.MD5, arguments, type, nullable);
            }
            case REGEXP_REPLACE -> {
                checkKind(
                        function,
                        arguments.get(Math.min(arguments.size() - 1, 3)),
                        kind -> kind.isInteger() || (kind.isCharacter() && arguments.size() <= 4));
                yield new Expression.Call(ScalarFunction.REGEXP_REPLACE, arguments, type, nullable);
            }
            default -> new Expression.Call(function.function(), arguments, type, nullable);
        };
    }

    /** A regular expression as PostgreSQL reads it. */
    private static Expression expression(Expression pattern, ColumnType type, boolean nullable) {
        return pattern instanceof Expression.Literal(ColumnType _, String text)
                ? new Expression.Literal(type, DIRECTOR + text)
                : new Expression.Call(
                        ScalarFunction.CONCAT,
                        List.of(new Expression.Literal(ColumnType.varchar(DIRECTOR.length()), DIRECTOR), pattern),
                        type,
                        nullable);
    }

    private static boolean isMoment(TypeKind kind) {
        return switch (kind) {
            case DATE, TIMESTAMP, TIMESTAMP_TZ, INTERVAL -> true;
            default -> false;
        };
    }

    private static Expression isFinite(Expression moment, ColumnType type, boolean nullable) {
        long infinity = moment.type().kind() == TypeKind.DATE ? InfiniteTime.DAY : InfiniteTime.MICROS;
        return moment.type().kind() == TypeKind.INTERVAL
                ? new Expression.Call(ScalarFunction.EQUAL, List.of(moment, moment), type, nullable)
                : new Expression.Call(
                        ScalarFunction.AND,
                        List.of(isNot(moment, infinity, type, nullable), isNot(moment, -infinity, type, nullable)),
                        type,
                        nullable);
    }

    private static Expression isNot(Expression moment, long infinity, ColumnType type, boolean nullable) {
        Expression literal = new Expression.Literal(moment.type(), infinity);
        return new Expression.Call(ScalarFunction.NOT_EQUAL, List.of(moment, literal), type, nullable);
    }

    /** The instant of year, month, day, hour, minute and seconds in a zone, which may be that of the statement. */
    private static Expression instant(List<Expression> arguments, ColumnType type, boolean nullable) {
        List<Expression> parts = arguments.subList(0, TIMESTAMP_PARTS);
        Expression local = new Expression.Call(ScalarFunction.MAKE_TIMESTAMP, parts, TIMESTAMP, nullable);
        Expression zone =
                arguments.size() > TIMESTAMP_PARTS ? arguments.get(TIMESTAMP_PARTS) : name(StatementZone.current());
        return new Expression.Call(ScalarFunction.MAKE_INSTANT, List.of(local, zone), type, nullable);
    }

    private static void checkMoment(Expression field, ColumnType type) {
        boolean isMoment = type.kind() == TypeKind.TIME || (isMoment(type.kind()) && type.kind() != TypeKind.INTERVAL);
        if (!isMoment) {
            boolean isKnown = field instanceof Expression.Literal literal
                    && literal.value() instanceof String name
                    && (name.startsWith("TIMEZONE") || name.equals("JULIAN") || name.equals("ISOYEAR"));
            throw new FulmarException(
                    isKnown ? ErrorCode.NOT_SUPPORTED : ErrorCode.INVALID_ARGUMENT,
                    "a " + type + " has no such field; docs/SQL.md lists the fields of EXTRACT");
        }
    }

    private static boolean isOfYears(Expression field) {
        return field instanceof Expression.Literal literal
                && literal.value() instanceof String name
                && (name.equals("DECADE") || name.equals("CENTURY") || name.equals("MILLENNIUM"));
    }

    private static Expression field(List<Expression> arguments, ColumnType type) {
        Expression moment = arguments.get(1);
        TypeKind kind = moment.type().kind();
        if (kind == TypeKind.INTERVAL && isOfYears(arguments.getFirst())) {
            return Conversion.cast(IntervalCalls.field(arguments, Expressions.BIGINT), type);
        }
        checkMoment(arguments.getFirst(), moment.type());
        String shown = kind.name();
        List<Expression> all = new ArrayList<>(List.of(
                arguments.getFirst(),
                new Expression.Literal(ColumnType.varchar(shown.length()), shown),
                kind == TypeKind.DATE ? Conversion.cast(moment, TIMESTAMP) : moment));
        if (kind == TypeKind.TIMESTAMP_TZ) {
            all.add(name(StatementZone.current()));
        }
        return new Expression.Call(ScalarFunction.MOMENT_FIELD, all, type, true);
    }

    /** A time whose seconds have as many digits as the second argument says. */
    private static Expression rounded(List<Expression> arguments) {
        Expression time = arguments.getFirst();
        if (!(arguments.get(1) instanceof Expression.Literal literal && literal.value() instanceof Long digits)) {
            throw SqlErrors.notSupported("the digits of a second are a constant number");
        }
        TypeKind kind = time.type().kind();
        int most = ColumnType.SECOND_DIGITS;
        Expression rounded = Conversion.cast(time, ColumnType.ofDigits(kind, Math.clamp(digits, 0, most)));
        return rounded instanceof Expression.Literal known
                ? new Expression.Literal(ColumnType.of(kind), known.value())
                : new Expression.Call(ScalarFunction.CAST, List.of(rounded), ColumnType.of(kind), rounded.nullable());
    }

    private static void checkKind(LibraryFunction function, Expression argument, Predicate<TypeKind> fits) {
        if (!fits.test(argument.type().kind())) {
            throw wrongKind(function, argument);
        }
    }

    private static FulmarException wrongKind(LibraryFunction function, Expression argument) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                function.getName() + " does not take a " + argument.type() + " here; docs/SQL.md lists what it takes");
    }

    private static Expression converted(Expression operand, SqlTypeName parameter) {
        return switch (parameter) {
            case VARCHAR ->
                operand.type().kind().isCharacter()
                        ? operand
                        : Conversion.cast(operand, ColumnType.varchar(TypeMapping.MAX_LENGTH));
            case INTEGER, BIGINT -> Conversion.cast(operand, Expressions.BIGINT);
            case DOUBLE -> Conversion.cast(operand, ColumnType.of(TypeKind.DOUBLE));
            default -> operand;
        };
    }

    /** The seconds since 1970 in UTC. */
    static Expression epoch(Expression moment, ColumnType type, boolean nullable) {
        Expression micros = moment.type().kind() == TypeKind.DATE ? Conversion.cast(moment, TIMESTAMP) : moment;
        return new Expression.Call(ScalarFunction.EPOCH, List.of(micros), type, nullable);
    }

    /** The seconds from the second moment to the first; where one is an instant, both are. */
    private static Expression difference(List<Expression> moments, ColumnType type, boolean nullable) {
        boolean areInstants = moments.stream().anyMatch(each -> each.type().kind() == TypeKind.TIMESTAMP_TZ);
        boolean areDates = moments.stream().allMatch(each -> each.type().kind() == TypeKind.DATE);
        if (areDates) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "the difference of two dates is a number of days, which has no epoch");
        }
        List<Expression> seconds = moments.stream()
                .map(each -> epoch(Conversion.cast(each, areInstants ? INSTANT : TIMESTAMP), type, each.nullable()))
                .toList();
        return new Expression.Call(ScalarFunction.MINUS, seconds, type, nullable);
    }

    /** A number or a moment as text. */
    private static Expression byTemplate(
            LibraryFunction function, List<Expression> arguments, ColumnType type, boolean nullable) {
        TypeKind kind = arguments.getFirst().type().kind();
        return switch (kind) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, NUMERIC ->
                new Expression.Call(ScalarFunction.TO_CHAR_OF_NUMBER, arguments, type, nullable);
            case DATE, TIMESTAMP, TIMESTAMP_TZ ->
                new Expression.Call(ScalarFunction.TO_CHAR_OF_TIME, withZone(arguments, 0), type, nullable);
            case INTERVAL ->
                throw SqlErrors.notSupported(
                        "TO_CHAR of an interval is not supported; CAST it to VARCHAR, or EXTRACT its fields");
            case BOOLEAN, TIME, CHAR, VARCHAR, VARBINARY, UUID, JSON, JSONB, ARRAY, ENUM ->
                throw wrongKind(function, arguments.getFirst());
        };
    }

    private static Expression hexadecimal(List<Expression> arguments, ColumnType type, boolean nullable) {
        boolean isLong = arguments.getFirst().type().kind() == TypeKind.BIGINT;
        return new Expression.Call(
                isLong ? ScalarFunction.TO_LONG_HEX : ScalarFunction.TO_HEX, arguments, type, nullable);
    }

    private static List<Expression> truncation(List<Expression> arguments) {
        if (arguments.size() < 3) {
            return withZone(arguments, 1);
        }
        if (!(arguments.get(2) instanceof Expression.Literal literal && literal.value() instanceof String name)) {
            throw SqlErrors.notSupported("the time zone of DATE_TRUNC is a constant text here");
        }
        ZoneId zone = ZonedTime.writtenZone(name)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INVALID_TEXT, "there is no time zone '" + name + "'; write one as Europe/Oslo"));
        return List.of(arguments.getFirst(), Conversion.cast(arguments.get(1), INSTANT), name(zone));
    }

    /** A timestamp as it is; a date or an instant as an instant, with the zone behind all arguments. */
    private static List<Expression> withZone(List<Expression> arguments, int place) {
        Expression moment = arguments.get(place);
        TypeKind kind = moment.type().kind();
        if (kind == TypeKind.TIMESTAMP) {
            return arguments;
        }
        if (kind == TypeKind.TIME) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "this function takes a date or a timestamp, and no " + moment.type());
        }
        List<Expression> all = new ArrayList<>(arguments);
        all.set(place, Conversion.cast(moment, INSTANT));
        all.add(name(StatementZone.current()));
        return all;
    }

    private static Expression name(ZoneId zone) {
        String name = ZonedTime.name(zone);
        return new Expression.Literal(ColumnType.varchar(name.length()), name);
    }
}
