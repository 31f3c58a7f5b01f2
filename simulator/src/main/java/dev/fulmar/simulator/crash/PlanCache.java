package dev.fulmar.simulator.crash;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.procedure.loading.SharedCode;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Caches compiled statements and procedures: thousands of lives of one database compile the same. Thread-safe. */
public final class PlanCache implements SqlFrontend {
    private static final int MOST = 20_000;

    private final SqlFrontend sql;
    private final SharedCode code = SharedCode.among();
    private final ConcurrentHashMap<Key, Compiled> compiled = new ConcurrentHashMap<>();

    /** A number for each set of tables that there was, for they are large to compare and the same for many texts. */
    private final ConcurrentHashMap<SortedMap<String, Table>, Integer> numbers = new ConcurrentHashMap<>();

    private final AtomicInteger nextNumber = new AtomicInteger();

    private final ThreadLocal<Numbered> last =
            ThreadLocal.withInitial(() -> new Numbered(Collections.emptySortedMap(), -1));

    private record Numbered(SortedMap<String, Table> tables, int number) {
        @SuppressWarnings("ReferenceEquality") // equality is what is to be spared
        boolean is(SortedMap<String, Table> others) {
            return tables == others;
        }
    }

    /** Plans follow from the text and the tables; equal tables have equal ids. */
    private record Key(String text, long version, int tables) {}

    public PlanCache(SqlFrontend sql) {
        this.sql = sql;
    }

    /** Procedures that one of the lives has loaded. */
    public SharedCode code() {
        return code;
    }

    @Override
    public List<String> split(String script) {
        return sql.split(script);
    }

    @Override
    public Optional<RowByRow> rowByRow(String text, Catalog catalog) {
        return sql.rowByRow(text, catalog);
    }

    @Override
    public Compiled compile(String text, Catalog catalog) {
        if (compiled.size() > MOST) {
            compiled.clear();
            numbers.clear();
        }
        return compiled.computeIfAbsent(
                new Key(text, catalog.version(), numberOf(catalog.tables())), key -> sql.compile(text, catalog));
    }

    private int numberOf(SortedMap<String, Table> tables) {
        Numbered numbered = last.get();
        if (!numbered.is(tables)) {
            numbered = new Numbered(tables, numbers.computeIfAbsent(tables, first -> nextNumber.getAndIncrement()));
            last.set(numbered);
        }
        return numbered.number;
    }
}
