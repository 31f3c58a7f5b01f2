package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Rows;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of the statement that was queued last, without boxing. */
final class BoundArguments implements Arguments {
    private @Nullable Bindings bindings;
    private int next;

    void open(Bindings newBindings) {
        bindings = newBindings;
        next = 0;
    }

    /** Forgets the statement, so that late calls fail. */
    void close() {
        bindings = null;
    }

    /** Parameters bound so far. */
    int bound() {
        return next;
    }

    private Bindings open() {
        Bindings current = bindings;
        if (current == null) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_FAILED,
                    "a parameter was bound after its statement was executed or another one was queued; bind them right after"
                            + " queue()");
        }
        return current;
    }

    @Override
    public Arguments with(long value) {
        open().setLong(next, value);
        next++;
        return this;
    }

    @Override
    public Arguments with(double value) {
        open().setDouble(next, value);
        next++;
        return this;
    }

    @Override
    public Arguments with(boolean value) {
        open().setBoolean(next, value);
        next++;
        return this;
    }

    @Override
    public Arguments with(@Nullable String value) {
        if (value == null) {
            return withNull();
        }
        open().setString(next, value);
        next++;
        return this;
    }

    @Override
    public Arguments with(byte @Nullable [] value) {
        if (value == null) {
            return withNull();
        }
        open().setBytes(next, value, 0, value.length);
        next++;
        return this;
    }

    @Override
    public Arguments with(@Nullable BigDecimal value) {
        if (value == null) {
            return withNull();
        }
        open().setDecimal(next, value);
        next++;
        return this;
    }

    @Override
    public Arguments with(@Nullable LocalDate value) {
        if (value == null) {
            return withNull();
        }
        open().setDate(next, CellValues.days(value));
        next++;
        return this;
    }

    @Override
    public Arguments with(@Nullable LocalTime value) {
        if (value == null) {
            return withNull();
        }
        open().setTime(next, CellValues.micros(value));
        next++;
        return this;
    }

    @Override
    public Arguments with(@Nullable LocalDateTime value) {
        return value == null ? withNull() : withTimestampMicros(CellValues.micros(value));
    }

    @Override
    public Arguments with(@Nullable Instant value) {
        return with(value == null ? (LocalDateTime) null : InfiniteTime.inUtc(value));
    }

    @Override
    public Arguments with(@Nullable UUID value) {
        if (value == null) {
            return withNull();
        }
        open().setUuid(next, value.getMostSignificantBits(), value.getLeastSignificantBits());
        next++;
        return this;
    }

    @Override
    public Arguments withTimestampMicros(long micros) {
        open().setTimestamp(next, micros);
        next++;
        return this;
    }

    @Override
    public Arguments withDecimal(long unscaled, int scale) {
        open().setDecimal(next, unscaled, scale);
        next++;
        return this;
    }

    @Override
    public Arguments withCell(Rows rows, int column) {
        if (!(rows instanceof RowsView view)) {
            return withObject(rows.getObject(column));
        }
        if (view.isNull(column)) {
            return withNull();
        }
        Bindings target = open();
        switch (view.shape().kind(column)) {
            case BOOLEAN -> target.setBoolean(next, view.cell(column) != 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> target.setLong(next, view.cell(column));
            case REAL, DOUBLE -> target.setDouble(next, Double.longBitsToDouble(view.cell(column)));
            case DECIMAL -> setDecimal(target, view, column);
            case DATE -> target.setDate(next, view.cell(column));
            case TIME -> target.setTime(next, view.cell(column));
            case TIMESTAMP, TIMESTAMP_TZ -> target.setTimestamp(next, view.cell(column));
            case UUID -> target.setUuid(next, view.wideHigh(column), view.wideLow(column));
            case INTERVAL, NUMERIC -> setText(target, view, column);
            case CHAR, VARCHAR, VARBINARY, JSON, JSONB, ARRAY, ENUM ->
                target.setBytes(next, view.array(), view.bytesOffset(column), view.bytesLength(column));
        }
        next++;
        return this;
    }

    /** A parameter of another type takes the text, or refuses it. */
    private void setText(Bindings target, RowsView view, int column) {
        String text = view.getString(column);
        if (text != null) {
            target.setString(next, text);
        }
    }

    private void setDecimal(Bindings target, RowsView view, int column) {
        switch (view.shape().storage(column)) {
            case LONG -> target.setDecimal(next, view.cell(column), view.shape().scale(column));
            case WIDE -> {
                BigDecimal value = view.getDecimal(column);
                if (value != null) {
                    target.setDecimal(next, value);
                }
            }
            case DOUBLE, BYTES -> throw Invariants.breach("a decimal is held as an integer");
        }
    }

    @Override
    public Arguments withNull() {
        open().setNull(next);
        next++;
        return this;
    }

    @Override
    public Arguments withObject(@Nullable Object value) {
        return switch (value) {
            case null -> withNull();
            case Long number -> with(number.longValue());
            case Integer number -> with(number.longValue());
            case Short number -> with(number.longValue());
            case Byte number -> with(number.longValue());
            case Double number -> with(number.doubleValue());
            case Float number -> with(number.doubleValue());
            case Boolean truth -> with(truth.booleanValue());
            case String text -> with(text);
            case byte[] bytes -> with(bytes);
            case BigDecimal number -> with(number);
            case LocalDate date -> with(date);
            case LocalTime time -> with(time);
            case LocalDateTime timestamp -> with(timestamp);
            case Instant instant -> with(instant);
            case UUID uuid -> with(uuid);
            case Object other ->
                throw new FulmarException(
                        ErrorCode.TYPE_MISMATCH,
                        "a " + other.getClass().getSimpleName()
                                + " cannot be a parameter of a statement; use a number, boolean, String, byte[], java.time date or"
                                + " time, or UUID");
        };
    }
}
