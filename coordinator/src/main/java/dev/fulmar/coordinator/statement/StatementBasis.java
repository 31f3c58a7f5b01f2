package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The table statistics that a compiled statement was planned by, kept to decide when it must be planned anew.
 * Thread-safe.
 */
final class StatementBasis {
    /** So many times the rows, or so many times fewer, are much. */
    private static final long MUCH = 8;

    /** Below so many rows nothing is. */
    private static final long FEW = 1_000;

    private final SortedSet<Integer> tables;
    private final Statistics statistics;

    /** The statistics compared last: the same object as long as nothing changes. */
    private volatile Statistics compared;

    /**
     * Takes the statistics that the statement was planned by.
     *
     * @param tables those that the plan depends on
     */
    StatementBasis(SortedSet<Integer> tables, Statistics statistics) {
        this.tables = tables;
        this.statistics = statistics;
        this.compared = statistics;
    }

    /** Whether a table has changed much since. */
    @SuppressWarnings("ReferenceEquality") // quick; equal ones are only compared once more
    boolean isOutdated(Statistics now) {
        if (compared == now) {
            return false;
        }
        for (Map.Entry<Integer, TableFigures> table : now.tables().entrySet()) {
            if (tables.contains(table.getKey()) && isMuch(statistics.of(table.getKey()), table.getValue())) {
                return true;
            }
        }
        compared = now;
        return false;
    }

    private static boolean isMuch(@Nullable TableFigures before, TableFigures now) {
        if (before == null) {
            return now.rows() > FEW;
        }
        boolean isChanged = now.rows() / MUCH > before.rows() || before.rows() / MUCH > now.rows();
        boolean isSampled = before.keys().isEmpty() && !now.keys().isEmpty();
        return Math.max(now.rows(), before.rows()) > FEW && (isChanged || isSampled);
    }
}
