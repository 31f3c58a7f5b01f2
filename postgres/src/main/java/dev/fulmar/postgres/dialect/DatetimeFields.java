package dev.fulmar.postgres.dialect;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes EXTRACT and date_part by fields that the engine has. PostgreSQL's days of the week begin with 0, seconds have
 * fractions, and the result is a numeric, or of date_part a double.
 */
final class DatetimeFields {
    /** The engine's function of seconds since 1970, under a name that no client writes. */
    private static final String EPOCH = "\"#EPOCH\"";

    /** The engine's function of the moment by such seconds. */
    private static final String OF_SECONDS = "\"#MOMENT\"";

    /** The engine's function of other fields by their names. */
    private static final String PART = "\"#PART\"";

    /** The engine's function that makes a timestamp of a date. */
    private static final String CLOCK = "\"#CLOCK\"";

    /** Fields that a date does not have. */
    private static final Set<String> OF_CLOCK = Set.of("HOUR", "MINUTE", "MICROSECOND");

    private final String source;
    private final Words words;

    /** The field by an expression of the engine, in which a question mark stands for EXTRACT of another field. */
    private record Field(String engineField, String expression, int scale) {}

    private DatetimeFields(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        DatetimeFields fields = new DatetimeFields(source, words);
        for (int i = 0; i < words.count(); i++) {
            fields.replace(i);
        }
    }

    private void replace(int place) {
        if (words.areAt(place, "EXTRACT", "(") && words.at(place + 3).isWord("FROM")) {
            String name = name(words.at(place + 2));
            Field field = field(name);
            if (field != null) {
                replace(place, field, "NUMERIC(20, " + field.scale() + ")");
            } else {
                words.replace(place, place + 4, PART + "('" + name.replace("'", "''") + "',");
            }
        } else if (words.areAt(place, "TO_TIMESTAMP", "(") && isAlone(place + 2, words.closing(place + 1))) {
            words.replace(place, place + 1, OF_SECONDS);
        } else if (words.areAt(place, "DATE_PART", "(") && words.areAt(place + 3, ",")) {
            String name = name(words.at(place + 2));
            Field field = field(name);
            boolean isOfClock = field != null && OF_CLOCK.contains(field.engineField());
            if (isOfClock) {
                ofClock(place);
            }
            if (field != null) {
                replace(place, field, "DOUBLE");
            } else {
                part(place, name);
            }
        }
    }

    /** To date_part, unlike to EXTRACT, a date is the timestamp at its begin. */
    private void ofClock(int place) {
        Lexeme open = words.at(place + 1);
        Lexeme close = words.at(words.closing(place + 1));
        words.replace(words.closing(place + 1), words.closing(place + 1), List.of(close));
        words.replace(place + 4, place + 4, List.of(new Lexeme(Lexeme.Kind.MADE, CLOCK, open.start()), open));
    }

    /** A field that the engine knows by its name. */
    private void part(int place, String name) {
        words.insert(words.closing(place + 1) + 1, "AS DOUBLE)");
        words.replace(place, place + 4, "CAST(" + PART + "('" + name.replace("'", "''") + "',");
    }

    /** Whether these words are one argument. */
    private boolean isAlone(int from, int to) {
        for (int i = from; i < to; i++) {
            if (words.at(i).isSymbol("(") || words.at(i).isSymbol("[")) {
                i = words.closing(i);
            } else if (words.at(i).isSymbol(",")) {
                return false;
            }
        }
        return from < to;
    }

    private String name(Lexeme lexeme) {
        boolean isText = lexeme.kind() == Lexeme.Kind.STRING || lexeme.kind() == Lexeme.Kind.ESCAPED;
        String name = isText ? TextLiteral.value(source, lexeme) : lexeme.text();
        String upper = name.strip().toUpperCase(Locale.ROOT);
        return switch (upper) {
            case "YEARS", "YR", "YRS", "Y" -> "YEAR";
            case "QTR" -> "QUARTER";
            case "MONTHS", "MON", "MONS" -> "MONTH";
            case "WEEKS", "W" -> "WEEK";
            case "DAYS", "D" -> "DAY";
            case "HOURS", "HR", "HRS", "H" -> "HOUR";
            case "MINUTES", "MIN", "MINS", "M" -> "MINUTE";
            case "SECONDS", "SEC", "SECS", "S" -> "SECOND";
            case "MSEC", "MSECS", "MSECOND", "MSECONDS", "MS" -> "MILLISECONDS";
            case "USEC", "USECS", "USECOND", "USECONDS", "US" -> "MICROSECONDS";
            case "DECADES", "DEC", "DECS" -> "DECADE";
            case "CENTURIES", "CENT", "C" -> "CENTURY";
            case "MILLENNIA", "MIL", "MILS" -> "MILLENNIUM";
            default -> upper;
        };
    }

    private static @Nullable Field field(String name) {
        return switch (name) {
            case "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "HOUR", "MINUTE" -> new Field(name, "?", 0);
            case "EPOCH" -> new Field(EPOCH, "?", 6);
            case "DOW" -> new Field("DOW", "? - 1", 0);
            case "ISODOW" -> new Field("DOW", "MOD(? + 5, 7) + 1", 0);
            case "SECOND" -> new Field("MICROSECOND", "? * 0.000001", 6);
            case "MILLISECONDS", "MILLISECOND" -> new Field("MICROSECOND", "? * 0.001", 3);
            case "MICROSECONDS", "MICROSECOND" -> new Field("MICROSECOND", "?", 0);
            default -> null;
        };
    }

    private void replace(int place, Field field, String type) {
        int end = words.closing(place + 1);
        int mark = field.expression().indexOf('?');
        words.replace(end, end + 1, ")" + field.expression().substring(mark + 1) + " AS " + type + ")");
        boolean isEpoch = field.engineField().equals(EPOCH);
        String opening = isEpoch ? EPOCH + "(" : "EXTRACT(" + field.engineField() + " FROM";
        words.replace(place, place + 4, "CAST(" + field.expression().substring(0, mark) + opening);
    }
}
