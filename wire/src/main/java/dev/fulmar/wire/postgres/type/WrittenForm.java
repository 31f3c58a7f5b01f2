package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.DatetimeTextException;
import dev.fulmar.foundation.data.WrittenDatetime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Reads dates and times in all of PostgreSQL's forms, as the order of a session says. */
final class WrittenForm {
    private final PostgresType type;
    private final byte[] text;
    private final int from;
    private final int to;
    private final DateOrder order;

    WrittenForm(PostgresType type, byte[] text, int from, int to, DateOrder order) {
        this.type = type;
        this.text = text;
        this.from = from;
        this.to = to;
        this.order = order;
    }

    /** Days since 1970, or an infinity. */
    long days() {
        WrittenDatetime written = written();
        return written.form() == WrittenDatetime.Form.DATE ? written.days() : special(written);
    }

    /** Microseconds since midnight. */
    long timeMicros() {
        return written().timeMicros();
    }

    /** Microseconds since 1970 as they are written, or an infinity. */
    long localMicros() {
        WrittenDatetime written = written();
        try {
            return written.form() == WrittenDatetime.Form.DATE ? written.localMicros() : special(written);
        } catch (DateTimeException e) {
            throw InvalidValue.datetimeRange(type, shown());
        }
    }

    /** Microseconds since 1970 in UTC, or an infinity. */
    long instantMicros(ZoneId session) {
        WrittenDatetime written = written();
        try {
            return written.form() == WrittenDatetime.Form.DATE ? written.instantMicros(session) : special(written);
        } catch (DateTimeException e) {
            throw InvalidValue.datetimeRange(type, shown());
        }
    }

    private String shown() {
        return InvalidValue.shown(text, from, to);
    }

    private WrittenDatetime written() {
        String whole = new String(text, from, to - from, StandardCharsets.UTF_8);
        try {
            return type == PostgresType.TIME
                    ? WrittenDatetime.parseTime(whole, order)
                    : WrittenDatetime.parse(whole, order);
        } catch (DatetimeTextException e) {
            throw switch (e.code()) {
                case INVALID_DATETIME -> InvalidValue.datetime(type, text, from, to);
                case INVALID_ARGUMENT -> new FulmarException(e.code(), String.valueOf(e.getMessage()), e);
                default -> InvalidValue.datetimeRange(text, from, to);
            };
        }
    }

    private static long special(WrittenDatetime written) {
        return switch (written.form()) {
            case DATE, EPOCH -> 0;
            case INFINITY -> DatetimeForm.INFINITY;
            case NEGATIVE_INFINITY -> DatetimeForm.NEGATIVE_INFINITY;
            case NOW, FROM_TODAY ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a value that is sent cannot be a time by its name, as now or today; write it into the"
                                + " statement");
        };
    }
}
