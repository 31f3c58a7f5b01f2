package dev.fulmar.postgres.dialect;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes EXTRACT and date_part by fields that the engine has. PostgreSQL's days of the week begin with 0, seconds have
 * fractions, and the result is a numeric, or of date_part a double.
 */
final class DatetimeFields {
    /** The engine's function of seconds since 1970, under a name that no client writes. */
    private static final String EPOCH = "\"#EPOCH\"";

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
            Field field = field(name(words.at(place + 2)));
            if (field != null) {
                replace(place, field, "NUMERIC(20, " + field.scale() + ")");
            }
        } else if (words.areAt(place, "DATE_PART", "(") && words.areAt(place + 3, ",")) {
            Field field = field(name(words.at(place + 2)));
            if (field != null) {
                replace(place, field, "DOUBLE");
            }
        }
    }

    private String name(Lexeme lexeme) {
        boolean isText = lexeme.kind() == Lexeme.Kind.STRING || lexeme.kind() == Lexeme.Kind.ESCAPED;
        String name = isText ? TextLiteral.value(source, lexeme) : lexeme.text();
        return name.toUpperCase(Locale.ROOT);
    }

    private static @Nullable Field field(String name) {
        return switch (name) {
            case "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "HOUR", "MINUTE" -> new Field(name, "?", 0);
            case "EPOCH" -> new Field(EPOCH, "?", 6);
            case "DOW" -> new Field("DOW", "? - 1", 0);
            case "ISODOW" -> new Field("DOW", "MOD(? + 5, 7) + 1", 0);
            case "DECADE" -> new Field("YEAR", "? / 10", 0);
            case "CENTURY" -> new Field("YEAR", "(? + 99) / 100", 0);
            case "MILLENNIUM" -> new Field("YEAR", "(? + 999) / 1000", 0);
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
        String opening = field.engineField().equals(EPOCH) ? EPOCH + "(" : "EXTRACT(" + field.engineField() + " FROM";
        words.replace(place, place + 4, "CAST(" + field.expression().substring(0, mark) + opening);
    }
}
