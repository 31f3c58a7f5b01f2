package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The schemas in which the session's plain names are looked for while its statement is being planned. These are that of
 * its temporary tables, and those of its path. Without a path that is PUBLIC.
 */
public final class SessionNames {
    private static final ScopedValue<Seen> SEEN = ScopedValue.newInstance();

    /**
     * @param temporary schema of the temporary tables; empty for none
     * @param temporaryNames without the schema, of tables and indexes; none in words that no client has written
     * @param path schemas, in their order; none for PUBLIC
     */
    private record Seen(String temporary, Set<String> temporaryNames, List<PathSchema> path) {
        Seen asWritten() {
            return new Seen(temporary, Set.of(), List.of());
        }
    }

    /**
     * A schema of the path.
     *
     * @param names without the schema, of tables, views, sequences and indexes; none of the last schema, if it is
     *     PUBLIC: what no other has is there
     */
    private record PathSchema(String name, boolean isThere, Set<String> names) {}

    private SessionNames() {}

    /** Plans a statement with the schemas that its text ends with. */
    public static <T> T planning(String sql, Catalog catalog, Supplier<T> work) {
        String temporary = TemporaryMark.of(sql);
        List<String> path = ZoneMark.style(sql).path();
        if (temporary.isEmpty() && path.isEmpty()) {
            return work.get();
        }
        List<PathSchema> schemas = new ArrayList<>();
        for (String schema : path) {
            boolean isPublic = schema.equals(SchemaName.PUBLIC);
            boolean isThere = isPublic || catalog.schemas().contains(schema);
            boolean isLastResort = isPublic && schemas.size() == path.size() - 1;
            boolean hides = isThere && !isLastResort;
            schemas.add(new PathSchema(schema, isThere, hides ? names(schema, catalog) : Set.of()));
        }
        Set<String> temporaryNames = temporary.isEmpty() ? Set.of() : names(temporary, catalog);
        return ScopedValue.where(SEEN, new Seen(temporary, temporaryNames, List.copyOf(schemas)))
                .call(work::get);
    }

    private static Set<String> names(String schema, Catalog catalog) {
        Set<String> names = new TreeSet<>();
        boolean isPublic = schema.equals(SchemaName.PUBLIC);
        String begin = isPublic ? "" : SchemaName.qualified(schema, "");
        for (Table table : catalog.tables().tailMap(begin).values()) {
            if (!table.name().startsWith(begin)) {
                break;
            }
            if (SchemaName.of(table.name()).equals(schema)) {
                names.add(SchemaName.local(table.name()));
                table.indexes().stream()
                        .map(Index::name)
                        .filter(index -> SchemaName.of(index).equals(schema)) // others have plain names in PUBLIC
                        .map(SchemaName::local)
                        .forEach(names::add);
                if (table.sequence().filter(SequenceRule::owned).isPresent()) {
                    names.addAll(ColumnSequence.foreign(SchemaName.local(table.name())));
                }
            }
        }
        for (String view : catalog.views().tailMap(begin).keySet()) {
            if (!view.startsWith(begin)) {
                break;
            }
            if (SchemaName.of(view).equals(schema)) {
                names.add(SchemaName.local(view));
            }
        }
        return names;
    }

    /** Whether the statement's plain names may be of other schemas than PUBLIC. */
    public static boolean areBound() {
        return SEEN.isBound();
    }

    private static Optional<Seen> seen() {
        return SEEN.isBound() ? Optional.of(SEEN.get()) : Optional.empty();
    }

    /** Plans words that the engine has written, in which a plain name is that of a permanent table of PUBLIC. */
    public static <T> T asWritten(Supplier<T> work) {
        return SEEN.isBound() ? ScopedValue.where(SEEN, SEEN.get().asWritten()).call(work::get) : work.get();
    }

    /** The schema of the temporary tables; empty for none. */
    public static String temporary() {
        return seen().map(Seen::temporary).orElse("");
    }

    /** The schemas of the path by the catalog's names; none for PUBLIC. */
    public static List<String> path() {
        return seen().map(names -> names.path().stream().map(PathSchema::name).toList())
                .orElse(List.of());
    }

    /** The schemas of the path that there are, PUBLIC if it has none. */
    public static List<String> currentSchemas() {
        return path().isEmpty()
                ? List.of(SchemaName.PUBLIC)
                : seen().orElseThrow().path().stream()
                        .filter(PathSchema::isThere)
                        .map(PathSchema::name)
                        .toList();
    }

    /** Whether a plain name is not that of an object of PUBLIC. */
    public static boolean isElsewhere(String plain) {
        return SEEN.isBound() && !catalogName(plain).equals(plain);
    }

    /** The schema that a name before a dot means. */
    public static String schemaOf(String written) {
        return written.equals(SchemaName.TEMPORARY) && !temporary().isEmpty() ? temporary() : written;
    }

    /** The name under which the catalog has what a plain name means, or would have it. */
    public static String catalogName(String plain) {
        if (!SEEN.isBound()) {
            return plain;
        }
        Seen names = SEEN.get();
        if (names.temporaryNames().contains(plain)) {
            return SchemaName.qualified(names.temporary(), plain);
        }
        if (!SchemaName.of(plain).equals(SchemaName.PUBLIC)) {
            return plain; // one token, as the catalog has it
        }
        for (PathSchema schema : names.path()) {
            if (schema.names().contains(plain)) {
                return SchemaName.qualified(schema.name(), plain);
            }
        }
        boolean hasPublic = names.path().isEmpty()
                || names.path().stream().anyMatch(each -> each.name().equals(SchemaName.PUBLIC));
        return hasPublic ? plain : SchemaName.qualified(names.path().getFirst().name(), plain);
    }

    /** Whether a plain name is that of the table, once the table is there. */
    public static boolean finds(String table) {
        if (!SEEN.isBound()) {
            return SchemaName.of(table).equals(SchemaName.PUBLIC);
        }
        Seen names = SEEN.get();
        String schema = SchemaName.of(table);
        String plain = SchemaName.local(table);
        if (schema.equals(names.temporary()) || names.temporaryNames().contains(plain)) {
            return schema.equals(names.temporary());
        }
        for (PathSchema each : names.path()) {
            if (each.name().equals(schema)) {
                return true;
            }
            if (each.names().contains(plain)) {
                return false;
            }
        }
        return names.path().isEmpty() && schema.equals(SchemaName.PUBLIC);
    }

    /** The name under which the catalog will have what a statement makes under a plain name. */
    public static String newName(String plain, Position position) {
        List<String> schemas = currentSchemas();
        if (schemas.isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    position,
                    "there is no schema of the search path to create " + plain
                            + " in; CREATE SCHEMA makes one, or name a schema before it");
        }
        return SchemaName.qualified(schemas.getFirst(), plain);
    }

    /** Refuses a name, or a schema's, that another session's tables have. */
    public static void check(String name, Position position) {
        boolean isOther = name.startsWith(SchemaName.TEMPORARY)
                && (SchemaName.isInTemporary(name) || SchemaName.isTemporary(name))
                && !name.equals(temporary())
                && !SchemaName.of(name).equals(temporary());
        if (isOther) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    position,
                    "there are no temporary tables " + name + " of this session; CREATE TEMPORARY TABLE makes one");
        }
    }
}
