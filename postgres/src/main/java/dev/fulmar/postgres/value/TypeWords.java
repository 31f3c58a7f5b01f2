package dev.fulmar.postgres.value;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.Locale;
import java.util.Map;

/** Names of types in statements. */
public final class TypeWords {
    private static final Map<String, PostgresType> MORE = Map.ofEntries(
            Map.entry("int", PostgresType.INT4),
            Map.entry("integer", PostgresType.INT4),
            Map.entry("bigint", PostgresType.INT8),
            Map.entry("smallint", PostgresType.INT2),
            Map.entry("real", PostgresType.FLOAT4),
            Map.entry("float", PostgresType.FLOAT8),
            Map.entry("double precision", PostgresType.FLOAT8),
            Map.entry("decimal", PostgresType.NUMERIC),
            Map.entry("char", PostgresType.BPCHAR),
            Map.entry("character", PostgresType.BPCHAR),
            Map.entry("character varying", PostgresType.VARCHAR),
            Map.entry("string", PostgresType.TEXT));

    private TypeWords() {}

    /** The OID of a type's name, without its length. */
    public static int oid(String text) {
        String name = text.toLowerCase(Locale.ROOT)
                .replaceAll("\\s*\\([^)]*\\)", "")
                .replaceAll("\\s+", " ")
                .strip();
        PostgresType found = MORE.get(name);
        for (PostgresType type : PostgresType.values()) {
            boolean hasName = type.typeName().equals(name) || type.sqlName().equals(name);
            found = found == null && hasName ? type : found;
        }
        if (found == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "type \"" + name + "\" does not exist; docs/POSTGRESQL.md lists the types");
        }
        return found.oid();
    }
}
