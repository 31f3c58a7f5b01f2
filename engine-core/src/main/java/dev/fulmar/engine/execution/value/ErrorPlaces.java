package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.EnumSet;
import java.util.Set;

/** Says in an error of a value where that value belongs: to which column, parameter or row. Used on errors only. */
public final class ErrorPlaces {
    /** Errors that computing or converting one value can meet. */
    private static final Set<ErrorCode> OF_A_VALUE = EnumSet.of(
            ErrorCode.VALUE_OUT_OF_RANGE,
            ErrorCode.DATETIME_OUT_OF_RANGE,
            ErrorCode.STRING_TOO_LONG,
            ErrorCode.INVALID_TEXT,
            ErrorCode.INVALID_DATETIME,
            ErrorCode.DIVISION_BY_ZERO);

    private static final Set<ErrorCode> OF_A_ROW = EnumSet.of(
            ErrorCode.NOT_NULL_VIOLATION,
            ErrorCode.UNIQUE_VIOLATION,
            ErrorCode.CHECK_VIOLATION,
            ErrorCode.FOREIGN_KEY_VIOLATION);

    private ErrorPlaces() {}

    /**
     * The error with the name of the value's place before its words. An error of something else, or one that begins
     * with that place already, stays as it is.
     */
    public static FulmarException ofValue(String place, FulmarException error) {
        boolean isNamed = String.valueOf(error.getMessage()).startsWith(place);
        return OF_A_VALUE.contains(error.code()) && !isNamed ? named(place, error) : error;
    }

    /** The error with the number of its row, from 1, before its words; an error of something else as it is. */
    public static FulmarException ofRow(int number, FulmarException error) {
        return OF_A_VALUE.contains(error.code()) || OF_A_ROW.contains(error.code())
                ? named("row " + number, error)
                : error;
    }

    private static FulmarException named(String place, FulmarException error) {
        return new FulmarException(error.code(), place + ": " + error.getMessage(), error);
    }
}
