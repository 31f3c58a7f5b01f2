package dev.fulmar.foundation.data;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Arrays as lists of the Java objects of {@link CellValues}, with null for NULL. */
public final class ArrayValues {
    private ArrayValues() {}

    /** The elements of an array of elements of the type. */
    public static List<@Nullable Object> list(byte[] bytes, int from, int to, ColumnType element) {
        ArrayReader reader = new ArrayReader(element).wrap(bytes, from, to);
        List<@Nullable Object> values = new ArrayList<>();
        while (reader.next()) {
            values.add(reader.isNull() ? null : value(reader, element));
        }
        return values;
    }

    private static Object value(ArrayReader reader, ColumnType element) {
        return switch (element.kind()) {
            case BOOLEAN -> reader.getLong() != 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT -> reader.getLong();
            case DECIMAL ->
                element.storage() == TypeKind.Storage.WIDE
                        ? WideDecimal.toBigDecimal(reader.high(), reader.low(), element.scale())
                        : BigDecimal.valueOf(reader.getLong(), element.scale());
            case REAL -> (float) reader.getDouble();
            case DOUBLE -> reader.getDouble();
            case VARCHAR -> new String(reader.text(), StandardCharsets.UTF_8);
            case DATE -> CellValues.date(reader.getLong());
            case TIME -> CellValues.time(reader.getLong());
            case TIMESTAMP -> CellValues.timestamp(reader.getLong());
            case TIMESTAMP_TZ -> ZonedTime.instant(reader.getLong());
            case UUID -> new UUID(reader.high(), reader.low());
            case CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC ->
                throw new IllegalArgumentException("no array has elements of the type " + element);
        };
    }

    /** The text as SQL has it: {@code {1,NULL,"a b"}}. */
    public static String text(List<? extends @Nullable Object> values) {
        List<@Nullable String> texts = new ArrayList<>(values.size());
        for (Object value : values) {
            texts.add(
                    switch (value) {
                        case null -> null;
                        case Boolean truth -> truth ? "t" : "f";
                        default -> CellValues.text(value);
                    });
        }
        return ArrayText.of(texts);
    }

    /** The form of an array of such objects, which are of the type already; decimals are rounded to its scale. */
    public static byte[] bytes(List<? extends @Nullable Object> values, ColumnType element) {
        ArrayWriter writer = new ArrayWriter(element);
        for (Object value : values) {
            if (value == null) {
                writer.addNull();
            } else {
                add(writer, value, element);
            }
        }
        return writer.toByteArray();
    }

    private static void add(ArrayWriter writer, Object value, ColumnType element) {
        switch (element.kind()) {
            case BOOLEAN -> writer.addLong((Boolean) value ? 1 : 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> writer.addLong(((Number) value).longValue());
            case DECIMAL -> addDecimal(writer, (BigDecimal) value, element);
            case REAL, DOUBLE -> writer.addDouble(((Number) value).doubleValue());
            case VARCHAR -> {
                byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
                writer.addText(text, 0, text.length);
            }
            case DATE -> writer.addLong(CellValues.days((LocalDate) value));
            case TIME -> writer.addLong(CellValues.micros((LocalTime) value));
            case TIMESTAMP -> writer.addLong(CellValues.micros((LocalDateTime) value));
            case TIMESTAMP_TZ -> writer.addLong(ZonedTime.micros((Instant) value));
            case UUID -> {
                UUID uuid = (UUID) value;
                writer.addWide(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
            case CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC ->
                throw new IllegalArgumentException("no array has elements of the type " + element);
        }
    }

    private static void addDecimal(ArrayWriter writer, BigDecimal value, ColumnType element) {
        BigDecimal scaled = value.setScale(element.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > element.precision()) {
            throw CellValues.tooWide(value, element);
        }
        if (element.storage() == TypeKind.Storage.WIDE) {
            writer.addWide(WideDecimal.high(scaled.unscaledValue()), WideDecimal.low(scaled.unscaledValue()));
        } else {
            writer.addLong(scaled.unscaledValue().longValue());
        }
    }
}
