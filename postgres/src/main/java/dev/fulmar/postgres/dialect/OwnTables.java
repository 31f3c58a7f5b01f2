package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Queries that stand for the tables of pg_catalog whose rows are about the session that asks. */
final class OwnTables {
    private static final int MOST_ROWS = 500;
    private static final int MOST_CHARACTERS = 1_023;
    private static final String NO_TIME = "CAST(NULL AS TIMESTAMP WITH TIME ZONE)";

    private OwnTables() {}

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static String varchar(String value) {
        return "CAST(" + text(value) + " AS VARCHAR)";
    }

    private static String flag(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    /** A query of the rows; one of no rows has a row of nulls that is left out. */
    private static String query(List<String> columns, List<String> rows, String none) {
        String names = String.join(", ", columns);
        return rows.isEmpty()
                ? "(SELECT * FROM (VALUES " + none + ") AS S (" + names + ") WHERE FALSE)"
                : "(SELECT * FROM (VALUES " + String.join(", ", rows) + ") AS S (" + names + "))";
    }

    /** More rows, or longer texts, would make the text of the statement too long. */
    private static <T> List<T> first(List<T> rows) {
        return rows.subList(0, Math.min(rows.size(), MOST_ROWS));
    }

    private static String cut(String text) {
        return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
    }

    static String cursors(SessionFacts facts) {
        List<String> rows = new ArrayList<>();
        for (SessionFacts.OpenCursor cursor : first(facts.cursors())) {
            rows.add("(" + varchar(cursor.name()) + ", " + varchar(cut(cursor.statement())) + ", "
                    + flag(cursor.isHeld()) + ", FALSE, " + flag(cursor.isScrolled()) + ", " + NO_TIME + ")");
        }
        return query(
                List.of("NAME", "STATEMENT", "IS_HOLDABLE", "IS_BINARY", "IS_SCROLLABLE", "CREATION_TIME"),
                rows,
                "(" + varchar("") + ", " + varchar("") + ", FALSE, FALSE, FALSE, " + NO_TIME + ")");
    }

    static String statements(SessionFacts facts) {
        List<String> rows = new ArrayList<>();
        for (SessionFacts.KnownStatement statement : first(facts.statements())) {
            String types = statement.types().stream()
                    .map(type -> "PG_CATALOG.FORMAT_TYPE(" + type + ", NULL)")
                    .collect(Collectors.joining(" || ',' || "));
            rows.add(
                    "(" + varchar(statement.name()) + ", " + varchar(cut(statement.statement())) + ", " + NO_TIME + ", "
                            + (types.isEmpty() ? varchar("{}") : "CAST('{' || " + types + " || '}' AS VARCHAR)") + ", "
                            + flag(statement.isOfSql()) + ", CAST(NULL AS BIGINT), CAST(NULL AS BIGINT))");
        }
        return query(
                List.of(
                        "NAME",
                        "STATEMENT",
                        "PREPARE_TIME",
                        "PARAMETER_TYPES",
                        "FROM_SQL",
                        "GENERIC_PLANS",
                        "CUSTOM_PLANS"),
                rows,
                "(" + varchar("") + ", " + varchar("") + ", " + NO_TIME + ", " + varchar("")
                        + ", FALSE, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT))");
    }

    static String settings(SessionFacts facts) {
        List<String> rows = new ArrayList<>();
        Map<String, String> settings = new TreeMap<>(facts.settings());
        settings.put("max_index_keys", "32"); // what drivers read arrays of columns by
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String value = text(setting.getValue());
            rows.add("(" + text(setting.getKey()) + ", " + value + ", " + value + ", " + value + ")");
        }
        return "(SELECT NAME, SETTING, CAST(NULL AS VARCHAR) AS UNIT, 'Settings' AS CATEGORY, NAME AS SHORT_DESC,"
                + " CAST(NULL AS VARCHAR) AS EXTRA_DESC, 'user' AS CONTEXT, 'string' AS VARTYPE, 'default' AS SOURCE,"
                + " CAST(NULL AS VARCHAR) AS MIN_VAL, CAST(NULL AS VARCHAR) AS MAX_VAL,"
                + " CAST(NULL AS VARCHAR) AS ENUMVALS, BOOT_VAL, RESET_VAL,"
                + " CAST(NULL AS VARCHAR) AS SOURCEFILE, CAST(NULL AS INTEGER) AS SOURCELINE, FALSE AS PENDING_RESTART"
                + " FROM (VALUES " + String.join(", ", rows) + ") AS S (NAME, SETTING, BOOT_VAL, RESET_VAL)"
                + ")";
    }

    static String database(SessionFacts facts) {
        return "(SELECT OID, " + text(facts.database())
                + " AS DATNAME, DATDBA, ENCODING, DATLOCPROVIDER, DATISTEMPLATE,"
                + " DATALLOWCONN, DATCONNLIMIT, DATFROZENXID, DATMINMXID, DATTABLESPACE, DATCOLLATE, DATCTYPE,"
                + " DATICULOCALE, DATCOLLVERSION, DATACL FROM PG_CATALOG.PG_DATABASE)";
    }
}
