package dev.fulmar.coordinator.statistics;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The sum of the figures of a database's parts. */
final class FigureSum {
    private static final int HALVINGS = 40;

    /** Samples tell no more than that anyway. */
    private static final double CLOSE = 0.01;

    private FigureSum() {}

    /**
     * The figures of all partitions; an unknown one counts as much as the others on average.
     *
     * @param partitions how many there are
     */
    static SortedMap<Integer, TableFigures> of(Collection<PartFigures> parts, Catalog catalog, int partitions) {
        SortedMap<Integer, TableFigures> sums = new TreeMap<>();
        for (Table table : catalog.tables().values()) {
            List<TableFigures> figures = new ArrayList<>();
            int known = 0;
            for (PartFigures part : parts) {
                TableFigures ofPart = part.tables().get(table.id());
                if (ofPart != null && part.partitions() > 0) {
                    figures.add(ofPart);
                    known += part.partitions();
                }
            }
            if (!figures.isEmpty()) {
                double share = Math.min(1, (double) known / partitions);
                sums.put(table.id(), table.isReplicated() ? copy(figures) : sum(table, figures, share));
            }
        }
        return sums;
    }

    /** Every part has the same rows, but for what has happened since it was asked. */
    private static TableFigures copy(List<TableFigures> copies) {
        TableFigures largest = copies.getFirst();
        for (TableFigures copy : copies) {
            largest = copy.rows() > largest.rows() ? copy : largest;
        }
        return largest;
    }

    private static TableFigures sum(Table table, List<TableFigures> parts, double share) {
        long rows = Math.round(parts.stream().mapToLong(TableFigures::rows).sum() / share);
        SortedSet<String> met = new TreeSet<>();
        List<KeyValues> keys = new ArrayList<>();
        for (TableFigures part : parts) {
            for (KeyValues key : part.keys()) {
                if (met.add(key.columns().toString())) {
                    keys.add(new KeyValues(key.columns(), values(table, key.columns(), parts, share, rows)));
                }
            }
        }
        return new TableFigures(rows, keys);
    }

    private static long values(Table table, List<Integer> columns, List<TableFigures> parts, double share, long rows) {
        boolean decidesThePartition = table.partitioningColumn().isPresent()
                && columns.contains(table.partitioningColumn().getAsInt());
        double values = decidesThePartition
                ? parts.stream().mapToLong(part -> part.values(columns)).sum() / share
                : overlapping(columns, parts);
        return Math.clamp(Math.round(values), 1, Math.max(1, rows));
    }

    /**
     * The number of distinct values of which each part may have some that others have too. If there are v of them,
     * evenly among the rows, and a part has the share s of the rows, it has v (1 - (1 - s) ^ (rows / v)) of them. That
     * grows with v, so halving finds the v that explains the counts of the parts.
     */
    private static double overlapping(List<Integer> columns, List<TableFigures> parts) {
        double rows = 0;
        double most = 0;
        double sum = 0;
        for (TableFigures part : parts) {
            long values = part.values(columns);
            if (values > 0) {
                rows += part.rows();
                most = Math.max(most, (double) values);
                sum += values;
            }
        }
        double low = most;
        double high = sum;
        for (int i = 0; i < HALVINGS && high - low > low * CLOSE; i++) {
            double middle = (low + high) / 2;
            if (expected(columns, parts, rows, middle) < sum) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double expected(List<Integer> columns, List<TableFigures> parts, double rows, double values) {
        double expected = 0;
        for (TableFigures part : parts) {
            if (part.values(columns) > 0) {
                expected += values * (1 - Math.pow(1 - part.rows() / Math.max(1, rows), rows / values));
            }
        }
        return expected;
    }
}
