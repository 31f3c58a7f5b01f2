package dev.fulmar.wire.postgres.message;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/**
 * Formats of parameters or of result columns, as Bind states them. None means text for all, one is for all, and more
 * are one for each.
 */
public record ValueFormats(List<ValueFormat> stated) {
    /** Text for all. */
    public static final ValueFormats TEXT = new ValueFormats(List.of());

    /** Binary for all. */
    public static final ValueFormats BINARY = new ValueFormats(List.of(ValueFormat.BINARY));

    public ValueFormats {
        stated = List.copyOf(stated);
    }

    /** The format of the parameter or column, counted from 0. */
    public ValueFormat at(int index) {
        return switch (stated.size()) {
            case 0 -> ValueFormat.TEXT;
            case 1 -> stated.getFirst();
            default -> stated.get(index);
        };
    }

    /**
     * Returns this if it states formats for so many values, and fails with 08P01 otherwise.
     *
     * @param what the kind of values, in the plural
     */
    public ValueFormats checkedFor(int count, String what) {
        if (stated.size() > 1 && stated.size() != count) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "the bind message has " + stated.size() + " formats but there are " + count + " " + what
                            + "; state none, one for all, or one for each");
        }
        return this;
    }
}
