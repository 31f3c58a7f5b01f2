package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** Text to values and back, as CAST and text parameters need it. */
public final class Texts {
    private static final int SHOWN_CHARACTERS = 40;

    /** Words for what is no number, which a DECIMAL does not hold. */
    private static final Pattern SPECIAL = Pattern.compile("nan|[+-]?inf(?:inity)?", Pattern.CASE_INSENSITIVE);

    private Texts() {}

    public static boolean parseBoolean(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "t", "yes", "y", "on", "1" -> true;
            case "false", "f", "no", "n", "off", "0" -> false;
            default -> throw invalid(text, ColumnType.of(TypeKind.BOOLEAN), "TRUE or FALSE");
        };
    }

    /** Any decimal notation; for an integer the caller rounds. */
    public static BigDecimal parseDecimal(String text, ColumnType type) {
        try {
            BigDecimal value = new BigDecimal(text.strip());
            // Beyond this, arithmetic on the number would cost more than any column can hold.
            if (Math.abs((long) value.scale()) > 10_000) {
                if (value.signum() == 0 || value.scale() > 0) {
                    return BigDecimal.ZERO;
                }
                throw Decimals.outOfRange(value, type);
            }
            return value;
        } catch (NumberFormatException e) {
            if (SPECIAL.matcher(text.strip()).matches()) {
                throw ValueRange.outOfRange(text.strip(), type);
            }
            throw invalid(text, type, "a number");
        }
    }

    public static double parseDouble(String text, ColumnType type) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw invalid(text, type, "a number");
        }
    }

    public static UUID parseUuid(String text) {
        String stripped = text.strip();
        try {
            if (stripped.length() == 36) {
                return UUID.fromString(stripped);
            }
        } catch (IllegalArgumentException e) {
            throw invalid(text, ColumnType.of(TypeKind.UUID), "8-4-4-4-12 hexadecimal digits");
        }
        throw invalid(text, ColumnType.of(TypeKind.UUID), "8-4-4-4-12 hexadecimal digits");
    }

    /** A floating-point number as text that reads back as the same number. */
    public static String formatDouble(double value, TypeKind kind) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        return kind == TypeKind.REAL ? Float.toString((float) value) : Double.toString(value);
    }

    /** The error for text that is no value of the type. */
    public static FulmarException invalid(String text, ColumnType type, String expected) {
        String shown = text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
        return new FulmarException(
                ErrorCode.INVALID_TEXT, "'" + shown + "' is no " + type + "; write it as " + expected);
    }

    /** The error for text longer than its type. */
    public static FulmarException tooLong(ColumnType type, long length) {
        String unit = type.kind() == TypeKind.VARBINARY ? " bytes" : " characters";
        return new FulmarException(
                ErrorCode.STRING_TOO_LONG, "a value of " + length + unit + " does not fit in " + type + "; shorten it");
    }
}
