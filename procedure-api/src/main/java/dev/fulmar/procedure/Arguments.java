package dev.fulmar.procedure;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Binds the parameters of a queued statement in order. A value that does not fit the parameter's type throws at once.
 */
public interface Arguments {
    Arguments with(long value);

    Arguments with(double value);

    Arguments with(boolean value);

    Arguments with(@Nullable String value);

    Arguments with(byte @Nullable [] value);

    Arguments with(@Nullable BigDecimal value);

    /** A DATE; {@link LocalDate#MAX} is infinity, and {@link LocalDate#MIN} -infinity. */
    Arguments with(@Nullable LocalDate value);

    Arguments with(@Nullable LocalTime value);

    /** A TIMESTAMP; {@link LocalDateTime#MAX} is infinity, and {@link LocalDateTime#MIN} -infinity. */
    Arguments with(@Nullable LocalDateTime value);

    /**
     * A TIMESTAMP, with time zone or in UTC; what is finer than a microsecond is cut off, as everywhere.
     * {@link ProcedureContext#now()} yields one. {@link Instant#MAX} is infinity, and {@link Instant#MIN} -infinity.
     */
    Arguments with(@Nullable Instant value);

    Arguments with(@Nullable UUID value);

    /** A TIMESTAMP in microseconds since the epoch. Of an infinity they are what {@link Rows#getUnscaled} yields. */
    Arguments withTimestampMicros(long micros);

    /** A DECIMAL as its unscaled value with the given scale; no object is made. */
    Arguments withDecimal(long unscaled, int scale);

    /** The value of a cell of an earlier result, copied without conversion; no object is made. */
    Arguments withCell(Rows rows, int column);

    Arguments withNull();

    /** Any of the above, boxed. */
    Arguments withObject(@Nullable Object value);
}
