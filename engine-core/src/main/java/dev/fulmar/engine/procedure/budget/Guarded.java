package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.LoadedProcedure;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checked versions of JDK methods that may exceed a procedure's budget or depend on object identity, called by woven
 * procedure code. They stand in for the methods that {@code library-rules.txt} marks {@code guard}. The receiver of an
 * instance method is the first parameter. Public for procedure code, into which the calls are woven.
 */
public final class Guarded {
    private static final int LINEAR_STEPS = 64;

    /** A text of more digits takes too long to convert. */
    private static final int MAX_DIGITS = 10_000;

    private static final int MAX_BITS = 64 * 1024;
    private static final int REFERENCE_BYTES = 8;

    /** Stack that the text of an object within an object takes. */
    private static final int TEXT_SLOTS = 128;

    private static final Pattern WIDE_FORMAT = Pattern.compile("\\d{4}");

    private Guarded() {}

    // String

    public static boolean matches(String text, String regex) {
        return matcher(Pattern.compile(regex), text).matches();
    }

    public static String replaceAll(String text, String regex, String replacement) {
        return made(matcher(Pattern.compile(regex), text).replaceAll(replacement), ExecutionBudget.current());
    }

    public static String replaceFirst(String text, String regex, String replacement) {
        return made(matcher(Pattern.compile(regex), text).replaceFirst(replacement), ExecutionBudget.current());
    }

    public static String[] split(String text, String regex) {
        return split(Pattern.compile(regex), text, 0);
    }

    public static String[] split(String text, String regex, int limit) {
        return split(Pattern.compile(regex), text, limit);
    }

    public static String repeat(String text, int count) {
        ExecutionBudget.current().allocate((long) text.length() * Math.max(0, count));
        return text.repeat(count);
    }

    public static String valueOf(@Nullable Object value) {
        return value == null ? "null" : text(value);
    }

    /** {@link Objects#toString(Object)}. */
    public static String toString(@Nullable Object value) {
        return valueOf(value);
    }

    public static String format(Locale locale, String format, @Nullable Object... arguments) {
        ExecutionBudget budget = ExecutionBudget.current();
        budget.spend(LINEAR_STEPS);
        if (WIDE_FORMAT.matcher(format).find()) {
            throw new IllegalArgumentException("a width or precision of four digits is not possible here: " + format);
        }
        @Nullable Object[] shown = arguments.clone();
        for (int i = 0; i < shown.length; i++) {
            Object value = shown[i];
            if (value != null
                    && !(isNumber(value) || value instanceof TemporalAccessor || value instanceof Character)) {
                shown[i] = value instanceof Boolean ? value : text(value);
            }
        }
        return made(String.format(locale, format, shown), budget);
    }

    public static StringBuilder append(StringBuilder target, @Nullable Object value) {
        ExecutionBudget budget = ExecutionBudget.current();
        target.append(valueOf(value));
        grown(target, budget);
        return target;
    }

    // Pattern

    public static Matcher matcher(Pattern pattern, CharSequence text) {
        ExecutionBudget budget = ExecutionBudget.current();
        budget.spend(LINEAR_STEPS);
        return pattern.matcher(new CheckedText(text, budget));
    }

    public static boolean matches(String regex, CharSequence text) {
        return matcher(Pattern.compile(regex), text).matches();
    }

    public static String[] split(Pattern pattern, CharSequence text) {
        return split(pattern, text, 0);
    }

    public static String[] split(Pattern pattern, CharSequence text, int limit) {
        ExecutionBudget budget = ExecutionBudget.current();
        budget.spend(LINEAR_STEPS);
        String[] parts = pattern.split(new CheckedText(text, budget), limit);
        budget.allocate((long) parts.length * REFERENCE_BYTES);
        return parts;
    }

    // BigDecimal and BigInteger

    public static BigDecimal setScale(BigDecimal value, int scale) {
        return value.setScale(digits(scale));
    }

    public static BigDecimal setScale(BigDecimal value, int scale, RoundingMode mode) {
        return value.setScale(digits(scale), mode);
    }

    public static BigDecimal divide(BigDecimal value, BigDecimal divisor, int scale, RoundingMode mode) {
        return value.divide(divisor, digits(scale), mode);
    }

    public static BigDecimal pow(BigDecimal value, int exponent) {
        checkPower(value.unscaledValue().bitLength(), exponent);
        return made(value.pow(exponent), ExecutionBudget.current());
    }

    public static BigDecimal pow(BigDecimal value, int exponent, MathContext context) {
        checkPower(value.unscaledValue().bitLength(), exponent);
        return made(value.pow(exponent, context), ExecutionBudget.current());
    }

    public static BigInteger pow(BigInteger value, int exponent) {
        checkPower(value.bitLength(), exponent);
        return value.pow(exponent);
    }

    public static BigInteger shiftLeft(BigInteger value, int distance) {
        checkBits((long) value.bitLength() + Math.max(0, distance));
        return value.shiftLeft(distance);
    }

    public static BigInteger shiftRight(BigInteger value, int distance) {
        checkBits((long) value.bitLength() + Math.max(0L, -(long) distance));
        return value.shiftRight(distance);
    }

    private static void checkPower(int bits, int exponent) {
        checkBits((long) Math.max(1, bits) * Math.abs((long) exponent));
    }

    private static void checkBits(long bits) {
        ExecutionBudget.current().spend(LINEAR_STEPS);
        if (bits > MAX_BITS) {
            throw new ArithmeticException(
                    "a number of " + bits + " bits is too large for a procedure, which may have " + MAX_BITS);
        }
    }

    private static int digits(int scale) {
        ExecutionBudget.current().spend(LINEAR_STEPS);
        scale(scale, null);
        return scale;
    }

    // Text of any object

    /** The text of {@code toString()}, as long as that is the same everywhere. */
    public static String text(Object value) {
        // A collection that contains itself ends at the limit of the stack, like any endless recursion.
        ExecutionBudget budget = ExecutionBudget.enter(TEXT_SLOTS);
        budget.spend(LINEAR_STEPS);
        String text = switch (value) {
            case String string -> string;
            case Boolean truth -> truth.toString();
            case Character character -> character.toString();
            case UUID uuid -> uuid.toString();
            case CheckedText checked -> checked.toString();
            case StringBuilder builder -> builder.toString();
            case StringJoiner joiner -> joiner.toString();
            case Locale locale -> locale.toString();
            case Pattern pattern -> pattern.toString();
            case MathContext context -> context.toString();
            case TemporalAccessor time -> time.toString();
            case TemporalAmount amount -> amount.toString();
            case Throwable thrown -> thrown.toString();
            case OptionalInt optional -> optional.toString();
            case OptionalLong optional -> optional.toString();
            case OptionalDouble optional -> optional.toString();
            case Optional<?> optional ->
                optional.map(inner -> "Optional[" + text(inner) + "]").orElse("Optional.empty");
            case Object other when isNumber(other) -> other.toString();
            case Object other when isProcedureCode(other.getClass()) -> ownText(other);
            case Enum<?> constant -> constant.toString();
            case Map<?, ?> map -> mapText(map, budget);
            case Collection<?> collection -> collectionText(collection, budget);
            case Map.Entry<?, ?> entry -> valueOf(entry.getKey()) + "=" + valueOf(entry.getValue());
            case Object other -> throw withoutText(other);
        };
        budget.leave(TEXT_SLOTS);
        return made(text, budget);
    }

    private static boolean isNumber(Object value) {
        return value instanceof Number && value.getClass().getClassLoader() == null;
    }

    private static boolean isProcedureCode(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader != null && LoadedProcedure.CODE_LOADER_NAME.equals(loader.getName());
    }

    /** Stands in for the {@code toString()} that the compiler gives a record. */
    public static String record(Object row) {
        return OwnTexts.ofRecord(row);
    }

    /** A class of the procedure's jar. */
    private static String ownText(Object value) {
        Class<?> type = value.getClass();
        if (value instanceof Enum<?> || OwnTexts.hasText(type)) {
            return value.toString();
        }
        throw withoutText(value);
    }

    private static String collectionText(Collection<?> collection, ExecutionBudget budget) {
        StringJoiner joined = new StringJoiner(", ", "[", "]");
        for (Object element : collection) {
            joined.add(valueOf(element));
            budget.allocate(joined.length() > budget.largestObjectBytes() ? Long.MAX_VALUE : 0);
        }
        return joined.toString();
    }

    private static String mapText(Map<?, ?> map, ExecutionBudget budget) {
        StringJoiner joined = new StringJoiner(", ", "{", "}");
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            joined.add(valueOf(entry.getKey()) + "=" + valueOf(entry.getValue()));
            budget.allocate(joined.length() > budget.largestObjectBytes() ? Long.MAX_VALUE : 0);
        }
        return joined.toString();
    }

    private static UnsupportedOperationException withoutText(Object value) {
        return new UnsupportedOperationException(
                "a " + value.getClass().getTypeName()
                        + " has no text that is the same everywhere; write its parts one by one, or give its class a toString()");
    }

    // Woven in after or before calls that are not replaced

    /** After something was made: its size counts. Returns it. */
    public static <T> T made(T value, ExecutionBudget budget) {
        switch (value) {
            case String text -> budget.allocate(text.length());
            case BigInteger number -> checkBits(number.bitLength());
            case BigDecimal number -> {
                scale(number.scale(), budget);
                if (number.precision() > 2 * MAX_DIGITS) {
                    checkBits(number.unscaledValue().bitLength());
                }
            }
            case byte[] array -> budget.allocate(array.length);
            case char[] array -> budget.allocate(2L * array.length);
            case int[] array -> budget.allocate(4L * array.length);
            case long[] array -> budget.allocate(8L * array.length);
            case Object[] array -> budget.allocate((long) REFERENCE_BYTES * array.length);
            case null, default -> {
                // Of a bounded size.
            }
        }
        return value;
    }

    /** The same for code that keeps its own reference. */
    public static void checkMade(@Nullable Object value, ExecutionBudget budget) {
        if (value != null) {
            made(value, budget);
        }
    }

    /** After something was appended. */
    public static void grown(@Nullable Object builder, ExecutionBudget budget) {
        budget.step();
        if (builder instanceof StringBuilder text && text.length() > budget.largestObjectBytes()) {
            budget.allocate(text.length());
        }
    }

    /** Before a collection or map is copied. */
    public static void copied(@Nullable Object source, ExecutionBudget budget) {
        int size = switch (source) {
            case Collection<?> collection -> collection.size();
            case Map<?, ?> map -> 4 * map.size();
            case null, default -> 0;
        };
        budget.spend(LINEAR_STEPS);
        budget.allocate((long) size * REFERENCE_BYTES);
    }

    /** Before a text is read as a number. */
    public static void digits(@Nullable String text, ExecutionBudget budget) {
        budget.spend(LINEAR_STEPS);
        if (text == null) {
            return;
        }
        int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
        if (text.length() > MAX_DIGITS || (exponent >= 0 && text.length() - exponent > 6)) {
            throw new NumberFormatException("a number of so many digits is too large for a procedure");
        }
    }

    /** Before digits after the point are asked for. */
    public static void scale(int scale, @Nullable ExecutionBudget budget) {
        if (scale > MAX_DIGITS || scale < -MAX_DIGITS) {
            throw new ArithmeticException(
                    "a scale of " + scale + " is too large for a procedure, which may use " + MAX_DIGITS);
        }
    }

    /** Before an array of several dimensions: the number of its elements so far. */
    public static long product(long elements, int length) {
        return length < 0
                ? elements
                : Math.clamp(
                        Math.multiplyHigh(elements, length) != 0 ? Long.MAX_VALUE : elements * length, 0, 1L << 50);
    }

    /** Before an array of several dimensions. */
    public static void arrays(long elements, ExecutionBudget budget) {
        budget.allocate(elements * REFERENCE_BYTES);
    }
}
