package dev.fulmar.sql.estimate;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The statistics that one statement's plan may depend on, and whether it does depend on them. Invariant: whether it
 * does follows from the statement and the catalog alone, never from the statistics, so a plan that was made without
 * asking is the same with any. One per compilation.
 */
public final class StatisticsUse {
    /** Statements over smaller tables are planned without: any plan will do. */
    public static final long SIZEABLE_ROWS = 1_000;

    private final Statistics statistics;
    private final Map<Integer, Table> tables = new TreeMap<>();
    private boolean counts;
    private boolean isAsked;

    private StatisticsUse(Statistics statistics) {
        this.statistics = statistics;
    }

    /** Makes the use of these statistics. */
    public static StatisticsUse by(Statistics statistics) {
        return new StatisticsUse(statistics);
    }

    /** Makes the use of no statistics, whatever is known. */
    public static StatisticsUse none() {
        return new StatisticsUse(Statistics.NONE);
    }

    /** The statement is a query over these tables; views among the names say nothing. Until then nothing is known. */
    public void begin(Catalog catalog, Collection<String> names) {
        for (String name : names) {
            Table table = catalog.tables().get(name);
            if (table != null) {
                tables.put(table.id(), table);
            }
        }
        boolean areAllKnown = tables.keySet().stream().allMatch(id -> statistics.of(id) != null);
        counts = areAllKnown && tables.keySet().stream().anyMatch(this::isSizeable);
    }

    private boolean isSizeable(int id) {
        TableFigures figures = statistics.of(id);
        return figures != null && figures.rows() >= SIZEABLE_ROWS;
    }

    /** Whether there is anything to go by. From now on the plan depends on it. */
    public boolean ask() {
        isAsked = true;
        return counts;
    }

    /** Whether there is anything to go by, for what only shows it. */
    public boolean counts() {
        return counts;
    }

    /** The tables whose statistics the plan depends on. */
    public SortedSet<Integer> weighed() {
        return isAsked ? new TreeSet<>(tables.keySet()) : Collections.emptySortedSet();
    }

    @Nullable Table table(int id) {
        return tables.get(id);
    }

    @Nullable TableFigures figures(int id) {
        return counts ? statistics.of(id) : null;
    }
}
