package dev.fulmar.postgres.dialect;

import java.util.Locale;
import java.util.Set;

/** Names of pg_catalog that statements use without its schema. */
final class CatalogNames {
    /** Tables that have no rows, as Fulmar has nothing of their kind. */
    static final Set<String> EMPTY = Set.of(
            "pg_inherits",
            "pg_policy",
            "pg_policies",
            "pg_statistic_ext",
            "pg_publication",
            "pg_publication_rel",
            "pg_publication_namespace",
            "pg_publication_tables",
            "pg_subscription",
            "pg_trigger",
            "pg_rewrite",
            "pg_rules",
            "pg_foreign_table",
            "pg_foreign_server",
            "pg_foreign_data_wrapper",
            "pg_user_mapping",
            "pg_user_mappings",
            "pg_event_trigger",
            "pg_extension",
            "pg_default_acl",
            "pg_db_role_setting",
            "pg_range",
            "pg_cast",
            "pg_conversion",
            "pg_operator",
            "pg_opclass",
            "pg_opfamily",
            "pg_amop",
            "pg_amproc",
            "pg_aggregate",
            "pg_partitioned_table",
            "pg_shdescription",
            "pg_seclabel",
            "pg_shseclabel",
            "pg_seclabels",
            "pg_ts_config",
            "pg_ts_config_map",
            "pg_ts_dict",
            "pg_ts_parser",
            "pg_ts_template",
            "pg_transform",
            "pg_largeobject_metadata",
            "pg_init_privs",
            "pg_parameter_acl",
            "pg_prepared_xacts",
            "pg_locks");

    private static final Set<String> OTHERS = Set.of(
            "pg_am",
            "pg_attrdef",
            "pg_attribute",
            "pg_auth_members",
            "pg_authid",
            "pg_available_extension_versions",
            "pg_available_extensions",
            "pg_class",
            "pg_collation",
            "pg_constraint",
            "pg_cursors",
            "pg_database",
            "pg_depend",
            "pg_description",
            "pg_enum",
            "pg_group",
            "pg_index",
            "pg_indexes",
            "pg_language",
            "pg_matviews",
            "pg_namespace",
            "pg_prepared_statements",
            "pg_proc",
            "pg_replication_origin",
            "pg_roles",
            "pg_sequence",
            "pg_sequences",
            "pg_settings",
            "pg_shadow",
            "pg_shdepend",
            "pg_stat_activity",
            "pg_subscription_rel",
            "pg_tables",
            "pg_tablespace",
            "pg_type",
            "pg_user",
            "pg_views");

    /** Functions about objects; others of pg_catalog are the engine's own. */
    private static final Set<String> FUNCTIONS = Set.of(
            "format_type",
            "obj_description",
            "col_description",
            "shobj_description",
            "quote_ident",
            "to_regclass",
            "to_regtype",
            "getdatabaseencoding");

    /** Functions of arrays, which are texts in statements about the catalog alone. */
    private static final Set<String> OF_ARRAYS =
            Set.of("array_to_string", "array_upper", "array_length", "cardinality");

    private CatalogNames() {}

    static boolean isTable(String name) {
        return EMPTY.contains(name) || OTHERS.contains(name);
    }

    static boolean isFunction(String name) {
        return OF_ARRAYS.contains(name) || isFunctionOfObjects(name);
    }

    /** Whether a statement that calls the function is about the catalog. */
    static boolean isFunctionOfObjects(String name) {
        return FUNCTIONS.contains(name)
                || (name.startsWith("pg_") && !isTable(name))
                || (name.startsWith("has_") && name.endsWith("_privilege"));
    }

    /** The types whose values are objects of the catalog. */
    static boolean isObjectType(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "regclass", "regtype", "regproc", "regprocedure", "regnamespace", "regrole", "oid", "name" -> true;
            default -> false;
        };
    }
}
