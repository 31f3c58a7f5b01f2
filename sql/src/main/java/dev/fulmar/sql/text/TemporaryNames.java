package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The temporary tables of the session whose statement is being planned: they come before others of their names. */
public final class TemporaryNames {
    private static final ScopedValue<Seen> SEEN = ScopedValue.newInstance();

    /**
     * @param schema of the tables
     * @param names without the schema, of tables and indexes; none in words that no client has written
     */
    private record Seen(String schema, Set<String> names) {}

    private TemporaryNames() {}

    /** Plans a statement with the tables of the schema that its text ends with. */
    public static <T> T planning(String sql, Catalog catalog, Supplier<T> work) {
        String schema = TemporaryMark.of(sql);
        return schema.isEmpty()
                ? work.get()
                : ScopedValue.where(SEEN, new Seen(schema, names(schema, catalog)))
                        .call(work::get);
    }

    private static Set<String> names(String schema, Catalog catalog) {
        Set<String> names = new TreeSet<>();
        for (Table table : catalog.tables().tailMap(schema).values()) {
            if (!table.name().startsWith(schema)) {
                break;
            }
            names.add(SchemaName.local(table.name()));
            table.indexes().stream().map(Index::name).map(SchemaName::local).forEach(names::add);
        }
        return names;
    }

    /** Plans words that the engine has written, in which a plain name is that of a permanent table. */
    public static <T> T asWritten(Supplier<T> work) {
        return SEEN.isBound() && !SEEN.get().names().isEmpty()
                ? ScopedValue.where(SEEN, new Seen(schema(), Set.of())).call(work::get)
                : work.get();
    }

    /** The schema of the tables; empty for none. */
    public static String schema() {
        return SEEN.isBound() ? SEEN.get().schema() : "";
    }

    /** Whether a plain name is that of a temporary table or of its index. */
    public static boolean has(String name) {
        return SEEN.isBound() && SEEN.get().names().contains(name);
    }

    /** The schema that a name before a dot means. */
    public static String schemaOf(String written) {
        return written.equals(SchemaName.TEMPORARY) && !schema().isEmpty() ? schema() : written;
    }

    /** The name under which the catalog has what a plain name means. */
    public static String catalogName(String plain) {
        return has(plain) ? SchemaName.qualified(schema(), plain) : plain;
    }

    /** Refuses a name, or a schema's, that another session's tables have. */
    public static void check(String name, Position position) {
        boolean isOther = name.startsWith(SchemaName.TEMPORARY)
                && (SchemaName.isInTemporary(name) || SchemaName.isTemporary(name))
                && !name.equals(schema())
                && !SchemaName.of(name).equals(schema());
        if (isOther) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    position,
                    "there are no temporary tables " + name + " of this session; CREATE TEMPORARY TABLE makes one");
        }
    }
}
