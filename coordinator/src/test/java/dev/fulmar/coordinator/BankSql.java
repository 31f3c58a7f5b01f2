package dev.fulmar.coordinator;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;

/** The little SQL and, as statements, the changes that make the bank: {@code CHANGE 0}, {@code CHANGE 1} and so on. */
final class BankSql implements SqlFrontend {
    static final String PREFIX = "CHANGE ";
    private static final String ALTER = "ALTER PROCEDURE ";
    private static final String LOG_VALUES = " LOG VALUES";
    static final List<CatalogChange> CHANGES = List.of(
            SteppedDatabase.table("ACCOUNT"),
            new CatalogChange.PartitionTable("ACCOUNT", "ID"),
            SteppedDatabase.procedure("Transfer", true),
            SteppedDatabase.procedure("OpenAccounts", false),
            SteppedDatabase.table("LATER"),
            new CatalogChange.DropTable("LATER", CatalogChange.Presence.STRICT));

    private final TinySql tiny = new TinySql();
    private final List<CatalogChange> changes;

    BankSql() {
        this(CHANGES);
    }

    /** With other changes by number. */
    BankSql(List<CatalogChange> changes) {
        this.changes = List.copyOf(changes);
    }

    @Override
    public List<String> split(String script) {
        return tiny.split(script);
    }

    @Override
    public Compiled compile(String sql, Catalog catalog) {
        if (sql.startsWith(ALTER) && sql.endsWith(LOG_VALUES)) {
            String name = sql.substring(ALTER.length(), sql.length() - LOG_VALUES.length());
            return new Compiled.Change(new CatalogChange.AlterProcedure(name, true));
        }
        return sql.startsWith(PREFIX)
                ? new Compiled.Change(changes.get(Integer.parseInt(sql.substring(PREFIX.length()))))
                : tiny.compile(sql, catalog);
    }
}
