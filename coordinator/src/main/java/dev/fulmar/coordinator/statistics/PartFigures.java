package dev.fulmar.coordinator.statistics;

import dev.fulmar.engine.spi.Statistics.TableFigures;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Planner statistics of each table over some partitions: of one partition, or the sum of those that one node leads.
 *
 * @param partitions how many they are
 * @param tables by their ids
 */
record PartFigures(int partitions, SortedMap<Integer, TableFigures> tables) {
    PartFigures {
        tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
    }
}
