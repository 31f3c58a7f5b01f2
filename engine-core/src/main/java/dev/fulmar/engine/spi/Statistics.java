package dev.fulmar.engine.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of tables, rough and of a moment that has passed, by which queries are planned. No plan may be wrong
 * because they are, only slow. Equal statistics make equal plans.
 *
 * @param tables by their ids; a table that is not there is one of which nothing is known
 */
public record Statistics(SortedMap<Integer, TableFigures> tables) {
    public static final Statistics NONE = new Statistics(Collections.emptySortedMap());

    public Statistics {
        tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    }

    /**
     * A table.
     *
     * @param rows of all partitions; a replicated table's are counted once
     * @param keys how many values columns have, as far as that is known
     */
    public record TableFigures(long rows, List<KeyValues> keys) {
        public TableFigures {
            keys = List.copyOf(keys);
        }

        /** Values of the columns together; 0 if that is not known. */
        public long values(List<Integer> columns) {
            for (KeyValues key : keys) {
                if (key.columns().equals(columns)) {
                    return key.values();
                }
            }
            return 0;
        }
    }

    /**
     * The number of different values that some columns have together.
     *
     * @param columns positions in the table
     * @param values at least 1
     */
    public record KeyValues(List<Integer> columns, long values) {
        public KeyValues {
            columns = List.copyOf(columns);
        }
    }

    /** Null if nothing is known of the table. */
    public @Nullable TableFigures of(int table) {
        return tables.get(table);
    }

    /** The statistics of these tables only. */
    public Statistics of(Collection<Integer> wanted) {
        SortedMap<Integer, TableFigures> some = new TreeMap<>(tables);
        some.keySet().retainAll(wanted);
        return new Statistics(some);
    }
}
