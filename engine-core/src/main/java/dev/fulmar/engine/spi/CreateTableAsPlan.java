package dev.fulmar.engine.spi;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.plan.StatementPlan;
import java.util.Optional;

/**
 * A table that is made of a query: the statements that make it, in order, and last the one that lets others see it.
 *
 * @param name that it gets in the end
 * @param isThere whether a table or view has the name already, and so nothing is to be done
 * @param lenient whether one that comes meanwhile is left as it is
 * @param elements columns and key, as CREATE TABLE has them in parentheses
 * @param placement the clause that says where rows are; empty if nothing is said
 * @param rows text of the query; empty for a table without rows
 * @param query whose rights the whole needs, besides DDL
 */
public record CreateTableAsPlan(
        String name,
        boolean isThere,
        boolean lenient,
        String elements,
        Optional<String> placement,
        Optional<String> rows,
        StatementPlan query) {
    private static final String REMOVAL = "DROP TABLE IF EXISTS ";

    /** The change of the catalog that makes the table, under the name. */
    public String creation(String under) {
        String clause = placement.map(text -> " " + text).orElse("");
        return "CREATE TABLE " + quoted(under) + " (" + elements + ")" + clause;
    }

    /** The change of the catalog that makes the whole of a table without rows. */
    public String creation() {
        String schema = SchemaName.of(name);
        String clause = placement.map(text -> " " + text).orElse("");
        return TemporaryMark.added(
                "CREATE TABLE " + quoted(schema) + "." + quoted(SchemaName.local(name)) + " (" + elements + ")"
                        + clause,
                SchemaName.isTemporary(schema) ? schema : "");
    }

    /** Whether a table is made, and no rows. */
    public boolean makesEmptyTable() {
        return !isThere && rows.isEmpty();
    }

    /** The statement that fills the table; empty if it stays without rows. */
    public Optional<String> filling(String under) {
        return rows.map(text -> "INSERT INTO " + quoted(under) + " " + text);
    }

    /** The statement that gives the table, which was made under another name, its own. */
    public String publication(String under) {
        String schema = SchemaName.of(name);
        return TemporaryMark.added(
                "ALTER TABLE " + quoted(under) + " RENAME TO " + quoted(schema) + "." + quoted(SchemaName.local(name)),
                SchemaName.isTemporary(schema) ? schema : "");
    }

    /** The statement that drops a table which was made under a name. */
    public static String removal(String under) {
        return REMOVAL + quoted(under);
    }

    /** Whether it is the statement that drops a table which no client knows. */
    public static boolean isRemoval(String statement) {
        return statement.startsWith(REMOVAL + '"' + SchemaName.PENDING);
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
