package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalStyle;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** The functions of this package by what plans call them. */
public final class ValueFunctions {
    private static final Map<ScalarFunction, Supplier<ValueFunction>> FUNCTIONS = functions();

    private ValueFunctions() {}

    /** A function for one place of one statement. */
    public static ValueFunction of(ScalarFunction function) {
        Supplier<ValueFunction> supplier = FUNCTIONS.get(function);
        if (supplier == null) {
            throw Invariants.breach(function + " is computed");
        }
        return supplier.get();
    }

    private static Map<ScalarFunction, Supplier<ValueFunction>> functions() {
        Map<ScalarFunction, Supplier<ValueFunction>> functions = new EnumMap<>(ScalarFunction.class);
        functions.put(ScalarFunction.SPLIT_PART, () -> TextValues::splitPart);
        functions.put(ScalarFunction.STARTS_WITH, () -> TextValues::startsWith);
        functions.put(ScalarFunction.MD5, () -> TextValues::md5);
        functions.put(ScalarFunction.SHA224, () -> arguments -> TextValues.digest("SHA-224", arguments));
        functions.put(ScalarFunction.SHA256, () -> arguments -> TextValues.digest("SHA-256", arguments));
        functions.put(ScalarFunction.SHA384, () -> arguments -> TextValues.digest("SHA-384", arguments));
        functions.put(ScalarFunction.SHA512, () -> arguments -> TextValues.digest("SHA-512", arguments));
        functions.put(ScalarFunction.ENCODE, () -> TextValues::encode);
        functions.put(ScalarFunction.ENCODE_LINES, () -> EncodedTexts::encode);
        functions.put(ScalarFunction.DECODE, () -> TextValues::decode);
        functions.put(ScalarFunction.DECODE_WHOLE, () -> EncodedTexts::decode);
        functions.put(ScalarFunction.QUOTE_LITERAL, () -> TextValues::quoteLiteral);
        functions.put(ScalarFunction.QUOTE_IDENT, () -> arguments -> Identifiers.quoted((String) arguments[0]));
        functions.put(ScalarFunction.FORMAT, () -> TextFormat::of);
        functions.put(ScalarFunction.TO_HEX, () -> arguments -> Integer.toHexString(((Long) arguments[0]).intValue()));
        functions.put(ScalarFunction.TO_LONG_HEX, () -> arguments -> Long.toHexString((Long) arguments[0]));
        functions.put(ScalarFunction.REGEXP_LIKE, () -> new PatternValues()::like);
        functions.put(ScalarFunction.REGEXP_COUNT, () -> new PatternValues()::count);
        functions.put(ScalarFunction.REGEXP_INSTR, () -> new PatternValues()::place);
        functions.put(ScalarFunction.REGEXP_SUBSTR, () -> new PatternValues()::part);
        functions.put(ScalarFunction.REGEXP_REPLACE, () -> new PatternValues()::replace);
        functions.put(ScalarFunction.REGEXP_MATCH, () -> new PatternValues()::match);
        functions.put(ScalarFunction.REGEXP_MATCHES, () -> new PatternValues()::matches);
        functions.put(ScalarFunction.REGEXP_SPLIT, () -> new PatternValues()::split);
        functions.put(ScalarFunction.EXPRESSION_PART, () -> new PatternValues()::expressionPart);
        functions.put(ScalarFunction.SIMILAR, () -> new PatternValues()::isSimilar);
        functions.put(ScalarFunction.SIMILAR_PART, () -> new PatternValues()::similarPart);
        functions.put(ScalarFunction.DATE_TRUNC, () -> CalendarValues::truncate);
        functions.put(ScalarFunction.TO_CHAR_OF_TIME, () -> new CalendarValues()::text);
        functions.put(ScalarFunction.TO_CHAR_OF_NUMBER, () -> new NumberValues()::text);
        functions.put(ScalarFunction.TO_NUMBER, () -> new NumberValues()::number);
        functions.put(ScalarFunction.TO_DATE, () -> new CalendarValues()::readDate);
        functions.put(ScalarFunction.TO_TIMESTAMP, () -> new CalendarValues()::readInstant);
        functions.put(ScalarFunction.EPOCH, () -> CalendarValues::epoch);
        functions.put(ScalarFunction.OF_EPOCH, () -> CalendarValues::ofEpoch);
        functions.put(ScalarFunction.MAKE_DATE, () -> CalendarValues::date);
        functions.put(ScalarFunction.MAKE_TIME, () -> CalendarValues::time);
        functions.put(ScalarFunction.MAKE_TIMESTAMP, () -> CalendarValues::timestamp);
        functions.put(ScalarFunction.GCD, () -> NumberValues::greatestDivisor);
        functions.put(ScalarFunction.LCM, () -> NumberValues::leastMultiple);
        functions.put(ScalarFunction.FACTORIAL, () -> NumberValues::factorial);
        functions.put(ScalarFunction.DIV, () -> NumberValues::quotient);
        functions.put(ScalarFunction.RANDOM_FRACTION, () -> RandomValues::fraction);
        functions.put(ScalarFunction.RANDOM_UUID, () -> RandomValues::uuid);
        functions.put(ScalarFunction.MOMENT_FIELD, () -> MomentFields::of);
        functions.put(ScalarFunction.DATE_BIN, () -> MomentValues::bin);
        functions.put(ScalarFunction.MAKE_INSTANT, () -> MomentValues::inZone);
        functions.put(
                ScalarFunction.INTERVAL_TEXT,
                () -> arguments -> IntervalStyle.valueOf((String) arguments[1]).text((Interval) arguments[0]));
        FloatValues.addTo(functions);
        ByteValues.addTo(functions);
        JsonValues.addTo(functions);
        IntervalValues.addTo(functions);
        ArrayFunctions.addTo(functions);
        return functions;
    }
}
