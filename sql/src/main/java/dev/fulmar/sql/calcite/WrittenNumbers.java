package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Refuses texts for columns of numbers that would become other numbers: {@code '34.5'} for an INTEGER. */
final class WrittenNumbers {
    private static final Pattern WHOLE = Pattern.compile("\\s*[+-]?\\d+\\s*");
    private static final int MOST_CHARACTERS = 64;

    private WrittenNumbers() {}

    /** Fails if the value is a text that the column does not hold as it is written. */
    static void check(SqlNode value, ColumnType type) {
        boolean isApproximate = type.kind() == TypeKind.REAL || type.kind() == TypeKind.DOUBLE;
        if (type.kind().isInteger() && value instanceof SqlCharStringLiteral literal) {
            String text = literal.getValueAs(String.class);
            if (text != null && !WHOLE.matcher(text).matches()) {
                throw error(
                        ErrorCode.INVALID_TEXT,
                        value,
                        "invalid input syntax for type " + type + ": '" + shown(text) + "'; write a whole number");
            }
        } else if (isApproximate) {
            BigDecimal number = number(value);
            if (number != null && !isInRange(number, type)) {
                throw error(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        value,
                        "'" + shown(number.toString()) + "' is out of range for type " + type
                                + "; write a number nearer to 1");
            }
        }
    }

    private static FulmarException error(ErrorCode code, SqlNode value, String message) {
        SqlParserPos place = value.getParserPosition();
        return SqlErrors.at(code, new Position(place.getLineNum(), place.getColumnNum()), message);
    }

    private static String shown(String text) {
        return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "..." : text;
    }

    /** The number of a text, perhaps within a CAST; null if there is none. */
    private static @Nullable BigDecimal number(SqlNode value) {
        SqlNode written = value.getKind() == SqlKind.CAST && value instanceof SqlCall cast ? cast.operand(0) : value;
        String text = written instanceof SqlCharStringLiteral literal ? literal.getValueAs(String.class) : null;
        try {
            return text == null || text.length() > MOST_CHARACTERS ? null : new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            return null; // NaN, an infinity, or no number, as the CAST tells
        }
    }

    private static boolean isInRange(BigDecimal number, ColumnType type) {
        double nearest = type.kind() == TypeKind.REAL ? number.floatValue() : number.doubleValue();
        return !Double.isInfinite(nearest) && (nearest != 0 || number.signum() == 0);
    }
}
