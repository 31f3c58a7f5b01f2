package dev.fulmar.coordinator.statistics;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.spi.Statistics.KeyValues;
import dev.fulmar.engine.spi.Statistics.TableFigures;
import dev.fulmar.engine.table.TableSample;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts one partition's tables between its transactions, and samples those that have changed much since their last
 * sample. It samples one table at a time, so that transactions wait for one at most. Its state belongs to the
 * partition's thread.
 */
final class PartitionStatistics {
    /** A table is sampled anew when it has so many times the rows, or so many times fewer. */
    private static final long CHANGED = 2;

    private static final long LOST_NANOS = 60_000_000_000L;

    private final PartitionRuntime runtime;

    /** Samples by the tables' ids; asked for single ones only. */
    private final Map<Integer, Sampled> samples = new HashMap<>();

    /** When the last one began that has not ended; any thread. */
    private final AtomicReference<@Nullable Long> begun = new AtomicReference<>();

    private record Sampled(long rows, List<KeyValues> keys) {}

    PartitionStatistics(PartitionRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Whether to take one now: false while the last is under way, so that they do not queue up where a partition is
     * busy. One that a partition has lost is not waited for forever.
     */
    boolean begins(long now) {
        Long before = begun.get();
        return (before == null || now - before > LOST_NANOS) && begun.compareAndSet(before, now);
    }

    /**
     * Takes it, some time later.
     *
     * @param counted is told of the rows, with the values that were known before
     * @param done is told of both
     */
    void take(List<Table> tables, Consumer<PartFigures> counted, Consumer<PartFigures> done) {
        runtime.partition().inbox().put((PartitionTask) partition -> {
            Deque<Integer> changed = new ArrayDeque<>();
            for (Table table : tables) {
                TableStore store = store(table.id());
                if (store != null && isChanged(samples.get(table.id()), store.rowCount())) {
                    changed.add(table.id());
                }
            }
            if (!changed.isEmpty()) {
                counted.accept(figures(tables));
            }
            sampleNext(tables, changed, done);
        });
    }

    private static boolean isChanged(@Nullable Sampled sampled, long rows) {
        return sampled == null ? rows > 0 : rows > sampled.rows() * CHANGED || rows * CHANGED < sampled.rows();
    }

    private void sampleNext(List<Table> tables, Deque<Integer> changed, Consumer<PartFigures> done) {
        Integer next = changed.poll();
        if (next == null) {
            end(tables, done);
            return;
        }
        TableStore store = store(next);
        if (store != null) {
            samples.put(next, new Sampled(store.rowCount(), TableSample.of(store)));
        }
        if (changed.isEmpty()) {
            end(tables, done);
        } else {
            runtime.partition().inbox().put((PartitionTask) partition -> sampleNext(tables, changed, done));
        }
    }

    private void end(List<Table> tables, Consumer<PartFigures> done) {
        begun.set(null);
        done.accept(figures(tables));
    }

    private @Nullable TableStore store(int table) {
        return runtime.storage().hasTable(table) ? runtime.storage().table(table) : null;
    }

    private PartFigures figures(List<Table> tables) {
        SortedMap<Integer, TableFigures> figures = new TreeMap<>();
        for (Table table : tables) {
            TableStore store = store(table.id());
            if (store != null) {
                Sampled sampled = samples.get(table.id());
                figures.put(
                        table.id(), new TableFigures(store.rowCount(), sampled == null ? List.of() : sampled.keys()));
            }
        }
        samples.keySet().retainAll(figures.keySet());
        return new PartFigures(1, figures);
    }
}
