package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of types in statements. */
public final class TypeWords {
    private static final Map<String, PostgresType> MORE = Map.ofEntries(
            Map.entry("int", PostgresType.INT4),
            Map.entry("integer", PostgresType.INT4),
            Map.entry("bigint", PostgresType.INT8),
            Map.entry("smallint", PostgresType.INT2),
            Map.entry("real", PostgresType.FLOAT4),
            Map.entry("float", PostgresType.FLOAT8),
            Map.entry("double", PostgresType.FLOAT8),
            Map.entry("dec", PostgresType.NUMERIC),
            Map.entry("decimal", PostgresType.NUMERIC),
            Map.entry("char", PostgresType.BPCHAR),
            Map.entry("character", PostgresType.BPCHAR),
            Map.entry("character varying", PostgresType.VARCHAR),
            Map.entry("string", PostgresType.TEXT));

    private TypeWords() {}

    /** The type of a name, without its length; null if there is none. */
    static @Nullable PostgresType find(String text) {
        String name = text.toLowerCase(Locale.ROOT)
                .replaceAll("\\s*\\([^)]*\\)", "")
                .replaceAll("\\s+", " ")
                .strip();
        PostgresType found = MORE.get(name);
        for (PostgresType type : PostgresType.values()) {
            boolean hasName = type.typeName().equals(name) || type.sqlName().equals(name);
            found = found == null && hasName ? type : found;
        }
        return found;
    }

    /** The OID of a type's name; fails if there is no such type. */
    public static int oid(String text) {
        PostgresType found = find(text);
        if (found == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "type \"" + text + "\" does not exist; docs/POSTGRESQL.md lists the types");
        }
        return found.oid();
    }
}
