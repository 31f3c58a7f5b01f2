package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.SchemaName;
import java.util.List;
import java.util.Locale;

/**
 * A table or view that PostgreSQL's clients know.
 *
 * @param schema in upper case: {@link #CATALOG} or {@link #INFORMATION}
 * @param name as PostgreSQL has it, in lower case
 * @param oid PostgreSQL's own
 */
public record SystemTable(String schema, String name, int oid, boolean isView, List<Column> columns) {
    static final String CATALOG = SchemaName.POSTGRES_CATALOG;
    static final String INFORMATION = SchemaName.POSTGRES_INFORMATION;

    /** The kinds of values that columns have here. */
    public enum Kind {
        TEXT,
        TRUTH,
        NUMBER,
        LONG_NUMBER,
        FRACTION,
        TIME
    }

    /**
     * A column.
     *
     * @param name in lower case
     * @param type as PostgreSQL calls it
     */
    public record Column(String name, String type) {
        /** The kind of its values: arrays, and what is text elsewhere, are text. */
        public Kind kind() {
            return switch (type) {
                case "bool" -> Kind.TRUTH;
                case "int2", "int4", "oid", "xid", "cardinal_number" -> Kind.NUMBER;
                case "int8" -> Kind.LONG_NUMBER;
                case "float4", "float8" -> Kind.FRACTION;
                case "timestamptz", "time_stamp" -> Kind.TIME;
                default -> Kind.TEXT;
            };
        }

        /** The name that the engine has it by. */
        public String engineName() {
            return name.toUpperCase(Locale.ROOT);
        }
    }

    public SystemTable {
        columns = List.copyOf(columns);
    }

    /** The name that the engine has it by. */
    public String engineName() {
        return name.toUpperCase(Locale.ROOT);
    }

    boolean isOfCatalog() {
        return schema.equals(CATALOG);
    }

    int place(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }
}
