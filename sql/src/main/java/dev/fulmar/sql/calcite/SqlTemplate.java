package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.IntervalShape;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** An expression with places for operands, which stands for a function of PostgreSQL. */
final class SqlTemplate {
    private static final String RELATION = "CAST(\"$0\" AS BIGINT)";
    private static final String UNKNOWN_TEXT = "CAST(NULL AS VARCHAR)";
    private static final String UNKNOWN_NUMBER = "CAST(NULL AS BIGINT)";
    private static final String PART = "CAST(\"$0\" AS BIGINT) * 4294967296 + CAST(\"$1\" AS BIGINT)";

    private static final Map<String, SqlTemplate> ALL = all();

    static final SqlTemplate TYPE_NAME = named("TYPE_NAME");
    static final SqlTemplate TYPE_WITH_MODIFIER = named("TYPE_WITH_MODIFIER");
    static final SqlTemplate INDEX = named("INDEX_TEXT");
    static final SqlTemplate INDEX_COLUMN = named("INDEX_COLUMN");
    static final SqlTemplate VIEW = named("VIEW_TEXT");

    private final SqlNode expression;

    private SqlTemplate(String text) {
        try {
            expression = SqlParser.create(text, QueryParser.PARSER).parseExpression();
        } catch (SqlParseException e) {
            throw new IllegalStateException("a template is an expression: " + text, e);
        }
    }

    /** The fields of an interval and the digits of its seconds, by the modifier of its type. */
    private static String intervalFields() {
        StringBuilder text = new StringBuilder(" || CASE CAST(\"$1\" AS INTEGER) / 65536");
        for (IntervalShape.Fields fields : IntervalShape.Fields.values()) {
            int modifier = new IntervalShape(fields, 0).modifier();
            String words = fields == IntervalShape.Fields.ALL
                    ? ""
                    : " " + fields.toString().toLowerCase(Locale.ROOT);
            text.append(" WHEN ")
                    .append(modifier >> 16)
                    .append(" THEN '")
                    .append(words)
                    .append('\'');
        }
        return text + " ELSE '' END || CASE MOD(CAST(\"$1\" AS INTEGER), 65536) WHEN 65535 THEN ''"
                + " ELSE '(' || CAST(MOD(CAST(\"$1\" AS INTEGER), 65536) AS VARCHAR) || ')' END";
    }

    private static Map<String, SqlTemplate> all() {
        Map<String, SqlTemplate> templates = new TreeMap<>();
        ofObjects(templates);
        ofTypesAndArrays(templates);
        for (String size : List.of("RELATION", "TOTAL_RELATION", "TABLE", "INDEXES", "DATABASE", "TABLESPACE")) {
            add(templates, "PG_" + size + "_SIZE", UNKNOWN_NUMBER); // the partitions know it, and the plan does not
        }
        for (String kind : List.of("TYPE", "FUNCTION", "OPERATOR", "OPCLASS", "OPFAMILY", "COLLATION", "CONVERSION")) {
            add(templates, "PG_" + kind + "_IS_VISIBLE", "TRUE");
        }
        // A user who may query the catalog has the right DDL, which is as strong as all rights on all data.
        for (String kind : List.of(
                "TABLE",
                "ANY_COLUMN",
                "COLUMN",
                "SCHEMA",
                "DATABASE",
                "FUNCTION",
                "SEQUENCE",
                "TYPE",
                "LANGUAGE",
                "TABLESPACE")) {
            add(templates, "HAS_" + kind + "_PRIVILEGE", "TRUE");
        }
        // Their tables are empty, so that they are never called with something that there is.
        for (String kind : List.of("RULE", "TRIGGER", "STATISTICSOBJ", "PARTKEY")) {
            add(templates, "PG_GET_" + kind + "DEF", UNKNOWN_TEXT);
        }
        add(templates, "PG_GET_STATISTICSOBJDEF_COLUMNS", UNKNOWN_TEXT);
        add(
                templates,
                "PG_GET_SERIAL_SEQUENCE",
                "\"#FULL_RELATION\"(CAST(\"#SEQUENCE_NUMBER\"(CAST(\"$0\" AS VARCHAR) || '.' ||"
                        + " CAST(\"$1\" AS VARCHAR)) AS BIGINT))");
        add(templates, "PG_TABLESPACE_LOCATION", "''"); // in the folder of the data
        add(templates, "PG_PARTITION_ANCESTORS", "CAST(NULL AS INTEGER)");
        add(templates, "PG_RELATION_IS_PUBLISHABLE", "FALSE");
        add(templates, "PG_IS_IN_RECOVERY", "FALSE");
        return templates;
    }

    private static void ofObjects(Map<String, SqlTemplate> templates) {
        add(templates, "RELATION_NAME", "COALESCE(\"#RELATION\"(" + RELATION + "), CAST(\"$0\" AS VARCHAR))");
        add(templates, "SCHEMA_NAME", "\"#SCHEMA\"(" + RELATION + ")");
        add(templates, "ROLE_NAME", "\"#ROLE\"(" + RELATION + ")");
        add(templates, "INDEX_TEXT", "\"#INDEX\"(" + RELATION + ")");
        add(templates, "INDEX_COLUMN", "\"#INDEX_COLUMN\"(" + PART + ")");
        add(templates, "VIEW_TEXT", "\"#VIEW\"(" + RELATION + ")");
        add(templates, "TO_REGCLASS", "\"#RELATION_NUMBER\"(CAST(\"$0\" AS VARCHAR))");
        add(templates, "PG_TABLE_IS_VISIBLE", "\"#VISIBLE\"(" + RELATION + ") = 't'");
        add(
                templates,
                "PG_GET_USERBYID",
                "COALESCE(\"#ROLE\"(" + RELATION + "), 'unknown (OID=' || CAST(\"$0\" AS VARCHAR) || ')')");
        add(templates, "PG_GET_CONSTRAINTDEF", "\"#CONSTRAINT\"(" + RELATION + ")");
        add(templates, "PG_GET_EXPR", "\"$0\"");
        add(templates, "OBJ_DESCRIPTION", "\"#COMMENT\"(CAST(\"$0\" AS BIGINT) * 4294967296)");
        add(templates, "COL_DESCRIPTION", "\"#COMMENT\"(" + PART + ")");
        add(templates, "SHOBJ_DESCRIPTION", UNKNOWN_TEXT);
        add(templates, "ROLES_OF", "\"#ROLES_OF\"(" + RELATION + ")");
        add(templates, "LABELS_OF", "\"#LABELS_OF\"(" + RELATION + ")");
        // A procedure takes what its statements say; it yields nothing that has a type of its own.
        add(templates, "PG_GET_FUNCTION_RESULT", UNKNOWN_TEXT);
        add(templates, "PG_GET_FUNCTION_ARGUMENTS", UNKNOWN_TEXT);
        add(templates, "PG_GET_FUNCTION_IDENTITY_ARGUMENTS", UNKNOWN_TEXT);
    }

    private static void ofTypesAndArrays(Map<String, SqlTemplate> templates) {
        String name = "\"#TYPE\"(" + RELATION + ")";
        add(templates, "TYPE_NAME", name);
        add(templates, "TO_REGTYPE", "\"#TYPE_NUMBER\"(LOWER(CAST(\"$0\" AS VARCHAR)))");
        add(
                templates,
                "TYPE_WITH_MODIFIER",
                "CASE WHEN CAST(\"$1\" AS INTEGER) < 4 THEN " + name
                        + " WHEN \"$0\" IN (1042, 1043) THEN " + name
                        + " || '(' || CAST(CAST(\"$1\" AS INTEGER) - 4 AS VARCHAR) || ')'"
                        + " WHEN \"$0\" = 1015 THEN 'character varying('"
                        + " || CAST(CAST(\"$1\" AS INTEGER) - 4 AS VARCHAR) || ')[]'"
                        + " WHEN \"$0\" = 1231 THEN 'numeric('"
                        + " || CAST((CAST(\"$1\" AS INTEGER) - 4) / 65536 AS VARCHAR) || ','"
                        + " || CAST(MOD(CAST(\"$1\" AS INTEGER) - 4, 65536) AS VARCHAR) || ')[]'"
                        + " WHEN \"$0\" = 1700 THEN " + name
                        + " || '(' || CAST((CAST(\"$1\" AS INTEGER) - 4) / 65536 AS VARCHAR) || ','"
                        + " || CAST(MOD(CAST(\"$1\" AS INTEGER) - 4, 65536) AS VARCHAR) || ')'"
                        + " WHEN \"$0\" = 1186 THEN " + name + intervalFields()
                        + " ELSE " + name + " END");
        add(templates, "ELEMENT", "\"#ELEMENT\"(CAST(\"$0\" AS VARCHAR), CAST(\"$1\" AS INTEGER))");
        add(
                templates,
                "NUMBER_ELEMENT",
                "CAST(\"#ELEMENT\"(CAST(\"$0\" AS VARCHAR), CAST(\"$1\" AS INTEGER)) AS INTEGER)");
        add(templates, "HAS_ELEMENT", "\"#HAS_ELEMENT\"(CAST(\"$0\" AS VARCHAR), CAST(\"$1\" AS VARCHAR))");
        add(templates, "HAS_NOT_ELEMENT", "NOT \"#HAS_ELEMENT\"(CAST(\"$0\" AS VARCHAR), CAST(\"$1\" AS VARCHAR))");
        add(templates, "ARRAY_TO_STRING", "\"#JOIN_ELEMENTS\"(CAST(\"$0\" AS VARCHAR), \"$1\")");
        for (String count : List.of("ARRAY_UPPER", "ARRAY_LENGTH", "CARDINALITY")) {
            add(templates, count, "\"#ELEMENT_COUNT\"(CAST(\"$0\" AS VARCHAR))");
        }
        add(templates, "PG_SIZE_PRETTY", "CAST(\"$0\" AS VARCHAR) || ' bytes'");
        add(templates, "PG_ENCODING_TO_CHAR", "CASE CAST(\"$0\" AS INTEGER) WHEN 6 THEN 'UTF8' ELSE '' END");
        add(templates, "PG_CHAR_TO_ENCODING", "CASE UPPER(\"$0\") WHEN 'UTF8' THEN 6 ELSE -1 END");
        add(templates, "GETDATABASEENCODING", "'UTF8'");
        add(templates, "QUOTE_IDENT", "QUOTE_IDENT(CAST(\"$0\" AS VARCHAR))");
    }

    private static void add(Map<String, SqlTemplate> templates, String name, String text) {
        templates.put(name, new SqlTemplate(text));
    }

    /** The template of a function of PostgreSQL, or null. */
    static @Nullable SqlTemplate ofFunction(String name) {
        return ALL.get(name.toUpperCase(Locale.ROOT));
    }

    static SqlTemplate named(String name) {
        SqlTemplate template = ALL.get(name);
        if (template == null) {
            throw Invariants.breach("each template that is used is there");
        }
        return template;
    }

    /** The expression with the operands. */
    SqlNode of(List<SqlNode> operands) {
        SqlNode copy = expression.accept(new Copy(operands));
        if (copy == null) {
            throw Invariants.breach("a template is an expression");
        }
        return copy;
    }

    /** Copies an expression. */
    private static final class Copy extends SqlShuttle {
        private final List<SqlNode> operands;

        Copy(List<SqlNode> operands) {
            this.operands = operands;
        }

        @Override
        public @Nullable SqlNode visit(SqlCall call) {
            CallCopyingArgHandler copy = new CallCopyingArgHandler(call, true);
            call.getOperator().acceptCall(this, call, false, copy);
            return copy.result();
        }

        @Override
        public @Nullable SqlNode visit(SqlIdentifier name) {
            boolean isPlace =
                    !operands.isEmpty() && name.isSimple() && name.getSimple().startsWith("$");
            if (!isPlace) {
                return name.clone(name.getParserPosition());
            }
            int number = Integer.parseInt(name.getSimple().substring(1));
            return operands.get(number).accept(new Copy(List.of()));
        }

        @Override
        public SqlNode visit(SqlNodeList list) {
            SqlNodeList items = new SqlNodeList(list.getParserPosition());
            list.forEach(item -> items.add(item == null ? null : item.accept(this)));
            return items;
        }
    }
}
