package dev.fulmar.simulator.crash;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.procedure.loading.SharedCode;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Caches compiled statements and procedures: thousands of lives of one database compile the same. Thread-safe. */
public final class PlanCache implements SqlFrontend {
    private static final int MOST = 20_000;
    private static final int MOST_RECENT = 64;

    /** One of so many answers is compared with what the compiler says to the same text and catalog. */
    private static final int COMPARED_EVERY = 500;

    private final SqlFrontend sql;
    private final SharedCode code = SharedCode.among();
    private final ConcurrentHashMap<Key, Compiled> compiled = new ConcurrentHashMap<>();

    /** A number for each part of a catalog that there was. */
    private final ConcurrentHashMap<Object, Integer> parts = new ConcurrentHashMap<>();

    /** A number for each set of objects that there was, for they are large to compare and the same for many texts. */
    private final ConcurrentHashMap<SortedMap<String, Table>, List<Numbered>> numbers = new ConcurrentHashMap<>();

    private final AtomicInteger nextNumber = new AtomicInteger();

    /** Numbers of the catalogs that a thread used lately, by identity. */
    private final ThreadLocal<IdentityHashMap<Catalog, Numbered>> recent =
            ThreadLocal.withInitial(IdentityHashMap::new);

    private final AtomicInteger taken = new AtomicInteger();

    private record Numbered(Catalog catalog, int number, CatalogParts parts) {}

    /**
     * A text and the catalog's objects, on which a compiled statement depends. It does not depend on hand-offs of keys.
     *
     * @param objects number of all of them; of a query or a write, numbers of the parts that the text names
     */
    private record Key(String text, List<Integer> objects) {}

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
    public Optional<DraftedStatement> drafted(String text, Catalog catalog, Map<String, String> contents) {
        return sql.drafted(text, catalog, contents);
    }

    @Override
    public Optional<RowByRow> rowByRow(String text, Catalog catalog) {
        return sql.rowByRow(text, catalog);
    }

    @Override
    public String placed(String text, String clause) {
        return sql.placed(text, clause);
    }

    @Override
    public String named(String text, Catalog catalog) {
        return sql.named(text, catalog);
    }

    @Override
    public String timed(String text, long micros) {
        return sql.timed(text, micros);
    }

    @Override
    public Compiled compile(String text, Catalog catalog) {
        if (compiled.size() > MOST) {
            compiled.clear();
            numbers.clear();
            parts.clear();
        }
        Numbered known = numbered(catalog);
        Key whole = new Key(text, List.of(known.number));
        List<Integer> named = known.parts.named(text);
        Key byParts = named == null ? whole : new Key(text, named);
        Compiled found = compiled.getOrDefault(byParts, compiled.get(whole));
        if (found != null) {
            compare(found, text, catalog);
            return found;
        }
        Compiled made = sql.compile(text, catalog);
        compiled.put(made instanceof Compiled.Runnable ? byParts : whole, made);
        return made;
    }

    private void compare(Compiled found, String text, Catalog catalog) {
        if (taken.incrementAndGet() % COMPARED_EVERY == 0) {
            Invariants.check(
                    found.equals(sql.compile(text, catalog)),
                    "equal parts of catalogs that a text names have equal plans");
        }
    }

    private Numbered numbered(Catalog catalog) {
        IdentityHashMap<Catalog, Numbered> known = recent.get();
        Numbered numbered = known.get(catalog);
        if (numbered == null) {
            if (known.size() >= MOST_RECENT) {
                known.clear();
            }
            numbered = numbers.compute(catalog.tables(), (tables, before) -> with(catalog, before)).stream()
                    .filter(each -> isAlike(each.catalog, catalog))
                    .findFirst()
                    .orElseThrow();
            known.put(catalog, numbered);
        }
        return numbered;
    }

    private List<Numbered> with(Catalog catalog, @Nullable List<Numbered> before) {
        List<Numbered> numbered = before == null ? new ArrayList<>() : new ArrayList<>(before);
        if (numbered.stream().noneMatch(each -> isAlike(each.catalog, catalog))) {
            numbered.add(new Numbered(catalog, nextNumber.getAndIncrement(), partsOf(catalog)));
        }
        return numbered;
    }

    private CatalogParts partsOf(Catalog catalog) {
        return new CatalogParts(catalog, part -> parts.computeIfAbsent(part, any -> nextNumber.getAndIncrement()));
    }

    /** Whether equal texts have equal plans by both: at most the partitions of keys differ, and the version. */
    private static boolean isAlike(Catalog one, Catalog other) {
        return one.nextId() == other.nextId()
                && one.tables().equals(other.tables())
                && one.procedures().equals(other.procedures())
                && one.functions().equals(other.functions())
                && one.enumerations().equals(other.enumerations())
                && one.views().equals(other.views())
                && one.schemas().equals(other.schemas())
                && one.access().principals().equals(other.access().principals())
                && one.comments().all().equals(other.comments().all());
    }
}
