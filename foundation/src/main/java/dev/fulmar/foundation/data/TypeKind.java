package dev.fulmar.foundation.data;

import org.jspecify.annotations.Nullable;

/** SQL types. Numbers stand in files and on the wire and are never reused. */
public enum TypeKind {
    BOOLEAN(1, Storage.LONG),
    TINYINT(2, Storage.LONG),
    SMALLINT(3, Storage.LONG),
    INTEGER(4, Storage.LONG),
    BIGINT(5, Storage.LONG),
    /** Unscaled value; exact. */
    DECIMAL(6, Storage.LONG),
    REAL(7, Storage.DOUBLE),
    DOUBLE(8, Storage.DOUBLE),
    CHAR(9, Storage.BYTES),
    VARCHAR(10, Storage.BYTES),
    VARBINARY(11, Storage.BYTES),
    /** Days since 1970-01-01; the infinities of dates and timestamps are those of {@link InfiniteTime}. */
    DATE(12, Storage.LONG),
    /** Microseconds since midnight. */
    TIME(13, Storage.LONG),
    /** Microseconds since 1970-01-01T00:00:00, without zone. */
    TIMESTAMP(14, Storage.LONG),
    UUID(15, Storage.WIDE),
    /** TIMESTAMP WITH TIME ZONE, an instant: microseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMP_TZ(16, Storage.LONG),
    /** The text of a document, as it was written. */
    JSON(17, Storage.BYTES),
    /** The canonical text of a document. */
    JSONB(18, Storage.BYTES),
    /** Months, days and microseconds, see {@link Interval}. */
    INTERVAL(19, Storage.WIDE),
    /** Elements of one type, in the form of {@code foundation.array}. */
    ARRAY(20, Storage.BYTES),
    /** The code of a label of an {@link Enumeration}. */
    ENUM(21, Storage.LONG),
    /** A number with digits of its own behind the point, an infinity or NaN, in the form of {@link NumericBytes}. */
    NUMERIC(22, Storage.BYTES);

    /** Representations of values in computations. */
    public enum Storage {
        LONG,
        DOUBLE,
        BYTES,
        /** 128 bits, two longs. */
        WIDE
    }

    /** Kinds at their numbers; numbers may be left out. */
    private static final @Nullable TypeKind[] BY_NUMBER = byNumber();

    private final int number;
    private final Storage storage;

    TypeKind(int number, Storage storage) {
        this.number = number;
        this.storage = storage;
    }

    private static @Nullable TypeKind[] byNumber() {
        int most = 0;
        for (TypeKind kind : values()) {
            most = Math.max(most, kind.number);
        }
        @Nullable TypeKind[] kinds = new TypeKind[most + 1];
        for (TypeKind kind : values()) {
            kinds[kind.number] = kind;
        }
        return kinds;
    }

    /** Number on disk and wire. */
    public int number() {
        return number;
    }

    /**
     * Representation of values; DECIMAL of more than 18 digits is {@link Storage#WIDE}, see
     * {@link ColumnType#storage()}.
     */
    Storage storage() {
        return storage;
    }

    public boolean isInteger() {
        return this == TINYINT || this == SMALLINT || this == INTEGER || this == BIGINT;
    }

    public boolean isCharacter() {
        return this == CHAR || this == VARCHAR;
    }

    /** Whether values are documents. */
    public boolean isJson() {
        return this == JSON || this == JSONB;
    }

    /** Whether values are keys of indexes and place rows: those that are equal have equal keys. */
    public boolean isKey() {
        return !isJson() && this != INTERVAL && this != ARRAY;
    }

    /** Whether equal values may have other bits or bytes. */
    public boolean hasEqualForms() {
        return isJson() || this == INTERVAL || this == NUMERIC;
    }

    /** Whether arrays may have elements of the kind: those that are equal have the same bytes there. */
    public boolean isElement() {
        return switch (this) {
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    VARCHAR,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID -> true;
            case CHAR, VARBINARY, JSON, JSONB, INTERVAL, ARRAY, ENUM, NUMERIC -> false;
        };
    }

    /** Whether values are text in UTF-8. */
    public boolean isText() {
        return isCharacter() || isJson();
    }

    /** The kind with the number; throws {@link IllegalArgumentException} for an unknown one. */
    public static TypeKind ofNumber(int number) {
        TypeKind kind = ofNumberOrNull(number);
        if (kind == null) {
            throw new IllegalArgumentException("no SQL type has the number " + number);
        }
        return kind;
    }

    /** The kind with the number, or null for an unknown one. */
    static @Nullable TypeKind ofNumberOrNull(int number) {
        return number >= 1 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }
}
