package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ArrayReader;
import dev.fulmar.foundation.data.ArrayText;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Arrays and their texts, {@code {1,NULL,"a b"}}. Elements are read and written as values that are cast. */
public final class ArrayTexts {
    private ArrayTexts() {}

    /** The array of the type whose text it is; an instant without an offset is of the zone. */
    public static byte[] parse(String text, ColumnType type, ZoneId zone) {
        ColumnType element = type.element();
        ArrayWriter writer = new ArrayWriter(element);
        for (String value : ArrayText.elements(text)) {
            if (value == null) {
                writer.addNull();
            } else {
                add(writer, value, element, zone);
            }
        }
        return writer.toByteArray();
    }

    private static void add(ArrayWriter writer, String text, ColumnType element, ZoneId zone) {
        switch (element.kind()) {
            case BOOLEAN -> writer.addLong(Texts.parseBoolean(text) ? 1 : 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> writer.addLong(integer(text, element));
            case DECIMAL -> addDecimal(writer, Decimals.unscaled(Texts.parseDecimal(text, element), element), element);
            case REAL, DOUBLE -> writer.addDouble(Texts.parseDouble(text, element));
            case DATE -> writer.addLong(Temporals.parseDate(text));
            case TIME -> writer.addLong(Temporals.parseTime(text));
            case TIMESTAMP -> writer.addLong(Temporals.parseTimestamp(text));
            case TIMESTAMP_TZ -> writer.addLong(Temporals.parseTimestampTz(text, zone));
            case UUID -> {
                UUID uuid = Texts.parseUuid(text);
                writer.addWide(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            case VARCHAR, CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC ->
                addText(writer, text, element);
        }
    }

    /** Blanks that are too many are cut. */
    private static void addText(ArrayWriter writer, String text, ColumnType element) {
        int limit = element.precision();
        String kept = text;
        if (limit > 0 && text.length() > limit) {
            int characters = text.codePointCount(0, text.length());
            if (characters > limit) {
                int end = text.offsetByCodePoints(0, limit);
                if (!text.substring(end).replace(" ", "").isEmpty()) {
                    throw Texts.tooLong(element, characters);
                }
                kept = text.substring(0, end);
            }
        }
        byte[] bytes = kept.getBytes(StandardCharsets.UTF_8);
        writer.addText(bytes, 0, bytes.length);
    }

    private static long integer(String text, ColumnType element) {
        ColumnType whole = ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, 0);
        BigInteger number = Decimals.unscaled(Texts.parseDecimal(text, element), whole);
        boolean fits = number.bitLength() < Long.SIZE
                && number.longValue() >= ValueRange.minimum(element.kind())
                && number.longValue() <= ValueRange.maximum(element.kind());
        if (!fits) {
            throw ValueRange.outOfRange(number.toString(), element);
        }
        return number.longValue();
    }

    private static void addDecimal(ArrayWriter writer, BigInteger unscaled, ColumnType element) {
        if (element.storage() == TypeKind.Storage.WIDE) {
            writer.addWide(unscaled.shiftRight(Long.SIZE).longValue(), unscaled.longValue());
        } else {
            writer.addLong(unscaled.longValueExact());
        }
    }

    /** The text of an array of elements of the type; instants are shown in the zone. */
    public static String text(byte[] array, ColumnType element, ZoneId zone) {
        ArrayReader reader = new ArrayReader(element).wrap(array, 0, array.length);
        List<@Nullable String> texts = new ArrayList<>();
        while (reader.next()) {
            texts.add(reader.isNull() ? null : text(reader, element, zone));
        }
        return ArrayText.of(texts);
    }

    private static String text(ArrayReader reader, ColumnType element, ZoneId zone) {
        return switch (element.kind()) {
            case BOOLEAN -> reader.getLong() != 0 ? "t" : "f";
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(reader.getLong());
            case DECIMAL -> decimal(reader, element).toPlainString();
            case REAL, DOUBLE -> Texts.formatDouble(reader.getDouble(), element.kind());
            case DATE -> Temporals.formatDate(reader.getLong());
            case TIME -> Temporals.formatTime(reader.getLong());
            case TIMESTAMP -> Temporals.formatTimestamp(reader.getLong());
            case TIMESTAMP_TZ -> ZonedTime.text(reader.getLong(), zone);
            case UUID -> new UUID(reader.high(), reader.low()).toString();
            case VARCHAR, CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC ->
                new String(reader.text(), StandardCharsets.UTF_8);
        };
    }

    private static BigDecimal decimal(ArrayReader reader, ColumnType element) {
        return element.storage() == TypeKind.Storage.WIDE
                ? new BigDecimal(WideValue.toBigInteger(reader.high(), reader.low()), element.scale())
                : BigDecimal.valueOf(reader.getLong(), element.scale());
    }
}
