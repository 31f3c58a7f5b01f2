package dev.fulmar.sql.postgres;

import dev.fulmar.foundation.data.ColumnType;

/** Names of types as PostgreSQL's clients have them in SQL. */
public final class TypeNamesOfClients {
    private TypeNamesOfClients() {}

    /** The name without length and precision. */
    public static String of(ColumnType type) {
        return SystemType.of(type).sqlName();
    }
}
