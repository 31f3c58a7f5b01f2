package dev.fulmar.engine.catalog;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Composes and splits the names under which the catalog knows objects: SCHEMA.NAME, or NAME alone for an object of
 * PUBLIC. Invariant: no name of a schema, and no own name of what is in PUBLIC, has a dot.
 */
public final class SchemaName {
    /** The schema of what names none. */
    public static final String PUBLIC = "PUBLIC";

    /** The schema of the views that show the catalog. */
    public static final String INFORMATION = "INFORMATION_SCHEMA";

    /** The schema of the tables by which PostgreSQL's clients look into the catalog. */
    public static final String POSTGRES_CATALOG = "PG_CATALOG";

    /** The schema of INFORMATION_SCHEMA as PostgreSQL's clients have it. */
    public static final String POSTGRES_INFORMATION = "PG_INFORMATION_SCHEMA";

    /** The schema of the temporary tables of a session, as its statements call it. */
    public static final String TEMPORARY = "PG_TEMP";

    /** The schema of the tables of advisory locks. */
    public static final String LOCKS = "FULMAR_LOCKS";

    /** The table of the changes of tables that were made under locks. */
    public static final String LOCKS_USED = LOCKS + ".USED";

    private static final Pattern TEMPORARY_NAME = Pattern.compile(TEMPORARY + "_(0|[1-9][0-9]{0,8})_[0-9A-F]{16}");

    /** A schema of temporary tables that no session has: it marks texts of the sessions of nodes. */
    public static final String NO_SESSION = temporary(0, 0);

    private static final char DOT = '.';

    /** Begins the name of a table that is still being made. */
    public static final String PENDING = ".";

    private SchemaName() {}

    /**
     * The name of a table while it gets its rows: in a schema without a name, which is never shown and outlives no
     * statement.
     *
     * @param number drawn for this table alone, so that whoever has the name means this table and never a later one
     */
    public static String pending(long number) {
        return PENDING + HexFormat.of().withUpperCase().toHexDigits(number);
    }

    /** Whether the name is that of a table which only the statement that makes it sees yet. */
    public static boolean isPending(String name) {
        return name.startsWith(PENDING);
    }

    /**
     * The name of the schema of one session's temporary tables. Only statements of that session know it.
     *
     * @param node of the session
     * @param number drawn for this session alone, so that no other one ever meets what it has left behind
     */
    public static String temporary(int node, long number) {
        return TEMPORARY + "_" + node + "_" + HexFormat.of().withUpperCase().toHexDigits(number);
    }

    /** Whether the schema is one of a session's temporary tables. */
    public static boolean isTemporary(String schema) {
        return schema.startsWith(TEMPORARY) && TEMPORARY_NAME.matcher(schema).matches();
    }

    /** Whether the object is in such a schema. */
    public static boolean isInTemporary(String name) {
        return name.startsWith(TEMPORARY) && isTemporary(of(name));
    }

    /** The node of the session whose temporary tables are in the schema. */
    public static int nodeOf(String temporary) {
        return Integer.parseInt(temporary.substring(TEMPORARY.length() + 1, temporary.lastIndexOf('_')));
    }

    /** Whether the schema shows the catalog, and nobody makes or changes it. */
    public static boolean showsCatalog(String schema) {
        return schema.equals(INFORMATION) || schema.equals(POSTGRES_CATALOG) || schema.equals(POSTGRES_INFORMATION);
    }

    /** The name under which the catalog has an object of a schema. */
    public static String qualified(String schema, String name) {
        return schema.equals(PUBLIC) ? name : schema + DOT + name;
    }

    /** The schema of an object that the catalog has under the name. */
    public static String of(String name) {
        int dot = name.indexOf(DOT);
        return dot < 0 ? PUBLIC : name.substring(0, dot);
    }

    /** The object's own name. */
    public static String local(String name) {
        return name.substring(name.indexOf(DOT) + 1);
    }
}
