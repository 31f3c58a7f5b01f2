package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import java.time.DateTimeException;

/** The error for a text that is no date or time; the code says whether its form or one of its numbers is wrong. */
public final class DatetimeTextException extends DateTimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;

    private DatetimeTextException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** The text is written as no date or time is. */
    static DatetimeTextException form() {
        return new DatetimeTextException(ErrorCode.INVALID_DATETIME, "no date or time");
    }

    /** A number in the text is too large, as a month 13. */
    static DatetimeTextException range() {
        return new DatetimeTextException(ErrorCode.DATETIME_OUT_OF_RANGE, "a part of the date or time is out of range");
    }

    /** The text names a time zone that there is not. */
    static DatetimeTextException zone(String name) {
        return new DatetimeTextException(
                ErrorCode.INVALID_ARGUMENT,
                "time zone \"" + name + "\" not recognized; write a name, as UTC or Europe/Oslo");
    }

    public ErrorCode code() {
        return code;
    }
}
