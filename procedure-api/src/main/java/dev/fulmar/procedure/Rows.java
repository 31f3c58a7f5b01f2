package dev.fulmar.procedure;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a result with a cursor. Columns count from 0. Getters read the current row; the primitive ones give 0 for
 * null, so ask {@link #isNull(int)} where it matters.
 */
public interface Rows {
    int rowCount();

    int columnCount();

    String columnName(int column);

    /** Position of the column with the name, whatever its case; throws if there is none. */
    int column(String name);

    /** Moves to the next row; false at the end. */
    boolean next();

    /** Moves to the row, counted from 0; throws if there is none. Returns this. */
    Rows at(int row);

    /** Moves to the first row, which must exist. Returns this. */
    default Rows first() {
        return at(0);
    }

    boolean isNull(int column);

    /** An integer, boolean (0 or 1), date (days), time or timestamp (microseconds). */
    long getLong(int column);

    default int getInt(int column) {
        return Math.toIntExact(getLong(column));
    }

    /** Any number. */
    double getDouble(int column);

    boolean getBoolean(int column);

    @Nullable String getString(int column);

    byte @Nullable [] getBytes(int column);

    @Nullable BigDecimal getDecimal(int column);

    /** The unscaled value of a DECIMAL of up to 18 digits, in the column's own scale; no object is made. */
    long getUnscaled(int column);

    /** A DATE; {@link LocalDate#MAX} of infinity, and {@link LocalDate#MIN} of -infinity. */
    @Nullable LocalDate getDate(int column);

    @Nullable LocalTime getTime(int column);

    /**
     * A TIMESTAMP, in UTC if it has a time zone. It is {@link LocalDateTime#MAX} of infinity, and {@link
     * LocalDateTime#MIN} of -infinity.
     */
    @Nullable LocalDateTime getTimestamp(int column);

    @Nullable UUID getUuid(int column);

    /**
     * The value as the Java type that fits it best. Infinities of dates and timestamps are the greatest and the least
     * value of that type.
     */
    @Nullable Object getObject(int column);
}
