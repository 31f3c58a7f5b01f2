package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Rows of INFORMATION_SCHEMA in PostgreSQL's form, but for those about columns. */
final class StandardRows {
    /** The name of the database in all of them. */
    static final String DATABASE = AccessLists.OWNER;

    private static final int LONG_BITS = 64;
    private static final int BINARY = 2;

    private final ShownObjects objects;
    private final AccessLists access;

    StandardRows(ShownObjects objects) {
        this.objects = objects;
        this.access = new AccessLists(objects.catalog().access());
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("tables", this::tables);
        makers.put("views", this::views);
        makers.put("schemata", this::schemas);
        makers.put("sequences", this::sequences);
        makers.put("table_constraints", this::constraints);
        makers.put("check_constraints", this::checks);
        makers.put("referential_constraints", this::references);
        makers.put("constraint_table_usage", this::tablesOfConstraints);
        makers.put("routines", this::routines);
        makers.put("table_privileges", this::privileges);
        makers.put("role_table_grants", this::privileges);
        makers.put("information_schema_catalog_name", rows -> rows.add("catalog_name", DATABASE));
    }

    static String yes(boolean truth) {
        return truth ? "YES" : "NO";
    }

    private void tables(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (!table.isSequence() && !table.isAggregation()) {
                String kind = SchemaName.isInTemporary(table.name()) ? "LOCAL TEMPORARY" : "BASE TABLE";
                table(rows, ObjectTexts.schema(table.name()), ObjectTexts.name(table.name()), kind, true);
            }
        }
        for (View view : objects.views()) {
            table(rows, ObjectTexts.schema(view.name()), ObjectTexts.name(view.name()), "VIEW", false);
        }
        for (SystemTable table : SystemTables.ALL) {
            String kind = table.isView() ? "VIEW" : "BASE TABLE";
            table(rows, ShownObjects.schemaName(table.schema()), table.name(), kind, false);
        }
    }

    private static void table(SystemRows rows, String schema, String name, String type, boolean isInsertable) {
        rows.add(
                "table_catalog", DATABASE,
                "table_schema", schema,
                "table_name", name,
                "table_type", type,
                "is_insertable_into", yes(isInsertable),
                "is_typed", "NO");
    }

    private void views(SystemRows rows) {
        for (View view : objects.views()) {
            rows.add(
                    "table_catalog", DATABASE,
                    "table_schema", ObjectTexts.schema(view.name()),
                    "table_name", ObjectTexts.name(view.name()),
                    "view_definition", view.text().strip(),
                    "check_option", "NONE",
                    "is_updatable", "NO",
                    "is_insertable_into", "NO",
                    "is_trigger_updatable", "NO",
                    "is_trigger_deletable", "NO",
                    "is_trigger_insertable_into", "NO");
        }
    }

    private void schemas(SystemRows rows) {
        for (String schema : objects.schemas()) {
            rows.add(
                    "catalog_name",
                    DATABASE,
                    "schema_name",
                    ShownObjects.schemaName(schema),
                    "schema_owner",
                    AccessLists.OWNER);
        }
    }

    private void sequences(SystemRows rows) {
        for (Table table : objects.tables()) {
            SequenceRule rule = table.sequence().orElse(null);
            if (rule != null && !rule.owned()) {
                rows.add(
                        "sequence_catalog",
                        DATABASE,
                        "sequence_schema",
                        ObjectTexts.schema(table.name()),
                        "sequence_name",
                        ObjectTexts.name(table.name()),
                        "data_type",
                        rule.bounds().type().name().toLowerCase(Locale.ROOT),
                        "numeric_precision",
                        bits(rule.bounds().type()),
                        "numeric_precision_radix",
                        BINARY,
                        "numeric_scale",
                        0,
                        "start_value",
                        Long.toString(rule.bounds().first()),
                        "minimum_value",
                        Long.toString(RelationRows.least(rule)),
                        "maximum_value",
                        Long.toString(RelationRows.largest(rule)),
                        "increment",
                        Long.toString(rule.increment()),
                        "cycle_option",
                        rule.bounds().cycles() ? "YES" : "NO");
            }
        }
    }

    private static int bits(TypeKind integers) {
        return switch (integers) {
            case SMALLINT -> Short.SIZE;
            case INTEGER -> Integer.SIZE;
            default -> LONG_BITS;
        };
    }

    private void constraints(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (!table.isSequence()) {
                for (Index key : ShownObjects.keys(table)) {
                    constraint(rows, table, key.name(), key.primary() ? "PRIMARY KEY" : "UNIQUE");
                }
                table.foreignKeys().forEach(key -> constraint(rows, table, key.name(), "FOREIGN KEY"));
                table.checks().forEach(check -> constraint(rows, table, check.name(), "CHECK"));
            }
        }
    }

    private static void constraint(SystemRows rows, Table table, String name, String type) {
        String schema = ObjectTexts.schema(table.name());
        rows.add(
                "constraint_catalog",
                DATABASE,
                "constraint_schema",
                schema,
                "constraint_name",
                ObjectTexts.name(name),
                "table_catalog",
                DATABASE,
                "table_schema",
                schema,
                "table_name",
                ObjectTexts.name(table.name()),
                "constraint_type",
                type,
                "is_deferrable",
                "NO",
                "initially_deferred",
                "NO",
                "enforced",
                "YES",
                "nulls_distinct",
                type.equals("UNIQUE") ? "YES" : null);
    }

    private void checks(SystemRows rows) {
        for (Table table : objects.tables()) {
            for (Check check : table.checks()) {
                rows.add(
                        "constraint_catalog", DATABASE,
                        "constraint_schema", ObjectTexts.schema(table.name()),
                        "constraint_name", ObjectTexts.name(check.name()),
                        "check_clause", check.text());
            }
        }
    }

    private void references(SystemRows rows) {
        for (Table table : objects.tables()) {
            for (ForeignKey key : table.foreignKeys()) {
                rows.add(
                        "constraint_catalog", DATABASE,
                        "constraint_schema", ObjectTexts.schema(table.name()),
                        "constraint_name", ObjectTexts.name(key.name()),
                        "unique_constraint_catalog", DATABASE,
                        "unique_constraint_schema", ObjectTexts.schema(key.parent()),
                        "unique_constraint_name",
                                ObjectTexts.name(objects.referenced(key).name()),
                        "match_option", "NONE",
                        "update_rule", key.onUpdate().name().replace('_', ' '),
                        "delete_rule", key.onDelete().name().replace('_', ' '));
            }
        }
    }

    /** Of a foreign key it is the table referred to. */
    private void tablesOfConstraints(SystemRows rows) {
        for (Table table : objects.tables()) {
            if (!table.isSequence()) {
                ShownObjects.keys(table).forEach(key -> tableOf(rows, table.name(), table, key.name()));
                table.foreignKeys().forEach(key -> tableOf(rows, key.parent(), table, key.name()));
            }
        }
    }

    private static void tableOf(SystemRows rows, String used, Table table, String constraint) {
        rows.add(
                "table_catalog", DATABASE,
                "table_schema", ObjectTexts.schema(used),
                "table_name", ObjectTexts.name(used),
                "constraint_catalog", DATABASE,
                "constraint_schema", ObjectTexts.schema(table.name()),
                "constraint_name", ObjectTexts.name(constraint));
    }

    private void routines(SystemRows rows) {
        functions(rows);
        for (ProcedureDefinition procedure : objects.catalog().procedures().values()) {
            if (procedure.body() instanceof ProcedureDefinition.RowAccess) {
                continue;
            }
            String name = procedure.name().toLowerCase(Locale.ROOT);
            boolean isJava = procedure.body() instanceof ProcedureDefinition.JavaClass;
            rows.add(
                    "specific_catalog",
                    DATABASE,
                    "specific_schema",
                    "public",
                    "specific_name",
                    name + "_" + objects.numbers().ofProcedure(procedure.name()),
                    "routine_catalog",
                    DATABASE,
                    "routine_schema",
                    "public",
                    "routine_name",
                    name,
                    "routine_type",
                    "PROCEDURE",
                    "routine_body",
                    "EXTERNAL",
                    "external_language",
                    isJava ? "JAVA" : "SQL");
        }
    }

    private void functions(SystemRows rows) {
        for (UserFunction function : objects.catalog().functions().values()) {
            if (function.isAggregate()) {
                continue; // the standard's routines are functions and procedures
            }
            String name = function.name().toLowerCase(Locale.ROOT);
            rows.add(
                    "specific_catalog",
                    DATABASE,
                    "specific_schema",
                    "public",
                    "specific_name",
                    name + "_" + objects.numbers().ofProcedure(function.name()),
                    "routine_catalog",
                    DATABASE,
                    "routine_schema",
                    "public",
                    "routine_name",
                    name,
                    "routine_type",
                    "FUNCTION",
                    "data_type",
                    SystemType.of(function.result()).sqlName(),
                    "routine_body",
                    function.body() instanceof UserFunction.Formula ? "SQL" : "EXTERNAL",
                    "external_language",
                    function.body() instanceof UserFunction.Formula ? "SQL" : "JAVA",
                    "is_deterministic",
                    "YES");
        }
    }

    private void privileges(SystemRows rows) {
        List<Table> tables =
                objects.tables().stream().filter(table -> !table.isSequence()).toList();
        for (Table table : tables) {
            for (AccessLists.Grant grant : access.grants(table.name())) {
                rows.add(
                        "grantor",
                        AccessLists.OWNER,
                        "grantee",
                        MirroredName.of(grant.grantee()),
                        "table_catalog",
                        DATABASE,
                        "table_schema",
                        ObjectTexts.schema(table.name()),
                        "table_name",
                        ObjectTexts.name(table.name()),
                        "privilege_type",
                        grant.privilege().name(),
                        "is_grantable",
                        "NO",
                        "with_hierarchy",
                        grant.privilege().name().equals("SELECT") ? "YES" : "NO");
            }
        }
    }
}
