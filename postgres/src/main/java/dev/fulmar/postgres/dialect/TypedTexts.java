package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.setting.SessionStyle;
import dev.fulmar.wire.postgres.type.BooleanForm;
import dev.fulmar.wire.postgres.type.DatetimeForm;
import dev.fulmar.wire.postgres.type.FloatForm;
import dev.fulmar.wire.postgres.type.IntegerForm;
import dev.fulmar.wire.postgres.type.NumericForm;
import dev.fulmar.wire.postgres.type.NumericValue;
import dev.fulmar.wire.postgres.type.PostgresType;
import dev.fulmar.wire.postgres.type.UuidForm;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts that the statement gives a type: {@code type 'text'}, {@code 'text'::type} and {@code CAST('text' AS
 * type)}. PostgreSQL's types take more forms than the engine's casts, and refuse others.
 */
final class TypedTexts {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final String INTERVAL = "INTERVAL";
    private static final int LAST_YEAR = 9_999;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);

    private final String source;
    private final Words words;

    private final DateOrder order;
    private final IntervalStyle intervals;

    private TypedTexts(String source, Words words, SessionFacts facts) {
        this.source = source;
        this.words = words;
        this.order = SessionStyle.dateOrder(facts.setting("DateStyle"));
        this.intervals = SessionStyle.intervals(facts.setting("IntervalStyle"));
    }

    static void replace(String source, Words words, SessionFacts facts) {
        TypedTexts texts = new TypedTexts(source, words, facts);
        for (int i = 0; i < words.count(); i++) {
            texts.replace(i);
        }
    }

    private void replace(int place) {
        if (words.areAt(place, "CAST", "(")
                && isText(place + 2)
                && words.at(place + 3).isWord("AS")) {
            int end = words.closing(place + 1);
            replace(place, end + 1, place + 2, words.between(place + 4, end));
        } else if (words.at(place).kind() == Lexeme.Kind.WORD
                && !words.at(place - 1).isSymbol(".")
                && !words.at(place - 1).isWord("AS")) {
            int text = behindType(place);
            if (isText(text)) {
                replace(place, text + 1, text, words.between(place, text));
            }
        }
    }

    private boolean isText(int place) {
        Lexeme.Kind kind = words.at(place).kind();
        return kind == Lexeme.Kind.STRING || kind == Lexeme.Kind.ESCAPED || kind == Lexeme.Kind.DOLLAR;
    }

    /** The place behind a name of a type that may begin here; a type before a text has no length. */
    private int behindType(int place) {
        if (words.areAt(place, "DOUBLE", "PRECISION")) {
            return place + 2;
        }
        if (words.areAt(place, INTERVAL, "(")) {
            return words.closing(place + 1) + 1;
        }
        return words.areAt(place + 1, "WITHOUT", "TIME", "ZONE") ? place + 4 : place + 1;
    }

    private void replace(int from, int to, int text, List<Lexeme> type) {
        String name = type.stream().map(Lexeme::text).collect(Collectors.joining(" "));
        if (!type.isEmpty() && type.getFirst().isWord(INTERVAL)) {
            interval(from, to, text, name.substring(INTERVAL.length()));
            return;
        }
        PostgresType known = TypeWords.find(name);
        if (known == null) {
            return;
        }
        Lexeme lexeme = words.at(text);
        boolean hasParameters = name.contains("(");
        try {
            String value = value(known, TextLiteral.value(source, lexeme));
            if (value != null) {
                words.replace(from, to, hasParameters ? "CAST(" + value + " AS " + name + ")" : value);
            }
        } catch (FulmarException e) {
            throw Place.error(e.code(), source, lexeme.start(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * An interval, perhaps with the fields that it has behind the text.
     *
     * @param words those between INTERVAL and the text, or behind INTERVAL in a CAST
     */
    private void interval(int from, int to, int text, String words) {
        int end = to;
        String shape = words;
        if (end == text + 1) { // no CAST
            end = Casts.behindFields(this.words, to);
            shape = this.words.between(to, end).stream().map(Lexeme::text).collect(Collectors.joining(" ")) + words;
        }
        Lexeme lexeme = this.words.at(text);
        try {
            Optional<IntervalShape> known =
                    IntervalShape.ofWords(shape.replace(" (", "(").replace("( ", "("));
            if (known.isEmpty()) {
                throw new FulmarException(
                        ErrorCode.SYNTAX, "there is no type interval" + shape + "; write interval day to second(3)");
            }
            Interval value = known.get().parse(TextLiteral.value(source, lexeme), intervals);
            boolean isOfFrame =
                    this.words.at(end).isWord("PRECEDING") || this.words.at(end).isWord("FOLLOWING");
            this.words.replace(from, end, isOfFrame ? FrameDistance.literal(value) : cast(written(value), INTERVAL));
        } catch (FulmarException e) {
            throw Place.error(e.code(), source, lexeme.start(), String.valueOf(e.getMessage()));
        }
    }

    /** The interval as the engine reads it in any style; the usual one cannot write the least number of hours. */
    private static String written(Interval value) {
        return value.micros() == Long.MIN_VALUE ? IntervalStyle.ISO_8601.text(value) : value.toString();
    }

    /** The value as the engine writes it; null where the engine reads the text as PostgreSQL does. */
    private @Nullable String value(PostgresType type, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return switch (type) {
            case BOOL -> BooleanForm.parse(bytes, 0, bytes.length) ? "TRUE" : "FALSE";
            case INT2 -> cast(IntegerForm.parse(type, bytes, 0, bytes.length), "SMALLINT");
            case INT4 -> cast(IntegerForm.parse(type, bytes, 0, bytes.length), "INTEGER");
            case INT8 -> cast(IntegerForm.parse(type, bytes, 0, bytes.length), "BIGINT");
            case FLOAT4 -> cast(FloatForm.parseFloat(bytes, 0, bytes.length), "REAL");
            case FLOAT8 -> cast(FloatForm.parse(bytes, 0, bytes.length), "DOUBLE");
            case NUMERIC -> numeric(NumericForm.parse(bytes, 0, bytes.length));
            case DATE ->
                isNamed(text) ? named(text, "DATE") : date(DatetimeForm.parseDate(bytes, 0, bytes.length, order));
            case TIME ->
                isNamed(text) ? named(text, "TIME") : time(DatetimeForm.parseTime(bytes, 0, bytes.length, order));
            case TIMESTAMP ->
                isNamed(text)
                        ? named(text, "TIMESTAMP")
                        : timestamp(DatetimeForm.parseTimestamp(bytes, 0, bytes.length, order));
            case UUID -> cast(UuidForm.parse(bytes, 0, bytes.length), "UUID");
            case TEXT, VARCHAR, NAME -> cast(text.replace("'", "''"), "VARCHAR");
            case JSON, JSONB -> cast(text.replace("'", "''"), type.typeName());
            default -> null;
        };
    }

    /** Whether the text names a time by that of the transaction, as now or today. */
    private static boolean isNamed(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.contains("now")
                || lower.contains("today")
                || lower.contains("tomorrow")
                || lower.contains("yesterday");
    }

    /** The engine reads such a text where it knows the transaction's time. */
    private static String named(String text, String type) {
        return cast(text.replace("'", "''"), type);
    }

    private static String cast(Object value, String type) {
        return "CAST('" + value + "' AS " + type + ")";
    }

    private static String numeric(NumericValue value) {
        String text = switch (value) {
            case NumericValue.Finite(BigDecimal number) -> number.toPlainString();
            case NumericValue.Special special -> special.text();
        };
        return cast(text, "NUMBER");
    }

    private static String date(long days) {
        return DatetimeForm.isInfinite(days)
                ? "DATE '" + InfiniteTime.text(days) + "'"
                : "DATE '" + checked(days) + "'";
    }

    private static LocalDate checked(long days) {
        LocalDate date = Math.abs(days) > 366L * LAST_YEAR ? null : LocalDate.ofEpochDay(days);
        if (date == null || date.getYear() < 1 || date.getYear() > LAST_YEAR) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE, "a date here is in the years 1 to 9999; choose one of those");
        }
        return date;
    }

    private static String time(long micros) {
        long day = 86_400 * MICROS_PER_SECOND;
        if (micros >= day) {
            throw new FulmarException(
                    ErrorCode.DATETIME_OUT_OF_RANGE, "a time here is before 24:00:00; write 00:00:00");
        }
        return "TIME '" + TIME.format(LocalTime.ofNanoOfDay(micros * NANOS_PER_MICRO)) + "'";
    }

    private static String timestamp(long micros) {
        if (DatetimeForm.isInfinite(micros)) {
            return "TIMESTAMP '" + InfiniteTime.text(micros) + "'";
        }
        long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
        LocalDate date = checked(Math.floorDiv(seconds, 86_400));
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                seconds, (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO, ZoneOffset.UTC);
        return "TIMESTAMP '" + date + " " + TIME.format(time) + "'";
    }
}
