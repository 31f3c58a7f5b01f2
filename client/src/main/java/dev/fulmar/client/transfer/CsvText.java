package dev.fulmar.client.transfer;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.data.ArrayValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values as fields of a CSV file: numbers and texts as they are, dates and times as ISO 8601 has them, bytes in
 * hexadecimal.
 */
final class CsvText {
    private CsvText() {}

    /** The value that the field stands for in a column of the type. */
    static @Nullable Object value(@Nullable String field, ColumnType type) {
        if (field == null) {
            return null;
        }
        try {
            String text = field.strip();
            return switch (type.kind()) {
                case BOOLEAN -> truth(text);
                case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.valueOf(text);
                case DECIMAL -> new BigDecimal(text);
                case NUMERIC -> number(text);
                case REAL, DOUBLE -> Double.valueOf(text);
                case CHAR, VARCHAR, JSON, JSONB, INTERVAL, ARRAY, ENUM -> field;
                case VARBINARY -> HexFormat.of().parseHex(text);
                case DATE -> InfiniteTime.readDate(text);
                case TIME -> LocalTime.parse(text);
                case TIMESTAMP -> InfiniteTime.readTimestamp(text);
                case TIMESTAMP_TZ -> instant(text);
                case UUID -> UUID.fromString(text);
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new FulmarException(ErrorCode.INVALID_TEXT, "'" + field + "' is no " + type, e);
        }
    }

    private static Instant instant(String text) {
        long infinity = InfiniteTime.ofText(text);
        return ZonedTime.instant(
                infinity == 0
                        ? InfiniteTime.finiteMicros(ZonedTime.parse(text, ZoneOffset.UTC))
                        : infinity * InfiniteTime.MICROS);
    }

    private static Number number(String text) {
        Numeric number = Numeric.parse(text);
        return number.isNumber() ? number.number() : Double.valueOf(number.toDouble());
    }

    private static Boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t", "1", "yes" -> true;
            case "false", "f", "0", "no" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** The current row as a line of a file. */
    static String line(ResultTable row, char separator) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.columnCount(); column++) {
            if (column > 0) {
                line.append(separator);
            }
            Object value = row.getObject(column);
            if (value != null) {
                line.append(field(text(value), separator));
            }
        }
        return line.toString();
    }

    private static String text(Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigDecimal number -> number.toPlainString();
            case List<?> elements -> ArrayValues.text(elements);
            default -> InfiniteTime.textOf(value);
        };
    }

    /** Names of columns as the first line of a file. */
    static String header(List<String> names, char separator) {
        return names.stream()
                .map(name -> field(name, separator))
                .collect(Collectors.joining(String.valueOf(separator)));
    }

    private static String field(String text, char separator) {
        boolean isPlain = !text.isEmpty()
                && text.chars().noneMatch(each -> each == separator || each == '"' || each == '\n' || each == '\r');
        return isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
