package dev.fulmar.benchmarks.sqlcheck;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Compiles a statement once for several databases with the same tables: compiling takes far longer than executing over
 * a dozen rows. One in so many is compiled by each database all the same, and must become the same plan. Thread-safe.
 */
final class SharedPlans {
    private static final int MOST = 2_000;
    private static final int HITS_BETWEEN_CHECKS = 16;
    private static final int MOST_BITS = 24;

    private final ConcurrentHashMap<Key, SqlFrontend.Compiled> compiled = new ConcurrentHashMap<>();

    /** A number for each set of tables that there was: they are large to compare, and the same for many texts. */
    private final ConcurrentHashMap<SortedMap<String, Table>, Integer> numbers = new ConcurrentHashMap<>();

    private final AtomicInteger nextNumber = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();

    /** Inputs of a plan; equal tables have equal ids. */
    private record Key(String text, long version, int tables) {}

    /** The compiler of one of the databases, which looks here first. */
    SqlFrontend around(SqlFrontend compiler) {
        return new Sharing(compiler);
    }

    private SqlFrontend.Compiled compile(SqlFrontend compiler, String text, Catalog catalog, int tables) {
        if (compiled.size() > MOST) {
            compiled.clear();
        }
        Key key = new Key(text, catalog.version(), tables);
        SqlFrontend.Compiled known = compiled.get(key);
        if (known == null) {
            SqlFrontend.Compiled made = compiler.compile(text, catalog, invented(text, catalog));
            compiled.put(key, made);
            return made;
        }
        if (hits.incrementAndGet() % HITS_BETWEEN_CHECKS == 0
                && !known.equals(compiler.compile(text, catalog, invented(text, catalog)))) {
            throw new IllegalStateException("compiled twice for equal tables, it is not the same: " + text);
        }
        return known;
    }

    /**
     * Invented statistics, unrelated to the tables, so that queries over a dozen rows get plans for any number of rows.
     * The answers must be the same. One text in four is planned as if nothing were known.
     */
    private static Statistics invented(String text, Catalog catalog) {
        Random random = new Random(text.hashCode());
        SortedMap<Integer, TableFigures> tables = new TreeMap<>();
        if (random.nextInt(4) == 0) {
            return Statistics.NONE;
        }
        for (Table table : catalog.tables().values()) {
            long rows = 1L << random.nextInt(MOST_BITS);
            List<KeyValues> keys = new ArrayList<>();
            for (int column = 0; column < table.columns().size(); column++) {
                keys.add(new KeyValues(List.of(column), 1 + random.nextLong(rows)));
            }
            tables.put(table.id(), new TableFigures(rows, keys));
        }
        return new Statistics(tables);
    }

    private final class Sharing implements SqlFrontend {
        private final SqlFrontend compiler;
        private volatile Numbered last = new Numbered(Collections.emptySortedMap(), -1);

        private record Numbered(SortedMap<String, Table> tables, int number) {
            @SuppressWarnings("ReferenceEquality") // equality is what is to be spared
            boolean is(SortedMap<String, Table> others) {
                return tables == others;
            }
        }

        Sharing(SqlFrontend compiler) {
            this.compiler = compiler;
        }

        @Override
        public List<String> split(String script) {
            return compiler.split(script);
        }

        @Override
        public Optional<Generalised> generalise(String sql) {
            return compiler.generalise(sql);
        }

        @Override
        public Optional<DraftedStatement> drafted(String sql, Catalog catalog, Map<String, String> contents) {
            return compiler.drafted(sql, catalog, contents);
        }

        @Override
        public Optional<RowByRow> rowByRow(String sql, Catalog catalog) {
            return compiler.rowByRow(sql, catalog);
        }

        @Override
        public String placed(String sql, String clause) {
            return compiler.placed(sql, clause);
        }

        @Override
        public String named(String sql, Catalog catalog) {
            return compiler.named(sql, catalog);
        }

        @Override
        public String timed(String sql, long micros) {
            return compiler.timed(sql, micros);
        }

        @Override
        public Compiled compile(String sql, Catalog catalog) {
            return SharedPlans.this.compile(compiler, sql, catalog, numberOf(catalog.tables()));
        }

        @Override
        public Compiled compile(String sql, Catalog catalog, Statistics statistics) {
            return compile(sql, catalog);
        }

        private int numberOf(SortedMap<String, Table> tables) {
            Numbered numbered = last;
            if (!numbered.is(tables)) {
                if (numbers.size() > MOST) {
                    numbers.clear();
                }
                numbered = new Numbered(tables, numbers.computeIfAbsent(tables, first -> nextNumber.getAndIncrement()));
                last = numbered;
            }
            return numbered.number();
        }
    }
}
