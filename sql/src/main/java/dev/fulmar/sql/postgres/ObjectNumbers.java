package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * OIDs of the catalog's objects. Tables, indexes and types have ids, from which theirs follow. Those of other objects
 * follow from their names; of two whose names give the same number, the later one in the order of names takes the next.
 */
final class ObjectNumbers {
    /** PostgreSQL's own numbers are below. */
    static final int FIRST = 16_384;

    static final int CATALOG_SCHEMA = 11;
    static final int PUBLIC_SCHEMA = 2200;
    static final int INFORMATION_SCHEMA = 13_200;

    /** The role that owns whatever has no owner of its own. */
    static final int OWNER = 10;

    static final int DATABASE = 5;

    /** Of classes of objects: pg_class, pg_constraint, pg_proc. */
    static final int CLASS_OF_TABLES = 1259;

    static final int CLASS_OF_CONSTRAINTS = 2606;
    static final int CLASS_OF_PROCEDURES = 1255;
    static final int CLASS_OF_TYPES = 1247;

    private static final int NAMED = 1 << 30;
    private static final int SPREAD = 0x9E3779B9;

    private final Map<String, Integer> byName = new HashMap<>();

    ObjectNumbers(Catalog catalog) {
        TreeSet<String> names = new TreeSet<>();
        catalog.views().keySet().forEach(view -> names.add(viewKey(view)));
        catalog.schemas().forEach(schema -> names.add(schemaKey(schema)));
        catalog.temporarySchemas().forEach(schema -> names.add(schemaKey(schema)));
        catalog.procedures().values().forEach(procedure -> names.add(procedureKey(procedure.name())));
        catalog.functions().keySet().forEach(function -> names.add(procedureKey(function)));
        catalog.access().principals().keySet().forEach(role -> names.add(roleKey(role)));
        for (Enumeration type : catalog.enumerations().values()) {
            type.values().forEach(value -> names.add(labelKey(type, value.code())));
        }
        for (Table table : catalog.tables().values()) {
            table.indexes().forEach(index -> names.add(constraintKey(table, index.name())));
            table.foreignKeys().forEach(key -> names.add(constraintKey(table, key.name())));
            table.checks().forEach(check -> names.add(constraintKey(table, check.name())));
            table.visibleColumns().forEach(column -> names.add(defaultKey(table, column.name())));
        }
        Set<Integer> taken = new HashSet<>();
        for (String name : names) {
            int number = (name.hashCode() * SPREAD) >>> 2;
            while (!taken.add(number)) {
                number = (number + 1) & (NAMED - 1);
            }
            byName.put(name, NAMED + number);
        }
    }

    private static String viewKey(String view) {
        return "view " + view;
    }

    private static String schemaKey(String schema) {
        return "schema " + schema;
    }

    private static String procedureKey(String procedure) {
        return "procedure " + procedure;
    }

    private static String roleKey(String role) {
        return "role " + role;
    }

    /** Tables keep their ids under other names. */
    private static String constraintKey(Table table, String constraint) {
        return "constraint " + table.id() + " " + constraint;
    }

    private static String defaultKey(Table table, String column) {
        return "default " + table.id() + " " + column;
    }

    /** Labels keep their codes under other words. */
    private static String labelKey(Enumeration type, long code) {
        return "label " + type.id() + " " + code;
    }

    int ofLabel(Enumeration type, long code) {
        return named(labelKey(type, code));
    }

    private int named(String key) {
        return byName.getOrDefault(key, 0);
    }

    /** Of a table, an index or a type. */
    static int ofId(int id) {
        return FIRST + id;
    }

    int ofView(String view) {
        return named(viewKey(view));
    }

    int ofSchema(String schema) {
        return switch (schema) {
            case SchemaName.PUBLIC -> PUBLIC_SCHEMA;
            case SystemTable.CATALOG -> CATALOG_SCHEMA;
            case SystemTable.INFORMATION -> INFORMATION_SCHEMA;
            default -> named(schemaKey(schema));
        };
    }

    int ofProcedure(String procedure) {
        return named(procedureKey(procedure));
    }

    int ofRole(String role) {
        return named(roleKey(role));
    }

    int ofConstraint(Table table, String constraint) {
        return named(constraintKey(table, constraint));
    }

    int ofDefault(Table table, String column) {
        return named(defaultKey(table, column));
    }
}
