package dev.fulmar.sql.postgres;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.Optional;

/**
 * A type of PostgreSQL.
 *
 * @param values of its row in pg_type, from the OID to the collation
 * @param sqlName as SQL calls it
 */
record SystemType(int oid, String name, List<String> values, String sqlName) {
    private static final int LENGTH = 2;
    private static final int BY_VALUE = 3;
    private static final int ALIGNMENT = 14;
    private static final int STORAGE = 15;
    private static final int COLLATION = 16;
    private static final int SQL_NAME = 17;
    private static final int MODIFIER_OFFSET = 4;
    private static final int PRECISION_SHIFT = 16;

    /** The bits of a scale, which may be negative, in the modifier of a numeric. */
    private static final int NUMERIC_SCALE = 0x7FF;

    private static final int NO_MODIFIER = -1;

    /** The length from which on a VARCHAR is text. */
    private static final int UNLIMITED_CHARACTERS = 1 << 20;

    SystemType {
        values = List.copyOf(values);
    }

    static SystemType of(String line) {
        List<String> parts = List.of(line.split("\\|", -1));
        return new SystemType(
                Integer.parseInt(parts.getFirst()), parts.get(1), parts.subList(0, SQL_NAME), parts.get(SQL_NAME));
    }

    int length() {
        return Integer.parseInt(values.get(LENGTH));
    }

    boolean isByValue() {
        return values.get(BY_VALUE).equals("t");
    }

    String alignment() {
        return values.get(ALIGNMENT);
    }

    String storage() {
        return values.get(STORAGE);
    }

    int collation() {
        return Integer.parseInt(values.get(COLLATION));
    }

    /** A type with labels as PostgreSQL's clients see it. */
    static SystemType of(Enumeration enumeration) {
        String name = ObjectTexts.name(enumeration.name());
        return new SystemType(
                ObjectNumbers.ofId(enumeration.id()),
                name,
                List.of(
                        Integer.toString(ObjectNumbers.ofId(enumeration.id())),
                        name,
                        "4",
                        "t",
                        "e",
                        "E",
                        "f",
                        ",",
                        "0",
                        "0",
                        "enum_in",
                        "enum_out",
                        "enum_recv",
                        "enum_send",
                        "i",
                        "p",
                        "0"),
                ObjectTexts.shortName(enumeration.name()));
    }

    /** The type that values of one of Fulmar's types have for PostgreSQL's clients. */
    static SystemType of(ColumnType type) {
        if (type.kind() == TypeKind.ENUM) {
            return of(type.labels());
        }
        return named(
                switch (type.kind()) {
                    case BOOLEAN -> "bool";
                    case TINYINT, SMALLINT -> "int2";
                    case INTEGER -> "int4";
                    case BIGINT -> "int8";
                    case DECIMAL, NUMERIC -> "numeric";
                    case REAL -> "float4";
                    case DOUBLE -> "float8";
                    case CHAR -> "bpchar";
                    case VARCHAR -> isUnlimited(type) ? "text" : "varchar";
                    case VARBINARY -> "bytea";
                    case DATE -> "date";
                    case TIME -> "time";
                    case TIMESTAMP -> "timestamp";
                    case TIMESTAMP_TZ -> "timestamptz";
                    case UUID -> "uuid";
                    case JSON -> "json";
                    case JSONB -> "jsonb";
                    case INTERVAL -> "interval";
                    case ARRAY -> "_" + of(type.element()).name;
                    case ENUM -> throw Invariants.breach("a type with labels is none of PostgreSQL's own");
                });
    }

    private static boolean isUnlimited(ColumnType type) {
        return type.precision() == 0 || type.precision() >= UNLIMITED_CHARACTERS;
    }

    private static SystemType named(String name) {
        return find(name).orElseThrow(() -> Invariants.breach("each type of a column is one of PostgreSQL's"));
    }

    /** The type of a name, as in pg_type or as in SQL. */
    static Optional<SystemType> find(String name) {
        return SystemTables.TYPES.stream()
                .filter(type -> type.name.equals(name) || type.sqlName.equals(name))
                .findFirst();
    }

    /** The modifier that stands for the parameters of one of Fulmar's types. */
    static int modifier(ColumnType type) {
        if (type.kind() == TypeKind.INTERVAL) {
            return IntervalShape.of(type).modifier();
        }
        if (type.isArray()) {
            return modifier(type.element());
        }
        if (type.hasFewerDigits()) {
            return type.secondDigits();
        }
        boolean hasLength = type.kind() == TypeKind.CHAR || (type.kind() == TypeKind.VARCHAR && !isUnlimited(type));
        if (type.kind() == TypeKind.DECIMAL) {
            return (type.precision() << PRECISION_SHIFT | type.scale()) + MODIFIER_OFFSET;
        }
        if (type.kind() == TypeKind.NUMERIC && type.precision() > 0) {
            return ((type.numericDigits() << PRECISION_SHIFT) | (type.numericScale() & NUMERIC_SCALE))
                    + MODIFIER_OFFSET;
        }
        return hasLength && type.precision() > 0 ? type.precision() + MODIFIER_OFFSET : NO_MODIFIER;
    }
}
