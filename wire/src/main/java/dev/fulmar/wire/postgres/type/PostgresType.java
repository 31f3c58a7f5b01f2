package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import java.util.Optional;

/** PostgreSQL's types that Fulmar knows, with PostgreSQL's own OIDs, which drivers have built in. */
public enum PostgresType {
    BOOL("bool", "boolean", 16, 1, 1000),
    BYTEA("bytea", "bytea", 17, -1, 1001),
    CHAR("char", "\"char\"", 18, 1, 1002),
    NAME("name", "name", 19, 64, 1003),
    INT8("int8", "bigint", 20, 8, 1016),
    INT2("int2", "smallint", 21, 2, 1005),
    INT4("int4", "integer", 23, 4, 1007),
    TEXT("text", "text", 25, -1, 1009),
    OID("oid", "oid", 26, 4, 1028),
    JSON("json", "json", 114, -1, 199),
    FLOAT4("float4", "real", 700, 4, 1021),
    FLOAT8("float8", "double precision", 701, 8, 1022),
    UNKNOWN("unknown", "unknown", 705, -2, 0),
    BPCHAR("bpchar", "character", 1042, -1, 1014),
    VARCHAR("varchar", "character varying", 1043, -1, 1015),
    DATE("date", "date", 1082, 4, 1182),
    TIME("time", "time without time zone", 1083, 8, 1183),
    TIMESTAMP("timestamp", "timestamp without time zone", 1114, 8, 1115),
    TIMESTAMPTZ("timestamptz", "timestamp with time zone", 1184, 8, 1185),
    INTERVAL("interval", "interval", 1186, 16, 1187),
    NUMERIC("numeric", "numeric", 1700, -1, 1231),
    REGCLASS("regclass", "regclass", 2205, 4, 2210),
    VOID("void", "void", 2278, 4, 0),
    UUID("uuid", "uuid", 2950, 16, 2951),
    JSONB("jsonb", "jsonb", 3802, -1, 3807);

    /** The modifier of a type without parameters. */
    public static final int NO_MODIFIER = -1;

    /** OIDs of what users make begin here. */
    private static final int FIRST_OWN = 16_384;

    private static final int LABEL_BYTES = 4;

    /** The size of every array. */
    public static final int ARRAY_SIZE = -1;

    /** The length from which on a VARCHAR is text; one without length has it. */
    private static final int UNLIMITED_CHARACTERS = 1 << 20;

    /** Added to the length or precision in a modifier. */
    private static final int MODIFIER_OFFSET = 4;

    private static final int PRECISION_SHIFT = 16;

    /** The bits of a scale, which may be negative, in the modifier of a numeric. */
    private static final int NUMERIC_SCALE = 0x7FF;

    private final String typeName;
    private final String sqlName;
    private final int oid;
    private final int size;
    private final int arrayOid;

    PostgresType(String typeName, String sqlName, int oid, int size, int arrayOid) {
        this.typeName = typeName;
        this.sqlName = sqlName;
        this.oid = oid;
        this.size = size;
        this.arrayOid = arrayOid;
    }

    /** The name in {@code pg_type}. */
    public String typeName() {
        return typeName;
    }

    /** The name in messages and in SQL. */
    public String sqlName() {
        return sqlName;
    }

    public int oid() {
        return oid;
    }

    /** Bytes of a value in PostgreSQL's storage: -1 where they vary, -2 for a text that ends with a zero. */
    public int size() {
        return size;
    }

    /** The OID of the type's arrays, or 0 if there are none. */
    public int arrayOid() {
        return arrayOid;
    }

    /** Whether the value's text is the value. */
    public boolean isText() {
        return switch (this) {
            case TEXT, VARCHAR, BPCHAR, NAME, UNKNOWN, JSON, JSONB -> true;
            case BOOL,
                    BYTEA,
                    CHAR,
                    INT8,
                    INT2,
                    INT4,
                    OID,
                    FLOAT4,
                    FLOAT8,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMPTZ,
                    INTERVAL,
                    NUMERIC,
                    REGCLASS,
                    VOID,
                    UUID -> false;
        };
    }

    /** The type with the OID; empty for arrays and for those that are not known. */
    public static Optional<PostgresType> of(int oid) {
        for (PostgresType type : values()) {
            if (type.oid == oid) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** The type of the elements of an array type with the OID; empty if it is none. */
    public static Optional<PostgresType> ofArray(int oid) {
        for (PostgresType type : values()) {
            if (type.arrayOid == oid && oid != 0) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** The OID of one of Fulmar's types: that of a type with labels follows from its id. */
    public static int oid(ColumnType type) {
        if (type.isArray()) {
            return of(type).arrayOid;
        }
        return type.kind() == TypeKind.ENUM ? ownOid(type.precision()) : of(type).oid;
    }

    /** The OID of a table or a type that users have made, by its id in the catalog. */
    public static int ownOid(int id) {
        return FIRST_OWN + id;
    }

    /** Bytes of a value in PostgreSQL's storage: a label is a number there. */
    public static int size(ColumnType type) {
        if (type.isArray()) {
            return ARRAY_SIZE;
        }
        return type.kind() == TypeKind.ENUM ? LABEL_BYTES : of(type).size;
    }

    /** The type with the OID; that of the texts of labels if the OID is of a type that users have made. */
    public static Optional<PostgresType> orLabels(int oid) {
        return oid >= FIRST_OWN ? Optional.of(TEXT) : of(oid);
    }

    /**
     * The type that stands for one of Fulmar's, or for the elements of an array. Labels go as texts. A TINYINT is an
     * {@code int2}, a VARCHAR without length is text.
     */
    public static PostgresType of(ColumnType type) {
        return switch (type.kind()) {
            case BOOLEAN -> BOOL;
            case TINYINT, SMALLINT -> INT2;
            case INTEGER -> INT4;
            case BIGINT -> INT8;
            case DECIMAL, NUMERIC -> NUMERIC;
            case REAL -> FLOAT4;
            case DOUBLE -> FLOAT8;
            case CHAR -> BPCHAR;
            case VARCHAR -> isUnlimited(type) ? TEXT : VARCHAR;
            case VARBINARY -> BYTEA;
            case DATE -> DATE;
            case TIME -> TIME;
            case TIMESTAMP -> TIMESTAMP;
            case TIMESTAMP_TZ -> TIMESTAMPTZ;
            case UUID -> UUID;
            case JSON -> JSON;
            case JSONB -> JSONB;
            case INTERVAL -> INTERVAL;
            case ARRAY -> of(type.element());
            case ENUM -> TEXT;
        };
    }

    /** The type of Fulmar's that stands for this one where nothing else tells; empty if there is none. */
    public Optional<ColumnType> columnType() {
        return switch (this) {
            case BOOL -> Optional.of(ColumnType.of(TypeKind.BOOLEAN));
            case INT2 -> Optional.of(ColumnType.of(TypeKind.SMALLINT));
            case INT4 -> Optional.of(ColumnType.of(TypeKind.INTEGER));
            case INT8, OID -> Optional.of(ColumnType.of(TypeKind.BIGINT));
            case FLOAT4 -> Optional.of(ColumnType.of(TypeKind.REAL));
            case FLOAT8 -> Optional.of(ColumnType.of(TypeKind.DOUBLE));
            case TEXT, VARCHAR, BPCHAR, NAME -> Optional.of(ColumnType.varchar(UNLIMITED_CHARACTERS));
            case DATE -> Optional.of(ColumnType.of(TypeKind.DATE));
            case TIME -> Optional.of(ColumnType.of(TypeKind.TIME));
            case TIMESTAMP -> Optional.of(ColumnType.of(TypeKind.TIMESTAMP));
            case TIMESTAMPTZ -> Optional.of(ColumnType.of(TypeKind.TIMESTAMP_TZ));
            case UUID -> Optional.of(ColumnType.of(TypeKind.UUID));
            case NUMERIC -> Optional.of(ColumnType.of(TypeKind.NUMERIC));
            case JSON -> Optional.of(ColumnType.of(TypeKind.JSON));
            case JSONB -> Optional.of(ColumnType.of(TypeKind.JSONB));
            case INTERVAL -> Optional.of(ColumnType.of(TypeKind.INTERVAL));
            case BYTEA, CHAR, UNKNOWN, REGCLASS, VOID -> Optional.empty();
        };
    }

    /** The modifier that stands for the parameters of one of Fulmar's types. */
    public static int modifier(ColumnType type) {
        return switch (type.kind()) {
            case DECIMAL -> (type.precision() << PRECISION_SHIFT | type.scale()) + MODIFIER_OFFSET;
            case NUMERIC ->
                type.precision() == 0
                        ? NO_MODIFIER
                        : ((type.numericDigits() << PRECISION_SHIFT) | (type.numericScale() & NUMERIC_SCALE))
                                + MODIFIER_OFFSET;
            case CHAR -> type.precision() == 0 ? NO_MODIFIER : type.precision() + MODIFIER_OFFSET;
            case VARCHAR -> isUnlimited(type) ? NO_MODIFIER : type.precision() + MODIFIER_OFFSET;
            case INTERVAL -> IntervalShape.of(type).modifier();
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, VARBINARY, DATE, UUID, JSON, JSONB, ENUM ->
                NO_MODIFIER;
            case TIME, TIMESTAMP, TIMESTAMP_TZ -> type.hasFewerDigits() ? type.secondDigits() : NO_MODIFIER;
            case ARRAY -> modifier(type.element());
        };
    }

    private static boolean isUnlimited(ColumnType type) {
        return type.precision() == 0 || type.precision() >= UNLIMITED_CHARACTERS;
    }
}
