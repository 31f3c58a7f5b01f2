package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * A SQL type with its parameters. Of an ARRAY they are those of its elements: the scale is the number of their kind,
 * and the precision their precision times 64 and their scale.
 *
 * @param precision digits of a DECIMAL (1 to 38), characters of CHAR and VARCHAR, bytes of VARBINARY, the parts that
 *     an INTERVAL keeps (see {@link IntervalShape}), the id of an ENUM, one more than the digits of the seconds of a
 *     TIME or TIMESTAMP that has less than six, of a NUMERIC the digits and those behind the point (see
 *     {@link #numeric(int, int)}), else 0
 * @param scale digits after the point of a DECIMAL, else 0
 * @param enumeration the labels of an ENUM, null of other kinds, and where a result block alone tells the type
 */
public record ColumnType(
        TypeKind kind, int precision, int scale, @Nullable Enumeration enumeration) {
    /** Digits that fit in a long whatever their value. */
    public static final int LONG_DIGITS = 18;

    public static final int MAX_DECIMAL_DIGITS = 38;

    /** The digits of the seconds of a type that does not say them. */
    public static final int SECOND_DIGITS = 6;

    /** The most digits that the type of a NUMERIC may say, and the most behind the point or, negative, before it. */
    public static final int MOST_NUMERIC_DIGITS = 1_000;

    /** In the precision of a NUMERIC, what its digits are multiplied with. */
    private static final int NUMERIC_DIGITS = 4_096;

    /** In the precision of an array, what the precision of an element is multiplied with. */
    private static final int ELEMENT_PRECISION = 64;

    public ColumnType {
        if (!isPossible(kind, precision, scale)) {
            if (kind == TypeKind.DECIMAL) {
                throw new IllegalArgumentException("DECIMAL(" + precision + "," + scale
                        + ") is not possible: 1 <= precision <= 38" + " and 0 <= scale <= precision");
            }
            throw new IllegalArgumentException(
                    kind + " has no scale and no negative length: " + precision + "," + scale);
        }
    }

    /** A type that is no ENUM, or an ENUM of which the id alone is known. */
    public ColumnType(TypeKind kind, int precision, int scale) {
        this(kind, precision, scale, null);
    }

    /** The type of the labels. */
    public static ColumnType of(Enumeration enumeration) {
        return new ColumnType(TypeKind.ENUM, enumeration.id(), 0, enumeration);
    }

    /** The labels of an ENUM that is not told by a result block alone. */
    public Enumeration labels() {
        if (enumeration == null) {
            throw new FulmarException(
                    ErrorCode.INTERNAL, "the labels of a value of type " + kind + " are not known; please report this");
        }
        return enumeration;
    }

    /** Whether it is the other type, which may have had other labels. */
    public boolean isSame(ColumnType other) {
        return kind == other.kind && precision == other.precision && scale == other.scale;
    }

    /** Whether the constructor would take the type. */
    static boolean isPossible(TypeKind kind, int precision, int scale) {
        if (kind == TypeKind.ARRAY) {
            TypeKind element = TypeKind.ofNumberOrNull(scale);
            return precision >= 0
                    && element != null
                    && element.isElement()
                    && isPossible(element, precision / ELEMENT_PRECISION, precision % ELEMENT_PRECISION);
        }
        return switch (kind) {
            case DECIMAL -> precision >= 1 && precision <= MAX_DECIMAL_DIGITS && scale >= 0 && scale <= precision;
            case INTERVAL -> IntervalShape.isCode(precision) && scale == 0;
            case NUMERIC -> scale == 0 && isNumericCode(precision);
            default -> precision >= 0 && scale == 0;
        };
    }

    private static boolean isNumericCode(int precision) {
        int digits = precision / NUMERIC_DIGITS;
        int scale = precision % NUMERIC_DIGITS - MOST_NUMERIC_DIGITS;
        return precision == 0
                || (digits >= 1 && digits <= MOST_NUMERIC_DIGITS && Math.abs(scale) <= MOST_NUMERIC_DIGITS);
    }

    /** The type of numbers of so many digits, of which so many are behind the point. */
    public static ColumnType numeric(int digits, int scale) {
        return new ColumnType(TypeKind.NUMERIC, digits * NUMERIC_DIGITS + scale + MOST_NUMERIC_DIGITS, 0);
    }

    /** The digits of a NUMERIC whose type says how many it has. */
    public int numericDigits() {
        return precision / NUMERIC_DIGITS;
    }

    /** Those behind the point. */
    public int numericScale() {
        return precision % NUMERIC_DIGITS - MOST_NUMERIC_DIGITS;
    }

    /** A type without parameters. */
    public static ColumnType of(TypeKind kind) {
        return new ColumnType(kind, 0, 0);
    }

    /** The type of times whose seconds have so many digits behind the point, of six at most. */
    public static ColumnType ofDigits(TypeKind kind, int digits) {
        return digits >= SECOND_DIGITS ? of(kind) : new ColumnType(kind, digits + 1, 0);
    }

    /** Whether the type is one of times whose seconds have fewer digits than six. */
    public boolean hasFewerDigits() {
        return precision > 0 && (kind == TypeKind.TIME || kind == TypeKind.TIMESTAMP || kind == TypeKind.TIMESTAMP_TZ);
    }

    /** The digits behind the point that the seconds of a time have. */
    public int secondDigits() {
        return hasFewerDigits() ? precision - 1 : SECOND_DIGITS;
    }

    public static ColumnType varchar(int characters) {
        return new ColumnType(TypeKind.VARCHAR, characters, 0);
    }

    public static ColumnType decimal(int precision, int scale) {
        return new ColumnType(TypeKind.DECIMAL, precision, scale);
    }

    /** The type of arrays of elements of the type. */
    public static ColumnType array(ColumnType element) {
        return new ColumnType(
                TypeKind.ARRAY,
                Math.addExact(Math.multiplyExact(element.precision, ELEMENT_PRECISION), element.scale),
                element.kind.number());
    }

    public boolean isArray() {
        return kind == TypeKind.ARRAY;
    }

    /** The type of the elements of an array. */
    public ColumnType element() {
        if (kind != TypeKind.ARRAY) {
            throw new IllegalStateException(this + " has no elements");
        }
        return new ColumnType(TypeKind.ofNumber(scale), precision / ELEMENT_PRECISION, precision % ELEMENT_PRECISION);
    }

    /** Representation of a value of this type in computations. */
    public TypeKind.Storage storage() {
        return storage(kind, precision);
    }

    static TypeKind.Storage storage(TypeKind kind, int precision) {
        return kind == TypeKind.DECIMAL && precision > LONG_DIGITS ? TypeKind.Storage.WIDE : kind.storage();
    }

    /** Bytes of the type's cell in a result block. That of an ENUM has the code, and behind it the label's place. */
    public int cellBytes() {
        return cellBytes(kind, precision);
    }

    static int cellBytes(TypeKind kind, int precision) {
        return kind == TypeKind.ENUM || storage(kind, precision) == TypeKind.Storage.WIDE ? 16 : 8;
    }

    private String shownDigits() {
        return hasFewerDigits() ? "(" + secondDigits() + ")" : "";
    }

    /** The type as the text of a definition has it: {@code ROUNDED} says that the digits of its seconds count. */
    public String definition() {
        return hasFewerDigits() ? toString().replace(shownDigits(), shownDigits() + " ROUNDED") : toString();
    }

    /** The type as SQL writes it. */
    @Override
    public String toString() {
        return switch (kind) {
            case DECIMAL -> "DECIMAL(" + precision + ", " + scale + ")";
            case CHAR, VARCHAR, VARBINARY -> kind + "(" + precision + ")";
            case TIME, TIMESTAMP -> kind + shownDigits();
            case TIMESTAMP_TZ -> "TIMESTAMP" + shownDigits() + " WITH TIME ZONE";
            case INTERVAL -> IntervalShape.of(this).toString();
            case ARRAY -> element() + " ARRAY";
            case NUMERIC -> precision == 0 ? "NUMBER" : "NUMBER(" + numericDigits() + ", " + numericScale() + ")";
            case ENUM -> enumeration == null ? "ENUM" : enumeration.sqlName();
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, UUID, JSON, JSONB -> kind.toString();
        };
    }
}
