package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Text to values and back, as CAST and text parameters need it. */
public final class Texts {
    private static final int SHOWN_CHARACTERS = 40;
    private static final int HEXADECIMAL = 16;
    private static final int UUID_DIGITS = 32;

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

    /** 32 hexadecimal digits, perhaps with hyphens behind each four, and with braces around them. */
    public static UUID parseUuid(String text) {
        UUID uuid = uuid(text.strip());
        if (uuid == null) {
            throw invalid(text, ColumnType.of(TypeKind.UUID), "8-4-4-4-12 hexadecimal digits");
        }
        return uuid;
    }

    /** The UUID that the text is in any of its forms; null if it is none. */
    public static @Nullable UUID uuid(String text) {
        boolean hasBraces = text.startsWith("{") && text.endsWith("}") && text.length() > 2;
        int end = text.length() - (hasBraces ? 1 : 0);
        long high = 0;
        long low = 0;
        int digits = 0;
        for (int i = hasBraces ? 1 : 0; i < end; i++) {
            char character = text.charAt(i);
            int digit = character < 0x7f ? Character.digit(character, HEXADECIMAL) : -1;
            boolean isHyphen =
                    character == '-' && digits % 4 == 0 && digits > 0 && i + 1 < end && text.charAt(i - 1) != '-';
            if (digit >= 0 && digits < UUID_DIGITS) {
                high = high << 4 | low >>> 60;
                low = low << 4 | digit;
                digits++;
            } else if (!isHyphen) {
                return null;
            }
        }
        return digits == UUID_DIGITS ? new UUID(high, low) : null;
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
        return new FulmarException(
                ErrorCode.INVALID_TEXT, "'" + shown(text) + "' is no " + type + "; write it as " + expected);
    }

    /** The text as a message has it. */
    static String shown(String text) {
        return text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
    }

    /** The error for text longer than its type. */
    public static FulmarException tooLong(ColumnType type, long length) {
        String unit = type.kind() == TypeKind.VARBINARY ? " bytes" : " characters";
        return new FulmarException(
                ErrorCode.STRING_TOO_LONG, "a value of " + length + unit + " does not fit in " + type + "; shorten it");
    }
}
