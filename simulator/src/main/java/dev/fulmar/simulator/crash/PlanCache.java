package dev.fulmar.simulator.crash;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers what texts were compiled to: thousands of lives of one database ask for the same. Thread-safe. */
public final class PlanCache implements SqlFrontend {
    private static final int MOST = 20_000;

    private final SqlFrontend sql;
    private final ConcurrentHashMap<Key, Compiled> compiled = new ConcurrentHashMap<>();

    /** Plans follow from the text and the tables; equal tables have equal ids. */
    private record Key(String text, long version, SortedMap<String, Table> tables) {}

    public PlanCache(SqlFrontend sql) {
        this.sql = sql;
    }

    @Override
    public List<String> split(String script) {
        return sql.split(script);
    }

    @Override
    public Compiled compile(String text, Catalog catalog) {
        if (compiled.size() > MOST) {
            compiled.clear();
        }
        return compiled.computeIfAbsent(
                new Key(text, catalog.version(), catalog.tables()), key -> sql.compile(text, catalog));
    }
}
